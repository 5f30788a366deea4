"""UHF modules that speak `BB..7E`: YRM100, R200, M100, JRD-4035 (hardware_docs/protocols/bb.md)."""

"""FEIG OBID i-scan HF in ISO host mode, as of the Siemens SIMATIC RF290R (hardware_docs/protocols/feig.md)."""

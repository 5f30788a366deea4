"""FEIG OBID i-scan HF in ISO host mode (HARDWARE.md 2.2; Siemens SIMATIC RF290R uses the same command set)."""

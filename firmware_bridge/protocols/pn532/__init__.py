"""The protocol of the NXP PN532 on its high speed UART (HSU); facts and frames: hardware_docs/protocols/pn532.md."""

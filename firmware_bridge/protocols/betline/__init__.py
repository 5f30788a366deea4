"""Betline's own reader firmware: COBS frames with CRC-32, whole snapshots (hardware_docs/protocols/betline.md)."""

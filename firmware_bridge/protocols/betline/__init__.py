"""Betline's own reader firmware (HARDWARE.md 3.3): COBS frames with CRC-32, whole snapshots, acknowledged commands."""

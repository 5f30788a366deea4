"""Chafon UHFReader18, UHFReader06, 288, RRU9816, E310 and their like (hardware_docs/protocols/chafon.md)."""

"""Corrections, records and floor overrides: the hand is replayed with them."""

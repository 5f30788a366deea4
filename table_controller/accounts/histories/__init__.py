"""Hands of a journal in the formats of other programs: PHH, OHH, PokerStars' text, CSV, and JSON of our own."""

"""The detector on a film of real hands: what it reports against what a person saw."""

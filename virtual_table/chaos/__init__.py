"""Chaos: random plans of faults at simulated tables, and of what breaks one the shortest plan that still breaks it."""

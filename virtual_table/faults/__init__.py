"""Faults as data: one language for what goes wrong at a table, which demo, laboratory and chaos take alike."""

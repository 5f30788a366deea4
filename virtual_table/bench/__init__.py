"""Benchmarks that need a virtual table: `betline bench`."""

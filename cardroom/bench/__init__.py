"""Benchmarks of a site."""

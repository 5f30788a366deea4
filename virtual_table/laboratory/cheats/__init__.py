"""Cheats and slips, acted out by the virtual people in otherwise honest hands."""

"""Chips in one still photograph."""

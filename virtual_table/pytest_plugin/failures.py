"""What a test is told that cannot go on, or did not find what it expected."""

from __future__ import annotations


class LabError(Exception):
    """What the test asks for cannot be done; the text says why and what to do."""


class Unexpected(AssertionError):
    """The table did not say what was expected; the text has the difference, the story and where the picture is."""

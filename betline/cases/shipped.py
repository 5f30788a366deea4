"""Where the cases lie that the program itself needs: in the wheel beside the packages, in a checkout with the tests."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from betline.settings import SettingsError


@cache
def shipped_cases() -> Path:
    """The folder of the shipped case files; raises SettingsError."""
    package = Path(__file__).resolve().parents[1]
    for candidate in (package / "_cases", package.parent / "tests" / "cases"):
        if any(candidate.glob("*.yaml")):
            return candidate
    raise SettingsError("The shipped cases are missing: install betline again.")

"""The rules of the table by the names of their functions, and what each says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from table_controller.rulings.acts import book, order


def rule_named(name: str) -> Callable[..., Any] | None:
    """A rule of the table, or one that stands around it, by the name of its function."""
    for rule in book.RULES:
        if rule.__name__ == name:
            return rule
    return getattr(book, name, None) or getattr(order, name, None)


def meaning_of(rule: Callable[..., Any]) -> str:
    """What a rule says, in our words and with the rules where it stands."""
    return " ".join((rule.__doc__ or "").split())

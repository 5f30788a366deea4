"""What a kind of question makes of a moment, before its choices are mixed."""

from __future__ import annotations

from dataclasses import dataclass

from table_controller.training.wrong import Choice


@dataclass(frozen=True, slots=True)
class Draft:
    """What a kind makes of a moment; the choices are mixed later."""

    asks: str
    right: Choice
    wrong: tuple[Choice, ...] = ()
    """Nothing: an amount is typed."""
    you: int | None = None
    after: bool = False
    """The table is shown as it is after the act, and the scene says what the act was."""
    part: int = 0
    """Of several of one kind, which."""
    keeps_order: bool = False


def amount_of(asks: str, amount: int, *, you: int | None = None, after: bool = False, part: int = 0) -> Draft:
    """A question that is answered with an amount."""
    return Draft(asks, Choice(f"{amount:,}", str(amount)), you=you, after=after, part=part)

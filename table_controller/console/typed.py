"""What is typed or chosen in a dialog, read into a command or refused in words. Pure."""

from __future__ import annotations

from betline.messages import PotView
from table_controller.console.intents import Refused, Send, listed

SEATING_HELP = "sits 400 Ann · adds 200 · leaves · away · back"


def winners(text: str, pot: PotView) -> list[int] | dict[str, list[list[int]]]:
    """The winners of a pot as typed: digits are seats, 0 is seat 10, / parts a divided pot (high / low).

    Raises ValueError with a sentence.
    """
    parts: list[list[int]] = []
    for part in text.split("/"):
        seats: list[int] = []
        for digit in part:
            if not (digit.isascii() and digit.isdigit()):
                raise ValueError(f"{digit} is no seat: digits only, 0 for seat 10.")
            seat = int(digit) or 10
            if seat not in pot.seats:
                raise ValueError(f"Seat {seat} cannot win this pot; {listed(pot.seats)} can.")
            if seat in seats:
                raise ValueError(f"Seat {seat} stands there twice.")
            seats.append(seat)
        if not seats:
            raise ValueError("Type the winner's seat." if len(text) == 0 else "A part of the pot has no winner.")
        parts.append(sorted(seats))
    return parts[0] if len(parts) == 1 else {"parts": parts}


def floor_decision(offer: str) -> Send:
    """The command that decides for an offer: ``call``, or ``raise:400``."""
    ruling, _, size = offer.partition(":")
    return Send("floor", {"ruling": ruling, "to": int(size)} if size.isdigit() else {"ruling": offer})


def says(seat: int, text: str) -> Send | Refused:
    """A player's words, as typed."""
    return Send("says", {"seat": seat, "text": text}) if text else Refused("Type the words first.")


def seating(seat: int, text: str) -> Send | Refused:
    """What happens at a seat between hands, as typed: see ``SEATING_HELP``."""
    words = text.split()
    match words:
        case ["sits", stack, *name] if _is_amount(stack):
            return Send("sits", {"seat": seat, "stack": int(stack), **({"name": " ".join(name)} if name else {})})
        case ["adds", amount] if _is_amount(amount):
            return Send("adds", {"seat": seat, "amount": int(amount)})
        case [("leaves" | "away" | "back") as verb]:
            return Send(verb, {"seat": seat})
    return Refused(f"That is not understood; write: {SEATING_HELP}.")


def _is_amount(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 12 and int(text) > 0

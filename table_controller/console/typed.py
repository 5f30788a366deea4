"""What is typed or chosen in a dialog, read into a command or refused in words. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

from betline.messages.table import PotView
from betline.settings import STREETS
from betline.steps import HOUSE_PLACES, FloorRuling
from table_controller.console.intents import Refused, Send, listed

STRADDLES = ("live", "mississippi", "sleeper")
FLOOR_RULINGS: tuple[str, ...] = get_args(FloorRuling)
ALL_STREETS = frozenset(street for streets in STREETS.values() for street in streets)


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


# --- the table's menu ------------------------------------------------------------------------------------------------


def straddle(text: str) -> Send | Refused:
    """``4``, ``4 20``, ``5 sleeper 20``: the seat, its total, the kind; without a total the least."""
    seat, *more = text.lower().split() or [""]
    sizes = [int(word) for word in more if _is_amount(word)]
    kinds = [word for word in more if word in STRADDLES]
    if not _is_seat(seat) or len(sizes) > 1 or len(kinds) > 1 or len(sizes) + len(kinds) < len(more):
        return _not_understood("4, 4 20 or 5 sleeper 20")
    size: dict[str, Any] = {"to": sizes[0]} if sizes else {}
    kind = {"kind": kinds[0]} if kinds else {}
    return Send("straddle", {"seat": int(seat), **size, **kind})


def straddle_of(seat: int, text: str) -> Send | Refused:
    """The same of a seat that is known."""
    return straddle(f"{seat} {text}")


def button(text: str) -> Send | Refused:
    """The seat that the button belongs to."""
    return Send("button", {"seat": int(text)}) if _is_seat(text) else _not_understood("the seat")


def moves(text: str) -> Send | Refused:
    """``4 tray 5 tip``: from, to, amount, and why."""
    match text.lower().split():
        case [source, to, amount, *why] if _is_place(source) and _is_place(to) and _is_amount(amount):
            reason = {"why": " ".join(why)} if why else {}
            return Send("moves", {"from": _place(source), "to": _place(to), "amount": int(amount), **reason})
    return _not_understood("4 tray 5 tip")


def bomb_pot(text: str) -> Send | Refused:
    """What everybody puts in; nothing is the house's ante."""
    if text and not _is_amount(text):
        return _not_understood("the amount")
    return Send("next-hand", {"bomb_pot": int(text) if text else 0})


def race(text: str) -> Send | Refused:
    """``25 to 100 won 3 5``: the chip that goes, what it is changed for, the winners of the odd chips."""
    head, _, won = text.lower().partition("won")
    winners = won.split()
    match head.split():
        case [remove] if _is_amount(remove) and all(map(_is_seat, winners)):
            return Send("race", {"remove": int(remove), "wins": [int(seat) for seat in winners]})
        case [remove, "to", to] if _is_amount(remove) and _is_amount(to) and all(map(_is_seat, winners)):
            return Send("race", {"remove": int(remove), "to": int(to), "wins": [int(seat) for seat in winners]})
    return _not_understood("25 won 3 5, or 25 to 100 won 3")


def clock(text: str) -> Send | Refused:
    """``pause``, ``level 3``, ``left 12:30``: what the clock of the levels does."""
    match text.lower().split():
        case [("start" | "pause" | "resume" | "next" | "back") as action]:
            return Send("clock", {"action": action})
        case ["level", number] if _is_amount(number):
            return Send("clock", {"action": "set", "level": int(number)})
        case ["left", left] if (seconds := _seconds(left)) is not None:
            return Send("clock", {"action": "set", "left_s": seconds})
    return _not_understood("start, pause, resume, next, back, level 3 or left 12:30")


def game(text: str) -> Send | Refused:
    """The game of the next hand, by its name."""
    return Send("game", {"name": text}) if text else _not_understood("the name of the game")


def _seconds(text: str) -> int | None:
    minutes, _, seconds = text.partition(":")
    parts = (minutes, seconds or "0")
    if not all(part.isascii() and part.isdigit() for part in parts) or len(text) > 7:
        return None
    return int(minutes) * 60 + int(parts[1])


# --- what is put right ------------------------------------------------------------------------------------------------


def corrects(text: str) -> Send | Refused:
    """``3 1200``: the seat, and the total at which its bet of this street stands corrected."""
    match text.split():
        case [seat, to] if _is_seat(seat) and _is_amount(to):
            return Send("corrects", {"seat": int(seat), "to": int(to)})
    return _not_understood("3 1200: the seat, and what it makes it")


def records(text: str) -> Send | Refused:
    """``3 1200``, ``3 1200 flop``: what the seat has really put in on this street, or on an earlier one."""
    match text.lower().split():
        case [seat, to, *street] if _is_seat(seat) and (to == "0" or _is_amount(to)) and len(street) < 2:
            return Send("records", {"seat": int(seat), "to": int(to), **({"street": street[0]} if street else {})})
    return _not_understood("3 1200, or 3 1200 flop; 3 0: it put in nothing")


def overrides(text: str) -> Send | Refused:
    """``3 raise 600 by Ann: he had said so``: seat, what it is, to how much, on which street; who decides, and why."""
    head, by, floor = text.partition(" by ")
    name, _, why = floor.partition(":")
    if not by or not name.strip() or not why.strip():
        return Refused("Say who decides and why: 3 call by Ann: it was a string bet.")
    seat, *words = head.lower().split() or [""]
    rulings = [word for word in words if word in FLOOR_RULINGS]
    sizes = [int(word) for word in words if _is_amount(word)]
    streets = [word for word in words if word in ALL_STREETS]
    known = len(rulings) + len(sizes) + len(streets)
    if not _is_seat(seat) or len(rulings) != 1 or len(sizes) > 1 or len(streets) > 1 or known < len(words):
        return _not_understood(f"3 raise 600 by Ann: why; it is one of {', '.join(FLOOR_RULINGS)}")
    size = {"to": sizes[0]} if sizes else {}
    street = {"street": streets[0]} if streets else {}
    decided = {"by": name.strip(), "why": why.strip()}
    return Send("overrides", {"seat": int(seat), "ruling": rulings[0], **size, **street, **decided})


# --- a seat's menu ---------------------------------------------------------------------------------------------------


def sits(seat: int, how: Mapping[str, object], text: str) -> Send | Refused:
    """``400 Ann``: the stack and the name."""
    stack, *name = text.split() or [""]
    if not _is_amount(stack):
        return _not_understood("400 Ann")
    called = {"name": " ".join(name)} if name else {}
    return Send("sits", {"seat": seat, "stack": int(stack), **called, **how})


def amount(verb: str, seat: int, text: str) -> Send | Refused:
    """A command that takes a seat and an amount."""
    return Send(verb, {"seat": seat, "amount": int(text)}) if _is_amount(text) else _not_understood("the amount")


def tip(seat: int, text: str) -> Send | Refused:
    """A tip goes from the stack to the tray (R-298)."""
    if not _is_amount(text):
        return _not_understood("the amount")
    return Send("moves", {"from": seat, "to": "tray", "amount": int(text), "why": "tip"})


def borrows(seat: int, text: str) -> Send | Refused:
    """``200 5``, ``200 pot``, ``200 pot declined 3``: how much, of whom, and who does not accept the marker."""
    head, _, no = text.lower().partition("declined")
    declined = no.split()
    match head.split():
        case [much, lender] if (
            _is_amount(much) and (lender == "pot" or _is_seat(lender)) and all(map(_is_seat, declined))
        ):
            against = {"declined": [int(one) for one in declined]} if declined else {}
            source = "pot" if lender == "pot" else int(lender)
            return Send("borrows", {"seat": seat, "amount": int(much), "from": source, **against})
    return _not_understood("200 5, 200 pot or 200 pot declined 3")


def penalty(seat: int, text: str) -> Send | Refused:
    """So many hands away; 0 lifts it."""
    if text != "0" and not _is_amount(text):
        return _not_understood("so many hands")
    return Send("penalty", {"seat": seat, "hands": int(text)})


def count(seat: int, text: str) -> Send | Refused:
    """``180`` behind, or ``bet 40`` of this round."""
    match text.lower().split():
        case [stack] if stack == "0" or _is_amount(stack):
            return Send("counts", {"seat": seat, "stack": int(stack)})
        case ["bet", bet] if bet == "0" or _is_amount(bet):
            return Send("counts", {"seat": seat, "bet": int(bet)})
    return _not_understood("180, or bet 40")


def kills(seat: int, text: str) -> Send | Refused:
    """Why the hand is dead."""
    return Send("kills", {"seat": seat, "why": text}) if text else Refused("Say why, such as: exposed.")


def _not_understood(examples: str) -> Refused:
    return Refused(f"That is not understood; type {examples}.")


def _is_seat(text: str) -> bool:
    return _is_amount(text) and int(text) <= 10


def _is_lender(text: str) -> bool:
    return text == "pot" or _is_seat(text)


def _is_place(text: str) -> bool:
    return text in HOUSE_PLACES or _is_seat(text)


def _place(text: str) -> int | str:
    return text if text in HOUSE_PLACES else int(text)


def _is_amount(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 12 and int(text) > 0

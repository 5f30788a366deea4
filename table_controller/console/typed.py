"""What is typed or chosen in a dialog, read into a command or refused in words. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, get_args

from betline.messages.table import PotView
from betline.settings import STREETS
from betline.steps import (
    HOUSE_PLACES,
    MAX_CLOCK_S,
    MAX_PENALTY_HANDS,
    BlindRaise,
    Borrow,
    ChangeSeat,
    Clock,
    ColorUp,
    Command,
    CorrectBet,
    CorrectButton,
    CorrectRecord,
    Count,
    Dealer,
    FloorDecision,
    FloorRuling,
    Game,
    MoveChips,
    NamePlayer,
    NextHand,
    Part,
    Penalty,
    PlayerClock,
    RunIt,
    Says,
    SitDown,
    Straddle,
    Winners,
)
from table_controller.console.intents import Refused, listed

STRADDLES: Mapping[str, BlindRaise] = {kind: kind for kind in get_args(BlindRaise)}
FLOOR_RULINGS: Mapping[str, FloorRuling] = {ruling: ruling for ruling in get_args(FloorRuling)}
ALL_STREETS = frozenset(street for streets in STREETS.values() for street in streets)


def winners(text: str, pot: PotView) -> Winners:
    """The winners of a pot as typed: digits are seats, 0 is seat 10, / parts a divided pot (high / low).

    Raises ValueError with a sentence.
    """
    parts: list[tuple[int, ...]] = []
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
        parts.append(tuple(sorted(seats)))
    return tuple(parts)


def by_pot(boards: Sequence[Winners], runs: int) -> tuple[Winners, ...]:
    """The winners of each pot where they were named board by board: one part a board, which may be parted itself."""
    if runs == 1:
        return tuple(boards)
    parts = [_of_board(board) for board in boards]
    return tuple(tuple(parts[first : first + runs]) for first in range(0, len(parts), runs))


def _of_board(board: Winners) -> Part:
    halves = tuple(tuple(seat for seat in half if isinstance(seat, int)) for half in board)
    return halves if len(halves) > 1 else halves[0]


def run_it(text: str) -> Command | Refused:
    """``2`` or ``3``: how often the rest of the board is dealt."""
    return RunIt(times=int(text)) if text in ("2", "3") else _not_understood("2 or 3")


def floor_decision(offer: str) -> FloorDecision:
    """The command that decides for an offer: ``call``, or ``raise:400``."""
    ruling, _, size = offer.partition(":")
    return FloorDecision(ruling=ruling, to=int(size) if size.isdigit() else None)


def says(seat: int, text: str) -> Command | Refused:
    """A player's words, as typed."""
    return Says(seat=seat, text=text) if text else Refused("Type the words first.")


# --- the table's menu ------------------------------------------------------------------------------------------------


def straddle(text: str) -> Command | Refused:
    """``4``, ``4 20``, ``5 sleeper 20``: the seat, its total, the kind; without a total the least."""
    seat, *more = text.lower().split() or [""]
    sizes = [int(word) for word in more if _is_amount(word)]
    kinds = [word for word in more if word in STRADDLES]
    if not _is_seat(seat) or len(sizes) > 1 or len(kinds) > 1 or len(sizes) + len(kinds) < len(more):
        return _not_understood("4, 4 20 or 5 sleeper 20")
    kind: BlindRaise | Literal[""] = STRADDLES[kinds[0]] if kinds else ""
    return Straddle(seat=int(seat), to=sizes[0] if sizes else 0, kind=kind)


def straddle_of(seat: int, text: str) -> Command | Refused:
    """The same of a seat that is known."""
    return straddle(f"{seat} {text}")


def correct_button(text: str) -> Command | Refused:
    """The seat that the button belongs to."""
    return CorrectButton(seat=int(text)) if _is_seat(text) else _not_understood("the seat")


def move_chips(text: str) -> Command | Refused:
    """``4 tray 5 tip``: from, to, amount, and why."""
    match text.lower().split():
        case [source, to, amount, *why] if _is_place(source) and _is_place(to) and _is_amount(amount):
            return MoveChips(source=_place(source), to=_place(to), amount=int(amount), why=" ".join(why))
    return _not_understood("4 tray 5 tip")


def bomb_pot(text: str) -> Command | Refused:
    """What everybody puts in; nothing is the house's ante."""
    if text and not _is_amount(text):
        return _not_understood("the amount")
    return NextHand(bomb_pot=int(text) if text else 0)


def color_up(text: str) -> Command | Refused:
    """``25 to 100 won 3 5``: the chip that goes, what it is changed for, the winners of the odd chips."""
    head, _, won = text.lower().partition("won")
    if all(map(_is_seat, won.split())):
        wins = tuple(int(seat) for seat in won.split())
        match head.split():
            case [remove] if _is_amount(remove):
                return ColorUp(remove=int(remove), wins=wins)
            case [remove, "to", to] if _is_amount(remove) and _is_amount(to):
                return ColorUp(remove=int(remove), wins=wins, to=int(to))
    return _not_understood("25 won 3 5, or 25 to 100 won 3")


def clock(text: str) -> Command | Refused:
    """``pause``, ``level 3``, ``left 12:30``: what the clock of the levels does."""
    match text.lower().split():
        case [("start" | "pause" | "resume" | "next" | "back") as action]:
            return Clock(action=action)
        case ["level", number] if _is_amount(number):
            return Clock(action="set", level=int(number))
        case ["left", left] if (seconds := _seconds(left)) is not None:
            return Clock(action="set", left_s=seconds)
    return _not_understood("start, pause, resume, next, back, level 3 or left 12:30")


def player_clock(text: str) -> Command | Refused:
    """``start``, ``start 60``, ``more``, ``more 30``, ``stop``: what the clock of the seat to act does."""
    match text.lower().split():
        case [("start" | "more" | "stop") as action]:
            return PlayerClock(action=action)
        case [("start" | "more") as action, seconds] if _is_amount(seconds) and int(seconds) <= MAX_CLOCK_S:
            return PlayerClock(action=action, seconds=int(seconds))
    return _not_understood(f"start, start 60, more, more 30 or stop; {MAX_CLOCK_S} seconds at most")


def game(text: str) -> Command | Refused:
    """The game of the next hand, by its name."""
    return Game(name=text) if text else _not_understood("the name of the game")


def dealer(text: str) -> Command | Refused:
    """Who deals from now on; nothing typed: nobody is named."""
    return Dealer(name=text)


def _seconds(text: str) -> int | None:
    minutes, _, seconds = text.partition(":")
    parts = (minutes, seconds or "0")
    if not all(part.isascii() and part.isdigit() for part in parts) or len(text) > 7:
        return None
    return int(minutes) * 60 + int(parts[1])


# --- what is put right ------------------------------------------------------------------------------------------------


def correct_bet(text: str) -> Command | Refused:
    """``3 1200``: the seat, and the total at which its bet of this street stands corrected."""
    match text.split():
        case [seat, to] if _is_seat(seat) and _is_amount(to):
            return CorrectBet(seat=int(seat), to=int(to))
    return _not_understood("3 1200: the seat, and what it makes it")


def correct_record(text: str) -> Command | Refused:
    """``3 1200``, ``3 1200 flop``: what the seat has really put in on this street, or on an earlier one."""
    match text.lower().split():
        case [seat, to] if _is_seat(seat) and (to == "0" or _is_amount(to)):
            return CorrectRecord(seat=int(seat), to=int(to))
        case [seat, to, street] if _is_seat(seat) and (to == "0" or _is_amount(to)) and street in ALL_STREETS:
            return CorrectRecord(seat=int(seat), to=int(to), street=street)
    return _not_understood("3 1200, or 3 1200 flop; 3 0: it put in nothing")


# --- a seat's menu ---------------------------------------------------------------------------------------------------


def sit_down(seat: int, text: str, *, post: bool = True, buys_button: bool = False) -> Command | Refused:
    """``400 Ann``, ``Ann``, nothing: the stack and the name; without a stack the table's starting stack."""
    first, *more = text.split() or [""]
    if _is_amount(first):
        return SitDown(seat=seat, stack=int(first), post=post, buys_button=buys_button, player=" ".join(more))
    if first[:1] == "-" or first[:1].isdigit():
        return _not_understood("400 Ann, or Ann, or nothing for the starting stack")
    return SitDown(seat=seat, post=post, buys_button=buys_button, player=" ".join(text.split()))


def name_player(seat: int, text: str) -> Command | Refused:
    """Who sits there; nothing typed: nobody knows."""
    return NamePlayer(seat=seat, player=text)


def change_seat(seat: int, text: str) -> Command | Refused:
    """``7``, ``7 waits``, ``7 buys``: the empty seat, and how the player comes in there."""
    match text.lower().split():
        case [to] if _is_seat(to):
            return ChangeSeat(seat=seat, to=int(to))
        case [to, "waits"] if _is_seat(to):
            return ChangeSeat(seat=seat, to=int(to), post=False)
        case [to, "buys"] if _is_seat(to):
            return ChangeSeat(seat=seat, to=int(to), buys_button=True)
    return _not_understood("the empty seat: 7, or 7 waits, or 7 buys (the button)")


def amount(command: Callable[..., Command], seat: int, text: str) -> Command | Refused:
    """A command of a seat and an amount."""
    return command(seat=seat, amount=int(text)) if _is_amount(text) else _not_understood("the amount")


def tip(seat: int, text: str) -> Command | Refused:
    """A tip goes from the stack to the tray (R-298)."""
    if not _is_amount(text):
        return _not_understood("the amount")
    return MoveChips(source=seat, to="tray", amount=int(text), why="tip")


def borrow(seat: int, text: str) -> Command | Refused:
    """``200 5``, ``200 pot``, ``200 pot declined 3``: how much, of whom, and who does not accept the marker."""
    head, _, no = text.lower().partition("declined")
    declined = no.split()
    match head.split():
        case [much, lender] if (
            _is_amount(much) and (lender == "pot" or _is_seat(lender)) and all(map(_is_seat, declined))
        ):
            against = tuple(int(one) for one in declined)
            return Borrow(
                seat=seat, amount=int(much), source="pot" if lender == "pot" else int(lender), declined=against
            )  # fmt: skip
    return _not_understood("200 5, 200 pot or 200 pot declined 3")


def penalty(seat: int, text: str) -> Command | Refused:
    """So many hands away; 0 lifts it."""
    if text != "0" and not (_is_amount(text) and int(text) <= MAX_PENALTY_HANDS):
        return _not_understood(f"so many hands, {MAX_PENALTY_HANDS} at most")
    return Penalty(seat=seat, hands=int(text))


def count(seat: int, text: str) -> Command | Refused:
    """``180`` behind, or ``bet 40`` of this round."""
    match text.lower().split():
        case [stack] if stack == "0" or _is_amount(stack):
            return Count(seat=seat, stack=int(stack))
        case ["bet", bet] if bet == "0" or _is_amount(bet):
            return Count(seat=seat, bet=int(bet))
    return _not_understood("180, or bet 40")


def reason(command: Callable[..., Command], seat: int, text: str) -> Command | Refused:
    """A command of a seat and the reason for it."""
    return command(seat=seat, why=text) if text else Refused("Say why, such as: exposed.")


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

"""What a key means at this moment: a command, a refusal in words, or a dialog. Pure: the state and the number typed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from betline.fields import SEATS
from betline.messages.table import PotView, Question, TableState
from betline.steps import (
    MAX_CLOCK_S,
    MAX_UNDONE,
    Act,
    Answer,
    BringIn,
    CardsOut,
    Command,
    Deal,
    Jump,
    NextHand,
    Override,
    Passive,
    PassOut,
    PlayerClock,
    Rebuy,
    Redo,
    RestFolds,
    SeatPlayers,
    Straddle,
    Undo,
    UndoKey,
    verb_of,
)
from table_controller.console.keys import cap

Dialog = Literal[
    "amount", "all-in", "says", "award", "seating", "floor", "override", "menu", "bring-in", "first", "cards"
]


@dataclass(frozen=True, slots=True)
class Refused:
    """Nothing is sent; the sentence says why and what to do."""

    sentence: str


@dataclass(frozen=True, slots=True)
class Ask:
    """A dialog must say more; ``seat`` is whom it is about."""

    dialog: Dialog
    seat: int | None = None


Intent = Command | Refused | Ask
"""A command is sent as it is."""
_TIES = {"suit": "equal cards: by suit, clubs lowest", "position": "equal cards: the first left of the dealer"}
WAGERS: tuple[Literal["bet", "raise", "complete"], ...] = ("bet", "raise", "complete")
REBUY = "rebuy"
"""The kind of the question whether a seat buys chips before the next hand."""
FLOOR = "floor"
"""The kind of a question that waits for the floor."""
BOARD_STREETS = ("flop", "turn", "river")
BEFORE_THE_DRAW = "predraw"
"""The first street of every draw game."""


def intent(action: str, number: int | None, state: TableState | None) -> Intent:
    """What the key of ``action`` asks for, with ``number`` typed before it, at a table in ``state``."""
    if state is None:
        return Refused("Nothing is known of the table yet: wait for the controller.")
    return _ACTIONS[action](number, state)


def _needs_seat(action: str, state: TableState) -> Refused:
    """For a key that means nothing without a seat, with one of this table as the example."""
    example = min(7, max((seat.seat for seat in state.seats), default=7))
    return Refused(f"Type the seat's number first, then {cap(action)}: {example} {cap(action)}.")


def _passive(_number: int | None, state: TableState) -> Intent:
    return Passive(seat=state.to_act) if state.to_act else _nobody(state)


def _call(_number: int | None, state: TableState) -> Intent:
    if state.to_act is None:
        return _nobody(state)
    return Act(seat=state.to_act, action="call" if state.call else "check")


def _raise(number: int | None, state: TableState) -> Intent:
    question = asked(state)
    if state.to_act is None and question is not None and question.kind == REBUY and question.seat is not None:
        if number is None:
            return Refused(f"Type the amount first, then {cap('raise')}: 300 {cap('raise')}.")
        return Rebuy(seat=question.seat, amount=number)
    if state.to_act is None:
        return _nobody(state)
    if wager(state) is None:
        return Refused(f"Seat {state.to_act} may not bet or raise now.")
    if number is None:
        return Ask("amount", state.to_act)
    return make_it(state, number)


def _fold(number: int | None, state: TableState) -> Intent:
    if number is not None and number != state.to_act:
        return _at_seat(number, state, lambda seat: Act(seat=seat, gesture="muck"))
    return Act(seat=state.to_act, action="fold") if state.to_act else _nobody(state)


def _all_in(_number: int | None, state: TableState) -> Intent:
    return Ask("all-in", state.to_act) if state.to_act else _nobody(state)


def _jump(number: int | None, state: TableState) -> Intent:
    if number is None:
        return _needs_seat("jump", state)
    return _at_seat(number, state, lambda seat: Jump(seat=seat))


def _rest_folds(_number: int | None, state: TableState) -> Intent:
    return RestFolds() if state.to_act else _nobody(state)


def _tap(number: int | None, state: TableState) -> Intent:
    return _seat_or_next(number, state, lambda seat: Act(seat=seat, gesture="tap"))


def _says(number: int | None, state: TableState) -> Intent:
    return _seat_or_next(number, state, lambda seat: Ask("says", seat))


def _deal(number: int | None, state: TableState) -> Intent:
    if state.phase == "posting":
        return CardsOut()
    if state.phase == "round-over" and state.names_first:
        return Ask("first") if number is None else _at_seat(number, state, lambda seat: Deal(first=seat))
    return Deal()


def _straddle(number: int | None, state: TableState) -> Intent:
    if why := why_closed(state, Straddle):
        return Refused(why)
    if number is not None:
        return _at_seat(number, state, lambda seat: Straddle(seat=seat))
    live = next((one.seat for one in state.straddles if one.kind == "live"), None)
    if live is None:
        return _needs_seat("straddle", state)
    return Straddle(seat=live)


def _bring_in(number: int | None, state: TableState) -> Intent:
    if why := why_closed(state, BringIn):
        return Refused(why)
    return Ask("bring-in") if number is None else _at_seat(number, state, lambda seat: BringIn(seat=seat))


def _menu(_number: int | None, _state: TableState) -> Intent:
    return Ask("menu")


def _award(_number: int | None, state: TableState) -> Intent:
    if state.phase in ("posting", "betting"):
        return Refused("The betting is not over: there is nothing to award yet.")
    return Ask("award") if contested(state) else Refused("There is no pot to award.")


def _cards(number: int | None, state: TableState) -> Intent:
    if state.keeps_cards == "off":
        return Refused(f"This house keeps no cards: {cap('award')} awards the pots.")
    return Ask("cards") if number is None else _at_seat(number, state, lambda seat: Ask("cards", seat))


def _pass_out(_number: int | None, _state: TableState) -> Intent:
    return PassOut()


def _next_hand(number: int | None, state: TableState) -> Intent:
    waiting = next((one for one in state.questions if one.kind == REBUY), None)
    if waiting is not None:
        return Refused(f"Answer for seat {waiting.seat} first: {waiting.sentence}")
    if number is None:
        return NextHand()
    return _at_seat(number, state, lambda seat: NextHand(button=seat))


def _undo(number: int | None, _state: TableState) -> Intent:
    if number is None:
        return UndoKey()
    return Undo(count=number) if 1 <= number <= MAX_UNDONE else Refused(f"Take back 1 to {MAX_UNDONE} acts.")


def _redo(_number: int | None, _state: TableState) -> Intent:
    return Redo()


def _seating(number: int | None, state: TableState) -> Intent:
    if number is None:
        return _needs_seat("seating", state)
    return _at_seat(number, state, lambda seat: Ask("seating", seat))


def seat_range(text: str, state: TableState | None) -> Intent:
    """``1-6`` before the key of the seats: players sit down there with the starting stack."""
    if state is None:
        return Refused("Nothing is known of the table yet: wait for the controller.")
    low, _, high = text.partition("-")
    if not low or not high or not 1 <= int(low) <= int(high) <= len(SEATS):
        return Refused(f"Type the first and the last seat, then {cap('seating')}: 1-6 {cap('seating')}.")
    there = {seat.seat for seat in state.seats}
    wanted = [seat for seat in range(int(low), int(high) + 1) if seat in there]
    return SeatPlayers(seats=tuple(wanted)) if wanted else _at_seat(int(low), state, lambda seat: Ask("seating", seat))


def _floor(_number: int | None, state: TableState) -> Intent:
    """Where no ruling waits for the floor it may rule otherwise on one that was made."""
    waiting = floor_question(state)
    if waiting is not None:
        return Ask("floor", waiting.seat)
    why = why_closed(state, Override)
    return Refused(why) if why else Ask("override")


def _player_clock(number: int | None, state: TableState) -> Intent:
    """A clock of the usual time, or of so many seconds; while one runs it gets more."""
    if state.to_act is None or state.phase != "betting":
        return _nobody(state)
    if number is not None and not 1 <= number <= MAX_CLOCK_S:
        return Refused(f"Give the clock 1 to {MAX_CLOCK_S} seconds.")
    return PlayerClock(action="start" if state.player_clock is None else "more", seconds=number)


def _answer(place: int) -> Callable[[int | None, TableState], Intent]:
    def answer(number: int | None, state: TableState) -> Intent:
        if place == 0 and number is not None:
            return Refused(f"Press {cap('jump')} for seat {number}, {cap('raise')} for a bet of {number:,}.")
        question = asked(state)
        if question is None:
            return _passive(None, state) if place == 0 else Refused("Nothing is asked.")
        if place >= len(question.choices):
            return Refused(f"This question has {len(question.choices)} answers.")
        return Answer(question=question.id, choice=question.choices[place])

    return answer


_ACTIONS: dict[str, Callable[[int | None, TableState], Intent]] = {
    "passive": _passive,
    "call": _call,
    "raise": _raise,
    "fold": _fold,
    "all-in": _all_in,
    "jump": _jump,
    "rest-folds": _rest_folds,
    "tap": _tap,
    "says": _says,
    "deal": _deal,
    "straddle": _straddle,
    "bring-in": _bring_in,
    "menu": _menu,
    "cards": _cards,
    "award": _award,
    "pass-out": _pass_out,
    "next-hand": _next_hand,
    "undo": _undo,
    "redo": _redo,
    "seating": _seating,
    "floor": _floor,
    "player-clock": _player_clock,
    **{f"answer-{place + 1}": _answer(place) for place in range(4)},
}

COMMANDING = frozenset(_ACTIONS)
"""The actions that end in a command; the others look at something."""


# --- sizes -----------------------------------------------------------------------------------------------------------


def wager(state: TableState) -> Literal["bet", "raise", "complete"] | None:
    """The action by which the seat to act puts in more than a call: bet, raise or complete; None where it may not."""
    return next((action for action in WAGERS if action in state.may), None) if state.max_raise_to is not None else None


def amount_problem(state: TableState, to: int) -> str | None:
    """Why the seat to act may not make it ``to``, in a sentence; None where it may."""
    least, most = state.min_raise_to, state.max_raise_to
    if least is None or most is None:
        return "The seat may not bet or raise now."
    if to < least:
        return f"{to:,} is below the minimum: at least {least:,}."
    if to > most:
        return f"{to:,} is above the maximum: at most {most:,}."
    return None


def make_it(state: TableState, to: int) -> Act | Refused:
    """The command by which the seat to act makes it ``to``, its total of this round; refused where it may not."""
    problem = amount_problem(state, to)
    if problem is not None or state.to_act is None:
        return Refused(problem or "Nobody is to act.")
    return Act(seat=state.to_act, action=wager(state), to=to)


def pot_or_maximum(state: TableState) -> int | None:
    """The pot bet as far as the stack allows; without a pot limit the maximum."""
    if state.pot_bet is None or state.max_raise_to is None:
        return state.max_raise_to
    return min(state.pot_bet, state.max_raise_to)


# --- pots and questions ----------------------------------------------------------------------------------------------


def contested(state: TableState) -> tuple[PotView, ...]:
    """The pots that must be awarded, main pot first."""
    return tuple(pot for pot in state.pots if pot.amount and pot.seats)


def asked(state: TableState) -> Question | None:
    """The question that the answering keys belong to; the floor's decisions are never taken by a single key."""
    return next((question for question in state.questions if question.kind != FLOOR), None)


def floor_question(state: TableState) -> Question | None:
    """The question that waits for the floor's decision, if one does."""
    return next((question for question in state.questions if question.kind == FLOOR), None)


def why_closed(state: TableState, command: type[Command]) -> str:
    """Why a command is not possible now, empty where it may be."""
    return state.closed.get(verb_of(command), "")


# --- who is meant ----------------------------------------------------------------------------------------------------


def _at_seat(number: int, state: TableState, then: Callable[[int], Intent]) -> Intent:
    numbers = tuple(seat.seat for seat in state.seats)
    if number in numbers:
        return then(number)
    return Refused(f"There is no seat {number}; the table has {listed(numbers)}.")


def _seat_or_next(number: int | None, state: TableState, then: Callable[[int], Intent]) -> Intent:
    if number is not None:
        return _at_seat(number, state, then)
    return then(state.to_act) if state.to_act else _nobody(state)


def _nobody(state: TableState) -> Refused:
    return Refused(f"Nobody is to act: {what_next(state)}")


def what_next(state: TableState) -> str:
    """What the dealer does when no seat is to act, after what was seen that speaks for it."""
    return " ".join((*[one.sentence for one in state.suggestions], _what_next(state)))


def _what_next(state: TableState) -> str:
    match state.phase:
        case "posting":
            again = "Dealt again as it was: " if state.again else ""
            return f"{again}{cap('deal')} when the cards are out."
        case "betting" if state.bring_in_due:
            tie = "" if state.bring_in_tie is None else f"; {_TIES[state.bring_in_tie]}"
            return f"{cap('bring-in')} names who brings it in{tie}."
        case "round-over" if state.names_first:
            return f"{cap('deal')} deals the next street, and asks who opens it."
        case "betting" | "round-over":
            opens = f", seat {state.first_next} opens it" if state.first_next else ""
            passes = f"; {cap('pass-out')} passes the hand out" if nobody_opened(state) else ""
            return f"{cap('deal')} deals the next street{opens}{passes}."
        case "showdown" if state.to_come:
            return _run_out(state)
        case "showdown" if state.runs > 1:
            return f"{cap('award')} awards the pots, board by board."
        case "showdown":
            return f"{cap('award')} awards the pots."
        case _ if not any(one.status != "empty" for one in state.seats):
            return (
                f"1-{len(state.seats)} {cap('seating')} seats players, then {cap('next-hand')} begins the first hand."
            )
        case _ if state.hold is not None and state.hold.waits:
            return state.hold.sentence
        case _:
            carried = f"; {state.carried:,} lie in its pot" if state.carried else ""
            return f"{cap('next-hand')} begins the next hand{carried}."


def _run_out(state: TableState) -> str:
    """Who turns the cards up, and the next street: one thing after the other (R-008, R-268)."""
    found = []
    if state.turn_up:
        who = f"Seat{'s' if len(state.turn_up) > 1 else ''} {listed(state.turn_up)}"
        found.append(f"{who}: turn the cards up." if state.must_turn_up else f"{who} may turn the cards up.")
    if state.may_run > 1:
        how = "twice" if state.may_run == 2 else "twice or three times"
        found.append(f"All agree to run it {how}: {cap('menu')} I.")
    street = state.to_come[0]
    deals = f"burn, {street}" if street in BOARD_STREETS else f"deal the {street}"
    board = f"Board {state.board}: {deals}" if state.runs > 1 else deals[:1].upper() + deals[1:]
    return " ".join((*found, f"{board}: {cap('deal')}."))


def nobody_opened(state: TableState) -> bool:
    """A draw game in which all have passed on the first street: its antes may stay for the next hand (R-307)."""
    return state.phase == "round-over" and state.street == BEFORE_THE_DRAW and not any(seat.bet for seat in state.seats)


def listed(things: tuple[int, ...] | tuple[str, ...]) -> str:
    """Seats or streets for a sentence."""
    return " and ".join(", ".join(map(str, things)).rsplit(", ", 1))

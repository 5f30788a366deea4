"""The keys that work now, for the bottom of the screen: none that would be refused. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from betline.messages.table import TableState
from betline.steps import BringIn, Straddle
from table_controller.console.intents import asked, contested, floor_question, nobody_opened, wager, why_closed
from table_controller.console.keys import answer_cap, cap, key_of, keys_in_force

Hint = tuple[str, str]
"""What is printed on the key, and what it does now."""
_LOOKS = ("log", "sensors", "quit")


def press(action: str, number: int | None = None) -> str:
    """The screen's action for a key, with the number that is typed before it."""
    return f"press('{action}')" if number is None else f"press('{action}', {number})"


def pressed(hint: Hint) -> tuple[str, ...]:
    """What clicks on a hint ask for, from left to right: one action for each of its keys."""
    known = keys_in_force().by_cap
    caps = [one for word in hint[0].split() for one in ([word] if word in known else word.split("/"))]
    typed = int(caps.pop(0)) if len(caps) > 1 and caps[0].isdigit() else None
    return tuple(dict.fromkeys(press(known[one], typed) for one in caps))


def footer(state: TableState | None) -> tuple[Hint, ...]:
    """The keys in the order of their use: an open question first, then what the phase of the hand asks for."""
    if state is None:
        return tuple(_hint(action) for action in _LOOKS)
    found = [*_answers(state), *_of_the_phase(state)]
    if any(alert.active for alert in state.alerts):
        found.append(_hint("seen"))
    return (*dict.fromkeys(found), _hint("menu"), *(_hint(action) for action in _LOOKS))


def _answers(state: TableState) -> Iterator[Hint]:
    if floor_question(state) is not None:
        yield _hint("floor", "floor decides")
    question = asked(state)
    keys = [key for place in range(len(question.choices)) if (key := answer_cap(place))] if question else []
    if keys:
        yield " ".join(keys), "answer"


def _of_the_phase(state: TableState) -> Iterator[Hint]:
    match state.phase:
        case "posting":
            yield _hint("deal", "cards are out")
            if any(one.kind == "live" for one in state.straddles) and not why_closed(state, Straddle):
                yield _hint("straddle", "straddle")
        case "betting" if state.bring_in_due and not why_closed(state, BringIn):
            yield _hint("bring-in", "bring-in")
        case "round-over":
            yield _hint("deal", "next street")
            if nobody_opened(state):
                yield _hint("pass-out", "pass out")
        case "showdown" if state.to_come:
            yield _hint("deal", state.to_come[0])
        case "showdown" if contested(state):
            yield _hint("award")
        case "hand-over" | "idle":
            yield _hint("next-hand")
            if state.seats:
                first = state.seats[0].seat
                yield f"{first} {cap('seating')}", f"seat {first}"
    if state.keeps_cards != "off" and state.phase in ("round-over", "showdown"):
        yield _hint("cards")
    if state.to_act is not None and state.phase == "betting":
        yield from _of_the_turn(state)
    if state.phase != "idle":
        yield _hint("undo")


def _of_the_turn(state: TableState) -> Iterator[Hint]:
    yield _hint("passive", "check" if "check" in state.may else "fold")
    if "call" in state.may:
        yield _hint("call")
    if (wanted := wager(state)) is not None:
        yield _hint("raise", wanted)
    if "fold" in state.may:
        yield _hint("fold")
    yield _hint("all-in")
    if state.call:
        yield _hint("rest-folds")
    others = [one.seat for one in state.seats if one.status == "in" and one.seat != state.to_act]
    if others:
        yield f"{others[-1]} {cap('jump')}", f"seat {others[-1]} acts"


def _hint(action: str, words: str = "") -> Hint:
    key = key_of(action)
    caps = key.shown.split()
    return (" " if "/" in caps else "/").join(caps), words or key.hint

"""What must hold now, in the words of a case's `expect` (docs/case-format.md), compared with what the bus has told."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from betline.cases import ExpectedPot
from betline.cases.expect import ALERTS, read_expect
from betline.fields import FieldError
from betline.messages.table import Announcement, Ruling, SeatState, TableState
from table_controller.announce.phrases import Turn, announcement

OVER: Final = ("hand-over", "idle")
ROUND_OVER: Final = ("round-over", "showdown", *OVER)
NOT_TOLD: Final = ("held", "binding", "substantial", "posts")
"""What a case may ask of the engine and the bus does not say."""
SOME_OF: Final = ("cites", "alerts", "questions")
PART_OF: Final = ("announce", "error")


class NotExpectable(Exception):
    """An expectation cannot be read; the text is a sentence."""


@dataclass(frozen=True, slots=True)
class Heard:
    """What was heard since the act that the expectation is about began."""

    ruling: Ruling | None = None
    """How it counts now."""
    state: TableState | None = None
    alerts: frozenset[str] = frozenset()
    """Codes of what was raised since, and of what still stands."""
    refusal: str | None = None
    """The code by which the last key was refused."""
    announcement: Announcement | None = None
    """The newest one."""

    def value(self, key: str) -> object:
        """What a key of `expect` is now."""
        return _ASKED[key](self)


@dataclass(frozen=True, slots=True)
class Difference:
    """An expectation that does not hold."""

    key: str
    expected: object
    got: object

    def __str__(self) -> str:
        return f"{self.key}: expected {_shown(self.expected)}, got {_shown(self.got)}"


def read_wanted(said: Mapping[str, Any]) -> Mapping[str, object]:
    """What a test expects, as values to compare; raises NotExpectable.

    Besides the keys of a case: alerts of the felt, of readers and of cheats, and `questions` by their kind.
    """
    for key in said:
        if key in NOT_TOLD:
            raise NotExpectable(f"{key} is not told on the bus: expect it in a case (betline cases).")
    beside = {"questions": _words(said["questions"])} if "questions" in said else {}
    of_case = {key: _as_yaml(value) for key, value in said.items() if key != "questions"}
    if "alerts" in of_case:
        beside["alerts"] = _words(of_case["alerts"])
        of_case["alerts"] = [code for code in of_case["alerts"] if code in ALERTS]
    if not of_case and not beside:
        raise NotExpectable("expect() expects nothing: name what must hold, such as ruling='call'.")
    try:
        values = read_expect(of_case, ()).values if of_case else {}
    except FieldError as error:
        raise NotExpectable(f"expect() cannot be understood: {error}") from None
    return {**values, **beside}


def differences(wanted: Mapping[str, object], heard: Heard) -> tuple[Difference, ...]:
    """What does not hold."""
    found = []
    for key, expected in wanted.items():
        got = heard.value(key)
        if not _holds(key, expected, got):
            found.append(Difference(key, expected, _named(expected, got)))
    return tuple(found)


def _words(value: Any) -> frozenset[str]:
    return frozenset((value,) if isinstance(value, str) else value)


def _as_yaml(value: Any) -> Any:
    """Tuples and sets of a test as lists, which is what a case file has."""
    if isinstance(value, Mapping):
        return {key: _as_yaml(item) for key, item in value.items()}
    if isinstance(value, set | frozenset):
        return sorted(value)
    if isinstance(value, tuple | list):
        return [_as_yaml(item) for item in value]
    return value


def _holds(key: str, expected: object, got: object) -> bool:
    if key in SOME_OF:
        return isinstance(expected, frozenset) and isinstance(got, frozenset) and expected <= got
    if key in PART_OF:
        return isinstance(got, str) and str(expected) in got
    return expected == _named(expected, got)


def _named(expected: object, got: object) -> object:
    """Of a mapping from seats only those that the test names; who is not there has nothing."""
    if isinstance(expected, Mapping) and isinstance(got, Mapping):
        return {seat: got.get(seat, 0) for seat in expected}
    return got


def _shown(value: object) -> str:
    if isinstance(value, frozenset):
        return ", ".join(sorted(map(str, value))) or "none"
    if value is None or value == "":
        return "none"
    if isinstance(value, ExpectedPot):
        return f"{value.amount} for {list(value.seats)}"
    return f"({', '.join(map(_shown, value))})" if isinstance(value, tuple) else str(value)


def _ruled(name: str) -> Callable[[Heard], object]:
    return lambda heard: None if heard.ruling is None else getattr(heard.ruling, name)


def _ruling(heard: Heard) -> object:
    if heard.ruling is not None:
        return heard.ruling.ruling
    return None if heard.refusal is None else "illegal"


def _set_of(name: str) -> Callable[[Heard], object]:
    return lambda heard: frozenset() if heard.ruling is None else frozenset(getattr(heard.ruling, name))


def _of_state(name: str) -> Callable[[Heard], object]:
    return lambda heard: None if heard.state is None else getattr(heard.state, name)


def _of_seats(name: str) -> Callable[[Heard], object]:
    return lambda heard: {one.seat: getattr(one, name) for one in _seats(heard)}


def _seats(heard: Heard) -> tuple[SeatState, ...]:
    return () if heard.state is None else heard.state.seats


def _alerts(heard: Heard) -> object:
    return heard.alerts | (frozenset() if heard.ruling is None else frozenset(heard.ruling.alerts))


def _phase(*phases: str) -> Callable[[Heard], object]:
    return lambda heard: heard.state is not None and heard.state.phase in phases


def _pots(heard: Heard) -> object:
    pots = () if heard.state is None else heard.state.pots
    return tuple([ExpectedPot(pot.amount, tuple(sorted(pot.seats))) for pot in pots])


def _announce(heard: Heard) -> object:
    """The line of the case format, of what was said to the seat that acts now."""
    said, state = heard.announcement, heard.state
    if said is None or state is None or said.seat is None or state.to_act != said.seat:
        return ""
    return announcement(
        Turn(
            seat=said.seat,
            call=said.call,
            least=said.min_raise_to,
            most=said.max_raise_to,
            wager=said.wager,
            option=said.option,
            pot_bet=said.pot_bet,
            in_the_middle=said.in_the_middle,
        )
    )


_ASKED: Final[Mapping[str, Callable[[Heard], object]]] = {
    "ruling": _ruling,
    "offers": _set_of("offers"),
    "all_in": _ruled("all_in"),
    "to": _ruled("to"),
    "adds": _ruled("adds"),
    "returned": _ruled("returned"),
    "owes": _ruled("owes"),
    "cites": _set_of("cites"),
    "alerts": _alerts,
    "questions": lambda heard: frozenset(one.kind for one in heard.state.questions) if heard.state else frozenset(),
    "next": _of_state("to_act"),
    "call": _of_state("call"),
    "min_raise_to": _of_state("min_raise_to"),
    "max_raise_to": _of_state("max_raise_to"),
    "may": lambda heard: frozenset(heard.state.may) if heard.state else frozenset(),
    "bets": _of_seats("bet"),
    "stacks": _of_seats("stack"),
    "pot": _of_state("pot"),
    "pots": _pots,
    "round_over": _phase(*ROUND_OVER),
    "hand_over": _phase(*OVER),
    "button": _of_state("button"),
    "small_blind": _of_state("small_blind"),
    "big_blind": _of_state("big_blind"),
    "street": _of_state("street"),
    "announce": _announce,
    "error": lambda heard: heard.refusal,
}

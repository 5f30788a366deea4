"""What a table says after a step, by the keys of a case's `expect` (docs/case-format.md).

Cases are compared with it, and `betline rule` prints it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from betline.cases import ExpectedPot, plain
from betline.steps import Act, Step
from table_controller.announce.phrases import announcement
from table_controller.announce.turn import turn_of
from table_controller.rulings import Outcome, RuledOtherwise, Ruling, RulingKind, Table
from table_controller.rulings.values.state import State

OF_A_RULING = ("ruling", "offers", "all_in", "to", "adds", "returned", "owes", "cites")
"""The keys that are there where the step was an act or was refused."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A table, and what became of the step that led to it; None before the first one."""

    table: Table
    outcome: Outcome | None = None

    def value(self, key: str) -> object:
        """What a key of `expect` is now."""
        return _ASKED[key](self)

    def as_json(self) -> dict[str, Any]:
        """Every key of `expect` that makes sense after the step, as JSON has it.

        Where a held act that the step settled waits for the floor, `floor` says whose, and `offers` are of that one.
        After a correction or the floor's override `otherwise` has the acts that are ruled otherwise now, with the old
        and the new ruling, and `moves` what each seat must put in, or below 0 gets back.
        """
        outcome = self.outcome
        ruled = outcome is not None and (outcome.ruling is not None or _asked_of_the_floor(self) is not None)
        left_out = {
            *(() if ruled else [key for key in OF_A_RULING if key != "cites" or outcome is None or not outcome.cites]),
            *(("binding",) if outcome is None or not outcome.settled else ()),
            *(("error",) if outcome is None or outcome.error is None else ()),
        }
        found = {key: plain(self.value(key)) for key in _ASKED if key not in left_out}
        asked = _asked_of_the_floor(self)
        if asked is not None:
            found["floor"] = {"seat": asked.seat, "offers": plain(asked.offers), "sentence": asked.sentence}
        if outcome is not None and (outcome.otherwise or outcome.moves):
            found["otherwise"] = [_otherwise(one) for one in outcome.otherwise]
            found["moves"] = plain(outcome.moves)
        return found


class TooManyChips(Exception):
    """A player moves more chips than there are: the key of the step, and a sentence."""

    def __init__(self, key: str, sentence: str) -> None:
        super().__init__(sentence)
        self.key = key
        self.sentence = sentence


def check_chips(step: Step, state: State) -> None:
    """More chips than the stack holds are an error of the story (docs/case-format.md); raises TooManyChips."""
    if not isinstance(step, Act) or state.hand is None or step.seat not in state.hand.seats:
        return
    pushed = sum(step.pushed) + sum(step.splashes) + sum(step.carries_back)
    given = 0 if step.changes is None else sum(step.changes.gives)
    lies = sum(state.in_front.get(step.seat, ())) or state.hand.bet(step.seat)
    aside = sum([sum(held.act.pushed) - held.taken_back for held in state.held if held.act.seat == step.seat])
    has = state.hand.stack(step.seat) + state.hand.bet(step.seat) - lies
    taken = sum(step.takes_back)
    if taken > lies + aside:
        raise TooManyChips("takes_back", f"seat {step.seat} has {lies + aside} in front, not {taken}.")
    if given > has + taken:
        raise TooManyChips("changes", f"seat {step.seat} has {has + taken}, not {given}.")
    if pushed + sum(step.pays) > has + taken + state.standing.taken_back + state.owed(step.seat):
        key = "chips" if len(step.motions) < 2 else "motions"
        raise TooManyChips(key, f"seat {step.seat} has {has + taken}, not {pushed}.")


def _otherwise(one: RuledOtherwise) -> dict[str, Any]:
    """An act that is ruled otherwise now, both rulings by the keys that they have elsewhere."""
    return {
        "street": one.street,
        "seat": one.now.seat,
        "was": _gist(one.was),
        "now": _gist(one.now),
        "sentence": one.sentence,
    }


def _gist(ruling: Ruling) -> dict[str, Any]:
    return {key: plain(getattr(ruling, key)) for key in OF_A_RULING} | {"ruling": str(ruling.ruling)}


def _ruled(name: str) -> Callable[[Answer], object]:
    """A field of the last step's ruling."""

    def ask(answer: Answer) -> object:
        ruling = answer.outcome.ruling if answer.outcome else None
        return None if ruling is None else getattr(ruling, name)

    return ask


def _ruling(answer: Answer) -> object:
    """How the act of the step counts; of a step that is none, that a held act which it settled waits for the floor."""
    ruling = (answer.outcome.ruling if answer.outcome else None) or _asked_of_the_floor(answer)
    return None if ruling is None else str(ruling.ruling)


def _asked_of_the_floor(answer: Answer) -> Ruling | None:
    """The ruling on a held act that the step settled, where it waits for the floor."""
    settled = [one.ruling for one in answer.outcome.settled] if answer.outcome else []
    return next((ruling for ruling in settled if ruling is not None and ruling.ruling is RulingKind.FLOOR), None)


def _offers(answer: Answer) -> object:
    asked = _asked_of_the_floor(answer) or (answer.outcome.ruling if answer.outcome else None)
    return frozenset() if asked is None else frozenset(asked.offers)


def _cites(answer: Answer) -> object:
    rulings = (answer.outcome.ruling if answer.outcome else None, _asked_of_the_floor(answer))
    of_a_step = answer.outcome.cites if answer.outcome else ()
    return frozenset([*of_a_step, *[cite for ruling in rulings if ruling is not None for cite in ruling.cites]])


def _alerts(answer: Answer) -> object:
    return frozenset(answer.outcome.alerts if answer.outcome else ())


def _binding(answer: Answer) -> object:
    settled = answer.outcome.settled if answer.outcome else ()
    return settled[-1].binding if settled else None


def _error(answer: Answer) -> object:
    error = answer.outcome.error if answer.outcome else None
    return None if error is None else error.code


def _of_hand(name: str, without: object = None) -> Callable[[Answer], object]:
    """A property of the hand, or what is so without one."""

    def ask(answer: Answer) -> object:
        hand = answer.table.state.hand
        return without if hand is None else getattr(hand, name)

    return ask


def _pot(answer: Answer) -> object:
    """All chips in the middle, those of a hand that nobody opened among them: they wait there for the next (R-307)."""
    state = answer.table.state
    return state.carried if state.hand is None else state.hand.pot + state.hand.carried


def _of_state(name: str) -> Callable[[Answer], object]:
    return lambda answer: getattr(answer.table.state, name)


def _bound(place: int) -> Callable[[Answer], object]:
    def ask(answer: Answer) -> object:
        bounds = answer.table.state.raise_range
        return None if bounds is None else bounds[place]

    return ask


def _pots(answer: Answer) -> object:
    hand = answer.table.state.hand
    return tuple([ExpectedPot(pot.amount, pot.seats) for pot in hand.pots]) if hand is not None else ()


def _placed(name: str) -> Callable[[Answer], object]:
    def ask(answer: Answer) -> object:
        state = answer.table.state
        placed = state.placed or state.last
        return None if placed is None else getattr(placed, name)

    return ask


def _announce(answer: Answer) -> object:
    turn = turn_of(answer.table.state)
    return "" if turn is None else announcement(turn)


_ASKED: dict[str, Callable[[Answer], object]] = {
    "ruling": _ruling,
    "offers": _offers,
    "all_in": _ruled("all_in"),
    "to": _ruled("to"),
    "adds": _ruled("adds"),
    "returned": _ruled("returned"),
    "owes": _ruled("owes"),
    "held": lambda answer: frozenset(held.act.seat for held in answer.table.state.held),
    "binding": _binding,
    "cites": _cites,
    "alerts": _alerts,
    "next": _of_state("next_seat"),
    "call": _of_hand("to_call"),
    "min_raise_to": _bound(0),
    "max_raise_to": _bound(1),
    "may": lambda answer: frozenset(str(kind) for kind in answer.table.state.may),
    "substantial": _of_state("substantial"),
    "bets": _of_hand("bets", {}),
    "stacks": _of_state("stacks"),
    "pot": _pot,
    "pots": _pots,
    "round_over": _of_hand("round_over", without=True),
    "hand_over": _of_hand("hand_over", without=True),
    "button": _placed("button"),
    "small_blind": _placed("small_blind"),
    "big_blind": _placed("big_blind"),
    "posts": _of_state("posts"),
    "street": _of_hand("street"),
    "announce": _announce,
    "error": _error,
}

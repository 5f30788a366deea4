"""Moments of an honest hand that suit a cheat."""

from __future__ import annotations

from virtual_table.laboratory.stage import Stage
from virtual_table.scripts.script import Awarded, PlayerAct


def others_are_to_act(stage: Stage) -> bool:
    """Somebody has bet, and others are to act."""
    act, bettor = stage.acting, stage.bettor
    return act is not None and bettor is not None and all(one.seat != bettor for one in stage.next_acts)


def round_over(stage: Stage) -> bool:
    """The bets lie there and are gathered next."""
    return stage.round_is_over


def round_over_among_several(stage: Stage) -> bool:
    """The bets of several seats lie there and are gathered next."""
    return stage.round_is_over and len(stage.betting) > 1


def pot_lies(stage: Stage) -> bool:
    """There is a pot, and somebody is to act."""
    return stage.acting is not None and bool(stage.lab.world.pot()) and stage.state.street != "preflop"


def betting(stage: Stage) -> bool:
    """Somebody is to act."""
    return stage.acting is not None


def showdown(stage: Stage) -> bool:
    """One pot is about to go to its winner, and no bet differs from the others."""
    over = bool(stage.next) and isinstance(stage.next[0], Awarded) and bool(stage.next[0].pots)
    return over and len(stage.state.pots) == 1 and len(set(_bets(stage).values())) <= 1


def somebody_folded(stage: Stage) -> bool:
    """Somebody is to act, and a seat without chips in front of it has folded."""
    return stage.acting is not None and bool(folded(stage))


def bets_in_turn(stage: Stage) -> bool:
    """The seat to act is about to put chips out, in the usual manner."""
    act = stage.acting
    return act is not None and act.kind in ("call", "bet", "raise") and act.manner is None


def calls(stage: Stage) -> bool:
    """The seat to act is about to call with chips."""
    act = stage.acting
    return act is not None and act.kind == "call" and act.to - stage.seat(act.seat).bet > 0


def call_ends_the_betting(stage: Stage) -> bool:
    """The seat to act is about to call with chips, and nobody acts after it on this street."""
    return calls(stage) and len(stage.next_acts) == 1 and not _after(stage)


def calls_another(stage: Stage) -> bool:
    """The seat to act is about to call another seat's bet."""
    act = stage.acting
    return act is not None and calls(stage) and stage.bettor not in (None, act.seat)


def later_seat_has_not_acted(stage: Stage) -> bool:
    """Somebody is to act, and another seat has its turn after that one."""
    return stage.acting is not None and later(stage) is not None


def _bets(stage: Stage) -> dict[int, int]:
    return {seat: stage.lab.world.value(stage.lab.world.bets(seat)) for seat in stage.betting}


def folded(stage: Stage) -> list[int]:
    """The seats that have folded and have no chips in front of them."""
    return [seat.seat for seat in stage.state.seats if seat.status == "folded" and seat.seat not in stage.betting]


def later(stage: Stage) -> int | None:
    """A seat that is to act on this street after the one to act, and has not yet."""
    assert stage.script is not None
    acted = {step.seat for step in _of_street(stage.script.steps[: _place(stage)][::-1])}
    to_act = {step.seat for step in stage.next_acts}
    following = [step.seat for step in _after(stage) if step.seat not in acted | to_act]
    return following[0] if following else None


def _place(stage: Stage) -> int:
    """Where in the hand the last of the next steps stands."""
    assert stage.script is not None
    return next(number for number, step in enumerate(stage.script.steps) if step is stage.next[-1])


def _after(stage: Stage) -> list[PlayerAct]:
    """The acts of this street after those that come next."""
    assert stage.script is not None
    return _of_street(stage.script.steps[_place(stage) + 1 :])


def _of_street(steps: tuple[object, ...]) -> list[PlayerAct]:
    found: list[PlayerAct] = []
    for step in steps:
        if not isinstance(step, PlayerAct):
            break
        found.append(step)
    return found

"""What the bus has said after a step, by the keys of a case's `expect` (docs/case-format.md).

Cases that are acted out and tests of others compare with the same. `questions`, the kinds of what is asked, is a key of
tests alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from betline.cases import ExpectedPot
from betline.messages.common import Reply
from betline.messages.table import Alert, Announcement, Ruling, TableState
from table_controller.announce.phrases import Turn, announcement

_RULE = re.compile(r"\b(TDA|R)[- ](\d+)")
_BEFORE = ("posting", "betting")
WITHDRAWN = "withdrawn"
HAS_ACTED = ("bet-capped", "chips-out-of-turn")
"""What the dealer is told of chips of a seat that has acted and that nobody has raised: out of turn, they go back."""


@dataclass(frozen=True, slots=True)
class Told:
    """The state, and what was said since the step began: its rulings, its alerts, and the reply to its command."""

    state: TableState
    rulings: tuple[Ruling, ...] = ()
    alerts: tuple[Alert, ...] = ()
    reply: Reply | None = None
    announced: Announcement | None = None
    seat: int | None = None
    """Who acted; None where the step was no act."""
    acted: bool = False
    held: frozenset[int] = frozenset()
    """Whose acts were held when the step began."""
    counts: Ruling | None = None
    """How the act counts now, where that is known; else it is found among the rulings."""
    standing: frozenset[str] = frozenset()
    """Codes of alerts that stood before, where they are expected too."""
    paid: bool = False
    """Whether chips came in more than one motion or as a payment: the later ones may have paid what the first owed."""

    def untold(self, key: str) -> bool:
        """Whether no message says what a key is after such a step."""
        refused = self.refused
        if key == "alerts":
            return self.reply is not None and refused is not None
        return key == "cites" and self.ruling is None and (refused is None or not _RULE.search(refused[1]))

    def value(self, key: str) -> object:
        """What a key of `expect` is now."""
        return _ASKED[key](self)

    @property
    def refused(self) -> tuple[str, str] | None:
        """The code and the sentence of a step that was refused: a key by its answer, chips by an alert."""
        if self.reply is not None and not self.reply.ok:
            return self.reply.code, self.reply.sentence
        refusals = [alert for alert in self.alerts if alert.active and alert.severity == "error"]
        if self.acted and self.ruling is None and refusals:
            return refusals[-1].code, refusals[-1].sentence
        return None

    @property
    def ruling(self) -> Ruling | None:
        """The ruling on the step: the last one on the seat that acted; of a step that is no act, its first."""
        if self.counts is not None:
            return self.counts
        if self.acted:
            own = [one for one in self.rulings if one.seat == self.seat and one.instead_of is None]
            return own[-1] if own else self.asked_of_the_floor
        if self.seat is not None:
            own = [one for one in self.rulings if one.seat == self.seat]
            return own[0] if own else None
        return None

    @property
    def asked_of_the_floor(self) -> Ruling | None:
        """The ruling on another act, held or skipped, that waits for the floor since this step."""
        waiting = [one for one in self.rulings if one.ruling == "floor" and one.seat != self.seat]
        return waiting[-1] if waiting else None


def _ruling(told: Told) -> object:
    if told.refused is not None:
        return "illegal"
    ruling = told.ruling or told.asked_of_the_floor
    if ruling is None:
        return "none" if told.acted else None
    return ruling.ruling


def _of_ruling(name: str) -> Callable[[Told], object]:
    def ask(told: Told) -> object:
        if told.refused is not None or told.ruling is None:
            bet = _seats(told, "bet").get(told.seat or 0, 0)
            return {"to": bet, "all_in": False}.get(name, 0) if told.acted else None
        return getattr(told.ruling, name)

    return ask


def _returned(told: Told) -> object:
    """What the ruling gives back; of a payment, which is not ruled on, the change that is due."""
    if told.acted and told.paid and told.ruling is None and told.refused is None:
        return _seats(told, "change_due").get(told.seat or 0, 0)
    return _of_ruling("returned")(told)


def _owes(told: Told) -> object:
    """What the ruling says is owed; where chips came after it, what of that the state still has."""
    now = _seats(told, "owes").get(told.seat or 0, 0)
    if told.acted and told.paid:
        return now if told.ruling is None else min(now, told.ruling.owes)
    return _of_ruling("owes")(told)


def _offers(told: Told) -> object:
    ruling = told.asked_of_the_floor or told.ruling
    return frozenset() if ruling is None else frozenset(ruling.offers)


def _cites(told: Told) -> object:
    refused = told.refused
    named = [] if refused is None else [f"{book}-{number}" for book, number in _RULE.findall(refused[1])]
    return frozenset(
        [*named, *(cite for ruling in (told.ruling, told.asked_of_the_floor) if ruling for cite in ruling.cites)]
    )


def _alerts(told: Told) -> object:
    """The alerts; that chips which paid a debt were too few is told by what the seat still owes."""
    codes = {*told.standing, *(alert.code for alert in told.alerts if alert.active)}
    codes.update(code for one in told.rulings for code in one.alerts)
    if told.paid and told.ruling is None and _owes(told):
        codes.add("chips-owed")
    if told.acted and told.state.phase == "betting" and codes.intersection(HAS_ACTED):
        codes.add("out-of-turn")
    return frozenset(codes)


def _binding(told: Told) -> object:
    """Whether the last held act that the step settled was applied: it was ruled on, or its chips were handed back."""
    settled = told.held - _held(told)
    if not settled:
        return None
    ruled = [one for one in told.rulings if one.seat in settled and one.ruling != "none"]
    return not any(alert.code == WITHDRAWN for alert in told.alerts) if ruled or told.alerts else None


def _held(told: Told) -> frozenset[int]:
    return frozenset(one.seat for one in told.state.seats if one.held)


def _error(told: Told) -> object:
    return None if told.refused is None else told.refused[0]


def _seats(told: Told, name: str) -> dict[int, int]:
    return {one.seat: getattr(one, name) for one in told.state.seats if one.status != "empty"}


def _announce(told: Told) -> object:
    """The line of the case format, of what was said to the seat that acts now."""
    said = told.announced
    if said is None or said.seat is None or told.state.phase != "betting" or said.seat != told.state.to_act:
        return ""
    return announcement(
        Turn(
            seat=said.seat, call=said.call, least=said.min_raise_to, most=said.max_raise_to, wager=said.wager,
            option=said.option, pot_bet=said.pot_bet, in_the_middle=said.in_the_middle,
        )
    )  # fmt: skip


def _of_state(name: str) -> Callable[[Told], object]:
    return lambda told: getattr(told.state, name)


_ASKED: Mapping[str, Callable[[Told], object]] = {
    "ruling": _ruling,
    "offers": _offers,
    "all_in": _of_ruling("all_in"),
    "to": _of_ruling("to"),
    "adds": _of_ruling("adds"),
    "returned": _returned,
    "owes": _owes,
    "held": _held,
    "binding": _binding,
    "cites": _cites,
    "alerts": _alerts,
    "next": _of_state("to_act"),
    "call": _of_state("call"),
    "min_raise_to": _of_state("min_raise_to"),
    "max_raise_to": _of_state("max_raise_to"),
    "may": lambda told: frozenset(told.state.may),
    "substantial": _of_state("substantial"),
    "bets": lambda told: _seats(told, "bet"),
    "stacks": lambda told: _seats(told, "stack"),
    "pot": lambda told: told.state.pot + told.state.carried,
    "pots": lambda told: tuple([ExpectedPot(pot.amount, tuple(sorted(pot.seats))) for pot in told.state.pots]),
    "round_over": lambda told: told.state.phase not in _BEFORE,
    "hand_over": lambda told: told.state.phase in ("hand-over", "idle"),
    "button": _of_state("button"),
    "small_blind": _of_state("small_blind"),
    "big_blind": _of_state("big_blind"),
    "posts": lambda told: {one.seat: one.posts for one in told.state.seats},
    "street": _of_state("street"),
    "announce": _announce,
    "error": _error,
    "questions": lambda told: frozenset(one.kind for one in told.state.questions),
}

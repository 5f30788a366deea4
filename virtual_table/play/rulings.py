"""What is ruled on the players' acts: waited for, held against what they meant, and timed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from betline.messages.table import Ruling
from betline.units import NS_PER_MS, NS_PER_S
from virtual_table.play.dealer import Dealer
from virtual_table.play.link import ControllerLink, Heard
from virtual_table.play.pace import Pace
from virtual_table.play.report import Report, Waited, Wrong
from virtual_table.scripts.script import PlayerAct
from virtual_table.table.things import Motion

TURN_WAIT_S = 15.0
RULING_WAIT_S = 12.0
MEASURE_WAIT_S = 2.0
AMEND_WAIT_S = 2.5


class Rulings:
    """The rulings on the acts of one table, as its report counts them.

    A `mark` is how many rulings there were before an act.
    """

    def __init__(self, link: ControllerLink, dealer: Dealer, report: Report, pace: Pace) -> None:
        self._link = link
        self._dealer = dealer
        self._report = report
        self._pace = pace
        self._alerts = 0
        """How many alerts there were when the last act began."""
        self._began_s = 0.0
        self._ruled = 0
        """How many rulings there were when the last act was over."""

    def begin(self) -> None:
        """From here on what the controller says is about the act that begins now."""
        self._alerts, self._began_s = self._dealer.alerts_heard(), self._pace.now_s()

    def pass_over(self, acts: Sequence[PlayerAct]) -> None:
        """These acts are over: what is ruled from here on is about others."""
        seats = {act.seat for act in acts}
        found = [n for n, ruling in enumerate(self._link.rulings(self._ruled), 1) if ruling.seat in seats]
        self._ruled += max(found, default=0)

    def are_early(self, acts: Sequence[PlayerAct]) -> bool:
        """Whether the controller ruled on something that one of these seats did before it did anything."""
        seats = {act.seat for act in acts}
        early = [r for r in self._link.rulings(self._ruled) if r.seat in seats and _of_sensors(r)]
        for ruling in early:
            self._wrong("ruling", ruling.seat or 0, f"seat {ruling.seat} has done nothing: {ruling.sentence}")
        return bool(early)

    def wait_for_turn(self, seat: int) -> bool:
        """Whether the action comes to a seat."""

        def turn() -> bool:
            state = self._link.state
            return state is not None and state.phase == "betting" and state.to_act == seat

        return self._dealer.wait(turn, TURN_WAIT_S)

    def wait_for(self, act: PlayerAct, mark: int) -> Ruling | None:
        """The ruling on an act; None where none comes, or where the dealer was told to see to it and is quicker."""

        def over() -> bool:
            return self.on(act, mark) is not None or self._dealer.is_told(act.seat, self._alerts)

        deadline_s = self._pace.now_s() + RULING_WAIT_S
        while self._dealer.wait(over, deadline_s - self._pace.now_s()):
            if self.on(act, mark) is None:
                self._dealer.pause()
            if self.on(act, mark) is not None or self._dealer.is_told(act.seat, self._alerts):
                break
        return self.on(act, mark)

    def on(self, act: PlayerAct, mark: int) -> Ruling | None:
        """The last ruling on an act, of those after the mark; None where there is none."""
        found = [r for r in self._link.rulings(mark) if r.seat == act.seat and r.ruling not in ("none", "illegal")]
        return found[-1] if found else None

    def are_as_meant(self, act: PlayerAct, mark: int) -> bool:
        """Whether an act was ruled as it was meant."""
        return _agrees(act, self.on(act, mark))

    def compare(self, act: PlayerAct, ruling: Ruling, mark: int) -> Ruling:
        """The ruling that holds in the end: the controller may put its own right within moments."""
        if _agrees(act, ruling):
            return ruling
        if self._dealer.wait(lambda: self.are_as_meant(act, mark), AMEND_WAIT_S):
            self._report.amended += 1
            return self.on(act, mark) or ruling
        self._wrong(
            "ruling",
            act.seat,
            f"hand {ruling.hand_no}, {ruling.street}: seat {act.seat} meant {act.kind} to {act.to}, "
            f"the ruling was {ruling.ruling} to {ruling.to}: {ruling.sentence}",
        )
        return ruling

    def are_asked_about(self, acts: Sequence[PlayerAct]) -> bool:
        """Whether the controller said that somebody must see to one of these acts."""
        return any(self._dealer.is_told(act.seat, self._alerts) for act in acts)

    def lack(self, act: PlayerAct, kind: Literal["silence", "turn"], why: str, *, told: bool) -> None:
        """Nothing was ruled on an act: it counts as wrong, or as asked about where the controller told of it."""
        if told:
            self._report.asked += 1
            self._report.asked_about[f"key it: {kind}"] += 1
            return
        state = self._link.state
        self._wrong(
            kind,
            act.seat,
            f"seat {act.seat} meant {act.kind} to {act.to}: {why} "
            f"(the controller waits for {state.to_act if state else None})",
        )

    def time(self, motion: Motion, announced: int) -> None:
        """The time from chips at rest, and from the last byte on the serial line, to the announcement.

        An act before its turn, made while the dealer still owes keys for the seats before it, is not timed.
        """

        def said() -> list[Any]:
            return [heard for heard in self._link.announcements(announced) if heard.cause_ns is not None]

        def from_rest_ms(heard: Heard) -> float:
            return (heard.sent_ns - motion.rest_s * NS_PER_S) / NS_PER_MS

        if self._dealer.wait(lambda: bool(said()), MEASURE_WAIT_S):
            first = said()[0]
            rest_ms = from_rest_ms(first)
            counting = [one for one in self._link.announcements(announced) if one.body.counting]
            gone_s = max([motion.rest_s, *(stroke.back_s for stroke in motion.strokes)])
            self._report.rest_to_announcement_ms.append(rest_ms)
            self._report.waited.append(
                Waited(
                    motion.seat or 0,
                    len(motion.chips),
                    rest_ms,
                    (first.sent_ns - gone_s * NS_PER_S) / NS_PER_MS,
                    from_rest_ms(counting[0]) if counting and counting[0].body.seat == motion.seat else None,
                )
            )
            self._report.serial_to_announcement_ms.append((first.sent_ns - first.cause_ns) / NS_PER_MS)

    def _wrong(self, kind: Literal["ruling", "silence", "turn"], seat: int, sentence: str) -> None:
        self._report.is_wrong(Wrong(kind, seat, self._began_s, sentence))


def _of_sensors(ruling: Ruling) -> bool:
    """Whether sensors led to a ruling on an act, and no key."""
    return ruling.source in ("chips", "inferred") and ruling.ruling in ("fold", "check", "call", "bet", "raise")


def _agrees(act: PlayerAct, ruling: Ruling | None) -> bool:
    """Whether an act was ruled as it was meant."""
    if ruling is None or ruling.ruling != act.kind:
        return False
    return act.kind in ("fold", "check") or ruling.to == act.to

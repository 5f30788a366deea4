"""Plays one case after another at a virtual table: each entry is done as it says, never as it is meant.

Chips move as they are written, words and gestures are keyed by the dealer as he hears and sees them, what the case has
as a key is keyed. What follows from a ruling is done before the next entry: change is given, what was keyed is put in,
the pots are pushed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final, cast, get_args

from betline.cases import STEP, Case, Expect, Failure, compare
from betline.messages.common import Reply
from betline.messages.table import TableState
from betline.settings import TableSettings
from betline.steps import (
    Act,
    BringIn,
    Deal,
    FloorDecision,
    FloorRuling,
    FouledDeck,
    Misdeal,
    NextHand,
    Override,
    Says,
    Step,
    Straddle,
)
from virtual_table.cases.asking import UNDECIDED, Asking
from virtual_table.cases.chips_at_hand import ChipsAtHand
from virtual_table.cases.dealing import BETWEEN, Dealing
from virtual_table.cases.listening import CaseLink
from virtual_table.cases.watching import SEEN_WAIT_S, Watching
from virtual_table.play.clock import Clock
from virtual_table.play.told import Told
from virtual_table.table.player_motions import muck, tap
from virtual_table.table.things import WorldError
from virtual_table.table.world import World

RULED_WAIT_S: Final = 9.0
"""So long a ruling on chips may take: three seconds of it the controller waits for seats before them."""
AMENDED_S: Final = 0.6
"""So long after its chips and its hand are still an act may be put right by the controller itself."""
AGAIN_S: Final = 2.5
"""The same where a seat has moved more than once: the controller waits whether it is half a change."""
NEEDS_CARDS: Final = frozenset({"announce", "round_over"})
"""What is not told before the cards are out."""


class Untold(Exception):
    """All that the bus tells is as the case expects it, and of one expectation it tells nothing."""


class CasePlayer:
    """Acts cases out at one table; the controller hears of it only through readers, camera and keys."""

    def __init__(self, world: World, link: CaseLink, clock: Clock, faulty: TableSettings | None = None) -> None:
        """``faulty`` is the table where faults are planned: there an act may be asked about instead of ruled."""
        self._world = world
        self._link = link
        self._clock = clock
        self._chips = ChipsAtHand(world, clock)
        self._watching = Watching(link, clock, self._chips)
        self._dealing = Dealing(link, clock, self._chips, self._watching)
        self._faulty = faulty
        self._asking = Asking(faulty)
        self._undecided: set[int] = set()
        """Seats whose chips lie there for an act that is not decided yet."""
        self._rest: tuple[Any, ...] = ()
        """The entries after the present one."""

    def play(self, case: Case, *, faulty: bool = True) -> tuple[Failure, ...]:
        """Plays a case to its end, or to a step that could not be done; raises Untold or AskedInstead.

        With ``faulty`` False no faults strike this time, and nothing is excused.
        """
        self._undecided, self._rest = set(case.setup.in_front), case.play
        self._asking = Asking(self._faulty if faulty else None)
        reply = self._dealing.set_up(case)
        if not reply.ok:
            return (Failure(1, STEP, None, f"{reply.verb} was refused ({reply.code}): {reply.sentence}"),)
        failures: list[Failure] = []
        untold: list[str] = []
        told = Told(self._link.now)
        for number, entry in enumerate(case.play, start=1):
            self._rest = case.play[number:]
            if isinstance(entry, Expect):
                if NEEDS_CARDS & entry.values.keys():
                    self._dealing.cards_out()
                    told = replace(told, state=self._link.now, announced=self._link.announced())
                untold += [f"step {number}: {key}" for key in entry.values if told.untold(key)]
                carried = {key: value for key, value in entry.values.items() if not told.untold(key)}
                found = compare(number, Expect(carried), told.value)
                if found and not failures:
                    self._asking.excuse(told)
                elif not found:
                    self._asking.settled()
                failures += found
                continue
            try:
                told = self._do(entry)
                if isinstance(entry, Act):
                    self._asking.acted(number, told)
                elif isinstance(entry, Deal | FloorDecision) and told.refused is None:
                    self._asking.settled()
            except WorldError as error:
                return (*failures, Failure(number, STEP, None, str(error)))
            refused = told.refused
            if refused is not None and not isinstance(next(iter(self._rest), None), Expect):
                if not failures:
                    self._asking.excuse(told)
                return (*failures, Failure(number, STEP, None, f"refused ({refused[0]}): {refused[1]}"))
        if untold and not failures:
            raise Untold(untold[0])
        return tuple(failures)

    def _do(self, step: Step) -> Told:
        if self._asking.reckons:  # people see on the console that the controller is away, and wait
            self._link.wait(lambda: self._link.there, self._link.away_s)
        self._dealing.put_right(self._undecided)
        return self._act(step) if isinstance(step, Act) else self._command(step)

    # --- what a player does

    def _act(self, act: Act) -> Told:
        self._dealing.cards_out()
        if self._asking.reckons:  # nobody acts within moments of the cards while a reader has just come back
            self._watching.wait_for_the_felt()
        held, mark = self._held, self._link.mark()
        self._watching.acting = act
        if act.action is not None or act.gesture is not None:
            reply: Reply | None = self._link.obeyed(act)
            if reply is not None and reply.ok:
                self._show(act)
                self._dealing.make_good(act.seat, self._taken_back_later(act.seat))
        else:
            reply = self._physically(act, mark)
        self._watching.acting = None
        told = replace(self._told(mark, reply, act.seat, held), acted=True)
        paid = len(act.motions) > 1 or bool(act.pays) or (bool(act.motions) and not told.rulings)
        refused, ruling = told.refused, told.ruling
        undecided = refused is None and (ruling is None or ruling.ruling in UNDECIDED)
        (self._undecided.add if undecided else self._undecided.discard)(act.seat)
        return replace(told, paid=paid)

    def _show(self, act: Act) -> None:
        """What a keyed fold or check looks like."""
        now_s = self._clock.now_s()
        if act.gesture == "tap" or act.action == "check":
            self._chips.begun(tap(self._world, act.seat, now_s))
        elif (act.gesture == "muck" or act.action == "fold") and self._world.hole_cards(act.seat):
            self._chips.begun(muck(self._world, act.seat, now_s))

    def _physically(self, act: Act, mark: tuple[int, int]) -> Reply | None:
        """Chips move, and the dealer keys the words that he heard with them."""
        moves = bool(act.motions or act.takes_back or act.pays)
        if moves:
            self._move_chips(act, mark)
        if act.says is None:
            reply = None
        else:
            reply = self._link.obeyed(Says(seat=act.seat, text=act.says, first=act.first if act.motions else None))
        if moves and (reply is None or reply.ok):
            self._await_ruling(act, mark)
        return reply

    def _move_chips(self, act: Act, mark: tuple[int, int]) -> None:
        """The chips of an act begin to move; where words belong to them, until the dealer keys these."""
        watching, seat = self._watching, act.seat
        watching.wait_for_the_felt()
        lay = watching.on_felt(seat)
        if act.takes_back:
            self._chips.take_back(seat, act.takes_back)
        motion = self._chips.push(seat, act.motions or (act.pays,)) if act.motions or act.pays else None
        if act.says is not None and len(act.motions) > 1:
            self._await_ruling(act, mark)
        elif act.says is not None and motion is not None:
            self._chips.wait_for(motion.cross_s)
            left = (lay or 0) - sum(act.takes_back)
            watching.wait(lambda: (watching.on_felt(seat) or 0) > left, SEEN_WAIT_S)

    def _await_ruling(self, act: Act, mark: tuple[int, int]) -> None:
        """Waits until chips were ruled on or refused, and may not be put right any more; a payment is not ruled on."""

        def over() -> bool:
            rulings, alerts = self._link.since(mark)
            errors = [one for one in alerts if one.active and one.severity == "error"]
            return any(one.seat == act.seat for one in rulings) or bool(errors)

        if act.pays:
            self._watching.wait_for_the_felt()
        else:
            self._chips.wait_until_still()
            self._watching.wait(over, RULED_WAIT_S)
        self._watching.let(AGAIN_S if len(act.motions) > 1 else AMENDED_S)

    def _taken_back_later(self, seat: int) -> tuple[int, ...]:
        """The chips that the case lets this seat take back on this street: they are among those that it puts in."""
        for entry in self._rest:
            if isinstance(entry, Deal | NextHand):
                break
            if isinstance(entry, Act) and entry.seat == seat and entry.takes_back:
                return entry.takes_back
        return ()

    # --- what the dealer keys

    def _command(self, step: Any) -> Told:
        """What the dealer keys, and what his hands do for it."""
        state = self._link.now
        if isinstance(step, NextHand):
            self._dealing.end_hand()
        if isinstance(step, Deal) and state.phase in ("round-over", "showdown"):
            self._dealing.make_good()
            self._watching.wait_for_the_felt()
        before = {one.seat: one.stack for one in state.seats if one.status != "empty"}
        floor = next((one.seat for one in state.questions if one.kind == "floor"), None)
        if state.phase == "betting":
            self._watching.wait_for_the_felt()
        held, mark = self._held, self._link.mark()
        reply = self._link.obeyed(_as_keyed(step, state, floor))
        if reply.ok:
            self._undecided = set()
            self._do_as_keyed(step, before)
        told = self._told(mark, reply, getattr(step, "seat", None) or floor, held)
        if isinstance(step, Override | FloorDecision):
            return told
        return replace(told, rulings=tuple([one for one in told.rulings if one.instead_of is None]))

    def _do_as_keyed(self, step: Any, before: dict[int, int]) -> None:
        dealing = self._dealing
        match step:
            case Deal():
                dealing.next_street(self._link.now.street)
            case NextHand():
                dealing.begin_hand(before)
            case Misdeal() | FouledDeck():
                dealing.deal_again()
            case Straddle():
                dealing.make_good()
                self._chips.wait_until_still()
            case BringIn():
                dealing.deal_hole_cards()
                dealing.make_good()
                self._chips.wait_until_still()
            case _ if self._link.now.phase in BETWEEN:
                dealing.count_stacks()
            case _:
                dealing.put_right(())

    # --- what was said

    @property
    def _held(self) -> frozenset[int]:
        return frozenset(one.seat for one in self._link.now.seats if one.held)

    def _told(
        self, mark: tuple[int, int], reply: Reply | None, seat: int | None, held: frozenset[int]
    ) -> Told:  # fmt: skip
        self._link.catch_up(mark)
        rulings, alerts = self._link.since(mark)
        return Told(self._link.now, rulings, alerts, reply, self._link.announced(), seat, held=held)


def _as_keyed(step: Any, state: TableState, floor: int | None) -> Any:
    """The command for a step: what the floor rules beside what is on offer is an override, with its reason (TDA 1)."""
    if not isinstance(step, FloorDecision) or not step.why or floor is None:
        return step
    offers = next((one.choices for one in state.questions if one.kind == "floor"), ())
    if step.choice in offers or step.ruling not in get_args(FloorRuling):
        return step
    return Override(seat=floor, ruling=cast("FloorRuling", step.ruling), to=step.to, by="floor", why=step.why)

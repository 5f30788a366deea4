"""From what sensing observed to steps of the table."""

from __future__ import annotations

from dataclasses import replace

from betline.messages.table import Alert
from betline.steps import Act, Undo
from table_controller.sensing import observations as seen
from table_controller.sensing import steps as sensing_steps
from table_controller.sensing.amounts import without
from table_controller.sensing.observations import Observation
from table_controller.session import doubts, inferred, posting, progress, public, words
from table_controller.session.draft import Draft
from table_controller.session.hand_view import hand_view
from table_controller.session.history import moved_last

TOLD_ELSEWHERE = public.OF_SENSORS | public.OF_THE_BRIDGE
MAX_CHAIN = 40
"""Observations that follow from one another within one input; a table of ten seats needs far fewer."""


def take(draft: Draft, observed: tuple[Observation, ...]) -> None:
    """Acts on what was observed, gives sensing the books after it, and goes on until nothing more follows."""
    for _ in range(MAX_CHAIN):
        for observation in observed:
            draft.observe(observation)
            _one(draft, observation)
        if not observed:
            return
        observed = tell_view(draft)


def tell_view(draft: Draft) -> tuple[Observation, ...]:
    """Gives sensing the books as they stand; returns what follows from that."""
    draft.sensing, observed = sensing_steps.view(draft.sensing, hand_view(draft.book), draft.now.mono_ns)
    return observed


def _one(draft: Draft, observation: Observation) -> None:
    match observation:
        case seen.ChipsMoved():
            draft.cause_ns = observation.last_byte_ns
            _chips(draft, observation)
        case seen.Short(seat=seat, lies=lies):
            doubts.differs(draft, seat, lies)
        case seen.Covered(seat=seat, over=0):
            doubts.settled(draft, seat)
        case seen.Covered(seat=seat, over=over) if not doubts.differs(draft, seat, _lies(draft, seat)):
            sentence = f"Seat {seat} put out {over} more than it owed: give it back."
            draft.alert(Alert(severity="warning", code="change-due", seat=seat, sentence=sentence))
        case seen.Posted():
            posting.posted(draft, observation)
        case seen.Implied(seats=seats, mucked=mucked, seen=""):
            inferred.take(draft, seats, mucked)
        case seen.Implied() | seen.StreetDealt() | seen.HandBegun():
            progress.infer(draft, observation)
        case seen.Alert(code=code) if code not in TOLD_ELSEWHERE:
            draft.effects.append(public.alert_of(observation))
        case seen.AlertPassed(code=code, seat=seat) if code not in TOLD_ELSEWHERE:
            draft.effects.append(Alert(severity="info", code=code, seat=seat, sentence="It has passed.", active=False))


def _chips(draft: Draft, moved: seen.ChipsMoved) -> None:
    seat = moved.seat
    if moved.unknown:
        draft.alert(
            Alert(
                severity="error", code="unknown-chip", seat=seat,
                sentence=f"Seat {seat} pushed {moved.unknown} chips of unknown worth: key its act.",
            )
        )  # fmt: skip
        return
    if moved.amends is not None and not doubts.replaced(draft, moved.amends) and not _taken_back(draft, moved):
        return
    if moved.again:
        _second_motion(draft, moved)
        return
    act = Act(seat=seat, motions=_motions(moved), takes_back=_largest_first(moved.taken_back))
    if not act.motions and not act.takes_back:
        return
    if doubts.more_than_the_books(draft, act, moved.act_no):
        return
    spoken = draft.book.words.get(seat)
    if spoken is not None:
        words.combine(draft, act, spoken.text, spoken.first, moved.act_no)
        doubts.less_than_said(draft, seat)
    else:
        _rule(draft, act, moved.act_no)
    gap_ms = 0 if draft.table is None else draft.table.state.house.motion_gap_ms
    if len(act.motions) == 1 and (moved.motions > 1 or moved.gap_ms > gap_ms):
        _string_suspect(draft, moved, "came in more than one motion; they were ruled as one act")


def _lies(draft: Draft, seat: int) -> int:
    return draft.sensing.accounts[seat].total


def _motions(moved: seen.ChipsMoved) -> tuple[tuple[int, ...], ...]:
    """The chips by motion, without those that paid a debt: these lay there first."""
    if not moved.by_motion:
        return ()
    left = list(without(moved.pushed, moved.pays))
    motions = []
    for group in reversed(moved.by_motion):
        kept = []
        for chip in group:
            if chip in left:
                left.remove(chip)
                kept.append(chip)
        motions.append(tuple(kept))
    changed = (*left, *motions[-1])
    return tuple(_largest_first(motion) for motion in (changed, *reversed(motions[:-1])) if motion)


def _largest_first(chips: tuple[int, ...]) -> tuple[int, ...]:
    """Chips as the written form of an act has them: the journal gives back the very same act."""
    return tuple(sorted(chips, reverse=True))


def _rule(draft: Draft, act: Act, felt_act: int) -> None:
    """Rules on an act in chips; one that the table refuses raises an alert, for its chips lie there."""
    refusal = draft.apply(act, "chips", felt_act)
    if refusal is not None:
        draft.alert(Alert(severity="error", code=refusal.code, seat=act.seat, sentence=refusal.sentence))


def _second_motion(draft: Draft, moved: seen.ChipsMoved) -> None:
    """The seat that acted last has moved again: one act in two motions where the camera saw it (R-045, R-052)."""
    step = draft.table.step if draft.table is not None else None
    if moved.degraded or moved_last(draft.book) != moved.seat or not isinstance(step, Act):
        _string_suspect(draft, moved, "came after its act: they go back, or undo and key what it meant")
        return
    spoken = draft.book.words.get(moved.seat)
    if draft.apply(Undo(count=1), "house") is not None:
        return
    whole = replace(step, motions=(*step.motions, *_motions(moved)))
    if spoken is None:
        _rule(draft, whole, moved.act_no)
    else:
        words.combine(draft, whole, spoken.text, spoken.first, moved.act_no)


def _string_suspect(draft: Draft, moved: seen.ChipsMoved, what: str) -> None:
    sentence = f"Seat {moved.seat}'s chips ({sum(moved.pushed)}) {what}."
    draft.alert(Alert(severity="warning", code="string-suspect", seat=moved.seat, sentence=sentence))


def _taken_back(draft: Draft, moved: seen.ChipsMoved) -> bool:
    """Takes back the act that a late chip amends, where it was the last step; else the dealer must look."""
    if draft.book.felt_act == moved.amends:
        return draft.apply(Undo(count=1), "house") is None
    value = sum(moved.pushed)
    draft.alert(
        Alert(
            severity="warning", code="ledger-off", seat=moved.seat,
            sentence=f"A chip of seat {moved.seat} came late: {value} lie there, "
            f"{draft.book.bet_of(moved.seat)} was ruled. Keep it, or undo and key its act.",
        )
    )  # fmt: skip
    return False

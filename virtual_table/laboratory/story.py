"""The story of one hand of a trial: what people did, what sensors said, what the controller made of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from betline.bus import Received
from betline.messages.common import Body, Command, Presence, Reply
from betline.messages.devices import CameraView, ChipEvidence, LineEvent, ZoneChips
from betline.messages.table import Alert, Announcement, Ruling, TableState
from betline.topics import COMMAND, DEVICE_STATUS, SEAT_LINE, ZONE_CHIPS
from table_controller.sensing import Thresholds
from virtual_table.faults.plan import NO_FAULTS, TablePlan
from virtual_table.laboratory.laboratory import Laboratory, Told
from virtual_table.laboratory.trial import Outcome, Plan, run
from virtual_table.table.world import World

STEADY: Final = 6
"""Rounds from which a chip that answers is only counted in the story."""


class Listener:
    """Hears what sensors and dealer say, beside what the laboratory keeps."""

    def __init__(self, lab: Laboratory) -> None:
        self._lab = lab
        self.heard: list[tuple[float, str, Body]] = []
        for kind in (ZONE_CHIPS, SEAT_LINE, COMMAND, DEVICE_STATUS):
            lab.console.subscribe(kind, self._hear)

    def _hear(self, received: Received) -> None:
        self.heard.append((self._lab.agenda.now_s(), received.topic.name, received.body))


def tell(
    plan: Plan, hand: int, thresholds: Thresholds | None = None, faults: TablePlan = NO_FAULTS
) -> tuple[Outcome, list[str]]:
    """Plays a trial to the end of that hand; returns what came of it and the lines of the hand's story."""
    listeners: list[Listener] = []
    starts: list[float] = []

    def made(lab: Laboratory) -> None:
        listeners.append(Listener(lab))

    def before(lab: Laboratory) -> None:
        starts.append(lab.agenda.now_s())

    lab, outcome = run(plan, thresholds, faults, last_hand=hand, made=made, before_hand=before)
    began_s = starts[min(hand, len(starts)) - 1]
    return outcome, [f"{plan.seed}: {plan.named}", *_lines(lab, listeners[0], began_s), *_wrongs(outcome)]


def _wrongs(outcome: Outcome) -> Iterator[str]:
    for hand, wrong in outcome.wrongs:
        yield f"WRONG in hand {hand} ({wrong.kind}, seat {wrong.seat}): {wrong.sentence}"


def _lines(lab: Laboratory, listener: Listener, began_s: float) -> list[str]:
    found: list[tuple[float, str]] = []
    for at_s, act in lab.report.performed:
        found.append((at_s, f"PLAYER  seat {act.seat} begins to {act.kind}{f' to {act.to}' if act.to else ''}"))
    for at_s, name, body in listener.heard:
        line = _sensed(lab.world, name, body)
        if line:
            found.append((at_s, line))
    found += [(told.at_s, line) for told in lab.messages if (line := _told(told))]
    found.sort(key=lambda one: one[0])
    return [f"{at_s - began_s:8.3f}  {line}" for at_s, line in _news(found) if at_s >= began_s]


def _news(found: Iterable[tuple[float, str]]) -> Iterator[tuple[float, str]]:
    """The lines, without states that look like the one before."""
    shown = ""
    for at_s, line in found:
        if line != shown:
            yield at_s, line
        if line.startswith("state"):
            shown = line


def _sensed(world: World, name: str, body: Body) -> str:
    match body:
        case ZoneChips():
            unsteady = [chip for chip in body.chips if chip.missed > 1 or chip.rounds < STEADY]
            if not unsteady:
                return ""
            worth = {chip.uid: chip.value for chip in world.chips()}
            said = " ".join(f"{worth.get(chip.uid, '?')}:{_evidence(chip)}" for chip in unsteady)
            return f"reader  {name} #{body.round_no}: {said} and {len(body.chips) - len(unsteady)} steady"
        case LineEvent():
            motions = f", {body.motions} motions" if body.motions > 1 else ""
            return f"camera  seat {body.seat}: {body.kind}{motions}"
        case Command():
            return f"KEY     {name} {body.args}"
        case Presence():
            return f"status  {name} is {body.state}"
        case CameraView():
            return ""
    return ""


def _evidence(chip: ChipEvidence) -> str:
    """A chip's last digits, hits of rounds, and for how many rounds it has been silent."""
    silent = f", {chip.missed} silent" if chip.missed else ""
    return f"{chip.uid[-3:]} ({chip.hits}/{chip.rounds}{silent})"


def _told(told: Told) -> str:
    match told.body:
        case Ruling(act_no=act_no, seat=seat, ruling=ruling, to=to, source=source, sentence=sentence):
            return f"RULING  {act_no}: seat {seat} {ruling} to {to} ({source}): {sentence}"
        case Alert(code=code, seat=seat, sentence=sentence, active=active):
            return f"ALERT   {'' if active else 'over: '}{code}, seat {seat}: {sentence}"
        case Announcement(text=text):
            return f"SAYS    {text}"
        case Reply(ok=False, verb=verb, code=code, sentence=sentence):
            return f"REFUSED {verb} ({code}): {sentence}"
        case TableState() as state:
            asked = "; ".join(f"{one.kind}: {one.sentence} {'/'.join(one.choices)}" for one in state.questions)
            bets = " ".join(f"{one.seat}:{one.bet}" for one in state.seats if one.bet)
            asks = f" ASKS {asked}" if asked else ""
            return f"state   {state.phase} {state.street} to act {state.to_act}, bets {bets or '-'}{asks}"
    return ""

"""What was said at a table, in lines for people: sensors, keys, rulings, alerts, what is announced and asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from betline.bus import Bus, Received
from betline.messages.common import Body, Command, Presence, Reply
from betline.messages.devices import ChipEvidence, LineEvent, ZoneChips
from betline.messages.table import Alert, Announcement, Ruling, TableState
from betline.topics import COMMAND, DEVICE_STATUS, SEAT_LINE, ZONE_CHIPS
from virtual_table.table.world import World

STEADY: Final = 6
"""Rounds from which a chip that answers is only counted in the story."""
SENSES: Final = (ZONE_CHIPS, SEAT_LINE, COMMAND, DEVICE_STATUS)
"""What sensors and dealer say."""


class Listener:
    """Hears what sensors and dealer say: each message with when it came and what its topic names."""

    def __init__(self, bus: Bus, now_s: Callable[[], float]) -> None:
        self._now_s = now_s
        self.heard: list[tuple[float, str, Body]] = []
        for kind in SENSES:
            bus.subscribe(kind, self._hear)

    def _hear(self, received: Received) -> None:
        self.heard.append((self._now_s(), received.topic.name, received.body))


def news(found: Iterable[tuple[float, str]]) -> Iterator[tuple[float, str]]:
    """The lines, without states that look like the one before."""
    shown = ""
    for at_s, line in found:
        if line != shown:
            yield at_s, line
        if line.startswith("state"):
            shown = line


def sensed(world: World, name: str, body: Body) -> str:
    """What a sensor or the dealer said; empty for what says nothing new."""
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
    return ""


def _evidence(chip: ChipEvidence) -> str:
    """A chip's last digits, hits of rounds, and for how many rounds it has been silent."""
    silent = f", {chip.missed} silent" if chip.missed else ""
    return f"{chip.uid[-3:]} ({chip.hits}/{chip.rounds}{silent})"


def told(body: Body) -> str:
    """What the controller said; empty for what says nothing new."""
    match body:
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

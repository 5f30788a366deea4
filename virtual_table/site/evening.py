"""What one table says and writes in an evening of simulated time, so that many light tables can say it again.

The messages are those of a real session: states, the views of board and stream, rulings, alerts, announcements,
replies, and an event for each entry of the journal. The entries are those that the session wrote, with all they have.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Final

from betline import topics
from betline.bus import Received
from betline.messages.common import Body, Reply
from betline.messages.table import Alert, Announcement, Event, Ruling
from betline.settings import load_table
from betline.topics import Topic, topic
from betline.units import NS_PER_S
from table_controller.journal.chain import payload_of
from virtual_table.laboratory.laboratory import Laboratory

SHOWN: Final = ("board", "stream")
"""The audiences of which a controller publishes views."""
RISES: Final = ("version", "hand_no", "journal_seq")
"""Numbers of a message that go on rising when the evening is played again."""


@dataclass(frozen=True, slots=True)
class Said:
    """One message, with its body as JSON but for the numbers that rise."""

    path: str
    qos: int
    retained: bool
    rest: str
    rises: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Written:
    """One entry of the journal, and the event that tells of it."""

    kind: str
    payload: str
    event: Said


@dataclass(frozen=True, slots=True)
class SiteEvening:
    """What one table has said and written: seconds from the beginning, in order."""

    happenings: tuple[tuple[float, Said | Written], ...]
    hands: int
    last: tuple[tuple[str, int], ...]
    """The highest of each number that rises."""

    @property
    def length_s(self) -> float:
        """How long it took."""
        return self.happenings[-1][0]

    @property
    def entries(self) -> int:
        """How many entries were written."""
        return sum(isinstance(one, Written) for _, one in self.happenings)

    @property
    def hands_an_hour(self) -> float:
        """How fast it was played."""
        return self.hands * 3600 / self.length_s


def play_site_evening(table: str, hands: int, seed: int) -> SiteEvening:
    """Plays hands at a table in simulated time, with readers and camera."""
    lab = Laboratory(load_table(table), seed)
    found: list[tuple[float, Said | Written]] = []
    views: dict[str, Body] = {}

    def heard(received: Received) -> None:
        state: Any = received.body
        found.append((lab.agenda.now_s(), said(topic(topics.STATE), state)))
        for audience in SHOWN:
            view = lab.controller.session.view(audience, state)
            if audience not in views or view.model_copy(update={"version": 0}) != views[audience]:
                views[audience] = view.model_copy(update={"version": 0})
                found.append((lab.agenda.now_s(), said(topic(topics.VIEW, audience), view)))

    lab.console.subscribe(topics.STATE, heard)
    lab.play(hands)
    found += [(told.at_s, said(where, told.body)) for told in lab.messages if (where := _where(told.body)) is not None]
    hand_no = 0
    for entry in lab.controller.pages.entries():
        hand_no += entry.kind == "hand-began"
        event = Event(journal_seq=entry.seq, hand_no=hand_no, type=entry.kind, data=dict(entry.data))
        written = Written(entry.kind, payload_of(entry.data), said(topic(topics.EVENT), event))
        found.append((entry.mono_ns / NS_PER_S, written))
    found.sort(key=lambda one: one[0])
    began_s = found[0][0]
    all_said = [one.event if isinstance(one, Written) else one for _, one in found]
    last = {name: max((n for one in all_said for key, n in one.rises if key == name), default=0) for name in RISES}
    return SiteEvening(tuple((at_s - began_s, one) for at_s, one in found), hands, tuple(last.items()))


def said(where: Topic, body: Body) -> Said:
    """A message as it is said again and again."""
    fields = body.model_dump(mode="json")
    rises = tuple((name, int(fields.pop(name))) for name in RISES if isinstance(fields.get(name), int))
    rest = json.dumps(fields, separators=(",", ":"), ensure_ascii=False)
    return Said(where.path, where.kind.qos, where.kind.retained, rest, rises)


def _where(body: Body) -> Topic | None:
    """Where a message goes; a state was heard already."""
    match body:
        case Ruling():
            return topic(topics.RULING)
        case Alert():
            return topic(topics.ALERT)
        case Announcement():
            return topic(topics.ANNOUNCEMENT)
        case Reply():
            return topic(topics.REPLY, body.command_id.lower())
    return None

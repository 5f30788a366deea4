"""What of the table is told beyond its bus: how it stands, and what has just happened. Pure.

It hears the board's view, alerts and presences, so it can tell nothing that the board may not show.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from betline.messages.common import Body, Presence
from betline.messages.table import Alert
from betline.messages.views import TableView
from betline.topics import DEVICE_STATUS, Topic

HAPPENINGS: Final = ("act", "all-in", "hand-over", "alert")
BOARD: Final = "board"
LONGEST_TEXT: Final = 255
"""Home Assistant takes no longer state."""


@dataclass(frozen=True, slots=True)
class Happening:
    """Something that has just happened, to be told once."""

    kind: str
    data: Mapping[str, Any] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """The payload of an event entity."""
        return {"event_type": self.kind, **self.data}


@dataclass(frozen=True, slots=True)
class Telling:
    """What was heard so far. Each message makes the next one."""

    view: TableView | None = None
    alerts: Mapping[tuple[str, int | None], Alert] = field(default_factory=dict)
    """Those that stand, as far as they were heard since this program began."""
    away: Mapping[str, str] = field(default_factory=dict)
    """Sensors and programs that are not there, and how that is."""

    def heard(self, topic: Topic, body: Body) -> tuple[Telling, tuple[Happening, ...]]:
        """After a message, with what has just happened."""
        match body:
            case TableView() if topic.name == BOARD:
                return replace(self, view=body), tuple(_happened(self.view, body))
            case Alert():
                return self._alerted(body)
            case Presence() if topic.kind is DEVICE_STATUS:
                away = {name: state for name, state in self.away.items() if name != topic.name}
                if body.state not in ("online", "starting"):
                    away[topic.name] = body.state
                return replace(self, away=away), ()
        return self, ()

    def _alerted(self, alert: Alert) -> tuple[Telling, tuple[Happening, ...]]:
        key = (alert.code, alert.seat)
        standing = {one: known for one, known in self.alerts.items() if one != key}
        if not alert.active:
            return replace(self, alerts=standing), ()
        said = {"text": alert.sentence, "code": alert.code, "seat": alert.seat, "severity": alert.severity}
        return replace(self, alerts={**standing, key: alert}), (Happening("alert", said),)

    def state(self) -> dict[str, Any]:
        """The state of all entities; what is not so now is null."""
        view = self.view
        turn = None if view is None else view.turn
        level = None if view is None else view.level
        newest = next(reversed(tuple(self.alerts.values())), None)
        return {
            "to_act": None if turn is None else turn.seat,
            "to_call": None if turn is None else turn.call,
            "minimum": None if turn is None else turn.min_raise_to,
            "maximum": None if turn is None else turn.max_raise_to,
            "pot": None if view is None else view.pot,
            "street": None if view is None else view.street or None,
            "hand": None if view is None else view.hand_no or None,
            "level": None if level is None else f"{level.number}: {level.stakes}",
            "announcement": None if turn is None else turn.text[:LONGEST_TEXT],
            "alerts": len(self.alerts),
            "alert": None if newest is None else newest.sentence,
            "sensors": len(self.away),
            "sensors_text": ", ".join(f"{name} is {state}" for name, state in sorted(self.away.items())) or None,
        }


def _happened(before: TableView | None, now: TableView) -> Iterator[Happening]:
    """What a new view tells beyond the one before; the first one is no news."""
    if before is None:
        return
    act = now.last_act
    if act is not None and (act != before.last_act or (now.hand_no, now.street) != (before.hand_no, before.street)):
        data = {"text": act.text, "seat": act.seat, "act": act.act, "to": act.to}
        yield Happening("act", data)
        if act.all_in:
            yield Happening("all-in", data)
    if now.phase == "hand-over" and (before.phase != "hand-over" or before.hand_no != now.hand_no):
        seats = " and ".join(map(str, now.winners))
        text = f"Seat {seats} wins" if len(now.winners) == 1 else f"Seats {seats} split" if now.winners else "Hand over"
        yield Happening("hand-over", {"text": text, "hand": now.hand_no, "winners": list(now.winners)})

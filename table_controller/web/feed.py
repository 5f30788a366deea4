"""What was heard of the table, and what each page is shown of it. Pure.

A channel is what one page follows: `board`, `overlay`, and `seat-3` for who sits there. What it shows is one JSON
object with all that the page needs, so a page that comes late or has slept needs the newest alone.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from betline import topics
from betline.messages.common import Body, Presence, PresenceState
from betline.messages.table import Prompt
from betline.messages.views import TableView
from betline.topics import Topic
from table_controller.web.hands import Hands
from table_controller.web.tokens import BOARD, OVERLAY, seat_role

HEARD: Final = (topics.STATUS, topics.VIEW, topics.SEAT_PROMPT)
AUDIENCES: Final = {"board": BOARD, "stream": OVERLAY}
"""Which audience's view a channel shows; a seat's shows that of the board, and its own prompt."""


@dataclass(frozen=True, slots=True)
class Feed:
    """What was heard so far. Each message makes the next one."""

    seats: tuple[int, ...]
    broker: bool = False
    controller: PresenceState | None = None
    views: Mapping[str, TableView] = field(default_factory=dict)
    """By the channel that shows them."""
    prompts: Mapping[int, Prompt] = field(default_factory=dict)
    hands: Hands = field(default_factory=Hands)
    """The last hands of each seat, of what the board was shown."""

    @property
    def channels(self) -> tuple[str, ...]:
        """All channels of the table."""
        return (BOARD, OVERLAY, *map(seat_role, self.seats))

    @property
    def trouble(self) -> str:
        """What is missing so that what is shown may be old, as a sentence; empty where nothing is."""
        if not self.broker:
            return "No connection to the table."
        if self.controller in ("online", None):
            return ""
        if self.controller == "starting":
            return "The table's controller is starting."
        return "The table's controller is away."

    def connected(self, broker: bool) -> Feed:
        """The broker came or went; whether the controller is there is not known before the broker says so."""
        return replace(self, broker=broker, controller=self.controller if broker else None)

    def heard(self, topic: Topic, body: Body) -> Feed:
        """After a message; those that no page shows change nothing."""
        match body:
            case Presence() if topic.kind is topics.STATUS:
                return replace(self, controller=body.state)
            case TableView() if topic.name in AUDIENCES:
                hands = self.hands.seen(body) if topic.name == "board" else self.hands
                return replace(self, views={**self.views, AUDIENCES[topic.name]: body}, hands=hands)
            case Prompt() if body.seat in self.seats:
                return replace(self, prompts={**self.prompts, body.seat: body})
        return self

    def changed(self, before: Feed) -> tuple[str, ...]:
        """The channels that show something else than before."""
        if self.trouble != before.trouble:
            return self.channels
        changed = [channel for channel in (BOARD, OVERLAY) if self.views.get(channel) is not before.views.get(channel)]
        for seat in self.seats:
            if BOARD in changed or self.prompts.get(seat) is not before.prompts.get(seat):
                changed.append(seat_role(seat))
        return tuple(changed)

    def shown(self, channel: str) -> str:
        """What a channel shows, as JSON: trouble in words, the view; for a seat its prompt and its last hands."""
        seat = int(channel.removeprefix("seat-")) if channel.startswith("seat-") else None
        parts = {"trouble": json.dumps(self.trouble), "view": _json(self.views.get(channel if seat is None else BOARD))}
        if seat is not None:
            parts["prompt"] = _json(self.prompts.get(seat))
            parts["hands"] = json.dumps([hand.as_json() for hand in self.hands.of.get(seat, ())])
        return "{" + ",".join(f'"{name}":{value}' for name, value in parts.items()) + "}"


def _json(body: Body | None) -> str:
    return "null" if body is None else body.model_dump_json()

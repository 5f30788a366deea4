"""A question to every table of a site, for verbs that run once."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable
from typing import Final

from betline.bus.port import Received
from betline.bus.site import SiteBus
from betline.messages.common import Body
from betline.messages.history import HistoryAsk, HistoryErase, HistoryErased, HistoryJournals
from betline.topics import (
    HISTORY_ASK,
    HISTORY_ERASE,
    HISTORY_ERASED,
    HISTORY_HEAD,
    HISTORY_JOURNALS,
    TopicKind,
    topic,
)

FOUND_S: Final = 1.0
"""Within this time the broker has told of every table."""
ANSWER_S: Final = 10.0


def list_journals(bus: SiteBus) -> dict[str, HistoryJournals | None]:
    """The journals of every table; None of one that did not answer."""
    ask = HistoryAsk(id=uuid.uuid4().hex, want="journals")
    heard = _asked(bus, HISTORY_JOURNALS, lambda table: bus.say(table, topic(HISTORY_ASK, bus.sender), ask), ask.id)
    return {table: body if isinstance(body, HistoryJournals) else None for table, body in heard.items()}


def erase_at_tables(bus: SiteBus, person: str) -> dict[str, HistoryErased | None]:
    """What each table did with a wish to erase; None of one that did not answer."""
    wish = HistoryErase(id=uuid.uuid4().hex, person=person)
    heard = _asked(bus, HISTORY_ERASED, lambda table: bus.say(table, topic(HISTORY_ERASE, bus.sender), wish), wish.id)
    return {table: body if isinstance(body, HistoryErased) else None for table, body in heard.items()}


def _asked(bus: SiteBus, answers: TopicKind, say: Callable[[str], bool], number: str) -> dict[str, Body | None]:
    """Asks every table that the broker tells of, and waits for all answers or as long as is reasonable."""
    heard: dict[str, Body | None] = {}

    def found(table: str, _received: Received) -> None:
        if table not in heard:
            heard[table] = None

    def answered(table: str, received: Received) -> None:
        if getattr(received.body, "ask", "") == number:
            heard[table] = received.body

    bus.hear(answers, answered)
    bus.hear(HISTORY_HEAD, found)
    time.sleep(FOUND_S)
    for table in tuple(heard):
        say(table)
    until_s = time.monotonic() + ANSWER_S
    while time.monotonic() < until_s and None in tuple(heard.values()):
        time.sleep(0.02)
    return dict(heard)

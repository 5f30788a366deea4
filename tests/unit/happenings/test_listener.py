"""The listener of `betline home` and `betline hooks`: what happens is handed on, what is too much is counted."""

from __future__ import annotations

import pytest

from betline import topics
from betline.bus import MemoryBus, MemoryHub
from betline.messages.table import Alert
from betline.topics import Namespace, topic
from table_controller.happenings.listener import Listener
from table_controller.happenings.telling import Happening, Telling

NAMES = Namespace("home", "home-six")


def alert(number: int) -> Alert:
    return Alert(severity="error", code=f"reader-down-{number}", sentence=f"Look at reader {number}.")


def test_a_slow_listener_drops_what_is_too_much_counts_it_and_says_it(caplog: pytest.LogCaptureFixture) -> None:
    hub = MemoryHub()
    controller = MemoryBus(hub, NAMES, "controller")
    told = list[str]()

    def tell(_: Telling, happened: tuple[Happening, ...]) -> None:
        told.extend(str(one.data["code"]) for one in happened)

    listener = Listener(MemoryBus(hub, NAMES, "home"), (topics.ALERT,), tell, most_waiting=3)
    listener.start()
    for number in range(8):
        controller.publish(topic(topics.ALERT), alert(number))
    assert listener.dropped == 5
    for _ in range(4):
        listener.pump(0.0)
    assert told == ["reader-down-0", "reader-down-1", "reader-down-2"]
    assert [one.getMessage() for one in caplog.records] == [
        f"The table is told too slowly: so far {dropped} of its messages were dropped, since 3 wait already."
        for dropped in (1, 4)
    ]

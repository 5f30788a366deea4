"""Between the bus and a program that is slow: what is too much is dropped, counted and said."""

from __future__ import annotations

import pytest

from betline import topics
from betline.bus import Listener, MemoryBus, MemoryHub, Received
from betline.messages.table import Alert
from betline.topics import Namespace, topic

NAMES = Namespace("home", "home-six")


def alert(number: int) -> Alert:
    return Alert(severity="error", code=f"reader-down-{number}", sentence=f"Look at reader {number}.")


def test_a_slow_listener_drops_what_is_too_much_counts_it_and_says_it(caplog: pytest.LogCaptureFixture) -> None:
    hub = MemoryHub()
    controller = MemoryBus(hub, NAMES, "controller")
    told = list[str]()

    def take(received: Received) -> None:
        assert isinstance(received.body, Alert)
        told.append(received.body.code)

    listener = Listener(MemoryBus(hub, NAMES, "home"), (topics.ALERT,), take, most_waiting=3)
    listener.start()
    for number in range(8):
        controller.publish(topic(topics.ALERT), alert(number))
    assert listener.dropped == 5
    for _ in range(4):
        listener.pump(0.0)
    assert told == ["reader-down-0", "reader-down-1", "reader-down-2"]
    assert [one.getMessage() for one in caplog.records] == [
        f"The table says more than can be taken: 3 wait, messages dropped so far: {dropped}." for dropped in (1, 4)
    ]


@pytest.mark.parametrize(("heard", "said"), [(False, 1), (True, 0)])
def test_a_table_that_is_not_there_is_said_once(heard: bool, said: int, caplog: pytest.LogCaptureFixture) -> None:
    hub = MemoryHub()
    turns = list[int]()

    def serves() -> None:
        turns.append(1)
        if len(turns) == 3:
            listener.stop()

    listener = Listener(MemoryBus(hub, NAMES, "home"), (topics.ALERT,), lambda _: None, serves, silent_s=0.0)
    listener.start()
    if heard:
        MemoryBus(hub, NAMES, "controller").publish(topic(topics.ALERT), alert(1))
    listener.run()
    assert [one.getMessage() for one in caplog.records] == said * [
        "Nothing was heard of the table in 0 s: is its controller running, and are --table, --site and --broker right?"
    ]

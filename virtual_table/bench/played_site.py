"""A site of many tables that say what a simulated table has said, at its pace and not in step, for the suite `floor`.

One evening is played in simulated time, and its states are kept with their times. A process of its own then says them
at every table over and over, each table beginning at another place, with versions and hands that go on rising; every
table says besides how it does, as a controller does.
"""

from __future__ import annotations

import heapq
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion

from betline import topics
from betline.bus.wire import encode
from betline.messages.common import Body, Envelope, Health, Presence
from betline.messages.table import TableState
from betline.options import Address
from betline.settings import load_table
from betline.topics import Namespace, Topic, topic
from betline.units import NS_PER_MS
from virtual_table.laboratory.laboratory import Laboratory

HEALTH_S: Final = 2.0
SENDER: Final = "controller"


class At(NamedTuple):
    """A state, and when it was said, in seconds from the first one."""

    at_s: float
    state: TableState


@dataclass(frozen=True, slots=True)
class Evening:
    """What one table has said."""

    states: tuple[At, ...]

    @property
    def length_s(self) -> float:
        """From its first state to its last."""
        return self.states[-1].at_s

    @property
    def a_second(self) -> float:
        """States a second."""
        return len(self.states) / self.length_s


def play_evening(table: str, hands: int, seed: int) -> Evening:
    """Plays hands at a table in simulated time, with readers and camera."""
    lab = Laboratory(load_table(table), seed)
    lab.play(hands)
    said = [At(told.at_s, told.body) for told in lab.messages if isinstance(told.body, TableState)]
    first_s = said[0].at_s
    return Evening(tuple(At(one.at_s - first_s, one.state) for one in said))


def say_on(evening: Evening, address: Address, site: str, names: Sequence[str]) -> None:
    """Says it at these tables until this process is ended."""
    client = paho.Client(CallbackAPIVersion.VERSION2, client_id="played-site")
    client.max_inflight_messages_set(1000)
    client.connect(address.host, address.port)
    client.loop_start()
    tables = [_Table(client, Namespace(site, name), evening) for name in names]
    began_s = time.monotonic()
    due = [(place * evening.length_s / len(tables) % 1.0, place, one) for place, one in enumerate(tables)]
    for place, one in enumerate(tables):
        one.begin(place * len(evening.states) // len(tables))
    heapq.heapify(due)
    while True:
        at_s, place, one = heapq.heappop(due)
        time.sleep(max(0.0, began_s + at_s - time.monotonic()))
        heapq.heappush(due, (at_s + one.next(), place, one))


class _Table:
    """One table that says it: each of its messages has a number, as those of a controller do."""

    def __init__(self, client: paho.Client, names: Namespace, evening: Evening) -> None:
        self._client, self._names, self._evening = client, names, evening
        self._seq = self._round = self._place = 0
        self._health_s = 0.0

    def begin(self, place: int) -> None:
        """Is there, and begins at a place of the evening."""
        self._place = place
        self._say(topic(topics.STATUS), Presence(state="online"))

    def next(self) -> float:
        """Says one state; returns the seconds until the next."""
        states = self._evening.states
        last = states[-1].state
        now_s, state = states[self._place]
        rising = {
            "version": state.version + self._round * (last.version + 1),
            "hand_no": state.hand_no + self._round * (last.hand_no + 1),
        }
        self._say(topic(topics.STATE), state.model_copy(update=rising))
        if time.monotonic() - self._health_s >= HEALTH_S:
            self._health_s = time.monotonic()
            self._say(topic(topics.DEVICE_HEALTH, SENDER), Health(counters={}))
        self._place += 1
        if self._place == len(states):
            self._place, self._round = 0, self._round + 1
            return 1.0
        return states[self._place].at_s - now_s

    def _say(self, to: Topic, body: Body) -> None:
        envelope = Envelope(
            sender=SENDER,
            boot_id=self._names.table,
            seq=self._seq,
            ts_ms=time.time_ns() // NS_PER_MS,
            mono_ns=time.monotonic_ns(),
        )
        self._seq += 1
        self._client.publish(self._names.full(to.path), encode(envelope, body), to.kind.qos, to.kind.retained)

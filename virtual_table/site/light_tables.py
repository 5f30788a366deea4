"""Light tables of a measured site: what a table's controller and its history server say, from one process for many.

Each table has its own connection and login at the broker of its pit, speaks at its own pace, and has a journal in
memory with the real chain of hashes, of which it tells and answers as `betline journal serve` does. There is no
controller behind it, no reader, no camera and no disk: docs/benchmarks.md says what that leaves out.
"""

from __future__ import annotations

import heapq
import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion

from betline import topics
from betline.broker import LOOPBACK
from betline.bus.wire import Malformed, decode
from betline.joining import BrokerChoice
from betline.messages.common import Birth, Body, Envelope, Health, Presence
from betline.messages.history import (
    HistoryAsk,
    HistoryEntries,
    HistoryHead,
    HistoryJournals,
    HistoryNames,
    JournalEnd,
    Row,
    pack,
)
from betline.provision.crossings import crossings
from betline.topics import Namespace, Topic, TopicKind, topic
from betline.units import NS_PER_MS
from table_controller.journal.chain import GENESIS, link
from virtual_table.site.evening import Said, SiteEvening, Written, said

HEALTH_S: Final = 2.0
LOOK_S: Final = 0.05
TELL_S: Final = 0.2
"""A history server looks at its journal so often, and tells how far it is at most so often."""
MOST_ANSWERED: Final = 400
"""Entries in one answer; so many always fit in a message."""
CONTROLLER, HISTORY = "controller", "history"
CROSSES: Final = tuple(TopicKind(one.path, Body, False, 0, "", (), ()) for one in crossings() if one.way == "out")
BEGIN, TELL, END = "begin", "tell", "end"
"""What the program that measures says: count from now on, tell what was counted, end."""


@dataclass(frozen=True, slots=True)
class Order:
    """One light table: where it is, and whether the times of its entries are told."""

    table: str
    port: int
    login: Path
    sampled: bool


@dataclass(slots=True)
class Counts:
    """What the tables of a process did since they were told to count."""

    messages: int = 0
    bytes: int = 0
    crossing: int = 0
    entries: int = 0
    late_s: list[float] = field(default_factory=list)
    """How much later than its pace each message came: the machine had no time for it."""
    wrote: list[tuple[str, int, float]] = field(default_factory=list)
    """Table, number and time of each entry of those that are sampled."""


def play_light_tables(evening: SiteEvening, site: str, orders: tuple[Order, ...], control: Connection) -> None:
    """Plays at these tables until it is told to end; says None when they all speak."""
    counts = [Counts()]
    tables = [LightTable(one, site, evening, lambda: counts[0]) for one in orders]
    for one in tables:
        one.connected.wait()
    control.send(None)
    chance, numbers = random.Random(orders[0].table), count()
    due: list[tuple[float, int, Callable[[float], float | None]]] = []

    def soon(at_s: float, work: Callable[[float], float | None]) -> None:
        heapq.heappush(due, (at_s, next(numbers), work))

    for one in tables:
        now_s = time.monotonic()
        one.begin()
        soon(now_s + chance.uniform(0, 1), one.next)
        soon(now_s + chance.uniform(0, LOOK_S), one.look)
        soon(now_s + chance.uniform(0, HEALTH_S), one.health)
    while True:
        at_s, _, work = due[0]
        if control.poll(max(0.0, at_s - time.monotonic())):
            match control.recv():
                case "begin":
                    counts[0] = Counts()
                case "tell":
                    control.send(counts[0])
                case _:
                    break
            continue
        heapq.heappop(due)
        counts[0].late_s.append(time.monotonic() - at_s)
        again_s = work(at_s)
        if again_s is not None:
            soon(again_s, work)
    for one in tables:
        one.close()


class LightTable:
    """One table: a connection, its place in the evening, and its journal."""

    def __init__(self, order: Order, site: str, evening: SiteEvening, counts: Callable[[], Counts]) -> None:
        self._order, self._evening, self._counts = order, evening, counts
        self._names = Namespace(site, order.table)
        self._chance = random.Random(order.table)
        self._lock = threading.Lock()
        self._rows: list[Row] = []
        self._told_s, self._told = 0.0, 0
        self._seqs = {CONTROLLER: 0, HISTORY: 0}
        self._life = f"{self._chance.randrange(16**12):012x}"
        self._place, self._round = self._chance.randrange(len(evening.happenings)), 0
        self.connected = threading.Event()
        self._write("journal-began", f'{{"table":"{site}/{order.table}"}}')
        login = BrokerChoice(url=f"mqtts://{LOOPBACK}:{order.port}", login=order.login).address(CONTROLLER).login
        assert login is not None
        self._client = paho.Client(CallbackAPIVersion.VERSION2, client_id=f"light-{order.table}-{self._life}")
        self._client.username_pw_set(login.user, login.password())
        context = login.context()
        assert context is not None
        self._client.tls_set_context(context)
        self._client.max_inflight_messages_set(1000)
        self._client.on_connect = self._on_connect
        self._client.on_message = self._on_message
        self._client.reconnect_delay_set(1, 2)
        self._client.connect(LOOPBACK, order.port, keepalive=30)
        self._client.loop_start()

    def begin(self) -> None:
        """Says that it is there."""
        self._say_body(CONTROLLER, topic(topics.STATUS), Presence(state="online"))
        birth = Birth(role="controller", version="light", table=self._order.table, config_hash="5a")
        self._say_body(CONTROLLER, topic(topics.BIRTH), birth)

    def next(self, at_s: float) -> float:
        """Says or writes what comes next in the evening; gives when the one after it is due."""
        happenings = self._evening.happenings
        here_s, happening = happenings[self._place]
        if isinstance(happening, Written):
            seq = self._write(happening.kind, happening.payload)
            self._say(CONTROLLER, happening.event, seq)
        else:
            self._say(CONTROLLER, happening)
        self._place += 1
        if self._place == len(happenings):
            self._place, self._round = 0, self._round + 1
            return at_s + 1.0
        return at_s + happenings[self._place][0] - here_s

    def look(self, at_s: float) -> float:
        """Tells how far the journal is, where it has grown and was not told just now."""
        if len(self._rows) > self._told and at_s - self._told_s >= TELL_S:
            self._told, self._told_s = len(self._rows), at_s
            self._say_body(HISTORY, topic(topics.HISTORY_HEAD), HistoryHead(end=self._end()))
        return at_s + LOOK_S

    def health(self, at_s: float) -> float:
        """Says how it does."""
        counters = {"inputs": float(self._place), "journal_seq": float(len(self._rows)), "intake_waiting": 0.0}
        self._say_body(CONTROLLER, topic(topics.DEVICE_HEALTH, CONTROLLER), Health(counters=counters))
        return at_s + HEALTH_S

    def close(self) -> None:
        """Leaves its broker."""
        self._client.disconnect()
        self._client.loop_stop()

    def _write(self, kind: str, payload: str) -> int:
        with self._lock:
            prev, seq = (self._rows[-1].hash if self._rows else GENESIS), len(self._rows) + 1
            at_ms, mono_ns = time.time_ns() // NS_PER_MS, time.monotonic_ns()
            self._rows.append(Row(seq, at_ms, mono_ns, kind, payload, link(prev, seq, at_ms, mono_ns, kind, payload)))
        counts = self._counts()
        counts.entries += 1
        if self._order.sampled:
            counts.wrote.append((self._order.table, seq, time.monotonic()))
        return seq

    def _end(self) -> JournalEnd:
        return JournalEnd(journal=self._rows[0].hash, seq=len(self._rows), head=self._rows[-1].hash, live=True)

    # --- on the connection's thread ----------------------------------------------------------------------------------

    def _on_connect(self, client: paho.Client, _data: Any, _flags: Any, reason: Any, _properties: Any) -> None:
        if not reason.is_failure:
            client.subscribe(self._names.full(topics.HISTORY_ASK.pattern), 1)
            self.connected.set()

    def _on_message(self, _client: paho.Client, _data: Any, message: paho.MQTTMessage) -> None:
        where = self._names.parse(message.topic)
        if where is None:
            return
        try:
            _, ask, _ = decode(where, bytes(message.payload))
        except Malformed:
            return
        if isinstance(ask, HistoryAsk):
            self._answer(where.name, ask)

    def _answer(self, who: str, ask: HistoryAsk) -> None:
        with self._lock:
            if ask.want == "journals":
                answer: Body = HistoryJournals(ask=ask.id, journals=(self._end(),))
                kind = topics.HISTORY_JOURNALS
            elif ask.want == "names":
                answer, kind = HistoryNames(ask=ask.id, journal=ask.journal), topics.HISTORY_NAMES
            else:
                rows = self._rows[ask.after : ask.after + min(ask.most, MOST_ANSWERED)]
                prev = self._rows[ask.after - 1].hash if rows and ask.after else GENESIS if rows else ""
                answer = HistoryEntries(ask=ask.id, journal=ask.journal, after=ask.after, prev=prev,
                                        rows=pack(rows) if rows else "", end=self._end())  # fmt: skip
                kind = topics.HISTORY_ENTRIES
        self._say_body(HISTORY, topic(kind, who), answer)

    # --- saying ------------------------------------------------------------------------------------------------------

    def _say_body(self, sender: str, where: Topic, body: Body) -> None:
        self._say(sender, said(where, body))

    def _say(self, sender: str, one: Said, journal_seq: int | None = None) -> None:
        last = dict(self._evening.last)
        with self._lock:
            seq = self._seqs[sender]
            self._seqs[sender] += 1
        envelope = Envelope(
            sender=sender, boot_id=self._life, seq=seq, ts_ms=time.time_ns() // NS_PER_MS, mono_ns=time.monotonic_ns()
        )
        rises = "".join(f',"{name}":{value + self._round * (last[name] + 1)}' for name, value in one.rises
                        if journal_seq is None or name != "journal_seq")  # fmt: skip
        own = "" if journal_seq is None else f',"journal_seq":{journal_seq}'
        rest = f",{one.rest[1:]}" if len(one.rest) > 2 else "}"  # a body may have no other field
        payload = f"{envelope.model_dump_json()[:-1]}{rises}{own}{rest}".encode()
        counts = self._counts()
        counts.messages += 1
        counts.bytes += len(payload)
        counts.crossing += any(kind.matches(one.path) for kind in CROSSES)
        self._client.publish(self._names.full(one.path), payload, one.qos, one.retained)

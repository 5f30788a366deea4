"""The test hand: the real parts with the real hardware, a table and journal of its own, and one bet by a person."""

from __future__ import annotations

import queue
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from betline import topics
from betline.broker import LOOPBACK, free_port
from betline.bus import MqttBus, Received
from betline.messages.common import Command as CommandMessage
from betline.options import FAILED, Address, UserError
from betline.readiness import await_broker
from betline.scratch import scratch_folder
from betline.settings import STREETS, GameSettings, load_chip_set, load_house_rules
from betline.settings.readers import BY_ID
from betline.setup.trial import Link, Push, Trial, push_for
from betline.steps import Act, Command, Setup, command_args, verb_of
from betline.steps.setup import Start
from betline.supervise import Supervisor
from betline.tables.check import load_sound_table
from betline.topics import Namespace, topic

SITE: Final = "setup"
"""A site of its own: no console or display of the house listens there."""
PARTS_S: Final = 25.0
PUSH_S: Final = 60.0
_BASE_S: Final = 10.0
_POLL_S: Final = 0.1
_AGAIN_S: Final = 1.5
_LIFE_MS: Final = 10_000
_HEARD: Final = (
    topics.STATUS, topics.STATE, topics.DEVICE_STATUS, topics.DEVICE_VIEW, topics.ZONE_CHIPS, topics.SEAT_LINE,
    topics.RULING, topics.ANNOUNCEMENT,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Tried:
    """Which table is tried, and with what."""

    file: Path
    seat: int | None = None
    by_id: Path = BY_ID
    register: Path | None = None
    push_s: float = PUSH_S


@dataclass(slots=True)
class Watcher:
    """Who follows a test hand."""

    link: Callable[[Link], None]
    """A link of the chain was seen to work, or not."""
    ask: Callable[[Push], None]
    """The person is to push now."""
    heard: Callable[[str], None] = lambda _sentence: None
    """What antenna and camera say of the seat now, as it changes."""
    stopped: Callable[[], bool] = lambda: False


def play(tested: Tried, watcher: Watcher) -> Trial:
    """Plays the test hand and says what was seen link by link; raises UserError where a part refuses to start."""
    table = load_sound_table(tested.file)
    values = [chip.value for chip in load_chip_set(table.chip_set).chips]
    if tested.seat is not None and tested.seat not in {seat.number for seat in table.seats}:
        raise UserError(f"This table has no seat {tested.seat}; its seats are 1 to {len(table.seats)}.")
    push = push_for(table, values, tested.seat)
    trial = Trial.of(table, push)
    names, address = Namespace(SITE, table.name), Address(LOOPBACK, free_port())
    with scratch_folder("betline-test-hand-") as folder, Supervisor(folder) as parts:
        parts.start("broker", ["broker", "--quiet", "--broker", str(address)])
        await_broker(parts, address, names)
        common = ["--table", str(tested.file), "--broker", str(address), "--site", SITE, "--id", table.name]
        own = {"journal": "journal", "key": "key", "anchors": "anchors", "people": "people.toml"}
        files = [word for option, file in own.items() for word in (f"--{option}", str(folder / file))]
        parts.start("controller", ["controller", *common, *files])
        if table.readers:
            register = ["--register", str(tested.register)] if tested.register else []
            parts.start("bridge", ["bridge", "run", *common, "--by-id", str(tested.by_id), *register])
        if table.cameras:
            parts.start("vision", ["vision", "run", *common])
        bus = MqttBus(address.host, address.port, names, "setup")
        try:
            hand = _Hand(trial, watcher, bus, parts)
            hand.run(
                _setup(table.game, table.house.profile, push, [seat.number for seat in table.seats]), tested.push_s
            )
        finally:
            bus.close()
    return trial


def _setup(game: GameSettings, house: str, push: Push, seats: list[int]) -> Setup:
    """Two players on the second betting round: nobody has to post, and the seat that is tried opens."""
    other = next(seat for seat in seats if seat != push.seat)
    stack = push.amount * 100
    start = Start(street=STREETS[game.streets][1], pot=push.amount * 2, first=push.seat)
    rules = load_house_rules(house)
    return Setup(game=game, house=rules, seats={push.seat: stack, other: stack}, button=other, start=start)


class _Hand:
    """One test hand on the bus."""

    def __init__(self, trial: Trial, watcher: Watcher, bus: MqttBus, parts: Supervisor) -> None:
        self._trial, self._watcher, self._bus, self._parts = trial, watcher, bus, parts
        self._news: queue.Queue[Received] = queue.Queue()
        for kind in _HEARD:
            bus.subscribe(kind, self._news.put)

    def run(self, setup: Setup, push_s: float) -> None:
        self._until(lambda: self._trial.parts_answered, PARTS_S)
        if not self._trial.links[0].seen:
            self._parts.check()
            raise UserError("The controller did not start; betline doctor says what is wrong.", FAILED)
        self._send_until(setup, self._hand_is_on, _BASE_S)
        self._trial.asked()
        self._watcher.ask(self._trial.push)
        if not self._trial.is_read:
            self._send(Act(seat=self._trial.push.seat, to=self._trial.push.amount, action="bet"))
        self._until(lambda: self._trial.over, push_s)
        for link in self._trial.give_up():
            self._watcher.link(link)

    def _hand_is_on(self) -> bool:
        return any(link.part == "hand" and link.seen for link in self._trial.links)

    def _send_until(self, command: Command, done: Callable[[], bool], within_s: float) -> None:
        """Sends a command again and again until it shows; the controller obeys an id once."""
        command_id, deadline_s = uuid.uuid4().hex, time.monotonic() + within_s
        while not done() and time.monotonic() < deadline_s and not self._watcher.stopped():
            self._send(command, command_id)
            self._until(done, _AGAIN_S)

    def _send(self, command: Command, command_id: str = "") -> None:
        expires_ms = int(time.time() * 1000) + _LIFE_MS
        message = CommandMessage(id=command_id or uuid.uuid4().hex, expires_ms=expires_ms, args=command_args(command))
        self._bus.publish(topic(topics.COMMAND, verb_of(type(command))), message)

    def _until(self, done: Callable[[], bool], within_s: float) -> None:
        deadline_s = time.monotonic() + within_s
        while not done() and time.monotonic() < deadline_s and not self._watcher.stopped():
            self._parts.check()
            try:
                received = self._news.get(timeout=_POLL_S)
            except queue.Empty:
                continue
            name = "controller" if received.topic.kind is topics.STATUS else str(received.topic.name)
            link = self._trial.hear(name, received.body)
            if link is not None:
                self._watcher.link(link)

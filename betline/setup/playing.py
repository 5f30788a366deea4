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
from betline.broker import LOOPBACK, free_port, is_free
from betline.bus import MqttBus, Received
from betline.bus.trouble import why_not
from betline.joining import BrokerChoice
from betline.messages.common import Command as CommandMessage
from betline.options import FAILED, SITE_DEFAULT, Address, UserError, namespace, voice_part
from betline.readiness import await_broker, refuse_second
from betline.scratch import scratch_folder
from betline.settings import STREETS, GameSettings, TableSettings, load_chip_set, load_house_rules
from betline.settings.readers import BY_ID
from betline.setup.trial import Link, Push, Trial, push_for
from betline.steps import Act, Command, Setup, command_args, verb_of
from betline.steps.setup import Start
from betline.supervise import Supervisor
from betline.tables.check import load_sound_table
from betline.topics import Namespace, topic

SITE: Final = "setup"
"""A site of its own: no console or display of the house listens there."""
NOTHING_SAID: Final = BrokerChoice()
PARTS_S: Final = 25.0
PUSH_S: Final = 60.0
_BASE_S: Final = 10.0
_POLL_S: Final = 0.1
_SPOKEN_S: Final = 3.0
"""A voice that cannot be heard has said so by then."""
_ACCOUNT: Final = "console"
"""Whose login the test hand uses: it sends commands as a console does."""
_END_IT: Final = "end it first, for two programs cannot read one reader."
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
    broker: BrokerChoice = NOTHING_SAID
    """What the command line says about the broker; table and site file are asked too."""
    site: str = SITE_DEFAULT
    voice: str | None = None
    """The language in which it speaks, where it does."""


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
    where = _bus_of(tested, table)
    names, address = where.names, where.address
    trial = Trial.of(table, push, broker=f"broker at {address}", speaks=tested.voice is not None)
    with scratch_folder("betline-test-hand-") as folder, Supervisor(folder) as parts:
        if where.is_own:
            parts.start("broker", ["broker", "--quiet", "--broker", str(address)])
        await_broker(parts, address)
        for link in trial.let_in(where.sentence):
            watcher.link(link)
        common = ["--table", str(tested.file), *where.words, "--site", names.site, "--id", table.name]
        own = {"journal": "journal", "key": "key", "anchors": "anchors", "people": "people.toml"}
        files = [word for option, file in own.items() for word in (f"--{option}", str(folder / file))]
        parts.start("controller", ["controller", *common, *files])
        if table.readers:
            register = ["--register", str(tested.register)] if tested.register else []
            parts.start("bridge", ["bridge", "run", *common, "--by-id", str(tested.by_id), *register])
        if table.cameras:
            parts.start("vision", ["vision", "run", *common])
        if tested.voice is not None:
            parts.start("voice", [*voice_part(tested.voice, None), *common])
        bus = MqttBus(address.host, address.port, names, "setup", login=address.login)
        try:
            hand = _Hand(trial, watcher, bus, parts)
            hand.run(
                _setup(table.game, table.house.profile, push, [seat.number for seat in table.seats]), tested.push_s
            )
        finally:
            bus.close()
    return trial


@dataclass(frozen=True, slots=True)
class _Bus:
    """Where the test hand is played: the table's own broker, or one that is started for it."""

    names: Namespace
    address: Address
    words: tuple[str, ...]
    """The same for the programs' command lines."""
    is_own: bool

    @property
    def sentence(self) -> str:
        if self.is_own:
            return "started for the test hand; the table's own starts with betline run"
        login = self.address.login
        if login is None:
            return "the table's own; it lets everybody in, without TLS"
        return f"the table's own; it lets {login.user or 'us'} in, {'with' if login.tls else 'without'} TLS"


def _bus_of(tested: Tried, table: TableSettings) -> _Bus:
    """The table's own broker where somebody else keeps it; raises UserError where this table is played already."""
    chosen = tested.broker.with_settings(table)
    names, where = namespace(tested.site, table.name), chosen.address(_ACCOUNT)
    if chosen.is_kept_by_others(tested.broker) or tested.broker.url is not None:
        refuse_second(where, names, _END_IT)
        return _Bus(names, where, tuple(chosen.words()), False)
    if not is_free(where.port) and why_not(where.host, where.port) is None:
        refuse_second(where, names, _END_IT)  # betline run on this machine: it has the readers
    own = Address(LOOPBACK, free_port())
    return _Bus(Namespace(SITE, table.name), own, ("--broker", str(own)), True)


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
        self._shown, self._said_s = "", 0.0
        self._news: queue.Queue[Received] = queue.Queue()
        for kind in _HEARD:
            bus.subscribe(kind, self._news.put)

    def run(self, setup: Setup, push_s: float) -> None:
        self._until(lambda: self._trial.parts_answered, PARTS_S)
        if not any(link.part == "controller" and link.seen for link in self._trial.links):
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
            self._listen_to_voice()
            try:
                received = self._news.get(timeout=_POLL_S)
            except queue.Empty:
                continue
            name = "controller" if received.topic.kind is topics.STATUS else str(received.topic.name)
            for link in self._trial.hear(name, received.body):
                self._watcher.link(link)
            if self._trial.heard_now != self._shown:
                self._shown = self._trial.heard_now
                self._watcher.heard(self._shown)

    def _listen_to_voice(self) -> None:
        """What the voice says stands in its log, before it is spoken; that nothing can be heard it says on the bus."""
        if not any(link.part == "announcement" and link.seen for link in self._trial.links):
            return
        log = self._parts.log_of("voice")
        if not log.exists() or not log.stat().st_size:
            return
        self._said_s = self._said_s or time.monotonic()
        if time.monotonic() - self._said_s > _SPOKEN_S:
            for link in self._trial.spoke(self._parts.last_words("voice")):
                self._watcher.link(link)

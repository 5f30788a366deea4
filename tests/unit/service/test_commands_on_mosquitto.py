"""Who may ask what of a controller on a mosquitto as `betline provision` makes it: TLS, logins, access list."""

from __future__ import annotations

import itertools
import select
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from betline import topics
from betline.bus import HOST_CLOCK, MqttBus
from betline.bus.wire import encode
from betline.login import read_folder
from betline.messages.common import Body, Command, Envelope, Signature
from betline.messages.devices import ChipEvidence, ZoneChips
from betline.messages.people import SignIn
from betline.people.roll import Roll, write_staff
from betline.people.signature import sign
from betline.settings import StaffRules, load_chip_set
from betline.topics import Topic, TopicKind, topic
from betline.units import NS_PER_MS
from firmware_bridge.chips.register import ChipRegister
from firmware_bridge.protocols.family import LineSettings
from firmware_bridge.service import BridgeService
from table_controller.journal.reader import JournalReader
from table_controller.journal.store import Journal
from table_controller.service.controller import DEVICE, Controller, clock
from tests.mosquitto import needs_mosquitto
from tests.provisioned import NAMES, TABLE, House, make
from tests.unit.service.room import HEARD, SETUP
from tests.unit.service.staff import ANN, BOB, STAFF, Visitor
from tests.unit.session.desk import terms
from virtual_table.readers.feig import VirtualFeigReader
from virtual_table.readers.server import ReaderServer

pytestmark = [
    needs_mosquitto,
    pytest.mark.filterwarnings("ignore:.*ssl.SSLSocket:pytest.PytestUnraisableExceptionWarning"),
]
WAIT_S = 10
TABLE_RULES = StaffRules()
_ids = itertools.count(1)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    house = make(tmp_path_factory.mktemp("house"))
    yield house
    house.stop()


class Hall:
    """A controller and a console, each joined with its login; nothing happens between two turns of the controller."""

    def __init__(self, house: House, folder: Path, staff: bool) -> None:
        self.elsewhere = HOST_CLOCK
        self.path, self._house = folder / "six.journal", house
        self._people = folder / "people.toml" if staff else None
        if self._people is not None:
            write_staff(self._people, STAFF)
        self.leaving = ExitStack()
        self.heard: list[tuple[TopicKind, Body]] = []
        self.arrived: list[tuple[str, str]] = []
        """What the broker let through to the controller: topic and message."""
        self.console = self.join("console")
        for kind in HEARD:
            self.console.subscribe(kind, lambda received: self.heard.append((received.topic.kind, received.body)))
        self.open()

    def join(self, account: str, name: str = "", *, table: str = "logins", presence: Topic | None = None) -> MqttBus:
        """A program with the login of an account, which calls itself by another name if it likes."""
        url, login = read_folder(self._house.login(account, table))
        announces = account != DEVICE
        bus = MqttBus(
            url.host, url.port, NAMES, name or account, presence=presence, announces=announces, login=login
        )  # fmt: skip
        self.leaving.callback(bus.close)
        assert bus.wait_connected(WAIT_S), bus.trouble
        return bus

    def open(self) -> None:
        now = clock()
        self.journal = Journal.open(self.path, "home/home-six", now.at_ms, now.mono_ns)
        self.leaving.callback(self.journal.close)
        self.bus = self.join(DEVICE, presence=topic(topics.STATUS))
        take = self.bus._inbox.take

        def recording(full_topic: str, payload: bytes, *, retained: bool, arrived_ns: int) -> None:
            self.arrived.append((full_topic.removeprefix(f"{NAMES.root}/"), payload.decode()))
            take(full_topic, payload, retained=retained, arrived_ns=arrived_ns)

        self.bus._inbox.take = recording
        chips = load_chip_set(TABLE.chip_set)
        self.controller = Controller(terms(TABLE), chips, self.bus, self.journal, roll=Roll(self._people))
        before = len(self.said(topics.STATE))
        self.controller.start()
        self.until(lambda: len(self.said(topics.STATE)) > before)

    def stop(self) -> None:
        """Ends the controller; everybody else stays."""
        self.bus.close()
        self.journal.close()

    def until(self, holds: Callable[[], bool]) -> None:
        deadline_s = time.monotonic() + WAIT_S
        while not holds():
            assert time.monotonic() < deadline_s
            self.controller.pump(0.005)

    def said(self, kind: TopicKind) -> list:
        return [body for heard, body in self.heard if heard is kind]

    @property
    def state(self):
        return self.said(topics.STATE)[-1]

    @property
    def health(self) -> dict[str, float]:
        """The counters as the console hears them, once the controller has read what was said before."""
        before = len(self.said(topics.DEVICE_HEALTH))
        self.controller._next_health_s = 0
        self.until(lambda: len(self.said(topics.DEVICE_HEALTH)) > before)
        return self.said(topics.DEVICE_HEALTH)[-1].counters

    def journalled(self, verb: str) -> int:
        with JournalReader(self.path) as reader:
            return sum(one.kind == "command" and one.data["verb"] == verb for one in reader.entries())

    def on(self, at: Topic) -> list[str]:
        """The messages of a topic that reached the controller."""
        return [message for path, message in self.arrived if path == at.path]

    def has_arrived(self, word: str) -> bool:
        return any(word in message for _, message in self.arrived)


@pytest.fixture
def make_hall(house: House, tmp_path: Path) -> Iterator[Callable[[bool], Hall]]:
    with ExitStack() as leaving:

        def made(staff: bool) -> Hall:
            hall = Hall(house, tmp_path, staff)
            leaving.enter_context(hall.leaving)
            return hall

        yield made


@pytest.fixture
def hall(make_hall: Callable[[bool], Hall]) -> Hall:
    return make_hall(True)


@pytest.fixture
def ann(hall: Hall) -> Visitor:
    visitor = Visitor(hall)
    assert visitor.signs_in(ANN, "4711").ok
    return visitor


def bare(**args: object) -> Command:
    """A command that nobody has signed."""
    expires_ms = HOST_CLOCK.wall_ns() // NS_PER_MS + 10_000
    return Command(id=f"bare-{next(_ids):08}", expires_ms=expires_ms, args=args)


def raw(bus: MqttBus, at: Topic, body: Body, seq: int = 1, *, sender: str = "", retain: bool = False) -> None:
    """Publishes a message of a number and under a name of one's choice."""
    now = clock()
    envelope = Envelope(
        sender=sender or bus.sender, boot_id="a-boot", seq=seq, ts_ms=now.at_ms, mono_ns=now.mono_ns
    )  # fmt: skip
    bus._client.publish(NAMES.full(at.path), encode(envelope, body), 1, retain).wait_for_publish(WAIT_S)


def chips(zone: str, uid: str) -> ZoneChips:
    lying = (ChipEvidence(uid=uid, chip_type="red-5", hits=8, rounds=8, missed=0),)
    return ZoneChips(
        zone=zone, reader=f"reader-{zone[-1]}", round_no=1, chips=lying, last_byte_ns=time.monotonic_ns()
    )  # fmt: skip


# --- the line


def test_over_tls_a_message_is_sent_without_waiting_for_the_network_threads_next_look(
    house: House, monkeypatch: pytest.MonkeyPatch, make_hall: Callable[[bool], Hall]
) -> None:
    waits = select.select
    monkeypatch.setattr(
        "paho.mqtt.client.select.select", lambda r, w, x, timeout_s: waits(r, w, x, timeout_s and 3 * WAIT_S)
    )
    hall = make_hall(False)
    assert Visitor(hall).sends("setup", bare(**SETUP)).ok


# --- persons and roles


def test_the_floor_signs_in_and_rules_by_signed_commands_and_a_dealer_may_not(hall: Hall, ann: Visitor) -> None:
    bob = Visitor(hall, hall.join("world"))
    assert bob.signs_in(BOB, "0815").ok
    for verb, args in (("setup", SETUP), ("cards-out", {}), ("act", {"seat": 4, "action": "call"})):
        assert ann.asks(verb, **args).ok
    refused = bob.asks("override", seat=4, ruling="fold", by="Ann", why="misheard")

    assert (refused.code, refused.needs) == ("not-your-right", ("floor",))
    assert "Bob is signed in as dealer" in refused.sentence
    assert ann.asks("override", seat=4, ruling="fold", by="somebody", why="misheard").ok
    hall.until(lambda: any(one.by == "Ann" for one in hall.state.rulings))
    assert hall.health["denied"] == 1


def test_a_role_that_is_forged_is_refused_and_who_forged_it_is_counted(hall: Hall, ann: Visitor) -> None:
    bob = Visitor(hall, hall.join("world"))
    assert bob.signs_in(BOB, "0815").ok
    unsigned = bob.sends("setup", bare(**SETUP))
    assert (unsigned.code, unsigned.needs) == ("not-signed-in", ("floor", "technician"))
    of_ann = ann.command("setup", **SETUP)
    assert bob.sends("setup", of_ann).code == "forged", "another program's signature"
    by_bob = bob.command("setup", **SETUP)
    as_ann = by_bob.model_copy(update={"signature": by_bob.signature.model_copy(update={"sign_in": ann.sign_in_id})})
    assert bob.sends("setup", as_ann).code == "forged", "another person's sign-in under one's own key"
    renamed = bob.command("recall", hands=1)
    raw(bob.bus, topic(topics.COMMAND, "recall"), renamed, sender="console")
    hall.until(lambda: bob.replies[-1].command_id == renamed.id)
    assert bob.replies[-1].code == "forged", "under another sender's name"

    assert hall.state.phase == "idle"
    health = hall.health
    assert (health["dropped_forged"], health["dropped_by_world"], health["dropped_by_console"]) == (3, 2, 1)


def test_wrong_pins_lock_a_person_out_on_whatever_console_and_the_dealer_reads_it(hall: Hall) -> None:
    console, other = Visitor(hall), Visitor(hall, hall.join("world"))
    tries = TABLE_RULES.sign_in.pin_tries
    said = [console.signs_in(ANN, "0000") for _ in range(tries)]
    right = other.signs_in(ANN, "4711")

    assert [one.code for one in said] == ["wrong-pin"] * tries
    assert (right.ok, right.code) == (False, "locked-out"), "the right PIN, on another console"
    assert other.signs_in(BOB, "0815").ok, "nobody else is locked out"
    hall.until(lambda: "locked-out" in [one.code for one in hall.said(topics.ALERT)])
    hall.until(lambda: "locked-out" in [one.code for one in hall.state.alerts])
    health = hall.health
    assert (health["dropped_wrong_pin"], health["dropped_locked_out"]) == (tries, 1)
    assert (health["dropped_by_console"], health["dropped_by_world"]) == (tries, 1)
    with JournalReader(hall.path) as reader:
        tried = [one.data.get("locked_s", 0) for one in reader.entries() if one.kind == "pin-refused"]
    assert tried == [0] * (tries - 1) + [TABLE_RULES.sign_in.lock_out_s]


# --- replayed, expired, retained


def test_a_command_that_comes_again_takes_effect_once_and_is_counted_by_its_sender(hall: Hall, ann: Visitor) -> None:
    assert ann.asks("setup", **SETUP).ok
    good, at = ann.command("cards-out"), topic(topics.COMMAND, "cards-out")
    now = clock()
    envelope = Envelope(sender="console", boot_id="a-boot", seq=1, ts_ms=now.at_ms, mono_ns=now.mono_ns)
    for _ in range(2):
        ann.bus._client.publish(NAMES.full(at.path), encode(envelope, good), 1)
    hall.until(lambda: ann.replies[-1].command_id == good.id and len(hall.on(at)) == 2)
    assert ann.replies[-1].ok
    assert len(set(hall.on(at))) == 1
    health = hall.health
    assert (health["bus_duplicates"], health["dropped_by_console"]) == (1, 1)

    assert ann.sends("cards-out", good).code == "replayed"
    health = hall.health
    assert (health["dropped_replayed"], health["dropped_by_console"]) == (1, 2)
    assert hall.journalled("cards-out") == 1


def test_an_id_that_was_obeyed_is_not_obeyed_again_under_another_number(make_hall: Callable[[bool], Hall]) -> None:
    hall = make_hall(False)
    visitor = Visitor(hall)
    assert visitor.sends("setup", bare(**SETUP)).ok
    assert visitor.sends("cards-out", bare()).ok
    act = bare(seat=4, action="call")
    assert [visitor.sends("act", act).ok for _ in range(3)] == [True] * 3
    assert hall.journalled("act") == 1


def test_an_expired_command_is_refused_however_well_signed_and_counted(hall: Hall, ann: Visitor) -> None:
    name, old_ms = "an-old-command", HOST_CLOCK.wall_ns() // NS_PER_MS - 1_000
    mac = sign(ann.key, "console", "setup", 1, name, old_ms, SETUP)
    signature = Signature(sign_in=ann.sign_in_id, number=1, mac=mac)
    reply = ann.sends("setup", Command(id=name, expires_ms=old_ms, args=SETUP, signature=signature))

    assert reply.code == "expired"
    health = hall.health
    assert (health["dropped_expired"], health["dropped_by_console"]) == (1, 1)
    assert hall.state.phase == "idle"


def test_a_command_that_the_broker_kept_is_never_obeyed_by_a_restarted_controller(
    make_hall: Callable[[bool], Hall],
) -> None:
    hall = make_hall(False)
    assert Visitor(hall).sends("setup", bare(**SETUP)).ok
    hall.until(lambda: hall.state.phase == "posting")
    hall.stop()
    at = topic(topics.COMMAND, "cards-out")
    raw(hall.console, at, bare(), retain=True)
    try:
        hall.open()
        hall.until(lambda: hall.has_arrived("bare-"))
        health = hall.health
    finally:
        hall.console._client.publish(NAMES.full(at.path), b"", 1, True).wait_for_publish(WAIT_S)
    assert (health["bus_retained"], health["dropped_by_console"]) == (1, 1)
    assert hall.state.phase == "posting"
    assert hall.journalled("cards-out") == 0


# --- who speaks for whom

ZONE = topic(topics.ZONE_CHIPS, "seat-1")
LIE = "E0FFFFFFFFFFFFFF"


@pytest.mark.parametrize(
    ("account", "table", "sender", "at", "body"),
    [
        ("overhead", "logins", "bridge", ZONE, chips("seat-1", LIE)),
        ("bridge", "other", "bridge", ZONE, chips("seat-1", LIE)),
        ("display", "logins", "console", topic(topics.COMMAND, "recall"), bare(word=LIE)),
        ("bridge", "logins", "console", topic(topics.COMMAND, "recall"), bare(word=LIE)),
        ("console", "other", "console", topic(topics.COMMAND, "recall"), bare(word=LIE)),
        ("display", "logins", "console", topic(topics.SIGN_IN, "a-guess"), SignIn(step="begin", person=LIE)),
    ],
    ids=["camera-as-reader", "bridge-of-another-table", "display-commands", "bridge-commands",
         "console-of-another-table", "display-signs-in"],
)  # fmt: skip
def test_what_an_account_may_not_say_never_reaches_the_controller(
    hall: Hall, account: str, table: str, sender: str, at: Topic, body: Body
) -> None:
    liar = hall.join(account, sender, table=table)
    raw(liar, at, body)  # the broker has read it when this returns
    raw(hall.console, topic(topics.COMMAND, "recall"), bare(word="the truth"))
    hall.until(lambda: hall.has_arrived("the truth"))

    assert not hall.has_arrived(LIE)


def test_what_the_bridge_says_of_its_own_zones_reaches_the_controller(hall: Hall) -> None:
    raw(hall.join("bridge"), ZONE, chips("seat-1", "E004010000000001"))
    hall.until(lambda: hall.has_arrived("E004010000000001"))


# --- alerts of the bridge


def test_an_unknown_chip_on_a_reader_is_an_alert_at_the_console(hall: Hall, tmp_path: Path) -> None:
    settings = TABLE.model_copy(update={"readers": TABLE.readers[:1]})
    (reader,) = settings.readers
    by_id = tmp_path / "by-id"
    strange = "E004010000000002"
    with closing(ReaderServer(by_id)) as server:
        device = VirtualFeigReader(lambda: [(strange, 1, 1.0)])
        server.add(Path(reader.port).name, device, LineSettings(reader.baud, "E"))
        bus = hall.join("bridge", presence=topic(topics.DEVICE_STATUS, "bridge"))
        bridge = BridgeService(settings, bus, ChipRegister({}), by_id=by_id)
        thread = threading.Thread(target=bridge.run)
        thread.start()
        try:
            hall.until(lambda: any(one.code == "unknown-chip" for one in hall.said(topics.ALERT)))
            hall.until(lambda: "unknown-chip" in [one.code for one in hall.state.alerts])
        finally:
            bridge.stop()
            thread.join(WAIT_S)
    (alert,) = [one for one in hall.said(topics.ALERT) if one.code == "unknown-chip"]
    assert strange in alert.sentence

"""The console's side of the bus: what is kept, what is dropped, and what is said of commands."""

import pytest

from betline import topics
from betline.bus import MemoryBus, MemoryHub
from betline.messages.common import Presence, Reply
from betline.messages.table import Alert, Event, Ruling
from betline.steps import Deal, Jump, Passive, Undo
from betline.topics import topic
from table_controller.console.client import COMMAND_LIFE_MS, LOG_LINES, Client
from table_controller.console.link import Link
from table_controller.console.view import Line
from tests.unit.console.table import NAMESPACE, FrozenClock, state


class Ends:
    """A client, and a controller at the other end."""

    def __init__(self):
        self.hub, self.clock, self.wakes = MemoryHub(), FrozenClock(), []
        self.controller = MemoryBus(self.hub, NAMESPACE, "controller", presence=topic(topics.STATUS))
        self.commands = []
        self.controller.subscribe(topics.COMMAND, self.commands.append)
        self.client = Client(MemoryBus(self.hub, NAMESPACE, "console"), self.clock, lambda: self.wakes.append(1))
        self.client.start()

    def tells(self, kind, body, name=None):
        self.controller.publish(topic(kind, name), body)


@pytest.fixture
def ends():
    return Ends()


def test_of_a_flood_the_newest_state_is_kept_and_one_wake_is_enough(ends):
    ends.client.look()
    ends.wakes.clear()
    for version in range(1, 1001):
        ends.tells(topics.STATE, state(version=version))
    assert len(ends.wakes) == 1
    assert ends.client.look().state.version == 1000
    assert ends.client.look().state is None


def test_who_was_woken_already_is_woken_once_more_when_the_turn_passes_on(ends):
    ends.tells(topics.STATE, state(version=1, to_act=4))
    ends.client.look()
    ends.wakes.clear()
    ends.tells(topics.STATE, state(version=2, to_act=4))
    assert not ends.client.has_turned
    for version in range(3, 1001):
        ends.tells(topics.STATE, state(version=version, to_act=1 + version % 2))
    assert len(ends.wakes) == 2
    assert ends.client.has_turned
    ends.client.look()
    assert not ends.client.has_turned


def test_a_late_older_state_is_dropped(ends):
    ends.tells(topics.STATE, state(version=5))
    ends.tells(topics.STATE, state(version=4))
    assert ends.client.look().state.version == 5


def test_a_controller_started_anew_may_count_from_the_beginning(ends):
    ends.tells(topics.STATE, state(version=5))
    ends.controller.close()
    again = MemoryBus(ends.hub, NAMESPACE, "controller", presence=topic(topics.STATUS))
    again.publish(topic(topics.STATE), state(version=1))
    assert ends.client.look().state.version == 1


@pytest.mark.parametrize(
    ("path", "payload"),
    [
        ("state", b"\xff\x00 garbage"),
        ("state", b"[]"),
        ("state", b'{"version": 9}'),
        ("reply/abc", b"{}"),
        ("status", b'{"state": "on fire"}'),
    ],
)
def test_garbage_on_the_bus_changes_nothing_and_is_counted(ends, path, payload):
    ends.tells(topics.STATE, state(version=5))
    ends.client.look()
    ends.hub.inject(NAMESPACE.full(path), payload)
    assert ends.client.look().state is None
    assert ends.client.link.well
    assert any("1 malformed" in line.text for line in ends.client.traffic)


def test_a_message_of_another_table_changes_nothing(ends):
    ends.client.look()
    stranger = type(NAMESPACE)("home", "other")
    MemoryBus(ends.hub, stranger, "controller").publish(topic(topics.STATE), state(version=99))
    assert ends.client.look().state is None


def test_a_command_has_an_id_an_expiry_and_its_arguments(ends):
    line = ends.client.send(Jump(seat=7))
    command = ends.commands[0]
    assert (command.topic.path, command.body.args) == ("command/jump", {"seat": 7})
    assert command.body.expires_ms == ends.clock.wall_ms() + COMMAND_LIFE_MS
    assert line == Line("…", "jump seat 7")


def test_every_command_has_an_id_of_its_own(ends):
    ends.client.send(Undo())
    ends.client.send(Undo())
    assert len({command.body.id for command in ends.commands}) == 2


def test_a_refusal_is_told_in_its_own_words(ends):
    ends.client.send(Passive(seat=7))
    reply = Reply(
        command_id=ends.commands[0].body.id, verb="passive", ok=False, code="not-your-turn", sentence="Seat 4 acts."
    )
    ends.tells(topics.REPLY, reply, reply.command_id)
    assert ends.client.look().message == Line("✖", "Seat 4 acts.", "warn")


def test_the_answer_to_another_console_is_not_shown(ends):
    other = Reply(command_id="somebody-else", verb="call", ok=True, code="ok", sentence="Seat 4 calls.")
    ends.tells(topics.REPLY, other, other.command_id)
    assert ends.client.look().message is None


def test_an_answer_that_comes_twice_is_shown_once(ends):
    ends.client.send(Undo())
    reply = Reply(command_id=ends.commands[0].body.id, verb="undo", ok=True, code="ok", sentence="Taken back.")
    ends.tells(topics.REPLY, reply, reply.command_id)
    ends.tells(topics.REPLY, reply, reply.command_id)
    assert [entry.line.text for entry in ends.client.log(journal=False)] == ["Taken back."]


def test_a_command_without_an_answer_is_told_once(ends):
    ends.client.send(Undo())
    assert ends.client.overdue() is None
    ends.clock.now_s += COMMAND_LIFE_MS / 1000 + 0.1
    assert "No answer to undo" in ends.client.overdue().text
    assert ends.client.overdue() is None


def test_without_a_controller_nothing_is_sent_and_the_reason_is_told(ends):
    ends.controller.drop()
    ends.clock.now_s += 7
    assert ends.client.send(Deal()) == Line(
        "✖", "Not sent: no controller since 7 s. Press again when it is back.", "bad"
    )
    assert ends.commands == []


def test_the_log_keeps_words_and_the_journal_apart_newest_first(ends):
    ruling = {"hand_no": 3, "act_no": 1, "street": "flop", "seat": 4, "ruling": "call", "adds": 10, "source": "chips"}
    ends.tells(topics.RULING, Ruling(**ruling, cites=("TDA-44",), sentence="One chip is a call."))
    ends.tells(topics.ALERT, Alert(severity="warning", code="splash", seat=3, sentence="chips were thrown."))
    ends.tells(topics.EVENT, Event(journal_seq=12, hand_no=3, type="acted", data={"seat": 4}))
    assert [entry.line.text for entry in ends.client.log(journal=False)] == [
        "Seat 3: chips were thrown.",
        "4 call 10: One chip is a call. (TDA-44)",
    ]
    assert [entry.line.text for entry in ends.client.log(journal=True)] == ["12 acted seat 4"]


def test_the_log_is_bounded(ends):
    for number in range(LOG_LINES + 50):
        ends.tells(topics.EVENT, Event(journal_seq=number, hand_no=1, type="x", data={}))
    assert len(ends.client.log(journal=True)) == LOG_LINES


def test_the_outage_is_counted_from_the_first_loss():
    link = Link(lost_s=0.0).with_broker(True, 1.0).with_controller("online", 2.0)
    assert link.well
    assert link.trouble(50.0) is None
    lost = link.with_controller("offline", 10.0)
    assert lost.trouble(15.9) == "NO CONTROLLER since 5 s"
    assert lost.with_broker(False, 12.0).trouble(20.0) == "NO BROKER since 10 s"
    back = lost.with_broker(False, 12.0).with_broker(True, 14.0)
    assert back.trouble(20.0) == "NO CONTROLLER since 10 s"
    assert back.with_controller("online", 21.0).well


def test_a_silent_controller_is_no_absent_one():
    link = Link(lost_s=None, broker=True, controller="online").with_controller("stale", 3.0)
    assert link.trouble(5.0) == "CONTROLLER SILENT since 2 s"


def test_presence_before_the_connection_is_told_counts():
    assert Link(lost_s=0.0).with_controller("online", 1.0).with_broker(True, 1.0).well
    assert Presence(state="online").state == "online"

"""A command that comes again: its own sender gets the same answer, whoever plays it back is refused and named."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from betline import topics
from betline.bus.wire import encode
from betline.messages.common import Command, Envelope, Reply
from betline.topics import topic
from tests.unit.service.room import NAMES, SETUP, Room


class Keyed:
    """Commands in envelopes of one's choice."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self._seq = 0

    def sends(
        self,
        name: str = "the-same-id",
        verb: str = "cards-out",
        *,
        sender: str = "console",
        life: str = "a-life",
        seq: int | None = None,
        left_ms: int = 10_000,
        controller: str = "",
        args: dict[str, Any] | None = None,
    ) -> list[Reply]:
        """The replies to it, once the controller has worked."""
        self._seq += 1
        room, before = self.room, len(self.room.said(topics.REPLY))
        now = room.now()
        envelope = Envelope(
            sender=sender, boot_id=life, seq=self._seq if seq is None else seq, ts_ms=now.at_ms, mono_ns=now.mono_ns
        )
        body = Command(id=name, expires_ms=now.at_ms + left_ms, args=args or {}, controller=controller)
        room.hub.inject(NAMES.full(topic(topics.COMMAND, verb).path), encode(envelope, body))
        room.controller.pump(0)
        return room.said(topics.REPLY)[before:]

    def journalled(self) -> int:
        return self.room.journalled().count("command")


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    room = Room(tmp_path)
    room.key("setup", **SETUP)
    yield room
    room.close()


@pytest.fixture
def keyed(room: Room) -> Keyed:
    return Keyed(room)


def notices(room: Room, code: str) -> list[str]:
    return [one.sentence for one in room.said(topics.ALERT) if one.code == code]


@pytest.mark.parametrize(
    "again",
    [
        {"sender": "world"},
        {"life": "another-life"},
        {"verb": "undo", "args": {"count": 1}},
        {"left_ms": -1_000},
    ],
    ids=["other-sender", "other-life", "other-command", "expired"],
)
def test_a_command_that_is_played_back_is_refused_counted_and_named(room: Room, keyed: Keyed, again: Any) -> None:
    assert [reply.ok for reply in keyed.sends()] == [True]
    done = keyed.journalled()
    (reply,) = keyed.sends(**again)

    assert (reply.ok, reply.code) == (False, "replayed")
    who = again.get("sender", "console")
    health = room.health
    assert (health["dropped_replayed"], health[f"dropped_by_{who}"]) == (1, 1)
    (sentence,) = notices(room, "replayed")
    assert sentence.startswith(who)
    assert "replayed" in [alert.code for alert in room.state.alerts]
    assert keyed.journalled() == done


def test_a_refused_command_that_another_program_plays_back_is_named_too(room: Room, keyed: Keyed) -> None:
    assert [reply.code for reply in keyed.sends(verb="deal", args={"street": "river"})] != ["ok"]
    (reply,) = keyed.sends(verb="deal", args={"street": "river"}, sender="world")
    assert reply.code == "replayed"
    assert room.health["dropped_by_world"] == 1


def test_who_sends_its_own_command_again_gets_the_same_answer_once_done(room: Room, keyed: Keyed) -> None:
    first = keyed.sends()
    done = keyed.journalled()
    assert keyed.sends() == first, "under a new number, as a program that has had no answer"

    assert keyed.journalled() == done
    health = room.health
    assert "dropped_replayed" not in health
    assert "dropped_by_console" not in health
    assert health["commands_again"] == 1
    assert notices(room, "replayed") == []


def test_what_the_broker_delivers_twice_is_answered_twice_and_counted(room: Room, keyed: Keyed) -> None:
    """MQTT 3.1.1, 4.3.2: QoS 1 may deliver a message again, as after a reconnect in which the answer was lost."""
    first = keyed.sends(seq=70)
    done = keyed.journalled()
    assert keyed.sends(seq=70) == first

    assert keyed.journalled() == done
    assert room.health["bus_duplicates"] == 1
    assert notices(room, "replayed") == []


def test_an_answer_is_given_again_after_a_restart_and_to_its_sender_only(room: Room, keyed: Keyed) -> None:
    first = keyed.sends()
    room.kill()
    room.open()
    done = keyed.journalled()
    assert keyed.sends() == first
    (reply,) = keyed.sends(sender="world")
    assert reply.code == "replayed"
    assert keyed.journalled() == done


def test_a_delivery_of_which_the_first_was_never_read_is_not_obeyed(room: Room, keyed: Keyed) -> None:
    assert keyed.sends("one-command", seq=80)
    assert keyed.sends("other-command", seq=80) == []
    assert keyed.journalled() == 2
    assert room.health["dropped_by_console"] == 1


def test_what_was_asked_of_the_controller_before_a_restart_is_not_asked_of_the_next(room: Room, keyed: Keyed) -> None:
    """It may be the first that the next one hears of its sender, whose clock it then does not know yet."""
    before = room.bus.boot_id
    room.kill()
    room.open()
    done = keyed.journalled()
    (reply,) = keyed.sends(controller=before)
    assert (reply.ok, reply.code) == (False, "another-life")
    assert "before this controller started" in reply.sentence
    assert keyed.journalled() == done
    health = room.health
    assert (health["dropped_another_life"], health["dropped_by_console"]) == (1, 1)

    assert [reply.ok for reply in keyed.sends(controller=room.bus.boot_id)] == [True], "who keys it anew is heard"
    assert keyed.journalled() == done + 1

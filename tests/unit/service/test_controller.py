"""The controller on the bus: what it is asked, what it tells, in which order, and what it survives."""

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from betline import topics
from betline.bus import Received
from betline.topics import topic
from table_controller.journal.errors import JournalError
from table_controller.journal.reader import JournalReader
from table_controller.rulings.acts import book as rule_book
from table_controller.rulings.acts import declared
from table_controller.rulings.values.ruling import RulingKind, Verdict
from table_controller.rulings.values.situation import Situation
from table_controller.session import Session
from tests.unit.service.room import NAMES, SETUP, Room


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    room = Room(tmp_path)
    yield room
    room.close()


def test_it_says_what_it_is_and_how_the_table_stands(room: Room) -> None:
    assert [one.state for one in room.said(topics.STATUS)] == ["online"]
    birth = room.said(topics.BIRTH)[-1]
    assert (birth.role, birth.seats) == ("controller", (1, 2, 3, 4, 5, 6))
    assert (room.state.phase, room.state.version) == ("idle", 1)


def test_a_command_is_answered_and_the_state_prompts_and_stream_follow(room: Room) -> None:
    assert room.key("setup", **SETUP).ok
    assert room.key("cards-out").ok

    assert (room.state.phase, room.state.to_act, room.state.call) == ("betting", 4, 2)
    assert room.said(topics.ANNOUNCEMENT)[-1].text == "Seat 4: call 2, minimum raise to 4, maximum 8, the pot"
    prompts = {prompt.seat: prompt for prompt in room.said(topics.SEAT_PROMPT)}
    assert (prompts[4].active, prompts[3].active) == (True, False)
    assert prompts[4].text == "Seat 4: call 2, minimum raise to 4, maximum 8, the pot"
    seqs = [event.journal_seq for event in room.said(topics.EVENT)]
    assert seqs == list(range(2, 2 + len(seqs)))
    assert room.state.journal_seq == seqs[-1]


def test_chips_on_the_felt_are_ruled_on_announced_and_dated_back_to_their_last_byte(room: Room) -> None:
    room.key("setup", **SETUP)
    room.play(8)
    room.key("cards-out")
    room.push(4, "red-5", "white-1")
    room.play()

    assert [(one.seat, one.ruling, one.to) for one in room.said(topics.RULING)] == [(4, "raise", 6)]
    announcement = room.said(topics.ANNOUNCEMENT)[-1]
    assert announcement.seat == 1
    assert announcement.cause_ns is not None


def test_the_state_is_told_when_people_would_see_a_difference_and_not_with_every_reading(room: Room) -> None:
    room.key("setup", **SETUP)
    room.play(8)
    before = len(room.said(topics.STATE))
    room.play(20)

    assert len(room.said(topics.STATE)) == before
    versions = [state.version for state in room.said(topics.STATE)]
    assert versions == sorted(set(versions))


def test_r_291_the_floors_override_reaches_the_bus_with_both_rulings_and_no_name(room: Room) -> None:
    room.key("setup", **SETUP)
    room.key("cards-out")
    room.key("act", seat=4, action="raise", to=8)

    assert room.key("override", seat=4, ruling="call", by="Kim Lee", why="it was a string bet").ok

    told = room.said(topics.RULING)[-1]
    assert (told.ruling, told.source, told.returned) == ("call", "floor", 6)
    assert (told.instead_of.ruling, told.instead_of.to) == ("raise", 8)
    assert room.state.rulings[-1] == told
    assert not any("Kim" in event.model_dump_json() for event in room.said(topics.EVENT))


def test_everything_is_journalled_before_anyone_is_told(room: Room) -> None:
    seen: list[tuple[str, list[str]]] = []

    def ear(received: Received) -> None:
        seen.append((received.topic.kind.pattern, room.journalled()))

    for kind in (topics.RULING, topics.ANNOUNCEMENT):
        room.console.subscribe(kind, ear)
    room.key("setup", **SETUP)
    room.key("cards-out")
    room.key("act", seat=4, action="raise", to=8)

    rulings = [kinds for pattern, kinds in seen if pattern == "ruling"]
    announcements = [kinds for pattern, kinds in seen if pattern == "announcement"]
    assert "step" in rulings[0]
    assert [kinds.count("announced") for kinds in announcements] == [1, 2]


@pytest.mark.parametrize(
    ("verb", "args", "code"),
    [("pasive", {}, "unknown-verb"), ("act", {"seat": 12}, "bad-arguments"), ("setup", {}, "bad-arguments")],
)
def test_a_command_that_cannot_be_read_is_answered_and_changes_nothing(
    room: Room, verb: str, args: dict[str, Any], code: str
) -> None:
    before = room.journalled()
    reply = room.key(verb, **args)

    assert (reply.ok, reply.code) == (False, code)
    assert room.journalled() == before
    assert room.health[f"dropped_{code.replace('-', '_')}"] == 1


@pytest.mark.parametrize(
    ("verb", "args"),
    [
        ("setup", {**SETUP, "seats": {"1": 200, "9": 200}, "button": 1}),
        ("sit-down", {"seat": 9, "stack": 200}),
    ],
)
def test_a_seat_that_the_table_does_not_have_is_refused(room: Room, verb: str, args: dict[str, Any]) -> None:
    before = room.journalled()
    reply = room.key(verb, **args)

    assert (reply.ok, reply.code) == (False, "bad-arguments")
    assert reply.sentence == "This table has no seat 9; it has 1, 2, 3, 4, 5, 6."
    assert room.journalled() == before


@pytest.mark.parametrize("seat", [True, "1", 1.5])
def test_a_seat_that_is_no_whole_number_is_refused(room: Room, seat: object) -> None:
    room.key("setup", **SETUP)
    reply = room.key("act", seat=seat, action="call")

    assert (reply.ok, reply.code) == (False, "bad-arguments")
    assert "seat: must be a seat from 1 to 10" in reply.sentence


def test_garbage_and_foreign_messages_are_counted_shown_and_change_nothing(room: Room) -> None:
    room.key("setup", **SETUP)
    before = room.journalled()
    root = "betline/v1/home/home-six"
    room.hub.inject(f"{root}/command/act", b"\xff\xfe not json")
    room.hub.inject(f"{root}/command/act", b'{"id": "12345678", "args": {}}')
    room.hub.inject(f"{root}/zone/seat-1/chips", b'{"zone": 5}')
    room.hub.inject("betline/v1/home/another-table/command/act", b"{}")
    room.controller.pump(0)

    assert room.journalled() == before
    assert (room.health["bus_malformed"], room.health["bus_foreign"]) == (3, 1)


def test_a_snapshot_by_a_reader_that_does_not_serve_the_zone_is_dropped(room: Room) -> None:
    room.key("setup", **SETUP)
    room.round_no = 1
    room.bridge.publish(topic(topics.ZONE_CHIPS, "seat-1"), room.snapshot(1, reader="reader-2"))
    room.bridge.publish(topic(topics.ZONE_CHIPS, "seat-2"), room.snapshot(1))
    room.controller.pump(0)

    assert room.health["dropped_zone_of_another_reader"] == 2
    assert {one.state for one in room.state.sensors if one.name == "reader-1"} == {"unknown"}


def test_a_command_that_arrives_again_is_obeyed_once(room: Room) -> None:
    room.key("setup", **SETUP)
    room.key("cards-out")
    first = room.key("act", command_id="the-same-id", seat=4, action="fold")
    entries = room.journalled()

    assert room.key("act", command_id="the-same-id", seat=4, action="fold") == first
    assert room.journalled() == entries
    assert room.state.to_act == 1


def test_a_controller_that_died_in_mid_hand_goes_on_with_it_and_says_so(room: Room) -> None:
    room.key("setup", **SETUP)
    room.play(8)
    room.key("cards-out")
    room.push(4, "red-5", "white-1")
    room.play()
    room.key("act", command_id="before-the-end", seat=1, action="call")
    before = room.state
    room.kill()
    assert room.said(topics.STATUS)[-1].state == "offline"

    room.open()
    room.controller.pump(0)

    after = room.state
    same = ("phase", "hand_no", "street", "to_act", "call", "min_raise_to", "max_raise_to", "pot", "pots", "rulings")
    assert {name: getattr(after, name) for name in same} == {name: getattr(before, name) for name in same}
    assert [seat.stack for seat in after.seats] == [seat.stack for seat in before.seats]
    assert room.said(topics.ALERT)[-1].code == "restarted"
    assert room.key("act", command_id="before-the-end", seat=1, action="call").ok
    room.play(10)
    assert room.state.to_act == 2
    with JournalReader(room.path) as reader:
        assert reader.verify().ok


def test_a_second_controller_on_the_journal_is_refused(room: Room) -> None:
    with pytest.raises(JournalError, match="Another controller"):
        room.open()


def test_a_journal_that_cannot_be_written_stops_play_until_it_can(room: Room) -> None:
    room.key("setup", **SETUP)
    room.key("cards-out")
    other = sqlite3.connect(room.path, isolation_level=None)
    room.journal._database.execute("PRAGMA busy_timeout = 1")
    other.execute("BEGIN IMMEDIATE")
    reply = room.key("act", command_id="while-it-fails", seat=4, action="fold")
    assert (reply.ok, reply.code) == (False, "journal-failed")
    assert room.said(topics.ALERT)[-1].code == "journal-failed"
    assert room.state.to_act == 4
    assert room.said(topics.RULING) == []
    other.execute("ROLLBACK")
    other.close()

    assert room.key("act", command_id="while-it-fails", seat=4, action="fold").ok
    assert room.state.to_act == 1
    assert room.said(topics.ALERT)[-1].active is False
    assert room.health["journal_failures"] >= 1


def test_a_fault_of_the_program_drops_the_input_and_is_counted(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    room.key("setup", **SETUP)
    before = room.journalled()

    def broken(*_: object) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr(Session, "_keyed", broken)
        reply = room.key("cards-out")
    assert (reply.ok, reply.code) == (False, "internal")
    assert room.journalled() == before
    assert room.health["faults"] == 1
    assert room.key("cards-out").ok


def test_the_bridge_is_known_by_its_presence_alone(room: Room) -> None:
    room.controller.pump(0)
    assert next(one.state for one in room.state.sensors if one.name == "bridge") == "online"

    room.bridge.drop()
    room.controller.pump(0)

    assert next(one.state for one in room.state.sensors if one.name == "bridge") == "offline"
    assert room.said(topics.ALERT)[-1].code == "bridge-down"
    room.bridge = room.join("bridge", presence=topic(topics.DEVICE_STATUS, "bridge"))
    room.controller.pump(0)
    assert room.said(topics.ALERT)[-1].active is False
    assert room.state.alerts == ()


def test_a_retained_snapshot_of_an_earlier_life_is_no_evidence(tmp_path: Path) -> None:
    room = Room(tmp_path)
    room.kill()
    room.push(1, "black-100")
    room.round_no = 500
    room.bridge.publish(topic(topics.ZONE_CHIPS, "seat-1"), room.snapshot(1))
    room.open()
    room.controller.pump(0)

    assert room.state.seats[0].on_felt is None
    room.close()


def test_the_names_of_the_table_are_those_of_the_journal(room: Room) -> None:
    with JournalReader(room.path) as reader:
        assert next(reader.entries()).data["table"] == f"{NAMES.site}/{NAMES.table}"


def test_a_rule_that_changed_between_two_starts_is_asked_of_the_floor_on_the_bus(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    room.key("setup", **SETUP)
    room.key("cards-out")
    assert room.key("says", seat=4, text="raise to 8").ok
    room.kill()

    def nothing_said_counts(situation: Situation) -> Verdict | None:
        verdict = declared.declared_raise_of_an_amount(situation)
        return None if verdict is None else replace(verdict, kind=RulingKind.CALL, to=0)

    rules = [nothing_said_counts if rule is declared.declared_raise_of_an_amount else rule for rule in rule_book.RULES]
    monkeypatch.setattr(rule_book, "RULES", tuple(rules))
    room.open()

    (question,) = room.state.questions
    assert (question.seat, question.kind) == (4, "rules-changed")
    assert next(one.bet for one in room.state.seats if one.seat == 4) == 8
    assert not [event for event in room.said(topics.EVENT) if "content" in event.data]
    assert room.key("answer", question=question.id, choice="as-today").ok
    assert next(one.bet for one in room.state.seats if one.seat == 4) == 2
    assert room.said(topics.ALERT)[-1].code == "rules-changed"
    room.kill()
    room.open()
    assert next(one.bet for one in room.state.seats if one.seat == 4) == 2
    assert room.state.questions == ()
    with JournalReader(room.path) as reader:
        assert reader.verify().ok

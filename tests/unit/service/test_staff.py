"""Staff at a table: what a role may do, that nobody else can speak for a person, badges, lock-out, and the journal."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from betline import topics
from betline.bus import HostClock
from betline.messages.common import Command, Signature
from betline.messages.devices import ChipEvidence, ZoneChips
from betline.people.record import Staff
from betline.people.roll import write_staff
from betline.people.signature import sign
from betline.settings import load_table
from betline.settings.table import Antenna, Reader, Zone
from betline.topics import topic
from betline.units import NS_PER_MS, NS_PER_S
from table_controller.accounts.read import line
from table_controller.accounts.recall import recall
from table_controller.journal.reader import JournalReader
from tests.unit.service.room import SETUP, Room
from tests.unit.service.staff import ANN, BOB, STAFF, TIM, Visitor

CORNER = ((0.0, 0.0), (80.0, 0.0), (80.0, 80.0), (0.0, 80.0))


class Hours:
    """A clock that a test sets forward."""

    def __init__(self) -> None:
        self.ns = 1_000 * NS_PER_S

    def mono_ns(self) -> int:
        return self.ns

    def wall_ns(self) -> int:
        return 1_700_000_000 * NS_PER_S + self.ns


@pytest.fixture
def hours() -> Hours:
    return Hours()


@pytest.fixture
def room(tmp_path: Path, hours: Hours) -> Iterator[Room]:
    clock = HostClock(hours.mono_ns, hours.wall_ns)
    table = load_table("home-six").model_copy(update={"cameras": (), "badge": Zone(polygon_mm=CORNER)})
    antenna = Antenna(antenna=1, zone="badge")
    reader = Reader(id="reader-badge", protocol="pn532", port="usb:BADGE", baud=115200, antennas=(antenna,))
    table = table.model_copy(update={"readers": (*table.readers, reader)})
    write_staff(tmp_path / "people.toml", STAFF)
    room = Room(tmp_path, clock, clock, at=table, people=tmp_path / "people.toml")
    yield room
    room.close()


@pytest.fixture
def ann(room: Room) -> Visitor:
    visitor = Visitor(room)
    assert visitor.signs_in(ANN, "4711").ok
    return visitor


@pytest.fixture
def bob(room: Room) -> Visitor:
    visitor = Visitor(room, room.join("console-2"))
    assert visitor.signs_in(BOB, "0815").ok
    return visitor


def lay(room: Room, *uids: str, missed: int = 0) -> None:
    chips = tuple(ChipEvidence(uid=uid, chip_type=None, hits=5, rounds=8, missed=missed) for uid in uids)
    now_ns = room.elsewhere.mono_ns()
    read = ZoneChips(zone="badge", reader="reader-badge", round_no=1, chips=chips, last_byte_ns=now_ns)
    room.bridge.publish(topic(topics.ZONE_CHIPS, "badge"), read)
    room.controller.pump(0)


def dealt(room: Room, ann: Visitor) -> None:
    """A hand in which seat 4 has called."""
    assert ann.asks("setup", **SETUP).ok
    assert ann.asks("cards-out").ok
    assert ann.asks("act", seat=4, action="call").ok


def entries(room: Room, kind: str) -> list[dict[str, object]]:
    with JournalReader(room.path) as reader:
        return [recorded.data for recorded in reader.entries() if recorded.kind == kind]


def test_nobody_signed_in_is_told_who_may_and_nothing_changes(room: Room) -> None:
    reply = room.key("setup", **SETUP)

    assert (reply.ok, reply.code) == (False, "not-signed-in")
    assert reply.sentence == "Sign in first: setup is for the floor or the technician."
    assert reply.needs == ("floor", "technician")
    assert room.state.phase == "idle"
    assert room.health["denied"] == 1


def test_the_floor_may_rule_otherwise_and_a_dealer_may_not(room: Room, ann: Visitor, bob: Visitor) -> None:
    dealt(room, ann)
    refused = bob.asks("override", seat=4, ruling="fold", by="Ann", why="misheard")
    ruled = ann.asks("override", seat=4, ruling="fold", by="somebody", why="misheard")

    assert (refused.code, refused.needs) == ("not-your-right", ("floor",))
    assert refused.sentence == "Override is for the floor: let one of them sign in. Bob is signed in as dealer."
    assert ruled.ok
    assert room.state.rulings[-1].by == "Ann"


def test_what_the_floor_has_ruled_a_dealer_takes_back_by_no_key(room: Room, ann: Visitor, bob: Visitor) -> None:
    dealt(room, ann)
    ann.asks("override", seat=4, ruling="fold", by="Ann", why="misheard")

    assert bob.asks("undo-key").code == "not-your-right"
    assert bob.asks("undo", count=2).code == "not-your-right"
    assert ann.asks("undo-key").ok
    assert bob.asks("redo").code == "not-your-right"
    assert bob.asks("undo-key").ok  # a call is a dealer's


def test_an_answer_to_the_floors_question_is_the_floors(room: Room, ann: Visitor, bob: Visitor) -> None:
    dealt(room, ann)
    waiting = ann.asks("says", seat=1, text="if you bet, I will raise")
    question = next((one for one in room.state.questions if one.kind == "floor"), None)
    assert question is not None, waiting.sentence
    choice = question.choices[0]

    assert bob.asks("answer", question=question.id, choice=choice).code == "not-your-right"
    assert ann.asks("answer", question=question.id, choice=choice).ok
    assert [one.by for one in room.state.rulings if one.source == "floor" or one.by][-1] == "Ann"


def test_a_forged_changed_or_repeated_command_is_refused_and_counted(room: Room, ann: Visitor) -> None:
    good = ann.command("setup", **SETUP)
    assert good.signature is not None
    changed = good.model_copy(update={"args": {**SETUP, "button": 2}})
    later = good.model_copy(update={"expires_ms": good.expires_ms + 1})
    other = good.model_copy(update={"id": "another-id"})

    assert [ann.sends("setup", one).code for one in (changed, later, other)] == ["forged"] * 3
    assert ann.sends("recall", good).code in ("forged", "bad-arguments")
    thief = Visitor(room, room.join("console-3"))
    assert thief.sends("setup", good).code == "forged"  # from another program
    assert room.state.phase == "idle"
    assert ann.sends("setup", good).ok
    assert ann.sends("setup", good).code == "replayed"
    assert room.health["dropped_forged"] >= 4
    assert room.health["dropped_replayed"] == 1


def test_an_expired_command_is_refused_however_well_signed(room: Room, ann: Visitor, hours: Hours) -> None:
    name, now_ms = "an-old-command", room.elsewhere.wall_ns() // NS_PER_MS
    old, args = now_ms - 1_000, {"hands": 1}
    mac = sign(ann.key, "console", "recall", 1, name, old, args)
    signature = Signature(sign_in=ann.sign_in_id, number=1, mac=mac)

    assert ann.sends("recall", Command(id=name, expires_ms=old, args=args, signature=signature)).code == "expired"


def test_whoever_signed_out_or_knows_a_restarted_controller_signs_in_again(room: Room, ann: Visitor) -> None:
    assert ann.signs_out().ok
    assert ann.asks("setup", **SETUP).code == "signed-out"
    ann.signs_in(ANN, "4711")
    room.kill()
    room.open()
    room.controller.pump(0)

    assert ann.asks("setup", **SETUP).code == "signed-out"


def test_wrong_pins_lock_out_for_as_long_as_the_house_says(room: Room, hours: Hours) -> None:
    visitor = Visitor(room)
    said = [visitor.signs_in(ANN, "0000") for _ in range(6)]
    right = visitor.signs_in(ANN, "4711")
    hours.ns += 301 * NS_PER_S
    after = visitor.signs_in(ANN, "4711")

    assert [one.code for one in said] == ["wrong-pin"] * 5 + ["locked-out"]
    assert said[3].sentence == "That is not the PIN of Ann: 1 try is left."
    assert "locked out for 300 s" in said[4].sentence
    assert right.code == "locked-out"
    assert after.ok
    assert "locked-out" in [alert.code for alert in room.said(topics.ALERT)]
    assert [one.get("locked_s", 0) for one in entries(room, "pin-refused")] == [0, 0, 0, 0, 300]


@pytest.mark.nightly
def test_a_right_pin_clears_the_count_of_wrong_ones(room: Room) -> None:
    visitor = Visitor(room)
    for _ in range(3):
        for _ in range(4):
            assert visitor.signs_in(ANN, "1111").code == "wrong-pin"
        assert visitor.signs_in(ANN, "4711").ok


def test_a_badge_signs_in_for_as_long_as_it_lies_there(room: Room) -> None:
    lay(room, "04A2B3C4")
    assert room.said(topics.STAFF)[-1].badge == BOB.id
    denied = room.key("setup", **SETUP)
    assert denied.code == "not-your-right"
    assert "Bob is signed in as dealer" in denied.sentence
    lay(room)

    assert room.said(topics.STAFF)[-1].badge == ""
    assert room.key("next-hand").code == "not-signed-in"
    assert [one["way"] for one in entries(room, "signed-in")] == ["badge"]
    assert [one["why"] for one in entries(room, "signed-out")] == ["the badge was taken away"]


def test_a_badge_that_its_reader_misses_for_a_moment_stays(room: Room) -> None:
    lay(room, "04A2B3C4")
    lay(room, "04A2B3C4", missed=3)
    assert room.said(topics.STAFF)[-1].badge == BOB.id
    lay(room, "04A2B3C4", missed=7)

    assert room.said(topics.STAFF)[-1].badge == ""


def test_the_badge_laid_last_counts_and_the_one_below_counts_again(room: Room) -> None:
    lay(room, "04A2B3C4")
    lay(room, "04A2B3C4", "04FFFFFF")
    assert room.said(topics.STAFF)[-1].badge == TIM.id
    lay(room, "04A2B3C4")

    assert room.said(topics.STAFF)[-1].badge == BOB.id


def test_a_reader_that_falls_silent_sees_no_badge(room: Room, hours: Hours) -> None:
    lay(room, "04A2B3C4")
    hours.ns += 2 * NS_PER_S
    room.controller._next_tick_s = 0
    room.controller.pump(0)

    assert room.said(topics.STAFF)[-1].badge == ""


def test_a_tag_that_is_nobodys_badge_is_told_with_what_to_do(room: Room) -> None:
    lay(room, "04EEEEEE")
    assert room.health

    (alert,) = [one for one in room.said(topics.ALERT) if one.code == "strange-badge"]
    assert "betline people badge NAME 04EEEEEE" in alert.sentence
    assert room.said(topics.STAFF)[-1].badge == ""


def test_a_signature_counts_before_the_badge_that_lies_there(room: Room, ann: Visitor) -> None:
    lay(room, "04A2B3C4")

    assert ann.asks("setup", **SETUP).ok
    assert entries(room, "command")[-1]["by"] == ANN.id
    assert entries(room, "command")[-1]["role"] == "floor"


def test_changes_of_the_staff_hold_while_the_table_plays(room: Room, ann: Visitor) -> None:
    assert ann.asks("setup", **SETUP).ok
    path = room.people
    assert path is not None
    write_staff(path, STAFF.changed(replace(ANN, role="dealer")))
    assert room.health

    assert ann.asks("next-hand").code == "signed-out"
    assert ann.signs_in(ANN, "4711").ok
    assert ann.asks("override", seat=4, ruling="fold", by="Ann", why="x").code == "not-your-right"


def test_a_file_of_the_staff_that_vanishes_or_can_be_read_by_others_opens_no_table(room: Room) -> None:
    path = room.people
    assert path is not None
    path.chmod(0o644)
    assert room.health
    assert "people-unread" in [alert.code for alert in room.said(topics.ALERT)]
    path.unlink()
    assert room.health

    assert room.key("setup", **SETUP).code == "not-signed-in"


def test_when_the_last_of_the_staff_is_removed_the_table_is_open(room: Room) -> None:
    assert room.people is not None
    write_staff(room.people, Staff())
    assert room.health

    assert room.key("setup", **SETUP).ok


def test_no_name_pin_or_verifier_stands_in_an_entry_or_on_the_bus(room: Room, ann: Visitor) -> None:
    dealt(room, ann)
    ann.asks("override", seat=4, ruling="fold", by="Ann", why="misheard")
    with JournalReader(room.path) as reader:
        written = [str(recorded.data) for recorded in reader.entries()]
        names = reader.names()

    assert not any("Ann" in one or "4711" in one for one in written)
    assert names[ANN.id] == "Ann"
    assert ANN.pin is not None
    assert len(ann.answers) == 2
    said = " ".join(str(body.model_dump()) for body in (*ann.answers, *(body for _, body in room.heard)))
    assert f"{ANN.pin.verifier:x}" not in said


def test_a_command_without_a_signature_is_nobodys_even_beside_a_signed_in_console(room: Room, ann: Visitor) -> None:
    expires_ms = room.elsewhere.wall_ns() // 1_000_000 + 10_000
    bare = Command(id="bare-command", expires_ms=expires_ms, args=SETUP)

    assert ann.sends("setup", bare).code == "not-signed-in"


def test_who_decided_and_who_keyed_is_told_afterwards(room: Room, ann: Visitor, bob: Visitor) -> None:
    dealt(room, ann)
    assert bob.asks("act", seat=1, action="call").ok
    assert ann.asks("override", seat=1, ruling="fold", by="whoever", why="misheard").ok
    with JournalReader(room.path) as reader:
        (hand,) = recall(reader, 1)
        lines = list(hand.lines(reader.names()))
        acts = hand.as_json(reader.names())["acts"]
        shown = [line(one, reader.names()) for one in reader.entries()]

    assert any("Seat 1 calls" in one and one.endswith("Keyed by Bob (dealer).") for one in lines)
    assert any("The floor, Ann:" in one and "Keyed by Ann (floor)." in one for one in lines)
    (decided,) = [one for one in acts if one.get("source") == "floor"]
    assert decided["by"] == "Ann (floor)"
    assert [ruling["by"] for ruling in decided["rulings"]] == ["Ann"]
    assert any("Keyed by Bob (dealer) at console-2: act" in one for one in shown)
    assert any("Ann signs in as floor, by PIN." in one for one in shown)

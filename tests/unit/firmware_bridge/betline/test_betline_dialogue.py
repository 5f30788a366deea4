"""The host's talk with our own firmware, frame by frame."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware_bridge.protocols.betline.dialogue import BetlineDialogue
from firmware_bridge.protocols.betline.family import BetlineFamily
from firmware_bridge.protocols.betline.frames import Frame
from firmware_bridge.protocols.betline.messages import (
    PACE_OFF,
    Ack,
    Board,
    Capability,
    Command,
    Health,
    Hello,
    Identify,
    Message,
    Pace,
    Read,
    Record,
    Result,
    Snapshot,
    SnapshotFlag,
    read_message,
)
from firmware_bridge.protocols.family import Ask, Inventory, Refused, Step, TagKind, TagRead

UIDS = [bytes.fromhex(f"E00401{number:010X}") for number in range(300)]
HEALTH = Health(1, 1, 0, 0, 0, 0, 0)


class Talk:
    """A reader that says what the test tells it to, to a dialogue."""

    def __init__(self, antennas: int = 1) -> None:
        self.dialogue = BetlineDialogue()
        self.hello = Hello(1, 0, Board.RP2040, 3, antennas, 240, Capability(3), "BL-7")
        self.boot_id = 77
        self.seq = 0
        self.t_ms = 1000
        self.number = 0

    def raw(self, message: Message) -> bytes:
        frame = Frame(message.TYPE, message.to_payload(), self.seq & 0xFFFF, self.boot_id, self.t_ms & 0xFFFF_FFFF)
        self.seq += 1
        self.t_ms += 1
        return frame.to_bytes()

    def say(self, *messages: Message) -> Step | None:
        return self.dialogue.feed(b"".join(self.raw(message) for message in messages), 0.0)

    def snapshot(self, antenna: int = 1, count: int = 1, flags: int = SnapshotFlag.READ, age_ms: int = 0) -> Snapshot:
        self.number += 1
        records = tuple(Record(uid, 99, 8, age_ms) for uid in UIDS[:count])
        return Snapshot(self.number, antenna, SnapshotFlag(flags), 60, records)

    def answer(self, step: Step | None, *snapshots: Snapshot, result: int = Result.OK) -> Step | None:
        return self.say(*snapshots, Ack(asked(step).command_id, result))

    def begin(self, antenna: int | None = None) -> Step | None:
        """Up to the first READ."""
        step = self.dialogue.inventory(antenna)
        step = self.answer_hello(step)
        return self.answer(step)

    def answer_hello(self, step: Step | None) -> Step | None:
        return self.say(self.hello, Ack(asked(step).command_id, Result.OK))

    def known(self, antenna: int = 1) -> Step | None:
        """A READ of a reader whose snapshots are believed."""
        return self.answer(self.begin(antenna), self.snapshot(antenna), self.snapshot(antenna))

    def reboots(self) -> None:
        self.boot_id += 1
        self.seq = 0
        self.t_ms = 5


def asked(step: Step | None) -> Command:
    assert isinstance(step, Ask)
    frame = Frame.from_bytes(step.data)
    assert (frame.boot_id, frame.t_ms) == (0, 0)
    message = read_message(frame.type, frame.payload)
    assert isinstance(message, Command)
    return message


def found(step: Step | None) -> list[str]:
    assert isinstance(step, Inventory), step
    return [tag.uid for tag in step.tags]


def uids(count: int) -> list[str]:
    return [uid.hex().upper() for uid in UIDS[:count]]


def test_a_session_begins_with_who_and_pace_and_two_snapshots() -> None:
    talk = Talk()
    step: Step | None = talk.dialogue.inventory(None)
    assert isinstance(asked(step), Identify)
    step = talk.answer_hello(step)
    pace = asked(step)
    assert isinstance(pace, Pace)
    assert (pace.antenna, pace.cycle_ms) == (0, 500)
    step = talk.answer(step)
    first = asked(step)
    assert isinstance(first, Read)
    assert first.antenna == 0
    step = talk.answer(step, talk.snapshot(count=2))
    second = asked(step)
    assert isinstance(second, Read)
    assert second.command_id != first.command_id
    step = talk.answer(step, talk.snapshot(count=2))
    assert step == Inventory(tuple(TagRead(uid, TagKind.ISO15693, 1, 99) for uid in uids(2)))
    assert isinstance(asked(talk.dialogue.inventory(None)), Read)
    assert talk.dialogue.counters.reboots == 0


def test_a_reader_that_switches_antennas_reads_only_when_asked() -> None:
    talk = Talk(antennas=4)
    pace = asked(talk.answer_hello(talk.dialogue.inventory(3)))
    assert isinstance(pace, Pace)
    assert pace.cycle_ms == PACE_OFF


def test_a_firmware_without_pace_is_read_all_the_same() -> None:
    talk = Talk()
    step = talk.answer_hello(talk.dialogue.inventory(None))
    assert isinstance(asked(talk.answer(step, result=Result.UNKNOWN_COMMAND)), Read)


def test_one_antenna_is_asked_by_its_number() -> None:
    read = asked(Talk(antennas=4).begin(3))
    assert isinstance(read, Read)
    assert read.antenna == 3


def test_all_antennas_are_one_round() -> None:
    talk = Talk(antennas=2)
    step = talk.answer(talk.begin(), talk.snapshot(1, 2), talk.snapshot(2, 1))
    step = talk.answer(step, talk.snapshot(1, 2), talk.snapshot(2, 1))
    assert isinstance(step, Inventory)
    assert [(tag.uid, tag.antenna) for tag in step.tags] == [(uids(2)[0], 1), (uids(2)[1], 1), (uids(1)[0], 2)]


def test_no_tag_is_a_good_answer() -> None:
    talk = Talk()
    step = talk.answer(talk.begin(), talk.snapshot(count=0), talk.snapshot(count=0))
    assert step == Inventory(())


def test_a_board_without_a_measure_of_strength_tells_none() -> None:
    talk = Talk()
    talk.hello = replace(talk.hello, capabilities=Capability.ISO15693 | Capability.LED)
    talk.known()
    step = talk.answer(talk.dialogue.inventory(1), talk.snapshot())
    assert isinstance(step, Inventory)
    assert step.tags == (TagRead(uids(1)[0], TagKind.ISO15693, 1, None),)


def test_only_tags_that_answered_in_this_cycle_are_told() -> None:
    talk = Talk()
    talk.known()
    both = Snapshot(9, 1, SnapshotFlag.READ, 60, (Record(UIDS[0], 9, 3, 250), Record(UIDS[1], 9, 3, 0)))
    assert found(talk.answer(talk.dialogue.inventory(1), both)) == [uids(2)[1]]


def test_parts_are_joined() -> None:
    talk = Talk()
    talk.known()
    step = talk.dialogue.inventory(1)
    records = tuple(Record(uid, 9, 1, 0) for uid in UIDS)
    more = SnapshotFlag.READ | SnapshotFlag.MORE
    parts = [Snapshot(5, 1, more, 900, records[:120]), Snapshot(5, 1, more, 900, records[120:240])]
    assert talk.say(*parts) is None
    assert found(talk.answer(step, Snapshot(5, 1, SnapshotFlag.READ, 900, records[240:]))) == uids(300)


@pytest.mark.parametrize("lost", [0, 1, 2, 3])
def test_a_lost_part_or_ack_is_read_anew(lost: int) -> None:
    talk = Talk()
    talk.known()
    step = talk.dialogue.inventory(1)
    more = SnapshotFlag.READ | SnapshotFlag.MORE
    sizes = ((more, 0, 120), (more, 120, 240), (SnapshotFlag.READ, 240, 300))
    parts = [
        Snapshot(5, 1, flags, 900, tuple(Record(uid, 9, 1, 0) for uid in UIDS[start:end]))
        for flags, start, end in sizes
    ]
    said = [talk.raw(message) for message in (*parts, Ack(asked(step).command_id, Result.OK))]
    del said[lost]
    again = talk.dialogue.feed(b"".join(said), 0.0)
    if lost == 3:
        assert again is None
        again = talk.dialogue.silence()
        assert asked(again) == asked(step)
        again = talk.answer(again)
    assert isinstance(asked(again), Read)
    assert asked(again).command_id != asked(step).command_id
    assert found(talk.answer(again, talk.snapshot(count=4))) == uids(4)


def test_silence_repeats_the_command_with_its_number_and_then_gives_up() -> None:
    talk = Talk()
    talk.known()
    first = talk.dialogue.inventory(1)
    repeated = [talk.dialogue.silence() for _ in range(3)]
    assert {asked(step).command_id for step in repeated} == {asked(first).command_id}
    frames = [Frame.from_bytes(step.data) for step in (first, *repeated) if isinstance(step, Ask)]
    assert [frame.seq for frame in frames] == list(range(frames[0].seq, frames[0].seq + 4))
    assert talk.dialogue.silence() is None
    assert isinstance(asked(talk.dialogue.inventory(1)), Read)


def test_a_snapshot_without_the_ack_of_its_command_is_no_answer() -> None:
    talk = Talk()
    talk.known()
    step = talk.dialogue.inventory(1)
    assert talk.say(talk.snapshot(count=5)) is None
    assert talk.say(HEALTH) is None
    assert found(talk.answer(step)) == uids(5)


def test_the_late_answer_to_the_read_before_is_not_taken_for_this_one() -> None:
    talk = Talk()
    talk.known()
    old = talk.dialogue.inventory(1)
    talk.dialogue.silence()
    new = talk.dialogue.inventory(1)
    assert talk.answer(old, talk.snapshot(count=9)) is None
    assert talk.dialogue.counters.late_replies == 1
    assert found(talk.answer(new, talk.snapshot(count=2))) == uids(2)


def test_the_late_answer_is_not_taken_even_when_its_ack_is_lost() -> None:
    talk = Talk()
    talk.known()
    old = talk.dialogue.inventory(1)
    talk.dialogue.silence()
    new = talk.dialogue.inventory(1)
    talk.say(talk.snapshot(count=9))
    talk.raw(Ack(asked(old).command_id, Result.OK))
    again = talk.answer(new)
    assert isinstance(asked(again), Read)


def test_a_pushed_snapshot_is_no_answer_to_read() -> None:
    talk = Talk()
    talk.known()
    step = talk.dialogue.inventory(1)
    again = talk.answer(step, talk.snapshot(count=3, flags=0))
    assert isinstance(asked(again), Read)


def test_what_the_reader_says_between_rounds_is_no_round() -> None:
    talk = Talk()
    talk.known()
    assert talk.say(HEALTH, talk.snapshot(flags=0), talk.hello, talk.snapshot()) is None


def test_pushed_snapshots_count_as_fresh() -> None:
    talk = Talk()
    step = talk.begin(1)
    talk.say(talk.snapshot(flags=0))
    assert found(talk.answer(step, talk.snapshot(count=2))) == uids(2)


@pytest.mark.parametrize("repeat", ["frame", "earlier"])
def test_late_and_repeated_frames_are_counted_and_discarded(repeat: str) -> None:
    talk = Talk()
    talk.known()
    step = talk.dialogue.inventory(1)
    earlier = talk.raw(talk.snapshot(count=9))
    talk.say(HEALTH)
    now = talk.raw(talk.snapshot(count=2))
    talk.dialogue.feed(now, 0.0)
    talk.dialogue.feed(now if repeat == "frame" else earlier, 0.0)
    assert talk.dialogue.counters.late_replies == 1
    assert found(talk.answer(step)) == uids(2)


def test_numbers_and_times_wrap() -> None:
    talk = Talk()
    talk.seq, talk.t_ms = 0xFFFA, 0xFFFF_FFFA
    talk.known()
    assert talk.seq > 0xFFFF
    assert talk.t_ms > 0xFFFF_FFFF
    assert found(talk.answer(talk.dialogue.inventory(1), talk.snapshot(count=2))) == uids(2)
    assert talk.dialogue.counters.late_replies == 0


def test_a_reboot_between_rounds_makes_the_seat_unknown_until_two_snapshots() -> None:
    talk = Talk()
    talk.known()
    talk.reboots()
    assert talk.say(talk.hello) is None
    assert talk.dialogue.counters.reboots == 1
    step: Step | None = talk.dialogue.inventory(1)
    assert isinstance(asked(step), Pace)
    step = talk.answer(step)
    step = talk.answer(step, talk.snapshot(count=1))
    assert isinstance(asked(step), Read)
    assert found(talk.answer(step, talk.snapshot(count=4))) == uids(4)


@pytest.mark.parametrize("first", ["hello", "health", "snapshot", "ack"])
def test_a_reboot_within_a_round_begins_the_session_again(first: str) -> None:
    talk = Talk()
    talk.known()
    step = talk.dialogue.inventory(1)
    talk.say(talk.snapshot(count=9))
    talk.reboots()
    said = {
        "hello": talk.hello,
        "health": HEALTH,
        "snapshot": talk.snapshot(count=9),
        "ack": Ack(asked(step).command_id, Result.OK),
    }
    step = talk.say(said[first])
    if first != "hello":
        assert isinstance(asked(step), Identify)
        step = talk.answer_hello(step)
    assert isinstance(asked(step), Pace)
    step = talk.answer(step)
    step = talk.answer(step, talk.snapshot(count=1))
    assert found(talk.answer(step, talk.snapshot(count=3))) == uids(3)
    assert talk.dialogue.counters.reboots == 1


def test_frames_of_a_boot_that_is_over_are_late() -> None:
    talk = Talk()
    talk.known()
    old = talk.raw(talk.snapshot(count=9))
    talk.reboots()
    talk.say(talk.hello)
    talk.dialogue.feed(old, 0.0)
    assert talk.dialogue.counters.late_replies == 1
    assert talk.dialogue.counters.reboots == 1


@pytest.mark.parametrize(
    ("flag", "code"), [(SnapshotFlag.RF_WARNING, "unsettled"), (SnapshotFlag.OVERFLOW, "overflow")]
)
def test_a_doubtful_snapshot_says_so(flag: SnapshotFlag, code: str) -> None:
    talk = Talk()
    talk.known()
    step = talk.answer(talk.dialogue.inventory(1), talk.snapshot(count=2, flags=SnapshotFlag.READ | flag))
    assert found(step) == uids(2)
    assert isinstance(step, Inventory)
    assert step.warnings == (code,)


def test_a_field_that_is_off_is_refused_and_never_empty() -> None:
    talk = Talk()
    off = SnapshotFlag.READ | SnapshotFlag.FIELD_OFF
    step = talk.answer(talk.begin(1), talk.snapshot(count=0, flags=off))
    assert isinstance(step, Refused)
    assert step.code == "field_off"


@pytest.mark.parametrize(
    ("result", "code"),
    [(1, "unknown_command"), (2, "bad_parameter"), (3, "busy"), (4, "hardware_fault"), (9, "result_09")],
)
def test_a_command_that_failed_is_refused_in_a_sentence(result: int, code: str) -> None:
    talk = Talk()
    talk.known()
    step = talk.answer(talk.dialogue.inventory(1), result=result)
    assert isinstance(step, Refused)
    assert step.code == code
    assert step.sentence.startswith("the reader")


def test_answers_that_never_come_whole_are_refused() -> None:
    talk = Talk()
    talk.known()
    step: Step | None = talk.dialogue.inventory(1)
    for _ in range(3):
        step = talk.answer(step)
    assert isinstance(step, Ask)
    step = talk.answer(step)
    assert isinstance(step, Refused)
    assert step.code == "damaged"


def test_damage_is_seen_until_the_next_request() -> None:
    talk = Talk()
    talk.known()
    talk.dialogue.inventory(1)
    broken = bytearray(talk.raw(talk.snapshot()))
    broken[9] ^= 1
    assert not talk.dialogue.damaged
    talk.dialogue.feed(bytes(broken), 0.0)
    assert talk.dialogue.damaged
    talk.dialogue.silence()
    assert not talk.dialogue.damaged


def test_messages_of_a_later_firmware_are_passed_over() -> None:
    talk = Talk()
    talk.known()
    step = talk.dialogue.inventory(1)
    frame = Frame(0x55, b"new", talk.seq, talk.boot_id, talk.t_ms)
    talk.seq += 1
    assert talk.dialogue.feed(frame.to_bytes(), 0.0) is None
    assert found(talk.answer(step, talk.snapshot())) == uids(1)


def test_the_probe_is_recognised_by_its_hello_only() -> None:
    betline, talk = BetlineFamily(), Talk()
    frame = Frame.from_bytes(betline.probe[1:])
    assert read_message(frame.type, frame.payload) == Identify(0)
    noise = b"\x55\x55" + talk.raw(HEALTH) + talk.raw(talk.snapshot())
    assert betline.recognise(noise) is None
    said = betline.recognise(noise + talk.raw(talk.hello)[:-1] + b"\0")
    assert said == "Betline reader BL-7 on RP2040, firmware 1.0, seat 3"
    unknown = Hello(2, 1, 9, 0, 1, 1, Capability(0), "X")
    assert betline.recognise(talk.raw(unknown)) == "Betline reader X on board 9, firmware 2.1"

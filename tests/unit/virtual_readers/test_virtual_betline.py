"""The virtual reader with our firmware: what it says by itself, and how it obeys. The C core is held to its twin."""

from __future__ import annotations

from itertools import pairwise

import pytest

from firmware_bridge.protocols.betline.frames import Frame, FrameDecoder
from firmware_bridge.protocols.betline.messages import (
    PACE_OFF,
    Ack,
    Command,
    Field,
    Health,
    Hello,
    Identify,
    Led,
    Message,
    Pace,
    Read,
    Reboot,
    Result,
    Snapshot,
    SnapshotFlag,
    read_message,
)
from virtual_table.readers.behaviour import Behaviour
from virtual_table.readers.betline import BetlineSetup, VirtualBetlineReader
from virtual_table.readers.betline_c import FirmwareCore, has_firmware
from virtual_table.readers.betline_twin import TwinCore
from virtual_table.readers.faults import FaultPlan

UIDS = [f"E00401{number:010X}" for number in range(420)]


class Bed:
    """A reader in a time that the test makes pass, and what it says when."""

    def __init__(self, tags: list[tuple[str, int, float]] | None = None, **behaviour: object) -> None:
        self.tags = [(uid, 1, 1.0) for uid in UIDS[:2]] if tags is None else tags
        setup = BetlineSetup(seat=3, serial="BL-1", core=TwinCore)
        self.reader = VirtualBetlineReader(lambda: list(self.tags), Behaviour(**behaviour), 1, setup)
        self.now_ms = 0.0
        self.decoder = FrameDecoder()
        self.frames: list[Frame] = []

    def lay(self, count: int) -> None:
        self.tags = [(uid, 1, 1.0) for uid in UIDS[:count]]

    def wait(self, wait_ms: float) -> list[Message]:
        """What it says by itself in this time."""
        until_ms = self.now_ms + wait_ms
        pieces: list[bytes] = []
        while (due_ms := self.reader.next_ms) is not None and due_ms <= until_ms:
            pieces += [raw for _, raw in self.reader.speak(due_ms)]
        self.now_ms = until_ms
        return self.read(b"".join(pieces))

    def send(self, command: Command) -> list[Message]:
        """What it says at once."""
        raw = Frame(command.TYPE, command.to_payload()).to_bytes()
        return self.read(b"".join(piece for _, piece in self.reader.receive(raw, self.now_ms)))

    def do(self, command: Command, wait_ms: float = 1000.0) -> list[Message]:
        return self.send(command) + self.wait(wait_ms)

    def read(self, raw: bytes) -> list[Message]:
        frames = self.decoder.feed(raw)
        self.frames += frames
        return [read_message(frame.type, frame.payload) for frame in frames]


def snapshots(messages: list[Message]) -> list[Snapshot]:
    return [one for one in messages if isinstance(one, Snapshot)]


def acks(messages: list[Message]) -> list[Ack]:
    return [one for one in messages if isinstance(one, Ack)]


def uids(snapshot: Snapshot) -> set[str]:
    return {record.uid.hex().upper() for record in snapshot.records}


def quiet() -> Bed:
    """A reader that has booted and reads only when it is asked."""
    bed = Bed()
    bed.wait(300)
    bed.do(Pace(900, 0, PACE_OFF), 300)
    return bed


def test_it_says_hello_at_boot_and_then_health_every_half_second() -> None:
    bed = Bed()
    said = bed.wait(5000)
    assert isinstance(said[0], Hello)
    assert (said[0].seat, said[0].serial, said[0].antennas, said[0].board) == (3, "BL-1", 1, 0)
    beats = [frame.t_ms for frame in bed.frames if frame.type == Health.TYPE]
    gaps = [after - before for before, after in pairwise(beats)]
    assert len(beats) >= 8
    assert max(gaps) <= 600
    assert [frame.seq for frame in bed.frames] == list(range(len(bed.frames)))
    assert len({frame.boot_id for frame in bed.frames}) == 1


def test_the_heart_beats_through_a_long_inventory() -> None:
    bed = Bed([(uid, 1, 1.0) for uid in UIDS[:200]])
    bed.wait(6000)
    beats = [frame.t_ms for frame in bed.frames if frame.type == Health.TYPE]
    assert max(after - before for before, after in pairwise(beats)) <= 700


def test_state_is_sent_every_half_second_while_nothing_changes() -> None:
    bed = Bed()
    bed.wait(1000)
    said = snapshots(bed.wait(10_000))
    assert 18 <= len(said) <= 22
    assert {frozenset(uids(one)) for one in said} == {frozenset(UIDS[:2])}
    assert [one.number for one in said] == list(range(said[0].number, said[0].number + len(said)))


def test_a_change_is_sent_within_the_pace() -> None:
    bed = Bed()
    bed.wait(1100)
    bed.lay(5)
    assert uids(snapshots(bed.wait(340))[0]) == set(UIDS[:5])


def test_hits_and_ages_say_how_often_and_how_lately() -> None:
    bed = quiet()
    for number in range(3):
        bed.do(Read(number, 1), 200)
    bed.lay(1)
    [gone] = snapshots(bed.do(Read(10, 1), 200))
    kept, missed = gone.records
    assert (kept.hits, kept.age_ms) == (6, 0)
    assert missed.hits == 5
    assert 100 < missed.age_ms < 300
    for number in range(20, 26):
        [last] = snapshots(bed.do(Read(number, 1), 200))
    assert [record.hits for record in last.records] == [8, 1]
    [after] = snapshots(bed.do(Read(30, 1), 200))
    assert [record.hits for record in after.records] == [8]


def test_a_read_is_a_snapshot_and_then_its_ack() -> None:
    bed = quiet()
    one, two = [message for message in bed.do(Read(7, 1), 300) if not isinstance(message, Health)]
    assert isinstance(one, Snapshot)
    assert one.flags == SnapshotFlag.READ
    assert uids(one) == set(UIDS[:2])
    assert two == Ack(7, Result.OK)
    assert one.cycle_ms > 30


def test_more_than_120_tags_come_in_parts_with_one_number() -> None:
    bed = quiet()
    bed.lay(200)
    said = snapshots(bed.do(Read(1, 1), 4000))
    assert [(len(one.records), bool(one.flags & SnapshotFlag.MORE)) for one in said] == [(120, True), (80, False)]
    assert len({one.number for one in said}) == 1
    bed.lay(120)
    for number in range(2, 11):
        said = snapshots(bed.do(Read(number, 1), 2500))
    assert [(len(one.records), bool(one.flags & SnapshotFlag.MORE)) for one in said] == [(120, False)]


def test_more_than_400_tags_overflow() -> None:
    bed = quiet()
    bed.lay(420)
    said = snapshots(bed.do(Read(1, 1), 8000))
    assert sum(len(one.records) for one in said) == 400
    assert all(one.flags & SnapshotFlag.OVERFLOW for one in said)


def test_a_repeated_command_is_acknowledged_again_and_not_done_again() -> None:
    bed = quiet()
    first = bed.do(Read(5, 1))
    again = bed.do(Read(5, 1))
    assert len(snapshots(first)) == 1
    assert snapshots(again) == []
    assert acks(first) == acks(again) == [Ack(5, Result.OK)]


def test_a_read_that_is_under_way_is_not_begun_twice() -> None:
    bed = quiet()
    bed.lay(30)
    said = bed.send(Read(5, 1)) + bed.wait(50) + bed.send(Read(5, 1)) + bed.wait(2000)
    assert len(snapshots(said)) == len(acks(said)) == 1


def test_a_second_read_is_busy_and_may_be_repeated() -> None:
    bed = quiet()
    bed.lay(30)
    bed.send(Read(5, 1))
    bed.wait(50)
    assert bed.send(Read(6, 1)) == [Ack(6, Result.BUSY)]
    bed.wait(2000)
    assert acks(bed.do(Read(6, 1))) == [Ack(6, Result.OK)]


def test_the_ninth_command_before_is_forgotten() -> None:
    bed = quiet()
    for number in range(9):
        bed.do(Read(number, 1), 200)
    assert snapshots(bed.do(Read(1, 1), 200)) == []
    assert len(snapshots(bed.do(Read(0, 1), 200))) == 1


def test_identify_forgets_the_commands_of_the_host_before() -> None:
    bed = quiet()
    bed.do(Read(1, 1), 200)
    said = bed.send(Identify(1))
    assert isinstance(said[0], Hello)
    assert said[1:] == [Ack(1, Result.OK)]
    assert isinstance(bed.send(Identify(1))[0], Hello)
    bed.do(Identify(9), 100)
    assert len(snapshots(bed.do(Read(1, 1), 200))) == 1


def test_a_read_goes_before_a_cycle_that_nobody_asked_for() -> None:
    bed = Bed([*((uid, 1, 1.0) for uid in UIDS[:200]), (UIDS[250], 2, 1.0)], antennas=2)
    bed.wait(2700)
    bed.wait(300)
    began_ms = bed.now_ms
    bed.send(Read(1, 2))
    bed.wait(400)
    [ack] = [frame for frame in bed.frames if frame.type == Ack.TYPE]
    assert ack.t_ms - began_ms < 250


def test_all_antennas_are_read_in_turn() -> None:
    bed = Bed([(UIDS[0], 1, 1.0), (UIDS[1], 2, 1.0), (UIDS[2], 4, 0.5)], antennas=4)
    bed.do(Pace(1, 0, PACE_OFF), 2000)
    said = snapshots(bed.do(Read(2, 0), 2000))
    assert [(one.antenna, uids(one)) for one in said] == [
        (1, {UIDS[0]}),
        (2, {UIDS[1]}),
        (3, set()),
        (4, {UIDS[2]}),
    ]
    assert said[3].records[0].rssi == 128


def test_pace_is_kept_for_each_antenna() -> None:
    bed = Bed([], antennas=2)
    bed.do(Pace(1, 1, 0), 10)
    bed.do(Pace(2, 2, PACE_OFF), 1000)
    before = snapshots(bed.wait(0))
    bed.lay(1)
    said = snapshots(bed.wait(3000))
    assert before == []
    assert {one.antenna for one in said} == {1}
    health = [read_message(frame.type, frame.payload) for frame in bed.frames if frame.type == Health.TYPE]
    cycles = [one.cycles for one in health if isinstance(one, Health)]
    assert cycles[-1] - cycles[-2] > 5


@pytest.mark.parametrize(
    ("command", "result"),
    [
        (Read(50, 2), Result.BAD_PARAMETER),
        (Pace(50, 2, 250), Result.BAD_PARAMETER),
        (Pace(50, 1, 501), Result.BAD_PARAMETER),
        (Led(50, 1, 2, 3), Result.OK),
        (Pace(50, 1, 500), Result.OK),
    ],
)
def test_commands_end_as_the_page_says(command: Command, result: Result) -> None:
    assert acks(quiet().do(command)) == [Ack(50, result)]


def test_what_is_no_command_is_answered_or_counted() -> None:
    bed = quiet()
    for type_, payload in ((0x87, b"\x33\0"), (0x82, b"\x34\0"), (0x02, b"\x35\0"), (0x84, b"\x36")):
        raw = Frame(type_, payload).to_bytes()
        bed.read(b"".join(piece for _, piece in bed.reader.receive(raw, bed.now_ms)))
    said = [read_message(frame.type, frame.payload) for frame in bed.frames[-2:]]
    assert said == [Ack(0x33, Result.UNKNOWN_COMMAND), Ack(0x34, Result.BAD_PARAMETER)]
    bed.reader.receive(b"\x55\x55\x00", bed.now_ms)
    bed.reader.receive(b"\x55" * 2000 + b"\x00", bed.now_ms)
    [*_, beat] = [one for one in bed.wait(1100) if isinstance(one, Health)]
    assert (beat.crc_errors, beat.overruns) == (3, 1)


def test_with_the_field_off_no_tag_is_reported_and_the_reader_says_why() -> None:
    bed = Bed()
    bed.wait(1000)
    said = snapshots(bed.do(Field(1, False), 3000))
    assert said
    assert {one.flags for one in said[1:]} == {SnapshotFlag.FIELD_OFF}
    assert not any(one.records for one in said[1:])
    [asked] = [one for one in snapshots(bed.do(Read(2, 1), 100)) if one.flags & SnapshotFlag.READ]
    assert asked.flags == SnapshotFlag.FIELD_OFF | SnapshotFlag.READ
    back = snapshots(bed.do(Field(3, True), 1000))
    assert uids(back[0]) == set(UIDS[:2])


def test_reboot_is_acknowledged_and_then_another_boot_says_hello() -> None:
    bed = quiet()
    before = bed.frames[-1].boot_id
    assert bed.send(Reboot(5)) == [Ack(5, Result.OK)]
    assert bed.send(Read(6, 1)) == []
    assert bed.wait(290) == []
    said = bed.wait(400)
    assert isinstance(said[0], Hello)
    assert bed.frames[-1].boot_id != before
    assert uids(snapshots(said)[0]) == set(UIDS[:2])


def test_a_disturbed_cycle_warns() -> None:
    bed = Bed(rf_warning=1.0)
    said = snapshots(bed.wait(1000))
    assert said
    assert all(one.flags & SnapshotFlag.RF_WARNING and not one.records for one in said)


def test_time_on_the_air_is_stretched_by_its_factor() -> None:
    def cycle_ms(factor: float) -> int:
        bed = Bed([(uid, 1, 1.0) for uid in UIDS[:20]], air_factor=factor)
        return snapshots(bed.wait(3000))[-1].cycle_ms

    assert cycle_ms(2.0) == pytest.approx(2 * cycle_ms(1.0), abs=15)


@pytest.mark.parametrize("fault", ["garbage", "damage", "split", "silence", "truncate"])
def test_faults_strike_what_it_says_by_itself(fault: str) -> None:
    bed = Bed(faults=FaultPlan(**{fault: 1.0}))
    bed.wait(3000)
    heard = {"garbage": True, "split": True, "damage": False, "silence": False, "truncate": False}
    assert bool(bed.frames) == heard[fault]


def test_same_seed_same_bytes() -> None:
    def run() -> list[bytes]:
        bed = Bed(missed=0.3, neighbour=0.1, faults=FaultPlan(garbage=0.3, damage=0.3, split=0.3))
        return [raw for _ in range(40) for _, raw in bed.reader.speak(bed.reader.next_ms or 0.0)]

    assert run() == run()
    assert len(run()) > 10


@pytest.mark.skipif(not has_firmware(), reason="no C compiler (cc, gcc or clang) is installed")
def test_the_compiled_firmware_is_taken_where_it_can_be_had() -> None:
    def run(core: object) -> list[tuple[float, bytes]]:
        reader = VirtualBetlineReader(
            lambda: [(uid, 1, 1.0) for uid in UIDS[:30]], Behaviour(missed=0.1), 7, BetlineSetup(core=core)
        )
        return [piece for _ in range(60) for piece in reader.speak(reader.next_ms or 0.0)]

    assert run(None) == run(FirmwareCore) == run(TwinCore)

"""The reader firmware rewritten in Python: `bl_reader.c` on a simulated board, for machines without a C compiler."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Final

from firmware_bridge.protocols.betline.frames import Frame, FrameDecoder
from firmware_bridge.protocols.betline.messages import (
    ALL_ANTENNAS,
    PACE_OFF,
    RECORDS_PER_FRAME,
    SLOWEST_PACE_MS,
    UID_BYTES,
    Ack,
    Board,
    Capability,
    Field,
    Health,
    Hello,
    Identify,
    Message,
    Pace,
    Read,
    Reboot,
    Record,
    Result,
    Snapshot,
    SnapshotFlag,
    read_message,
)
from firmware_bridge.protocols.frame_error import FrameError
from virtual_table.readers.betline_air import Air, Inventory
from virtual_table.readers.betline_core import CoreSetup, Listener, Said

FW_MAJOR: Final = 1
FW_MINOR: Final = 0
MAX_TAGS: Final = 400
KNOWN_TAGS: Final = 800
COMMANDS_KEPT: Final = 8
HEALTH_MS: Final = 500
USUAL_PACE_MS: Final = 250
BOOT_US: Final = 300_000
_MS_MASK: Final = 0xFFFF_FFFF
_MAX_MS: Final = 0xFFFF
_CAN: Final = Capability.ISO15693 | Capability.RSSI | Capability.LED


def _is_due(now_ms: int, due_ms: int) -> bool:
    """Times wrap after 49 days: only differences mean anything."""
    return now_ms - due_ms & _MS_MASK < 1 << 31


@dataclass(slots=True, eq=False)
class _Known:
    """A tag that answered on an antenna in one of the last eight cycles; bit 0 of `cycles` is the newest."""

    uid: int
    antenna: int
    rssi: int = 0
    cycles: int = 0
    reported: bool = False
    heard_ms: int = 0

    @property
    def is_heard(self) -> bool:
        return bool(self.cycles & 1)

    def record(self, now_ms: int) -> Record:
        age_ms = 0 if self.is_heard else min(max(1, now_ms - self.heard_ms & _MS_MASK), _MAX_MS)
        return Record(self.uid.to_bytes(UID_BYTES, "big"), self.rssi, self.cycles.bit_count(), age_ms)


@dataclass(slots=True)
class _Antenna:
    due_ms: int
    pace_ms: int = USUAL_PACE_MS
    reported_ms: int | None = None

    @property
    def slow_pace_ms(self) -> int:
        return max(self.pace_ms, USUAL_PACE_MS)

    def must_be_reported(self, now_ms: int) -> bool:
        """Whether waiting for the next cycle would leave the host without news for too long."""
        pace_ms = SLOWEST_PACE_MS if self.pace_ms == PACE_OFF else self.pace_ms
        return self.reported_ms is None or now_ms + pace_ms - self.reported_ms & _MS_MASK > SLOWEST_PACE_MS


@dataclass(slots=True)
class _Reading:
    """A READ that is being carried out."""

    command_id: int
    antenna: int
    last: int


class TwinCore:
    """Implements `ReaderCore`."""

    def __init__(self, setup: CoreSetup, listener: Listener) -> None:
        self._setup = setup
        self._listener = listener
        self._said: list[Said] = []

    def power_on(self, boot_id: int, now_us: int) -> list[Said]:
        self._air = Air(self._listener, self._setup.air_permille, now_us)
        self._boot(boot_id)
        return self._taken()

    def receive(self, data: bytes, now_us: int) -> list[Said]:
        self._catch_up(now_us)
        for piece in _pieces(data):
            if self._reboots_at_us is not None:
                break
            for frame in self._decoder.feed(piece):
                self._take(frame)
        return self._taken()

    @property
    def next_us(self) -> int:
        if self._reboots_at_us is not None:
            return self._reboots_at_us
        wait_ms = self._wait_ms()
        return (self._air.clock_us // 1000 + wait_ms) * 1000 if wait_ms else self._air.clock_us

    def speak(self, now_us: int) -> list[Said]:
        while self.next_us <= now_us:
            self._catch_up(self.next_us)
            if self._reboots_at_us is not None:
                self._boot(self._boot_id * 2654435761 + 1 & 0xFFFF_FFFF)
            else:
                self._poll()
        return self._taken()

    def _boot(self, boot_id: int) -> None:
        now_ms = self._air.now_ms
        self._boot_id = boot_id
        self._boot_ms = now_ms
        self._health_due_ms = now_ms + HEALTH_MS & _MS_MASK
        self._reboots_at_us: int | None = None
        self._decoder = FrameDecoder()
        self._seq = 0
        self._snapshots = self._cycles = self._rf_errors = self._collisions = self._malformed = 0
        self._field_on = True
        self._antennas = {number: _Antenna(now_ms) for number in range(1, self._setup.antennas + 1)}
        self._known: list[_Known] = []
        self._inventory: Inventory | None = None
        self._cycle_antenna = 0
        self._cycle_began_ms = now_ms
        self._reading: _Reading | None = None
        self._done: deque[tuple[int, Result]] = deque(maxlen=COMMANDS_KEPT)
        self._send_hello()

    def _catch_up(self, now_us: int) -> None:
        self._air.clock_us = max(self._air.clock_us, now_us)

    def _taken(self) -> list[Said]:
        said, self._said = self._said, []
        return said

    def _send(self, message: Message, now_ms: int) -> None:
        frame = Frame(message.TYPE, message.to_payload(), self._seq, self._boot_id, now_ms)
        self._seq = self._seq + 1 & 0xFFFF
        self._said.append(Said(self._air.clock_us, frame.to_bytes()))

    def _send_hello(self) -> None:
        setup = self._setup
        hello = Hello(
            FW_MAJOR, FW_MINOR, Board.HOST, setup.seat, setup.antennas, min(MAX_TAGS, 0xFF), _CAN, setup.serial
        )
        self._send(hello, self._air.now_ms)

    def _send_health(self, now_ms: int) -> None:
        line = self._decoder.counters
        health = Health(
            uptime_ms=now_ms - self._boot_ms & _MS_MASK,
            cycles=self._cycles,
            rf_errors=self._rf_errors,
            collisions=self._collisions,
            crc_errors=line.damaged + line.versions + self._malformed,
            overruns=line.overruns,
            watchdog_resets=0,
        )
        self._send(health, now_ms)
        self._health_due_ms = now_ms + HEALTH_MS & _MS_MASK

    def _conclude(self, command_id: int, result: Result) -> None:
        """Answer a command for good: a repetition is answered again, but not carried out again."""
        self._done.append((command_id, result))
        self._send(Ack(command_id, result), self._air.now_ms)

    def _poll(self) -> None:
        now_ms = self._air.now_ms
        if _is_due(now_ms, self._health_due_ms):
            self._send_health(now_ms)
        if self._inventory is None:
            chosen = self._reading.antenna if self._reading else self._next_antenna(now_ms)
            if chosen:
                self._begin_cycle(chosen)
        if self._inventory is not None and not self._inventory.step():
            self._finish_cycle(self._inventory)

    def _wait_ms(self) -> int:
        now_ms = self._air.now_ms
        dues = [one.due_ms for one in self._antennas.values() if one.pace_ms != PACE_OFF]
        dues.append(self._health_due_ms)
        if self._reading or self._inventory is not None or any(_is_due(now_ms, due_ms) for due_ms in dues):
            return 0
        return min(due_ms - now_ms & _MS_MASK for due_ms in dues)

    def _next_antenna(self, now_ms: int) -> int:
        """The antenna whose cycle has been due longest; 0 if none is due."""
        due = {
            number: now_ms - one.due_ms & _MS_MASK
            for number, one in self._antennas.items()
            if one.pace_ms != PACE_OFF and _is_due(now_ms, one.due_ms)
        }
        return max(due, key=lambda number: due[number], default=0)

    def _begin_cycle(self, antenna: int) -> None:
        self._cycle_antenna = antenna
        self._cycle_began_ms = self._air.now_ms
        if not self._field_on:
            self._skip_cycle()
            return
        self._air.select(antenna)
        self._inventory = Inventory(self._air, MAX_TAGS)

    def _finish_cycle(self, inventory: Inventory) -> None:
        antenna, stats = self._antennas[self._cycle_antenna], inventory.stats
        now_ms = self._air.now_ms
        flags = SnapshotFlag.READ if self._reading else SnapshotFlag(0)
        self._cycles += 1
        self._rf_errors += stats.errors
        self._collisions += stats.collisions
        if stats.unsettled:
            flags |= SnapshotFlag.RF_WARNING
        all_kept = self._remember(self._cycle_antenna, inventory.tags, now_ms)
        if stats.overflow or not all_kept:
            flags |= SnapshotFlag.OVERFLOW
        if self._reading or self._has_changed(self._cycle_antenna) or antenna.must_be_reported(now_ms):
            self._send_snapshot(flags, now_ms)
        self._end_cycle(antenna.pace_ms, now_ms)

    def _skip_cycle(self) -> None:
        antenna, now_ms = self._antennas[self._cycle_antenna], self._air.now_ms
        if self._reading or antenna.must_be_reported(now_ms):
            self._send_snapshot(
                SnapshotFlag.FIELD_OFF | (SnapshotFlag.READ if self._reading else SnapshotFlag(0)), now_ms
            )
        self._end_cycle(antenna.slow_pace_ms, now_ms)

    def _end_cycle(self, pace_ms: int, now_ms: int) -> None:
        """Schedules the antenna of this cycle by its pace; a READ continues with its next antenna."""
        due_ms = self._cycle_began_ms + pace_ms & _MS_MASK
        self._antennas[self._cycle_antenna].due_ms = due_ms if _is_due(due_ms, now_ms) else now_ms
        self._inventory = None
        reading = self._reading
        if reading is not None and reading.antenna == reading.last:
            self._reading = None
            self._conclude(reading.command_id, Result.OK)
        elif reading is not None:
            reading.antenna += 1

    def _remember(self, antenna: int, tags: list[tuple[int, int]], now_ms: int) -> bool:
        """Take in a complete cycle; False if a tag found no room."""
        here = {}
        for known in self._known:
            if known.antenna == antenna:
                known.cycles = known.cycles << 1 & 0xFF
                here[known.uid] = known
        all_kept = True
        for uid, rssi in tags:
            one = here.get(uid)
            if one is None:
                if not self._make_room(here):
                    all_kept = False
                    continue
                one = _Known(uid, antenna)
                self._known.append(one)
            one.cycles |= 1
            one.rssi = rssi
            one.heard_ms = now_ms
        self._known = [known for known in self._known if known.cycles]
        return all_kept

    def _make_room(self, here: dict[int, _Known]) -> bool:
        """Whether there is room for one more; if needed the tag heard longest ago makes room."""
        if len(self._known) < KNOWN_TAGS:
            return True
        oldest: _Known | None = None
        for known in self._known:
            if not known.is_heard and (oldest is None or not _is_due(known.heard_ms, oldest.heard_ms)):
                oldest = known
        if oldest is None:
            return False
        self._known.remove(oldest)
        if here.get(oldest.uid) is oldest:
            del here[oldest.uid]
        return True

    def _has_changed(self, antenna: int) -> bool:
        return any(known.reported != known.is_heard for known in self._known if known.antenna == antenna)

    def _send_snapshot(self, flags: SnapshotFlag, now_ms: int) -> None:
        """Sends the tags of the antenna in as many parts as needed; none with the field off."""
        antenna = self._cycle_antenna
        here = [known for known in self._known if known.antenna == antenna]
        if flags & SnapshotFlag.FIELD_OFF:
            here = []
        for known in here:
            known.reported = known.is_heard
        records = [known.record(now_ms) for known in here]
        cycle_ms = min(now_ms - self._cycle_began_ms & _MS_MASK, _MAX_MS)
        for start in range(0, max(1, len(records)), RECORDS_PER_FRAME):
            part = tuple(records[start : start + RECORDS_PER_FRAME])
            more = SnapshotFlag.MORE if start + RECORDS_PER_FRAME < len(records) else SnapshotFlag(0)
            self._send(Snapshot(self._snapshots, antenna, flags | more, cycle_ms, part), now_ms)
        self._snapshots += 1
        self._antennas[antenna].reported_ms = now_ms

    def _take(self, frame: Frame) -> None:
        if frame.type < Identify.TYPE or len(frame.payload) < 2:
            self._malformed += 1
            return
        command_id = int.from_bytes(frame.payload[:2], "little")
        try:
            command: Message | None = read_message(frame.type, frame.payload)
        except FrameError:
            command = None
        done = next((result for number, result in self._done if number == command_id), None)
        if isinstance(command, Identify):
            self._done.clear()
            self._send_hello()
            self._conclude(command_id, Result.OK)
        elif done is not None:
            self._send(Ack(command_id, done), self._air.now_ms)
        elif isinstance(command, Read):
            self._start_reading(command)
        elif command is not None:
            self._conclude(command_id, self._obey(command))
        else:
            known = frame.type <= Reboot.TYPE
            self._conclude(command_id, Result.BAD_PARAMETER if known else Result.UNKNOWN_COMMAND)

    def _start_reading(self, command: Read) -> None:
        """A READ takes precedence over a cycle by pace, which is dropped."""
        if self._reading is not None:
            if command.command_id != self._reading.command_id:
                self._send(Ack(command.command_id, Result.BUSY), self._air.now_ms)
            return
        if command.antenna > self._setup.antennas:
            self._conclude(command.command_id, Result.BAD_PARAMETER)
            return
        self._inventory = None
        last = command.antenna or self._setup.antennas
        self._reading = _Reading(command.command_id, command.antenna or 1, last)

    def _obey(self, command: Message) -> Result:
        if isinstance(command, Pace):
            return self._set_pace(command)
        if isinstance(command, Field):
            self._set_field(command)
        if isinstance(command, Reboot):
            self._reboots_at_us = self._air.clock_us + BOOT_US
        return Result.OK

    def _set_pace(self, command: Pace) -> Result:
        sane = command.cycle_ms <= SLOWEST_PACE_MS or command.cycle_ms == PACE_OFF
        if command.antenna > self._setup.antennas or not sane:
            return Result.BAD_PARAMETER
        due_ms = self._air.now_ms + command.cycle_ms & _MS_MASK
        for number, antenna in self._antennas.items():
            if command.antenna in (ALL_ANTENNAS, number):
                antenna.pace_ms, antenna.due_ms = command.cycle_ms, due_ms
        return Result.OK

    def _set_field(self, command: Field) -> None:
        now_ms = self._air.now_ms
        self._air.field(on=command.on)
        self._field_on = command.on
        self._inventory = None
        for antenna in self._antennas.values():
            antenna.due_ms, antenna.reported_ms = now_ms, None


def _pieces(data: bytes) -> list[bytes]:
    """`data` cut after each byte that ends a frame."""
    *ended, rest = data.split(b"\0")
    return [piece + b"\0" for piece in ended] + ([rest] if rest else [])

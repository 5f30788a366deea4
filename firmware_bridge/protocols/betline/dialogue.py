"""The host's side of the talk with one reader that runs Betline's firmware.

A session begins with IDENTIFY, whose HELLO says who is there, and with PACE: the host asks for each round itself, so
that rounds are evenly spread, and leaves the reader only the slow pace at which it reports on itself. A round is READ,
answered by the snapshot of each antenna and by ACK.

What binds a snapshot to its READ is the order of the reader's frames: ACK carries the number of the command, and the
snapshots since the ACK before it are its answer. A lost frame (a gap in `seq`) breaks that bond, so what was gathered
is thrown away, and so is a snapshot right behind the gap, whose first part may be what was lost. The repeated command
is acknowledged without a snapshot: then the host reads anew.

A changed boot_id begins a new session. What lies on an antenna is unknown until two fresh snapshots of it have come.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Final

from firmware_bridge.protocols.betline.frames import Frame, FrameDecoder
from firmware_bridge.protocols.betline.messages import (
    ALL_ANTENNAS,
    PACE_OFF,
    SLOWEST_PACE_MS,
    Ack,
    Capability,
    Command,
    Field,
    Health,
    Hello,
    Identify,
    Pace,
    Read,
    Record,
    Result,
    Snapshot,
    SnapshotFlag,
    read_message,
)
from firmware_bridge.protocols.doubt import Doubt
from firmware_bridge.protocols.family import Ask, Identity, Inventory, LineCounters, Refused, Step, TagKind, TagRead
from firmware_bridge.protocols.frame_error import FrameError

COMMAND_TIMEOUT_MS: Final = 400.0
"""A reader answers between two rounds on the air, which take 140 ms at most."""
READ_TIMEOUT_MS: Final = 1500.0
"""After this long READ is repeated with its number: a reader that is still at it takes no notice."""
FRESH: Final = 2
"""Snapshots of an antenna since the reader booted, from which on they are believed."""
_TRIES: Final = 4
_TRIES_ALIVE: Final = 12
"""For a READ whose reader goes on telling its health: 300 chips may take it nine seconds."""
_BOOTS_KEPT: Final = 8

_WARNINGS: Final = {SnapshotFlag.OVERFLOW: Doubt.OVERFLOW, SnapshotFlag.RF_WARNING: Doubt.UNSETTLED}
_REFUSALS: Final = {
    Result.UNKNOWN_COMMAND: ("unknown_command", "the reader's firmware does not know the command: update it"),
    Result.BAD_PARAMETER: ("bad_parameter", "the reader has no such antenna: correct the table file"),
    Result.BUSY: ("busy", "the reader is busy with another command; asking again"),
    Result.HARDWARE_FAULT: ("hardware_fault", "the reader's radio does not obey: check its antenna and its supply"),
}


class _Phase(Enum):
    IDLE = auto()
    IDENTIFYING = auto()
    PACING = auto()
    SWITCHING_ON = auto()
    READING = auto()
    SWITCHING_OFF = auto()


@dataclass(frozen=True, slots=True)
class _Reading:
    """A whole snapshot of one antenna, its parts joined."""

    antenna: int
    flags: SnapshotFlag
    records: tuple[Record, ...]


class BetlineDialogue:
    """Implements `family.Dialogue`, `family.TellsOfItself`, `family.TellsIdentity`, and `family.SharesField`.

    With a shared field FIELD switches on before READ and off after it.
    """

    def __init__(self) -> None:
        self._decoder = FrameDecoder()
        self._phase = _Phase.IDLE
        self._antenna: int | None = None
        self._command: Command | None = None
        self._command_id = 0
        self._seq = 0
        self._tries = 0
        self._beats = 0
        self._damage_before = 0
        self._late = 0
        self._reboots = 0
        self._hello: Hello | None = None
        self._health: Health | None = None
        self._last: Frame | None = None
        self._past_boots: deque[int] = deque(maxlen=_BOOTS_KEPT)
        self._paced = False
        self._shares = False
        self._is_on = False
        self._result: Inventory | Refused = Inventory(())
        self._parts: list[Snapshot] = []
        self._behind_gap = True
        self._answers: dict[int, _Reading] = {}
        self._fresh: dict[int, int] = {}

    @property
    def counters(self) -> LineCounters:
        return replace(self._decoder.line, late_replies=self._late, reboots=self._reboots)

    @property
    def damaged(self) -> bool:
        return self._decoder.line.crc_errors > self._damage_before

    @property
    def identity(self) -> Identity | None:
        hello = self._hello
        return None if hello is None else Identity(hello.serial, f"{hello.fw_major}.{hello.fw_minor}")

    @property
    def seat(self) -> int:
        return 0 if self._hello is None else self._hello.seat

    @property
    def own_counters(self) -> Mapping[str, float]:
        return {} if self._health is None else self._health.counters

    def share_field(self) -> None:
        """Switch the field off between rounds."""
        self._shares = True

    def inventory(self, antenna: int | None) -> Step:
        """Begin a round on `antenna`, or on all that the reader has if None."""
        self._antenna = antenna
        self._tries = 0
        return self._begin()

    def feed(self, data: bytes, now_ms: float) -> Step | None:  # noqa: ARG002 -- frames end by a byte, not by time
        step: Step | None = None
        for frame in self._decoder.feed(data):
            said = self._take(frame)
            if said is not None:
                step = said
        return step

    def silence(self) -> Step | None:
        """No answer, or a damaged one: the same command again, which is done once however often it comes."""
        tries = _TRIES_ALIVE if isinstance(self._command, Read) and self._beats >= self._tries else _TRIES
        if self._command is None or self._tries >= tries:
            known = self._result if self._phase is _Phase.SWITCHING_OFF else None
            self._phase, self._command = _Phase.IDLE, None
            return known
        return self._send(self._command)

    def _begin(self) -> Step:
        if self._hello is None:
            self._phase = _Phase.IDENTIFYING
            return self._send(Identify(self._next_id()))
        if not self._paced:
            self._phase = _Phase.PACING
            pace_ms = SLOWEST_PACE_MS if self._hello.antennas == 1 and not self._shares else PACE_OFF
            return self._send(Pace(self._next_id(), ALL_ANTENNAS, pace_ms))
        if self._shares and not self._is_on:
            self._phase = _Phase.SWITCHING_ON
            return self._send(Field(self._next_id(), on=True))
        return self._read()

    def _read(self) -> Step:
        self._phase = _Phase.READING
        self._beats = 0
        self._answers.clear()
        return self._send(Read(self._next_id(), ALL_ANTENNAS if self._antenna is None else self._antenna))

    def _send(self, command: Command) -> Ask:
        self._command = command
        self._tries += 1
        self._damage_before = self._decoder.line.crc_errors
        self._seq = self._seq + 1 & 0xFFFF
        timeout_ms = READ_TIMEOUT_MS if isinstance(command, Read) else COMMAND_TIMEOUT_MS
        return Ask(Frame(command.TYPE, command.to_payload(), self._seq).to_bytes(), timeout_ms)

    def _next_id(self) -> int:
        self._command_id = self._command_id + 1 & 0xFFFF
        return self._command_id

    def _take(self, frame: Frame) -> Step | None:
        """What follows from one frame of the reader, in the order in which it sent them."""
        restarted = self._restarted(frame)
        if restarted is None:
            self._late += 1
            return None
        self._last = frame
        try:
            message = read_message(frame.type, frame.payload)
        except FrameError:
            return None
        if isinstance(message, Hello):
            self._hello = message
        elif isinstance(message, Health):
            self._health = message
            self._beats += 1
        if restarted:
            return None if self._phase is _Phase.IDLE else self._begin()
        is_whole = not (isinstance(message, Snapshot) and message.flags & SnapshotFlag.MORE)
        behind_gap, self._behind_gap = self._behind_gap, self._behind_gap and not is_whole
        if isinstance(message, Snapshot) and not behind_gap:
            self._gather(message)
        return self._concluded(message) if isinstance(message, Ack) else None

    def _restarted(self, frame: Frame) -> bool | None:
        """Whether the reader has booted since its last frame; None for a frame that is late or repeated."""
        last = self._last
        if last is None:
            return False
        if frame.boot_id != last.boot_id:
            if frame.boot_id in self._past_boots:
                return None
            self._past_boots.append(last.boot_id)
            self._reboots += 1
            self._forget()
            return True
        ahead_ms = frame.t_ms - last.t_ms & 0xFFFF_FFFF
        ahead = frame.seq - last.seq & 0xFFFF
        if ahead_ms >= 1 << 31 or (ahead_ms == 0 and not 0 < ahead < 1 << 15):
            return None
        if ahead != 1:
            self._parts.clear()
            self._answers.clear()
            self._behind_gap = True
        return False

    def _forget(self) -> None:
        """Nothing that the reader said before it booted holds any more."""
        self._hello = self._health = None
        self._paced = self._is_on = False
        self._tries = 0
        self._parts.clear()
        self._answers.clear()
        self._fresh.clear()
        self._behind_gap = True

    def _gather(self, part: Snapshot) -> None:
        """Join the parts of a snapshot; they come one after the other."""
        if self._parts and (part.number, part.antenna) != (self._parts[0].number, self._parts[0].antenna):
            self._parts.clear()
        self._parts.append(part)
        if part.flags & SnapshotFlag.MORE:
            return
        records = tuple(record for one in self._parts for record in one.records)
        self._parts.clear()
        if not part.flags & SnapshotFlag.FIELD_OFF:
            self._fresh[part.antenna] = self._fresh.get(part.antenna, 0) + 1
        if part.flags & SnapshotFlag.READ:
            self._answers[part.antenna] = _Reading(part.antenna, part.flags, records)

    def _concluded(self, ack: Ack) -> Step | None:
        answers, self._answers = self._answers, {}
        if self._command is None or ack.command_id != self._command.command_id:
            self._late += 1
            return None
        hello = self._hello
        if self._phase is _Phase.SWITCHING_OFF:
            self._phase, self._command = _Phase.IDLE, None
            return self._result
        if self._phase is _Phase.PACING:  # a firmware that knows no PACE is read all the same
            self._paced = True
        elif ack.result != Result.OK:
            return self._refused(ack.result)
        elif self._phase is _Phase.READING and hello is not None:
            return self._round(hello, answers)
        elif hello is None:
            return self.silence()
        self._is_on = self._phase is _Phase.SWITCHING_ON
        self._tries = 0
        return self._begin()

    def _round(self, hello: Hello, answers: dict[int, _Reading]) -> Step | None:
        wanted = range(1, hello.antennas + 1) if self._antenna is None else (self._antenna,)
        if any(number not in answers for number in wanted):
            return self._again()
        readings = [answers[number] for number in wanted]
        if any(one.flags & SnapshotFlag.FIELD_OFF for one in readings):
            return self._refuse("field_off", "the reader's field is off: switch it on")
        if any(self._fresh[number] < FRESH for number in wanted):
            self._tries = 0
            return self._read()
        warnings = [code for flag, code in _WARNINGS.items() if any(one.flags & flag for one in readings)]
        tells_rssi = bool(hello.capabilities & Capability.RSSI)
        return self._end(Inventory(tuple(_tags(readings, tells_rssi=tells_rssi)), tuple(warnings)))

    def _end(self, result: Inventory | Refused) -> Step:
        if self._shares and self._is_on:
            self._result, self._phase, self._is_on, self._tries = result, _Phase.SWITCHING_OFF, False, 0
            return self._send(Field(self._next_id(), on=False))
        self._phase, self._command = _Phase.IDLE, None
        return result

    def _again(self) -> Step | None:
        """The command was done, but what it brought was lost on the line."""
        if self._tries == _TRIES:
            return self._refuse("damaged", "the reader's answers come in damaged: check the cable")
        return self._read()

    def _refused(self, result: int) -> Step:
        if result in list(Result):
            return self._refuse(*_REFUSALS[Result(result)])
        return self._refuse(f"result_{result:02x}", f"the reader answered {result}, which means nothing: update it")

    def _refuse(self, code: str, sentence: str) -> Step:
        return self._end(Refused(code, sentence))


def _tags(readings: list[_Reading], *, tells_rssi: bool) -> list[TagRead]:
    """The tags that answered in this very cycle: how often they did before is the bridge's own evidence."""
    return [
        TagRead(record.uid.hex().upper(), TagKind.ISO15693, one.antenna, record.rssi if tells_rssi else None)
        for one in readings
        for record in one.records
        if record.age_ms == 0
    ]

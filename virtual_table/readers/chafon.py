"""A virtual Chafon reader of the older or the newer layout, asked or in active mode.

A chain of frames leaves as one piece: what a line loses of it, it loses in the middle of bytes that the host sees.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from firmware_bridge.protocols.chafon.frames import ANY_READER, Command, Reply, Request, request_decoder
from firmware_bridge.protocols.chafon.inventory import (
    InventoryRequest,
    Layout,
    ReaderInfo,
    TagRecord,
    encode_active,
    encode_records,
)
from firmware_bridge.protocols.chafon.status import Status
from firmware_bridge.protocols.frame_error import FrameError
from virtual_table.readers.air import UHF_GEN2
from virtual_table.readers.behaviour import Behaviour
from virtual_table.readers.faults import Piece
from virtual_table.readers.field import FieldTag, TagsInField
from virtual_table.readers.reader import VirtualReader

COMMAND_MS: Final = 2.0
"""How long the reader thinks about a command that uses no air."""
MODELS: Final = {Layout.OLDER: 0x09, Layout.NEWER: 0x0C}
"""UHFReader18 and UHFReader288."""
_SCAN_UNIT_MS: Final = 100.0
_HEARTBEAT_BYTES: Final = 16


@dataclass(frozen=True, slots=True)
class ChafonSetup:
    """How a Chafon reader is configured."""

    layout: Layout = Layout.NEWER
    address: int = 0
    scan_time: int = 10
    """How long an inventory of the older layout may take, in units of 100 ms."""
    tags_per_frame: int = 12
    active: bool = False
    """It was left in active mode: it ignores commands and sends its tags every `active_ms`."""
    active_ms: float = 200.0


class VirtualChafonReader(VirtualReader):
    """One reader."""

    airs = (UHF_GEN2,)

    def __init__(
        self,
        tags_in_field: TagsInField,
        behaviour: Behaviour | None = None,
        seed: int = 0,
        setup: ChafonSetup | None = None,
    ) -> None:
        self._setup = setup or ChafonSetup()
        self._address = self._setup.address
        self._scan_time = self._setup.scan_time
        self._power = 30
        self._answers: dict[int, Callable[[Request], tuple[float, list[Reply]]]] = {
            Command.INVENTORY: self._inventory,
            Command.READER_INFO: lambda _: (COMMAND_MS, [self._reply(Command.READER_INFO, Status.OK, self._info)]),
            Command.SERIAL_NUMBER: self._serial_number,
            Command.SET_ADDRESS: self._set_address,
            Command.SET_SCAN_TIME: self._set_scan_time,
            Command.SET_POWER: self._set_power,
        }
        super().__init__(tags_in_field, behaviour, seed)

    def power_on(self, now_ms: float) -> None:
        """Address, power and inventory time survive without power; nothing else does."""
        self._decoder = request_decoder()
        self._busy_until_ms = now_ms
        self._reports_at_ms = now_ms + self._setup.active_ms

    def answer(self, data: bytes, now_ms: float) -> list[Piece]:
        """The replies to what the host sent, one command at a time."""
        pieces: list[Piece] = []
        for request in self._decoder.feed(data, now_ms):
            if self._setup.active or request.address not in (self._address, ANY_READER):
                continue
            begin_ms = max(now_ms, self._busy_until_ms)
            duration_ms, replies = self._answers.get(request.command, self._illegal)(request)
            self._busy_until_ms = begin_ms + duration_ms
            pieces.append((self._busy_until_ms - now_ms, b"".join(reply.to_bytes() for reply in replies)))
        return pieces

    @property
    def due_ms(self) -> float | None:
        """In active mode, when the next report is ready."""
        return self._reports_at_ms if self._setup.active else None

    def push(self, now_ms: float) -> list[Piece]:
        """Each tag in a frame of its own; the newer readers report an empty field, too."""
        sweep = self.antennas.sweep(range(1, self.behaviour.antennas + 1))
        self._reports_at_ms = now_ms + max(self._setup.active_ms, sweep.air_ms)
        layout = self._setup.layout
        replies = [encode_active(_record(tag), layout) for tag in sweep.heard]
        if not replies and layout is Layout.NEWER:
            replies = [self._reply(Command.ACTIVE, Status.HEARTBEAT, bytes(_HEARTBEAT_BYTES))]
        return [(0.0, reply.to_bytes()) for reply in replies]

    @property
    def _info(self) -> bytes:
        layout = self._setup.layout
        return ReaderInfo((0, 22), MODELS[layout], self._scan_time, layout, self._power).to_data()

    def _reply(self, command: int, status: int, data: bytes = b"") -> Reply:
        return Reply(command, status, data, self._address)

    def _illegal(self, request: Request) -> tuple[float, list[Reply]]:
        return COMMAND_MS, [self._reply(request.command, Status.ILLEGAL_COMMAND)]

    def _inventory(self, request: Request) -> tuple[float, list[Reply]]:
        if self._setup.layout is Layout.OLDER:
            if request.data:
                return COMMAND_MS, [self._reply(Command.INVENTORY, Status.LENGTH_ERROR)]
            return self._read(1, self._scan_time)
        try:
            asked = InventoryRequest.from_request(request)
        except FrameError as wrong:
            status = Status.LENGTH_ERROR if wrong.code == "length" else Status.PARAMETER_ERROR
            return COMMAND_MS, [self._reply(Command.INVENTORY, status)]
        return self._read(asked.antenna, asked.scan_time)

    def _read(self, antenna: int, scan_time: int) -> tuple[float, list[Reply]]:
        if antenna > self.behaviour.antennas:
            return COMMAND_MS, [self._reply(Command.INVENTORY, Status.ANTENNA_ERROR)]
        sweep = self.antennas.sweep((antenna,))
        limit_ms = scan_time * _SCAN_UNIT_MS or sweep.air_ms
        heard, status, air_ms = sweep.heard, Status.FINISHED, sweep.air_ms
        if air_ms > limit_ms:
            heard, status, air_ms = heard[: int(len(heard) * limit_ms / air_ms)], Status.TIME_OVERFLOW, limit_ms
        if sweep.warned:
            return COMMAND_MS + air_ms, [self._reply(Command.INVENTORY, Status.POOR_COMMUNICATION)]
        return COMMAND_MS + air_ms, list(self._chain(heard, status, antenna))

    def _chain(self, heard: tuple[FieldTag, ...], status: int, antenna: int) -> Iterable[Reply]:
        """The replies: full frames say that more follow; the newer readers end with a frame that has no tags."""
        layout, size = self._setup.layout, self._setup.tags_per_frame
        if layout is Layout.OLDER and not heard:
            yield self._reply(Command.INVENTORY, Status.NO_TAG)
            return
        groups = [heard[start : start + size] for start in range(0, len(heard), size)]
        if layout is Layout.NEWER:
            groups.append(())
        for group in groups:
            data = encode_records((_record(tag) for tag in group), layout, antenna)
            yield self._reply(Command.INVENTORY, status if group is groups[-1] else Status.MORE_FRAMES, data)

    def _serial_number(self, request: Request) -> tuple[float, list[Reply]]:
        """Only the newer readers tell theirs."""
        if self._setup.layout is Layout.OLDER:
            return self._illegal(request)
        return COMMAND_MS, [self._reply(request.command, Status.OK, self.number.to_bytes(4, "big"))]

    def _set_address(self, request: Request) -> tuple[float, list[Reply]]:
        """The answer still carries the old address."""
        if len(request.data) != 1 or request.data[0] == ANY_READER:
            return COMMAND_MS, [self._reply(request.command, Status.PARAMETER_ERROR)]
        done = [self._reply(request.command, Status.OK)]
        self._address = request.data[0]
        return COMMAND_MS, done

    def _set_scan_time(self, request: Request) -> tuple[float, list[Reply]]:
        if len(request.data) != 1:
            return COMMAND_MS, [self._reply(request.command, Status.LENGTH_ERROR)]
        self._scan_time = request.data[0]
        return COMMAND_MS, [self._reply(request.command, Status.OK)]

    def _set_power(self, request: Request) -> tuple[float, list[Reply]]:
        if len(request.data) != 1:
            return COMMAND_MS, [self._reply(request.command, Status.LENGTH_ERROR)]
        self._power = request.data[0]
        return COMMAND_MS, [self._reply(request.command, Status.OK)]


def _record(tag: FieldTag) -> TagRecord:
    return TagRecord(bytes.fromhex(tag.uid), 1 << (tag.antenna - 1), round(min(tag.signal, 1.0) * 0xFF))

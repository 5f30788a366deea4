"""The edge of the controller: messages of the bus become inputs of the session, or are counted and dropped.

What gets past here is well-formed, of this table, and from who may say it; the session checks nothing of that again.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

from betline.bus import Received
from betline.messages.common import Birth, Command, Presence, Reply
from betline.messages.devices import ACT_EVENTS, CameraView, ChipEvidence, LineEvent, ZoneChips
from betline.settings import ChipSet, TableSettings
from betline.topics import NAME, SEAT_LINE
from betline.units import NS_PER_MS
from table_controller.sensing.presence import ChipNote, ChipSeen, ZoneReading
from table_controller.sensing.witness import CameraSeen, LineSeen, SeatSeen
from table_controller.session.commands import AnyArgs, CommandError, Override, Setup, SitDown, parse
from table_controller.session.inputs import NO_SEAT, Input, Keyed, Present, SawLine, SawZone, SawZones
from table_controller.session.sensors import Kind

STRANGERS = 64
"""Devices of which the status came and not yet the birth; more than any table has."""
SURE_CONF = 0.8
"""From this confidence on the camera ends posting by itself."""
_KIND_OF_ROLE: Mapping[str, Kind] = {"bridge": "bridge", "vision": "camera"}


def new_person() -> str:
    """An id for a person, which says nothing about who it is."""
    return f"p-{secrets.token_hex(8)}"


def _named(args: AnyArgs) -> Collection[int]:
    """The seats to which a command brings people with names; the floor has none."""
    if isinstance(args, Setup):
        return args.names
    if isinstance(args, Override):
        return (NO_SEAT,)
    return (args.seat,) if isinstance(args, SitDown) else ()


def _named_chip(chip: ChipEvidence) -> str:
    return f"{chip.chip_type or 'a chip'} {chip.uid}"


@dataclass(slots=True)
class Edge:
    """Reads messages for one table; ``dropped`` counts what was not used, by reason."""

    table: TableSettings
    chips: ChipSet
    dropped: dict[str, int] = field(default_factory=dict)
    new_person: Callable[[], str] = new_person
    _kinds: dict[str, Kind] = field(default_factory=dict)
    _waiting: dict[str, Presence] = field(default_factory=dict)
    _values: dict[str, int] = field(default_factory=dict)
    _reader_of: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._values = {chip.key: chip.value for chip in self.chips.chips}
        for reader in self.table.readers:
            self._kinds[reader.id] = "reader"
            for antenna in reader.antennas:
                self._reader_of[antenna.zone] = reader.id
        for camera in self.table.cameras:
            self._kinds[camera.id] = "camera"

    def read(self, received: Received) -> tuple[Input, ...] | Reply:
        """The inputs that a message makes; a Reply where it is a command that cannot be read."""
        body = received.body
        match body:
            case ZoneChips():
                return self._zone(received, body)
            case LineEvent():
                return self._line(received, body)
            case CameraView():
                return self._view(received, body)
            case Command():
                return self._command(received, body)
            case Presence():
                return self._presence(received.topic.name, body)
            case Birth():
                return self._birth(received.topic.name, body)
        return self._drop("unasked")

    def _zone(self, received: Received, body: ZoneChips) -> tuple[Input, ...]:
        if received.retained:  # as old as the broker likes; a reader that lives tells again within half a second
            return ()
        if body.zone != received.topic.name or self._reader_of.get(body.zone) != body.reader:
            return self._drop("zone-of-another-reader")
        wall_ns = received.envelope.mono_ns - received.envelope.ts_ms * NS_PER_MS
        chips = tuple(self._chip(chip, wall_ns) for chip in body.chips)
        reading = ZoneReading(body.zone, received.envelope.boot_id, body.round_no, chips, body.last_byte_ns)
        return (SawZone(body.reader, reading),)

    def _chip(self, chip: ChipEvidence, wall_ns: int) -> ChipSeen:
        """One chip with its worth by the chip set in force; `wall_ns` is the bridge's monotonic clock in 1970."""
        value = self._values.get(chip.chip_type or "") if chip.state != "retired" else None
        note = None
        if chip.also_in:
            note = ChipNote("cloned-chip", _named_chip(chip))
        elif chip.state == "hot":
            note = ChipNote("hot-chip", _named_chip(chip))
        elif chip.state == "retired":
            note = ChipNote("retired-chip", _named_chip(chip))
        elif value is None and chip.chip_type is not None:
            note = ChipNote("foreign-chip", _named_chip(chip))
        from_ns = -1 if chip.from_ms is None else wall_ns + chip.from_ms * NS_PER_MS
        return ChipSeen(chip.uid, value, chip.hits, chip.rounds, chip.missed, note, chip.from_zone, from_ns)

    def _line(self, received: Received, body: LineEvent) -> tuple[Input, ...]:
        at_seat = received.topic.kind is SEAT_LINE
        if at_seat != (body.seat is not None) or (at_seat and received.topic.name != str(body.seat)):
            return self._drop("seat-unknown")
        if body.seat is not None and not self._has_seat(body.seat):
            return self._drop("seat-unknown")
        if body.kind == "cards_dealt" and body.conf < SURE_CONF:
            return self._drop("camera-unsure")
        line = LineSeen(body.kind, NO_SEAT if body.seat is None else body.seat, body.t_first_ns, body.motions)
        pictured = body.id if body.kind in ACT_EVENTS else ""
        return (SawLine(self._camera(received.envelope.sender), line, pictured),)

    def _view(self, received: Received, body: CameraView) -> tuple[Input, ...]:
        if received.retained:
            return ()
        seats = tuple(SeatSeen(one.seat, one.occupied, one.hand) for one in body.seats if self._has_seat(one.seat))
        seen = CameraSeen(seats, received.envelope.mono_ns)
        return (SawZones(self._camera(received.topic.name), seen),)

    def _command(self, received: Received, body: Command) -> tuple[Input, ...] | Reply:
        verb = received.topic.name
        if not NAME.match(body.id.lower()):
            return self._drop("id-unfit-for-a-reply")
        try:
            args = parse(verb, body.args)
        except CommandError as error:
            self._drop(error.code)
            return Reply(command_id=body.id, verb=verb, ok=False, code=error.code, sentence=str(error))
        fresh = {seat: self.new_person() for seat in _named(args)}
        return (Keyed(body.id, verb, args, body.args, received.envelope.sender, body.expires_ms, fresh),)

    def _presence(self, name: str, body: Presence) -> tuple[Input, ...]:
        kind = self._kinds.get(name)
        if kind is None:
            if len(self._waiting) < STRANGERS:
                self._waiting[name] = body
            return ()
        return (Present(self._camera(name) if kind == "camera" else name, kind, body.state, body.detail),)

    def _birth(self, name: str, body: Birth) -> tuple[Input, ...]:
        kind = _KIND_OF_ROLE.get(body.role)
        if kind is None:
            return ()
        self._kinds[name] = kind
        waiting = self._waiting.pop(name, None)
        return () if waiting is None else self._presence(name, waiting)

    def _camera(self, device: str) -> str:
        """The camera's name for people: the table has one at most, whatever its program calls itself on the bus."""
        return self.table.cameras[0].id if self.table.cameras else device

    def _has_seat(self, number: int) -> bool:
        return any(seat.number == number for seat in self.table.seats)

    def _drop(self, reason: str) -> tuple[Input, ...]:
        self.dropped[reason] = self.dropped.get(reason, 0) + 1
        return ()

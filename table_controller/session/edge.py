"""The edge of the controller: messages of the bus become inputs of the session, or are counted and dropped.

What gets past here is well-formed, of this table, from an authorised publisher, and its times are on our monotonic
clock; the session checks nothing of that again.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Final

from betline.bus import Received
from betline.bus.wire import WILL_SEQ
from betline.deck import Deck
from betline.messages.common import Command, Presence, Reply
from betline.messages.devices import ACT_EVENTS, CameraView, ChipEvidence, LineEvent, ZoneChips
from betline.messages.people import SignIn, SignInAnswer
from betline.people.record import Staff
from betline.settings import BADGE_ZONE, BOARD_ZONE, SHOW, ChipSet, StaffRules, TableSettings, is_for_cards
from betline.steps import Command as Asked
from betline.steps import CommandError, Dealer, NamePlayer, Override, Setup, SitDown, read_command
from betline.topics import NAME, SEAT_LINE, ZONE_TAGS
from table_controller.cards.seals import SALT_BYTES
from table_controller.sensing.belief import ChipNote, ChipSeen, ZoneReading
from table_controller.sensing.witness import CameraSeen, LineSeen, SeatSeen
from table_controller.session.admission import BRIDGE, PEOPLES, Admission
from table_controller.session.card_tags import CardTags
from table_controller.session.door import Door, Refused
from table_controller.session.inputs import NO_SEAT, CardsRead, Input, Keyed, Present, ReaderHeard
from table_controller.session.sensors import Kind

SURE_CONF = 0.8
"""From this confidence on the camera ends posting and deals a street by itself."""

ANOTHER_LIFE: Final = "another-life"
"""The code of a command that was meant for another life of the controller."""
LIVES_REMEMBERED = 64
"""Lives of programs of which the number of faults is remembered."""


def new_person() -> str:
    """An id for a person, which says nothing about who it is."""
    return f"p-{secrets.token_hex(8)}"


def new_salt() -> str:
    """Chance for a seal, so that nobody finds the cards under it by trying."""
    return secrets.token_hex(SALT_BYTES)


def _named(asked: Asked) -> Collection[int]:
    """The seats to which a command brings people with names; floor and dealer have none."""
    if isinstance(asked, Setup):
        return asked.names
    if isinstance(asked, Override | Dealer):
        return (NO_SEAT,)
    return (asked.seat,) if isinstance(asked, SitDown | NamePlayer) else ()


def _named_chip(chip: ChipEvidence) -> str:
    return f"{chip.chip_type or 'a chip'} {chip.uid}"


@dataclass(slots=True)
class Edge:
    """Reads messages for one table; ``dropped`` counts what was not used, by reason."""

    table: TableSettings
    chips: ChipSet
    dropped: dict[str, int] = field(default_factory=dict)
    new_person: Callable[[], str] = new_person
    new_salt: Callable[[], str] = new_salt
    blame: Callable[[str], None] = lambda _: None
    """Called with the sender of each message that was not used."""
    faults: dict[str, int] = field(default_factory=dict)
    """Faults that other programs have told of themselves, as ``bridge-fault`` and the like."""
    _faults_of: dict[tuple[str, str], int] = field(default_factory=dict)
    blamed: dict[str, str] = field(default_factory=dict)
    """Whose message was not used last, by the reason."""
    door: Door = field(init=False)
    strange_badges: tuple[str, ...] = ()
    """Tags on the badge antenna that are nobody's badge."""
    now_ns: Callable[[], int] = time.monotonic_ns
    own_life: str = ""
    """The life of this controller, as its messages have it."""
    deck: Deck = field(default_factory=dict)
    """The cards of the house by their tags."""
    _card_tags: dict[str, CardTags] = field(default_factory=dict)
    _sender: str = ""
    _kinds: dict[str, Kind] = field(default_factory=dict)
    _values: dict[str, int] = field(default_factory=dict)
    _reader_of: dict[str, str] = field(default_factory=dict)
    _newest: dict[str, tuple[str, int]] = field(default_factory=dict)
    """By topic the life and number of the newest snapshot."""
    _frames: dict[str, tuple[str, int]] = field(default_factory=dict)
    """By camera the life and number of the newest frame that a view was of."""
    _admission: Admission = field(init=False)

    def __post_init__(self) -> None:
        self._admission = Admission(self.table)
        self.door = Door(Staff(), StaffRules(), self.table.sensing)
        self._values = {chip.key: chip.value for chip in self.chips.chips}
        if self.table.readers:
            self._kinds[BRIDGE] = "bridge"
        for reader in self.table.readers:
            self._kinds[reader.id] = "reader"
            for antenna in reader.antennas:
                self._reader_of[antenna.zone] = reader.id
        for camera in self.table.cameras:
            self._kinds[camera.id] = "camera"

    def read(self, received: Received) -> tuple[Input, ...] | Reply | SignInAnswer:
        """The inputs that a message makes; a Reply to a command that cannot be read, the answer to a sign-in."""
        body = received.body
        self._sender = received.envelope.sender
        if isinstance(body, ZoneChips | CameraView | Presence) and self._is_overtaken(received):
            return self._drop("overtaken")
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
                self._note_faults(received.topic.name, received, body.faults)
                return self._presence(received.topic.name, body)
            case SignIn():
                return self._sign_in(received, body)
        return self._drop("unasked")

    def _zone(self, received: Received, body: ZoneChips) -> tuple[Input, ...]:
        if received.retained:  # as old as the broker likes; a reader that lives publishes again within half a second
            return ()
        if body.zone != received.topic.name or self._reader_of.get(body.zone) != body.reader:
            return self._drop("zone-of-another-reader")
        if is_for_cards(body.zone) != (received.topic.kind is ZONE_TAGS):
            return self._drop("zone-of-another-reader")
        if is_for_cards(body.zone):
            return self._cards(body)
        if body.zone == BADGE_ZONE:
            self.strange_badges = self.door.reads(body, self.now_ns())
            return (ReaderHeard(body.reader),)
        chips = tuple(self._chip(chip, received) for chip in body.chips)
        at_ns = received.local_ns(body.last_byte_ns)
        boot = received.envelope.boot_id
        return (ZoneReading(body.zone, boot, body.round_no, chips, at_ns, body.reader, body.partial),)

    def _cards(self, body: ZoneChips) -> tuple[Input, ...]:
        """Cards that have come to their antenna; that its reader lives is known without any."""
        tags, come = self._card_tags.get(body.zone, CardTags()).read(body, self.table.sensing)
        self._card_tags[body.zone] = tags
        if not come:
            return (ReaderHeard(body.reader),)
        seat = None if body.zone == BOARD_ZONE else int(body.zone.removeprefix(SHOW))
        cards = tuple(self.deck[uid] for uid in come if uid in self.deck)
        return (CardsRead(body.reader, seat, cards, self.new_salt(), len(come) - len(cards)),)

    def _chip(self, chip: ChipEvidence, received: Received) -> ChipSeen:
        """One chip with its worth by the chip set in force."""
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
        from_ns = -1 if chip.from_ns is None else received.local_ns(chip.from_ns)
        return ChipSeen(chip.uid, value, chip.hits, chip.rounds, chip.missed, note, chip.from_zone, from_ns, chip.quiet)

    def _line(self, received: Received, body: LineEvent) -> tuple[Input, ...]:
        at_seat = received.topic.kind is SEAT_LINE
        if at_seat != (body.seat is not None) or (at_seat and received.topic.name != str(body.seat)):
            return self._drop("seat-unknown")
        if body.seat is not None and not self._has_seat(body.seat):
            return self._drop("seat-unknown")
        if body.kind in ("cards_dealt", "board_dealt") and body.conf < SURE_CONF:
            return self._drop("camera-unsure")
        first_ns, camera = received.local_ns(body.t_first_ns), self._camera(received.envelope.sender)
        seat, pictured = NO_SEAT if body.seat is None else body.seat, body.id if body.kind in ACT_EVENTS else ""
        return (LineSeen(body.kind, seat, first_ns, body.motions, camera, pictured, body.conf, body.footprints),)

    def _view(self, received: Received, body: CameraView) -> tuple[Input, ...]:
        if received.retained:
            return ()
        frame = (received.envelope.boot_id, body.frame)
        if self._frames.get(received.topic.name) == frame:
            return ()  # nothing was looked at since: the camera grows stale, as a reader without rounds does
        self._frames[received.topic.name] = frame
        seats = tuple(SeatSeen(one.seat, one.occupied, one.hand) for one in body.seats if self._has_seat(one.seat))
        return (CameraSeen(seats, received.sent_ns, self._camera(received.topic.name)),)

    def _command(self, received: Received, body: Command) -> tuple[Input, ...] | Reply:
        verb = received.topic.name
        if not NAME.match(body.id.lower()):
            return self._drop("id-unfit-for-a-reply")
        sender = received.envelope.sender
        if not self._admission.may_command(sender):
            self._drop("not-a-console")
            sentence = f"{sender} is no console and may not ask for {verb}: key it at the console."
            return Reply(command_id=body.id, verb=verb, ok=False, code="not-a-console", sentence=sentence)
        try:
            asked = read_command(verb, body.args)
        except CommandError as error:
            self._drop(error.code)
            return Reply(command_id=body.id, verb=verb, ok=False, code=error.code, sentence=str(error))
        if body.controller and body.controller != self.own_life:
            self._drop(ANOTHER_LIFE)
            sentence = f"{verb} was asked before this controller started: look at the table, then key it again."
            return Reply(command_id=body.id, verb=verb, ok=False, code=ANOTHER_LIFE, sentence=sentence)
        life, expires_ns = received.envelope.boot_id, received.void_ns(body.expires_ms)
        if received.repeated:
            return (Keyed(body.id, asked, sender, expires_ns, {}, life=life, repeated=True),)
        author = self.door.author(sender, verb, body, self.now_ns())
        if isinstance(author, Refused):
            self._drop(author.code)
            return Reply(command_id=body.id, verb=verb, ok=False, code=author.code, sentence=author.sentence)
        fresh = {seat: self.new_person() for seat in _named(asked)}
        return (Keyed(body.id, asked, sender, expires_ns, fresh, author, self.new_salt(), life),)

    def _sign_in(self, received: Received, body: SignIn) -> tuple[Input, ...] | SignInAnswer:
        if not self._admission.may_command(received.envelope.sender):
            return self._drop("not-a-console")
        answer = self.door.signs_in(received.topic.name, body, self.now_ns())
        if not answer.ok:
            self._drop(answer.code)
        return answer

    def _note_faults(self, name: str, received: Received, faults: int) -> None:
        """Counts what a program says of its own faults: only what has come since it last said so.

        What the broker kept of a life that was never heard is no news: it was told to the controller before.
        """
        kind = name if name in PEOPLES else self._kinds.get(name, "reader")
        if kind == "reader" or not faults:
            return
        life = received.envelope.boot_id
        grown = faults - self._faults_of.get((name, life), faults if received.retained else 0)
        self._faults_of[name, life] = max(faults, self._faults_of.pop((name, life), 0))
        for oldest in list(self._faults_of)[:-LIVES_REMEMBERED]:
            del self._faults_of[oldest]
        if grown > 0:
            self.faults[f"{kind}-fault"] = self.faults.get(f"{kind}-fault", 0) + grown

    def _presence(self, name: str, body: Presence) -> tuple[Input, ...]:
        kind = self._kinds.get(name)
        if kind is None:
            return ()
        named = self._camera(name) if kind == "camera" else name
        return (Present(named, kind, body.state, body.detail, body.code),)

    def _camera(self, device: str) -> str:
        """The camera's name for people: the table has one at most, whatever its program calls itself on the bus."""
        return self.table.cameras[0].id if self.table.cameras else device

    def _is_overtaken(self, received: Received) -> bool:
        """Whether a newer snapshot came before: a later one of its sender's life, or one of the next life.

        A last will may come when the program has long been started again; it then says nothing of the new life.
        """
        boot_id, seq = received.envelope.boot_id, received.envelope.seq
        newest = self._newest.get(received.topic.path)
        if newest is not None and not received.retained:
            if seq == WILL_SEQ:
                return newest[0] != boot_id
            if newest[0] == boot_id and seq < newest[1]:
                return True
        self._newest[received.topic.path] = (boot_id, seq)
        return False

    def _has_seat(self, number: int) -> bool:
        return any(seat.number == number for seat in self.table.seats)

    def refused(self, reason: str, sender: str) -> None:
        """Counts what was not used, and whose it was."""
        self.dropped[reason] = self.dropped.get(reason, 0) + 1
        self.blamed[reason] = sender
        self.blame(sender)

    def _drop(self, reason: str) -> tuple[Input, ...]:
        self.refused(reason, self._sender)
        return ()

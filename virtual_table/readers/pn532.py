"""A virtual NXP PN532 on its serial line, with one antenna, for cards of ISO 14443A and FeliCa.

Typical of that chip: it sleeps until it is woken, has no field before SAMConfiguration, searches without end unless a
number of retries was set, acknowledges before it answers, reports two cards at most, and does not list a card again
that it has put to sleep until the field goes off.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from firmware_bridge.protocols.frame_error import FrameError
from firmware_bridge.protocols.pn532.commands import ENDLESS, MAX_RETRIES, RF_FIELD, FirmwareVersion
from firmware_bridge.protocols.pn532.decoder import SettledDecoder
from firmware_bridge.protocols.pn532.frames import Code, Command, Frame, Response, Signal
from firmware_bridge.protocols.pn532.targets import ListTargets, Modulation, Target, encode_targets
from virtual_table.readers.air import ISO14443A, AirInterface
from virtual_table.readers.behaviour import Behaviour
from virtual_table.readers.faults import Piece
from virtual_table.readers.field import FieldTag, TagsInField
from virtual_table.readers.reader import VirtualReader

ACK_MS: Final = 0.5
COMMAND_MS: Final = 1.0
"""How long the chip thinks about a command that uses no air."""
FIELD_MS: Final = 5.0
"""Until cards have power, or have lost it."""
EMPTY_TRY_MS: Final = 5.0
"""An attempt to wake a card that nothing answers."""
SEARCH_AGAIN_MS: Final = 100.0
VERSION_1_6: Final = FirmwareVersion(0x32, 1, 6, 0x07)
_WAKING_EDGE: Final = 0x55
_FELICA_DIGITS: Final = 16
_FELICA_SLOTS: Final = 4
_FELICA_SLOT_MS: Final = 1.2
_FELICA_REQUEST_MS: Final = 2.4
_PAD: Final = bytes.fromhex("01 20 22 04 27 67 4E FF 00 03")
_SENS_AND_SEL: Final = {4: (0x0004, 0x08), 7: (0x0044, 0x00), 10: (0x0084, 0x00)}


def _is_felica(uid: str) -> bool:
    """As long as an identifier of ISO 15693, but no manufacturer of FeliCa begins with E0."""
    return len(uid) == _FELICA_DIGITS and not uid.startswith("E0")


def _by_slots(uids: Sequence[str], rng: random.Random) -> tuple[float, list[str]]:
    """One poll at 212 kbit/s with four slots: cards that share a slot are not heard."""
    slots: dict[int, list[str]] = {}
    for uid in uids:
        slots.setdefault(rng.randrange(_FELICA_SLOTS), []).append(uid)
    alone = [slots[number][0] for number in sorted(slots) if len(slots[number]) == 1]
    return _FELICA_REQUEST_MS + _FELICA_SLOTS * _FELICA_SLOT_MS, alone


FELICA: Final = AirInterface(_is_felica, _by_slots, ISO14443A.detuning)


@dataclass(frozen=True, slots=True)
class Pn532Setup:
    """The properties of this chip, and of the cards on it."""

    version: FirmwareVersion = VERSION_1_6
    sleepless: frozenset[str] = frozenset()
    """Cards that do not go to sleep when they are told to, as some copies of Mifare cards do not."""


class VirtualPn532Reader(VirtualReader):
    """One chip with its antenna."""

    airs: ClassVar[Sequence[AirInterface]] = (ISO14443A, FELICA)

    def __init__(
        self,
        tags_in_field: TagsInField,
        behaviour: Behaviour | None = None,
        seed: int = 0,
        setup: Pn532Setup | None = None,
    ) -> None:
        self._setup = setup or Pn532Setup()
        self._dice = random.Random(f"{seed}:pn532")
        self._obey: dict[int, Callable[[Command], tuple[float, bytes | None]]] = {
            Code.GET_FIRMWARE_VERSION: lambda _: (COMMAND_MS, self._setup.version.to_response().data),
            Code.SAM_CONFIGURATION: self._configure_sam,
            Code.RF_CONFIGURATION: self._configure_rf,
            Code.IN_DESELECT: self._deselect,
        }
        super().__init__(tags_in_field, behaviour, seed)

    def power_on(self, now_ms: float) -> None:
        """Asleep, no field, searches without end."""
        self._decoder = SettledDecoder(echo=Response)
        self._is_awake = self._has_sam = False
        self._retries = ENDLESS
        self._last_response = b""
        self._awake: list[FieldTag] = []
        self._selected: list[FieldTag] = []
        self._known: frozenset[tuple[str, int]] = frozenset()
        self._search: ListTargets | None = None
        self._search_again_ms = 0.0
        self._busy_until_ms = now_ms

    def answer(self, data: bytes, now_ms: float) -> list[Piece]:
        """ACK and response for each command; a damaged one gets nothing."""
        if not self._is_awake:
            if _WAKING_EDGE not in data:
                return []
            self._is_awake = True
        pieces: list[Piece] = []
        for frame in self._decoder.feed(data, now_ms):
            self._search = None
            self._busy_until_ms = max(self._busy_until_ms, now_ms)
            pieces += [(at_ms - now_ms, raw) for at_ms, raw in self._answer(frame)]
        return pieces

    @property
    def due_ms(self) -> float | None:
        """The next try of a search without end."""
        return None if self._search is None else self._search_again_ms

    def push(self, now_ms: float) -> list[Piece]:
        """Search once more; the response, if a card has come."""
        search = self._search
        if search is None:
            return []
        self._search_again_ms = now_ms + SEARCH_AGAIN_MS
        took_ms, targets = self._try(search)
        if not targets:
            return []
        self._search = None
        return [(took_ms, self._respond(Code.IN_LIST_PASSIVE_TARGET, encode_targets(targets)))]

    def _answer(self, frame: Frame) -> list[Piece]:
        if frame is Signal.NACK:
            return [(self._after(COMMAND_MS), self._last_response)] if self._last_response else []
        if not isinstance(frame, Command):
            return []
        acknowledged = (self._after(ACK_MS), Signal.ACK.to_bytes())
        if frame.code == Code.IN_LIST_PASSIVE_TARGET:
            return [acknowledged, *self._list(frame)]
        obey = self._obey.get(frame.code)
        took_ms, data = (COMMAND_MS, None) if obey is None else obey(frame)
        if data is None:
            return [acknowledged, (self._after(took_ms), Signal.ERROR.to_bytes())]
        return [acknowledged, (self._after(took_ms), self._respond(frame.code, data))]

    def _after(self, took_ms: float) -> float:
        self._busy_until_ms += took_ms
        return self._busy_until_ms

    def _respond(self, code: int, data: bytes) -> bytes:
        self._last_response = Response(code, data).to_bytes()
        return self._last_response

    def _configure_sam(self, command: Command) -> tuple[float, bytes | None]:
        if not command.data:
            return COMMAND_MS, None
        self._has_sam = True
        return COMMAND_MS, b""

    def _configure_rf(self, command: Command) -> tuple[float, bytes | None]:
        item, values = command.data[:1], command.data[1:]
        if item == bytes((RF_FIELD,)) and len(values) == 1:
            if not values[0] & 1:
                self._lose_power()
            return FIELD_MS, b""
        if item == bytes((MAX_RETRIES,)) and len(values) == 3:
            self._retries = values[2]
            return COMMAND_MS, b""
        return COMMAND_MS, None

    def _deselect(self, command: Command) -> tuple[float, bytes | None]:
        if len(command.data) != 1:
            return COMMAND_MS, None
        self._awake += [tag for tag in self._selected if tag.uid in self._setup.sleepless]
        self._selected = []
        return COMMAND_MS, b"\x00"

    def _lose_power(self) -> None:
        self._awake, self._selected, self._known = [], [], frozenset()

    def _list(self, command: Command) -> list[Piece]:
        try:
            search = ListTargets.from_command(command)
        except FrameError:
            return [(self._after(COMMAND_MS), Signal.ERROR.to_bytes())]
        took_ms, targets = self._try(search)
        at_ms = self._after(COMMAND_MS + took_ms)
        if not targets and self._retries == ENDLESS:
            self._search, self._search_again_ms = search, at_ms + SEARCH_AGAIN_MS
            return []
        return [(at_ms, self._respond(command.code, encode_targets(targets)))]

    def _try(self, search: ListTargets) -> tuple[float, list[Target]]:
        """One search with its retries: how long it took, and the targets."""
        tries = 1 if self._retries == ENDLESS else self._retries + 1
        felica = self._look()
        if search.modulation is Modulation.A_106:
            chosen, took_ms = self._choose_awake(search.most, tries)
        elif search.modulation is Modulation.B_106:
            chosen, took_ms = [], 0.0
        else:
            for _ in range(1, tries):
                felica = felica or self._look()
            chosen = felica[: search.most]
            took_ms = _FELICA_REQUEST_MS + _FELICA_SLOTS * _FELICA_SLOT_MS
        if len(chosen) < search.most:
            took_ms += EMPTY_TRY_MS * tries
        return took_ms * self.behaviour.air_factor, [_target(tag, search.modulation) for tag in chosen]

    def _choose_awake(self, most: int, tries: int) -> tuple[list[FieldTag], float]:
        """A card that is still selected drops out at the first try, and answers only at the next."""
        fallen, self._selected = self._selected, []
        if tries > 1:
            self._awake += fallen
        self._awake.sort()
        chosen, self._awake = self._awake[:most], self._awake[most:]
        if tries == 1:
            self._awake += fallen
        self._selected = chosen
        return chosen, ISO14443A.tell_apart([tag.uid for tag in chosen], self._dice)[0]

    def _look(self) -> list[FieldTag]:
        """Cards that got power wake up, or are missed until they lose it; returns the FeliCa cards that answer this
        time.
        """
        if not self._has_sam:
            return []
        sweep = self.antennas.sweep((1,), {one for one in self._known if not _is_felica(one[0])})
        self._awake = [tag for tag in self._awake if (tag.uid, 1) in sweep.present]
        self._selected = [tag for tag in self._selected if (tag.uid, 1) in sweep.present]
        self._awake += [tag for tag in sweep.heard if not _is_felica(tag.uid)]
        self._known = sweep.present
        return [tag for tag in sweep.heard if _is_felica(tag.uid)]


def _target(tag: FieldTag, modulation: Modulation) -> Target:
    uid = bytes.fromhex(tag.uid)
    if modulation is not Modulation.A_106:
        return Target(modulation, uid, rest=_PAD)
    sens_res, sel_res = _SENS_AND_SEL[len(uid)]
    return Target(modulation, uid, sens_res, sel_res)

"""The firmware's ISO 15693 inventory of a simulated field, in Python: `bl_iso15693.c` over `sim_radio.c`.

Its times equal theirs to the microsecond.

16 slots, masks that grow by four bits where answers collide, Stay Quiet for each tag that was read, and passes from the
empty mask until one hears nothing new.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from virtual_table.readers.betline_core import Listener

SLOTS: Final = 16
LAST_LEVEL: Final = 15
MAX_PASSES: Final = 12
MAX_ROUNDS: Final = 600
MAX_MS: Final = 9000
_BYTE_US: Final = 302
_FRAME_US: Final = 113
_T1_US: Final = 321
_REPLY_US: Final = 4600
_EMPTY_US: Final = 510
_SETTLE_US: Final = 10_000
_STAY_QUIET_US: Final = _FRAME_US + _BYTE_US * 12 + _T1_US
_MS_MASK: Final = 0xFFFF_FFFF


@dataclass(slots=True)
class Stats:
    """Counters of one inventory."""

    rounds: int = 0
    collisions: int = 0
    errors: int = 0
    overflow: bool = False
    unsettled: bool = False


class Air:
    """The simulated radio: tags that answer unless quietened, and a clock that advances by air time."""

    def __init__(self, listener: Listener, permille: int, now_us: int) -> None:
        self.clock_us = now_us
        self._listener = listener
        self._permille = permille
        self._field_on = False
        self._ready: dict[int, int] = {}
        self._disturbed = False

    @property
    def now_ms(self) -> int:
        """The clock as the firmware sees it; it wraps after 49 days."""
        return self.clock_us // 1000 & _MS_MASK

    def field(self, *, on: bool) -> None:
        """Switch the field; tags are ready when it has settled."""
        if on and not self._field_on:
            self.clock_us += _SETTLE_US
        self._field_on = on

    def select(self, antenna: int) -> None:
        """Switch to an antenna, with the field off."""
        answering = self._listener(antenna)
        self._field_on = False
        self._ready = dict(answering.tags)
        self._disturbed = answering.disturbed

    def round(self, level: int, prefix: Sequence[int]) -> dict[int, list[tuple[int, int]]] | None:
        """The answers by slot to a request with a mask of `level` nibbles; None for noise in every slot."""
        mask = (1 << 4 * level) - 1
        value = sum(nibble << 4 * place for place, nibble in enumerate(prefix[:level]))
        slots: dict[int, list[tuple[int, int]]] = {}
        for uid, rssi in self._ready.items():
            if uid & mask == value:
                slots.setdefault(uid >> 4 * level & 0xF, []).append((uid, rssi))
        for slot in range(SLOTS):
            request_us = _FRAME_US + _BYTE_US * (5 + (level + 1) // 2) if slot == 0 else 0
            self._spend(request_us + (_REPLY_US if slot in slots else _EMPTY_US))
        return None if self._disturbed else slots

    def stay_quiet(self, uid: int) -> None:
        """Quieten a tag until the field goes off."""
        self._spend(_STAY_QUIET_US)
        del self._ready[uid]

    def _spend(self, took_us: int) -> None:
        self.clock_us += took_us * self._permille // 1000


class Inventory:
    """An inventory in progress, one round of slots a step."""

    def __init__(self, air: Air, capacity: int) -> None:
        self.tags: list[tuple[int, int]] = []
        self.stats = Stats()
        self._air = air
        self._capacity = capacity
        self._began_ms = air.now_ms
        self._pending = [0] * SLOTS
        self._prefix = [0] * SLOTS
        self._level = 0
        self._passes = 0
        self._pass_was_quiet = True
        self._done = False
        air.field(on=False)
        air.field(on=True)

    def step(self) -> bool:
        """One round and its Stay Quiets; True while there is more to do."""
        slots = self._air.round(self._level, self._prefix)
        self.stats.rounds += 1
        if slots is None:
            self.stats.errors += SLOTS
            self._finish(settled=False)
            return False
        self._advance(self._hear(slots))
        if self._done:
            return False
        elapsed_ms = self._air.now_ms - self._began_ms & _MS_MASK
        if self.stats.rounds >= MAX_ROUNDS or elapsed_ms >= MAX_MS:
            self.stats.overflow = True
        if self.stats.overflow:
            self._finish(settled=False)
        return not self._done

    def _hear(self, slots: dict[int, list[tuple[int, int]]]) -> int:
        """Take the answers of a round; returns the nibbles that need a longer mask, one bit each."""
        again = 0
        heard: list[int] = []
        for slot in sorted(slots):
            here = slots[slot]
            if len(here) == 1:
                heard.append(here[0][0])
                self._keep(here[0])
            else:
                self.stats.collisions += 1
                self._pass_was_quiet = False
                again |= 1 << slot
        for uid in heard:
            self._air.stay_quiet(uid)
        return again

    def _keep(self, tag: tuple[int, int]) -> None:
        self._pass_was_quiet = False
        if len(self.tags) == self._capacity:
            self.stats.overflow = True
        else:
            self.tags.append(tag)

    def _advance(self, again: int) -> None:
        """Choose the next mask: the deepest nibble still to be asked, or the empty mask of a new pass."""
        self._pending[self._level] = again if self._level < LAST_LEVEL else 0
        while not self._pending[self._level]:
            if self._level:
                self._level -= 1
                continue
            self._passes += 1
            if self._pass_was_quiet:
                self._finish(settled=True)
            elif self._passes == MAX_PASSES:
                self._finish(settled=False)
            self._pass_was_quiet = True
            return
        rest = self._pending[self._level]
        nibble = (rest & -rest).bit_length() - 1
        self._pending[self._level] = rest & rest - 1
        self._prefix[self._level] = nibble
        self._level += 1

    def _finish(self, *, settled: bool) -> None:
        self._done = True
        self.stats.unsettled = not settled

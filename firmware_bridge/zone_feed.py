"""Which rounds of a zone are worth a snapshot on the bus: those that changed the evidence, and one now and then.

Where an act is awaited each round that heard a chip is: that nothing has changed since the hand left is what the act
waits for. Pure. A snapshot follows from a complete round only. Where the next round is long in coming (a reader that
switches antennas, a full tray) the last one is published again with the chips' greater age and the same round number.
A reader that has fallen silent says nothing, least of all an empty zone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from betline.messages.devices import ChipEvidence, ZoneChips
from betline.messages.table import Alert
from betline.units import NS_PER_MS
from firmware_bridge.chips.keeper import NO_NEWS, ChipKeeper
from firmware_bridge.chips.record import UID
from firmware_bridge.chips.register import ChipRegister
from firmware_bridge.effects import RoundOver
from firmware_bridge.evidence import Heard, ZoneEvidence

HEARTBEAT_NS: Final = 250 * NS_PER_MS
"""Age of the last snapshot from which the next round is published in any case."""
MAX_NS: Final = 400 * NS_PER_MS
"""Age of the last snapshot from which it is published again without a round; looked at every 100 ms, so 500 ms."""


@dataclass(slots=True)
class ZoneFeed:
    """The evidence of one zone and what was published of it. One driver thread owns it."""

    zone: str
    reader: str
    register: ChipRegister
    evidence: ZoneEvidence
    chips: ChipKeeper | None = None
    """Who keeps where the chips lie; None: nobody does."""
    alert: Callable[[Alert], None] = lambda _: None
    """Who gets the alerts of the chips that lie there."""
    unpublishable: int = 0
    """Tags with an identifier that the bus does not carry: their number since the start."""
    unknown: frozenset[str] = frozenset()
    """UIDs that lie in the zone and are not in the register."""
    _told: tuple[bool, frozenset[tuple[str, int, int, int, int]]] | None = field(default=None, repr=False)
    _told_ns: int = field(default=0, repr=False)
    _newest: RoundOver | None = field(default=None, repr=False)

    def after(self, over: RoundOver, *, attended: bool = False) -> ZoneChips | None:
        """Take a complete round; the snapshot to publish, or None if it says nothing new. In an `attended` zone a round
        that heard a chip always does.

        Strength alone is nothing new: it jitters with each answer, and the next snapshot carries it.
        """
        fit = [tag for tag in over.tags if UID.match(tag.uid)]
        self.unpublishable += len(over.tags) - len(fit)
        now_ns = over.last_byte_ns
        self.evidence = self.evidence.after(fit, now_ns, over.quiet)
        self._newest = over
        heard = self.evidence.heard()
        for alert in () if self.chips is None else self.chips.after(self.zone, heard, now_ns):
            self.alert(alert)
        news = over.is_partial, frozenset((one.uid, one.hits, one.rounds, one.missed, one.quiet) for one in heard)
        awaited = attended and bool(heard)
        if news == self._told and now_ns - self._told_ns < HEARTBEAT_NS and not awaited:
            return None
        self._told = news
        self.unknown = frozenset(one.uid for one in heard if self.register.chip_type(one.uid) is None)
        return self._snapshot(over, heard, now_ns)

    def again(self, now_ns: int, *, asked: bool = False) -> ZoneChips | None:
        """The last snapshot once more, if `now_ns` is so long after it or somebody asks for it; call it only while the
        reader is well.
        """
        if self._newest is None or (not asked and now_ns - self._told_ns < MAX_NS):
            return None
        return self._snapshot(self._newest, self.evidence.heard(), now_ns)

    def _snapshot(self, over: RoundOver, heard: tuple[Heard, ...], now_ns: int) -> ZoneChips:
        self._told_ns = now_ns
        return ZoneChips(
            zone=self.zone,
            reader=self.reader,
            round_no=self.evidence.round_no,
            chips=tuple(self._chip(one, now_ns) for one in heard),
            last_byte_ns=over.last_byte_ns,
            rf_warning=bool(over.warnings),
            partial=over.is_partial,
        )

    def _chip(self, one: Heard, now_ns: int) -> ChipEvidence:
        chip = self.register.chip(one.uid)
        news = NO_NEWS if self.chips is None else self.chips.news(one.uid, self.zone)
        return ChipEvidence(
            uid=one.uid,
            chip_type=None if chip is None else chip.chip_type,
            state="active" if chip is None else chip.state.value,
            also_in=news.also_in,
            from_zone=news.from_zone,
            from_ns=news.from_ns,
            hits=one.hits,
            rounds=one.rounds,
            missed=one.missed,
            quiet=one.quiet,
            rssi=one.rssi,
            age_ms=max(0, round((now_ns - one.last_ns) / NS_PER_MS)),
        )

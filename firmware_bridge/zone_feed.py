"""Which rounds of a zone are worth a snapshot on the bus: those that changed the evidence, and one now and then.

Pure. A snapshot follows from a complete round only: a reader that falls silent publishes nothing, least of all an
empty zone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from betline.messages import ChipEvidence, ZoneChips
from firmware_bridge.evidence import Heard, ZoneEvidence
from firmware_bridge.link import NS_A_MS, RoundOver
from firmware_bridge.register import ChipRegister

HEARTBEAT_MS: Final = 250.0
"""Age of the last snapshot from which the next round is published in any case; with the slowest pace of a zone
(480 ms) and its round still one every 500 ms."""
_PUBLISHABLE: Final = re.compile(r"^[0-9A-F]{8,24}$")


@dataclass(slots=True)
class ZoneFeed:
    """The evidence of one zone and what was told of it. One driver thread owns it."""

    zone: str
    reader: str
    register: ChipRegister
    evidence: ZoneEvidence
    unpublishable: int = 0
    """Tags with an identifier that the bus does not carry: their number since the start."""
    unknown: frozenset[str] = frozenset()
    """UIDs that lie in the zone and are not in the register."""
    _told: tuple[Heard, ...] | None = field(default=None, repr=False)
    _told_ms: float = field(default=0.0, repr=False)

    def after(self, over: RoundOver) -> ZoneChips | None:
        """Take a complete round; the snapshot to publish, or None if it says nothing new."""
        fit = [tag for tag in over.tags if _PUBLISHABLE.match(tag.uid)]
        self.unpublishable += len(over.tags) - len(fit)
        self.evidence = self.evidence.after(fit)
        heard = self.evidence.heard()
        now_ms = over.last_byte_ns / NS_A_MS
        if heard == self._told and now_ms - self._told_ms < HEARTBEAT_MS:
            return None
        self._told, self._told_ms = heard, now_ms
        self.unknown = frozenset(one.uid for one in heard if self.register.chip_type(one.uid) is None)
        return ZoneChips(
            zone=self.zone,
            reader=self.reader,
            round_no=self.evidence.round_no,
            chips=tuple(self._chip(one) for one in heard),
            last_byte_ns=over.last_byte_ns,
            rf_warning=bool(over.warnings),
        )

    def _chip(self, one: Heard) -> ChipEvidence:
        return ChipEvidence(
            uid=one.uid,
            chip_type=self.register.chip_type(one.uid),
            hits=one.hits,
            rounds=one.rounds,
            missed=one.missed,
            rssi=one.rssi,
        )

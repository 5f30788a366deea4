"""How long the zones of one reader wait between two rounds, by the bridge's own schedule. Pure.

A reader that goes round many antennas reads one after the other, and the seat to act in between. A zone that waits for
longer than the table's `stale_ms` is called silent although nothing is wrong with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from betline.settings import Reader, TableSettings, is_for_chips
from firmware_bridge.schedule import Channel, Need, Pace, next_poll

EMPTY_MS: Final = 28.0
"""A round that hears no chip; this and the following as measured (docs/benchmarks.md, readers)."""
CHIP_MS: Final[Mapping[str, float]] = MappingProxyType(
    {"feig": 10.1, "pn532": 16.8, "bb": 14.6, "m6e": 22.5, "chafon": 5.3, "betline": 12.4}
)
"""What each chip adds, by family."""
BET_CHIPS: Final = 8
USUAL_CHIPS: Final[Mapping[str, int]] = MappingProxyType({"seat": BET_CHIPS, "stack": 40, "pot": 40, "tray": 100})
"""Chips of a busy hand by the kind of zone; cards and badges are a few tags."""
FEW_TAGS: Final = 2
MOST_CHIPS: Final = 300
"""The most chips that are ever pushed over one antenna."""
_PLAYED_MS: Final = 20_000.0


def channels_of(reader: Reader) -> tuple[Channel, ...]:
    """The zones of a reader; one that serves its first output only is asked without antenna selection."""
    selects = len(reader.antennas) > 1 or reader.antennas[0].antenna > 1
    return tuple(
        Channel(
            served.zone,
            served.antenna if selects else None,
            Need.SEAT if served.zone.startswith("seat-") else Need.SLOW,
        )
        for served in reader.antennas
    )


def too_long(table: TableSettings) -> Iterator[tuple[str, dict[str, float]]]:
    """Readers with zones that wait for longer than `stale_ms`, and how many ms those wait in a busy hand."""
    for reader in table.readers:
        if not any(is_for_chips(served.zone) for served in reader.antennas):
            continue
        channels = channels_of(reader)
        round_ms = {one.zone: round_ms_of(reader.protocol, one.zone) for one in channels}
        waits = longest_waits_ms(channels, round_ms)
        late = {zone: ms for zone, ms in waits.items() if ms > table.sensing.stale_ms}
        if late:
            yield reader.id, late


def round_ms_of(family: str, zone: str) -> float:
    """How long a reader of a family takes over one round of a zone, with the usual chips in it."""
    return EMPTY_MS + CHIP_MS[family] * USUAL_CHIPS.get(zone.partition("-")[0], FEW_TAGS)


def bearable_ms(family: str, usual_ms: float, *, grows: bool) -> float:
    """How long silence of a reader means nothing, where its last round took `usual_ms`.

    Where a zone `grows`, a pile may be on its way, and then the next round takes as long as one of the most chips.
    """
    return max(usual_ms, EMPTY_MS + CHIP_MS[family] * MOST_CHIPS) if grows else usual_ms


def longest_waits_ms(
    channels: Sequence[Channel], round_ms: Mapping[str, float], pace: Pace | None = None
) -> dict[str, float]:
    """By zone the longest time from the end of one round to the end of its next, in milliseconds.

    The first seat is to act: its chips lie still, or they move.
    """
    nobody = frozenset[str]()
    acting = next((frozenset({one.zone}) for one in channels if one.need is Need.SEAT), nobody)
    longest = dict.fromkeys((one.zone for one in channels), 0.0)
    for urgent in {nobody, acting}:
        for zone, waited_ms in _played(channels, round_ms, pace or Pace(), acting, urgent):
            longest[zone] = max(longest[zone], waited_ms)
    return longest


def _played(
    channels: Sequence[Channel],
    round_ms: Mapping[str, float],
    pace: Pace,
    acting: frozenset[str],
    urgent: frozenset[str],
) -> Iterator[tuple[str, float]]:
    """Each round of a while: its zone, and the time since the zone's last round ended."""
    begun_ms: dict[Channel, float] = {}
    ended_ms: dict[str, float] = {}
    now_ms = 0.0
    while now_ms < _PLAYED_MS:
        poll = next_poll(channels, begun_ms, acting, now_ms, pace, urgent)
        begun_ms[poll.channel] = max(now_ms, poll.at_ms)
        zone, now_ms = poll.channel.zone, begun_ms[poll.channel] + round_ms[poll.channel.zone]
        if zone in ended_ms:
            yield zone, now_ms - ended_ms[zone]
        ended_ms[zone] = now_ms

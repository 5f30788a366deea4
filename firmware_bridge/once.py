"""One inventory of one reader, for `betline bridge once`: the driver that the service uses, until its first round."""

from __future__ import annotations

import queue
import time
from dataclasses import dataclass
from typing import Final

from betline.units import NS_PER_S
from firmware_bridge.driver import ReaderDriver
from firmware_bridge.effects import LinkHealth, RoundOver
from firmware_bridge.evidence import stronger
from firmware_bridge.link import ReaderLink
from firmware_bridge.ports import locate
from firmware_bridge.protocols.family import Family, LineSettings, TagRead
from firmware_bridge.schedule import Channel
from firmware_bridge.serial_line import NO_PORT

SILENCE_S: Final = 4.0
MAX_S: Final = 30.0
REFUSED_S: Final = 2.0
"""A reader that still refuses after this long will go on doing so."""
_POLL_S: Final = 0.02


class OnceError(Exception):
    """There was no inventory; the text says why and what to do."""


@dataclass(frozen=True, slots=True)
class OnceResult:
    """What one inventory found; the tags by UID, each once, with the antenna that hears it best."""

    tags: tuple[TagRead, ...]
    cycle_ms: float
    health: LinkHealth
    parity_refused: bool


def read_once(url: str, family: Family, settings: LineSettings, antenna: int | None = None) -> OnceResult:
    """Read the reader at `url`. Raises OnceError: no port, silence for `SILENCE_S`, or nothing but refusals."""
    rounds: queue.Queue[RoundOver] = queue.Queue()
    link = ReaderLink(family, [Channel("once", antenna)])
    driver = ReaderDriver("once", lambda: locate(url), settings, link, rounds.put)
    driver.start()
    try:
        over = _first_round(rounds, driver, url)
    finally:
        driver.stop()
    status = driver.status
    return OnceResult(_best_of_each(over.tags), over.cycle_ms, status.health, status.parity_refused)


def _first_round(rounds: queue.Queue[RoundOver], driver: ReaderDriver, url: str) -> RoundOver:
    began_ns = time.monotonic_ns()
    while True:
        try:
            return rounds.get(timeout=_POLL_S)
        except queue.Empty:
            status, now_ns = driver.status, time.monotonic_ns()
        refused = status.health.refusals > 0 and now_ns - began_ns > REFUSED_S * NS_PER_S
        if status.trouble is not None and (status.trouble.code in NO_PORT or refused):
            raise OnceError(status.trouble.sentence)
        if now_ns - (status.heard_ns or began_ns) > SILENCE_S * NS_PER_S:
            noise = status.health.dropped_bytes
            what = f"only noise came ({noise} bytes): check the baud rate and parity" if noise else "it said nothing"
            raise OnceError(f"no answer from {url} for {SILENCE_S:.0f} s, {what}; check the reader's supply and cable")
        if now_ns - began_ns > MAX_S * NS_PER_S:
            raise OnceError(f"no complete inventory from {url} in {MAX_S:.0f} s; the line is bad, check the cable")


def _best_of_each(tags: tuple[TagRead, ...]) -> tuple[TagRead, ...]:
    best: dict[str, TagRead] = {}
    for tag in tags:
        known = best.get(tag.uid)
        if known is None or (tag.rssi != known.rssi and stronger(known.rssi, tag.rssi) == tag.rssi):
            best[tag.uid] = tag
    return tuple(best[uid] for uid in sorted(best))

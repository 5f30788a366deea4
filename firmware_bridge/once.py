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
from firmware_bridge.ports import locate, probe
from firmware_bridge.protocols.doubt import Doubt
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


class SilenceError(OnceError):
    """Nothing came that the family understands."""


@dataclass(frozen=True, slots=True)
class OnceResult:
    """What one inventory found; the tags by UID, each once, with the antenna that hears it best."""

    tags: tuple[TagRead, ...]
    cycle_ms: float
    health: LinkHealth
    parity_refused: bool
    doubts: tuple[Doubt, ...] = ()
    """What the reader said of it; where `doubt.is_partial` of these, tags may be missing."""


def read_once(
    url: str, family: Family, settings: LineSettings, antenna: int | None = None, antennas: int = 1
) -> OnceResult:
    """Read the reader at `url`: its first output, the one of `antenna`, or so many `antennas` in turn.

    Raises OnceError: no port, silence for `SILENCE_S` (with the family that answers there, if one does), or refusals.
    """
    rounds: queue.Queue[RoundOver] = queue.Queue()
    outputs = [antenna] if antennas == 1 else list(range(1, antennas + 1))
    link = ReaderLink(family, [Channel(f"once-{number}", output) for number, output in enumerate(outputs)])
    driver = ReaderDriver("once", lambda: locate(url), settings, link, rounds.put)
    driver.start()
    try:
        overs = _all_rounds(rounds, driver, url, len(outputs))
    except SilenceError as error:
        driver.stop()
        raise OnceError(who_answers(url, family, str(error))) from None
    finally:
        driver.stop()
    status = driver.status
    tags = tuple(tag for over in overs for tag in over.tags)
    doubts = tuple(dict.fromkeys(doubt for over in overs for doubt in over.warnings))
    cycle_ms = sum(over.cycle_ms for over in overs)
    return OnceResult(_best_of_each(tags), cycle_ms, status.health, status.parity_refused, doubts)


def who_answers(url: str, family: Family, silence: str) -> str:
    """Why nothing came: most often another family sits there, and at its usual rate."""
    answer = probe(locate(url), all_rates=False)
    if answer.family is None or answer.family == family.traits.name:
        return silence
    return (
        f"no {family.traits.title} answers at {url}, but another reader does: {answer.sentence}; "
        f"say --protocol {answer.family}"
    )


def _all_rounds(rounds: queue.Queue[RoundOver], driver: ReaderDriver, url: str, count: int) -> list[RoundOver]:
    """The first round of each output."""
    overs: dict[str, RoundOver] = {}
    while len(overs) < count:
        over = _first_round(rounds, driver, url)
        overs.setdefault(over.channel.zone, over)
    return list(overs.values())


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
            raise SilenceError(
                f"no answer from {url} for {SILENCE_S:.0f} s, {what}; check the reader's supply and cable"
            )
        if now_ns - began_ns > MAX_S * NS_PER_S:
            raise OnceError(f"no complete inventory from {url} in {MAX_S:.0f} s; the line is bad, check the cable")


def _best_of_each(tags: tuple[TagRead, ...]) -> tuple[TagRead, ...]:
    best: dict[str, TagRead] = {}
    for tag in tags:
        known = best.get(tag.uid)
        if known is None or (tag.rssi != known.rssi and stronger(known.rssi, tag.rssi) == tag.rssi):
            best[tag.uid] = tag
    return tuple(best[uid] for uid in sorted(best))

"""The readers: does each answer, which chips lie on which antenna, and how well they are read."""

from __future__ import annotations

import queue
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from betline.doctor.answer import Answer, Visit, fault, ok, skipped, warning
from betline.settings import Reader
from betline.units import NS_PER_S
from firmware_bridge.chips.register import RegisterError, load_register, usual_register
from firmware_bridge.driver import ReaderDriver
from firmware_bridge.effects import LinkHealth, RoundOver
from firmware_bridge.link import ReaderLink
from firmware_bridge.ports import locate
from firmware_bridge.protocols.catalogue import configured
from firmware_bridge.protocols.family import Family, LineSettings
from firmware_bridge.protocols.settings import SettingError
from firmware_bridge.schedule import Channel
from firmware_bridge.serial_line import NO_PORT

ROUNDS: Final = 12
"""So many rounds are read of each antenna."""
_MOST_S: Final = 12.0
_SILENCE_S: Final = 4.0
_POLL_S: Final = 0.05
_WEAK, _UNBELIEVED = 0.15, 0.25
"""Shares of missed reads at which sensing calls an antenna weak, and no longer believes it (docs/sensing.md)."""
_PN532_TAGS: Final = 2


@dataclass(slots=True)
class _Heard:
    """What the rounds of one reader gave, by zone."""

    rounds: Counter[str] = field(default_factory=Counter)
    hits: dict[str, Counter[str]] = field(default_factory=dict)

    def add(self, over: RoundOver) -> None:
        zone = over.channel.zone
        self.rounds[zone] += 1
        self.hits.setdefault(zone, Counter()).update(tag.uid for tag in over.tags)


def examine(visit: Visit) -> Iterator[Answer]:
    """The chip register, then each reader in turn: neighbours' fields would disturb one another."""
    if not visit.table.readers:
        yield skipped("readers", "the table file names none: camera and keys only")
        return
    yield _register(visit.register or usual_register())
    for reader in visit.table.readers:
        yield from _reader(reader, visit)


def _register(path: Path) -> Answer:
    if not path.exists():
        return warning("chip register", f"there is none at {path}", "Enrol your chips: betline chips enrol --help.")
    try:
        return ok("chip register", f"{len(load_register(path))} chips")
    except RegisterError as error:
        return fault("chip register", str(error), "Restore the file from a backup, or enrol the chips anew.")


def _reader(reader: Reader, visit: Visit) -> Iterator[Answer]:
    try:
        wire = configured(reader.protocol, reader.settings)
    except SettingError as error:
        yield fault(
            reader.id, f"{error}.", "Correct its settings in the table file: commissioning-readers.md lists them."
        )
        return
    heard, health, why = _listen(reader, wire, visit)
    if why:
        state, _, sentence = why.partition(":")
        if state == "busy":
            yield skipped(reader.id, f"another program has its port: {sentence.strip()}")
        else:
            yield fault(
                reader.id, sentence.strip(), "betline bridge ports shows what is plugged in, and which family answers."
            )
        return
    yield _line(reader, health, heard)
    for antenna in reader.antennas:
        yield _antenna(f"{reader.id} / {antenna.antenna}", antenna.zone, heard)


def _listen(reader: Reader, wire: Family, visit: Visit) -> tuple[_Heard, LinkHealth, str]:
    """Reads every antenna `ROUNDS` times; the last is empty or says why nothing came, after a word for its kind."""
    alone = len(reader.antennas) == 1 and wire.traits.antennas == 1
    channels = [Channel(antenna.zone, None if alone else antenna.antenna) for antenna in reader.antennas]
    rounds: queue.Queue[RoundOver] = queue.Queue()
    line = LineSettings(reader.baud, wire.traits.line.parity)
    driver = ReaderDriver(
        reader.id, lambda: locate(reader.port, visit.by_id), line, ReaderLink(wire, channels), rounds.put
    )
    heard, began_ns = _Heard(), time.monotonic_ns()
    driver.start()
    try:
        while len(heard.rounds) < len(channels) or min(heard.rounds.values()) < ROUNDS:
            with suppress(queue.Empty):
                heard.add(rounds.get(timeout=_POLL_S))
            status, now_ns = driver.status, time.monotonic_ns()
            if status.trouble is not None and status.trouble.code in NO_PORT:
                return heard, status.health, f"{status.trouble.code}: {status.trouble.sentence}"
            if now_ns - (status.heard_ns or began_ns) > _SILENCE_S * NS_PER_S:
                return (
                    heard,
                    status.health,
                    f"silent: no answer in {_SILENCE_S:.0f} s; check its supply, cable and family",
                )
            if now_ns - began_ns > _MOST_S * NS_PER_S:
                break
    finally:
        driver.stop()
    return heard, driver.status.health, "" if heard.rounds else "slow: it answered, but gave no complete inventory"


def _line(reader: Reader, health: LinkHealth, heard: _Heard) -> Answer:
    rounds = sum(heard.rounds.values())
    troubles = {
        "bytes of noise": health.dropped_bytes,
        "damaged answers": health.crc_errors,
        "timeouts": health.timeouts,
        "refusals": health.refusals,
    }
    told = ", ".join(f"{count} {name}" for name, count in troubles.items() if count)
    said = f"{reader.protocol} at {reader.port}: {rounds} rounds, {health.cycle_ms:.0f} ms each"
    if told:
        return warning(
            reader.id, f"{said}; {told}", "Check cable, supply and ferrites; keep it away from power cables."
        )
    return ok(reader.id, said)


def _antenna(name: str, zone: str, heard: _Heard) -> Answer:
    rounds, hits = heard.rounds[zone], heard.hits.get(zone, Counter())
    if not rounds:
        return fault(name, f"{zone}: it was never read", "Check the antenna's cable and its output in the table file.")
    lying = {uid: count for uid, count in hits.items() if count > rounds / 3}
    strays = len(hits) - len(lying)
    if not lying:
        more = f"; {strays} heard in passing, from beside" if strays else ""
        return ok(name, f"{zone}: nothing lies there{more}")
    missed = 1 - sum(lying.values()) / (rounds * len(lying))
    said = f"{zone}: {len(lying)} chips, {missed:.0%} of reads missed"
    if missed >= _UNBELIEVED:
        return fault(name, said, "It would not be believed: move the antenna nearer to the felt, away from metal.")
    if missed >= _WEAK:
        return warning(name, said, "It reads poorly: look for metal nearby, or lower stacks.")
    return ok(name, said)

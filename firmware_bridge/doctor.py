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
from firmware_bridge.chips.register import ChipRegister, RegisterError, load_register, usual_register
from firmware_bridge.driver import ReaderDriver
from firmware_bridge.effects import LinkHealth, RoundOver
from firmware_bridge.link import ReaderLink
from firmware_bridge.noise import DISTURBED, Rounds
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
_CABLE: Final = "Check cable, supply and ferrites; keep it away from power cables."
_QUIET: Final = "Something disturbs the air: switch off lamps, chargers and motors nearby, one by one, and look again."


@dataclass(slots=True)
class _Heard:
    """What the rounds of one reader gave, by zone, and what it refused."""

    zones: dict[str, Rounds] = field(default_factory=dict)
    refused: Counter[str] = field(default_factory=Counter)
    """Refused inventories by what the reader called it."""

    def add(self, over: RoundOver) -> None:
        rounds = self.zones.setdefault(over.channel.zone, Rounds())
        rounds.count += 1
        rounds.disturbed += not DISTURBED.isdisjoint(over.warnings)
        rounds.hits.update({tag.uid for tag in over.tags})
        for tag in over.tags:
            if tag.rssi is not None:
                rounds.signals.setdefault(tag.uid, []).append(tag.rssi)

    @property
    def disturbed(self) -> int:
        """Inventories that the reader refused because the air was disturbed."""
        return sum(count for code, count in self.refused.items() if code in DISTURBED)

    @property
    def fewest(self) -> int:
        """The rounds of the antenna that was read least."""
        return min((one.count for one in self.zones.values()), default=0)

    @property
    def count(self) -> int:
        """All rounds of the reader."""
        return sum(one.count for one in self.zones.values())


def examine(visit: Visit) -> Iterator[Answer]:
    """The chip register, then each reader in turn: neighbours' fields would disturb one another."""
    if not visit.table.readers:
        yield skipped("readers", "the table file names none: camera and keys only")
        return
    register, answer = _register(visit.register or usual_register())
    yield answer
    for reader in visit.table.readers:
        yield from _reader(reader, visit, register)


def _register(path: Path) -> tuple[ChipRegister, Answer]:
    nobody = ChipRegister()
    if not path.exists():
        remedy = "Enrol your chips: betline chips enrol --help."
        return nobody, warning("chip register", f"there is none at {path}", remedy)
    try:
        register = load_register(path)
    except RegisterError as error:
        remedy = "Restore the file from a backup, or enrol the chips anew."
        return nobody, fault("chip register", str(error), remedy)
    return register, ok("chip register", f"{len(register)} chips")


def _reader(reader: Reader, visit: Visit, register: ChipRegister) -> Iterator[Answer]:
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
        rounds = heard.zones.get(antenna.zone, Rounds())
        yield _antenna(f"{reader.id} / {antenna.antenna}", antenna.zone, rounds, register)


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
        refusals, refused_ns = 0, 0
        while len(heard.zones) < len(channels) or heard.fewest < ROUNDS:
            with suppress(queue.Empty):
                heard.add(rounds.get(timeout=_POLL_S))
            status, now_ns = driver.status, time.monotonic_ns()
            if status.trouble is not None and status.health.refusals > refusals:
                heard.refused[status.trouble.code] += status.health.refusals - refusals
                refusals, refused_ns = status.health.refusals, now_ns
            if status.trouble is not None and status.trouble.code in NO_PORT:
                return heard, status.health, f"{status.trouble.code}: {status.trouble.sentence}"
            silent_ns = now_ns - max(status.heard_ns or began_ns, refused_ns)
            if silent_ns > _SILENCE_S * NS_PER_S and not heard.disturbed:
                silence = f"silent: no answer in {_SILENCE_S:.0f} s; check its supply, cable and family"
                return heard, status.health, silence
            if now_ns - began_ns > _MOST_S * NS_PER_S:
                break
    finally:
        driver.stop()
    return (
        heard,
        driver.status.health,
        "" if heard.zones or heard.disturbed else "slow: it answered, but gave no complete inventory",
    )


def _line(reader: Reader, health: LinkHealth, heard: _Heard) -> Answer:
    troubles = {
        "bytes of noise": health.dropped_bytes,
        "damaged answers": health.crc_errors,
        "timeouts": health.timeouts,
    }
    disturbed, other = heard.disturbed, health.refusals - heard.disturbed
    told = [f"{count} {name}" for name, count in {**troubles, "refusals": other}.items() if count]
    if disturbed:
        told.append(f"{disturbed} of {heard.count + health.refusals} inventories disturbed in the air")
    said = f"{reader.protocol} at {reader.port}: {heard.count} rounds, {health.cycle_ms:.0f} ms each"
    if not told:
        return ok(reader.id, said)
    sentence = f"{said}; {', '.join(told)}"
    if disturbed / max(1, heard.count + health.refusals) >= _UNBELIEVED:
        return fault(reader.id, sentence, _QUIET)
    return warning(reader.id, sentence, _QUIET if disturbed else _CABLE)


def _antenna(name: str, zone: str, rounds: Rounds, register: ChipRegister) -> Answer:
    if not rounds.count:
        return fault(name, f"{zone}: it was never read", "Check the antenna's cable and its output in the table file.")
    noise, noisy = _noise(rounds, register)
    said = f"{zone}: {_what_lies(rounds, register)}{noise}"
    if rounds.noise >= _UNBELIEVED:
        return fault(name, said, _QUIET)
    if rounds.missed >= _UNBELIEVED:
        return fault(name, said, "It would not be believed: move the antenna nearer to the felt, away from metal.")
    if noisy:
        return warning(name, said, _QUIET)
    if rounds.missed >= _WEAK:
        return warning(name, said, "It reads poorly: look for metal nearby, or lower stacks.")
    return ok(name, said)


def _what_lies(rounds: Rounds, register: ChipRegister) -> str:
    lying = rounds.lying
    if not lying:
        strays = rounds.strays(rounds.made_up(register))
        return f"nothing lies there{f'; {strays} heard in passing, from beside' if strays else ''}"
    said = f"{len(lying)} chip{'' if len(lying) == 1 else 's'}, {rounds.missed:.0%} of reads missed"
    weakest, signal = rounds.weakest(), rounds.weakest_signal()
    if weakest is not None and weakest[1] < rounds.count:
        said += f", the weakest ({weakest[0]}) read in {weakest[1]} of {rounds.count} rounds"
    return said if signal is None else f"{said}, weakest signal {signal} on the reader's scale"


def _noise(rounds: Rounds, register: ChipRegister) -> tuple[str, bool]:
    """What was heard of noise, in words, and whether it was anything."""
    made_up = rounds.made_up(register)
    told = []
    if rounds.disturbed:
        told.append(f"{rounds.disturbed} of {rounds.count} rounds disturbed")
    if made_up:
        named = f"{len(made_up)} tags" if len(made_up) > 1 else "a tag"
        told.append(f"{named} that nobody has, heard once ({made_up[0]})")
    return (f"; {', '.join(told)}" if told else f"; {rounds.count} rounds without noise"), bool(told)

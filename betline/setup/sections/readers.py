"""The readers: which are connected, and which of their antennas lies where."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from betline.settings.model import nearest
from betline.settings.readers import BY_ID, FAMILIES, FAMILY_NAMES, ReaderFamily
from betline.setup.question import AnswerError, Answers, Choice, Found, FoundReader, Question

NONE: Final = "none"
_EXAMPLE: Final = "usb:A50285BI feig"


@dataclass(frozen=True, slots=True)
class Spot:
    """One antenna of one reader."""

    port: str
    antenna: int

    def __str__(self) -> str:
        return f"{self.port} {self.antenna}"


def questions(answers: Answers, found: Found) -> tuple[Question, ...]:
    """Readers and antennas, then for each zone which antenna it is."""
    asked = [
        Question(
            "readers.connected",
            "Which readers are connected?",
            f"Port and family of each, with commas between: {_EXAMPLE}. none plays without: the dealer keys all bets.",
            usual=", ".join(map(str, found.readers)) or NONE,
            check=_connected,
        )
    ]
    readers = readers_of(answers)
    if not readers or "shape.seats" not in answers:
        return tuple(asked)
    most = max(_kind(reader.family).antennas for reader in readers)
    if most > 1:
        asked.append(
            Question(
                "readers.antennas",
                "How many antennas has each reader?",
                f"1 to {most}; a reader that has fewer outputs is asked for these only.",
                usual="1",
                must=True,
                check=lambda text: _antennas(text, most),
            )
        )
    if most > 1 and "readers.antennas" not in answers:
        return tuple(asked)
    spots = spots_of(answers)
    taken: dict[str, str] = {}
    for zone in zones_of(answers):
        free = tuple(spot for spot in spots if str(spot) not in taken)
        asked.append(
            Question(
                f"readers.{zone}",
                f"Which antenna is {place(zone)}?",
                f"Put a chip {chip_place(zone)}: the antenna that hears it is the one. Or choose it, or none.",
                (*(Choice(str(spot), f"{spot.port}, antenna {spot.antenna}") for spot in free),
                 Choice(NONE, "None", "The dealer keys what is bet there." if zone.startswith("seat") else "")),
                NONE if not zone.startswith("seat") else None,
                must=zone.startswith("seat"),
                antenna=True,
            )
        )  # fmt: skip
        if (said := answers.get(f"readers.{zone}", NONE)) != NONE:
            taken[said] = zone
    return tuple(asked)


def zones_of(answers: Answers) -> tuple[str, ...]:
    """The zones that an antenna may serve: the seats', pot and tray."""
    return (*(f"seat-{number}" for number in range(1, int(answers["shape.seats"]) + 1)), "pot", "tray")


def place(zone: str) -> str:
    """A zone in words, as `under seat 3`."""
    return f"under {zone.replace('-', ' ')}" if zone.startswith("seat") else f"under the {zone}"


def chip_place(zone: str) -> str:
    """Where a chip is put to find its antenna."""
    return f"before {zone.replace('-', ' ')}, where its bets lie" if zone.startswith("seat") else f"on the {zone}"


def readers_of(answers: Answers) -> tuple[FoundReader, ...]:
    """The readers that were answered."""
    text = answers.get("readers.connected", NONE)
    if text == NONE:
        return ()
    return tuple(_reader(one) for one in text.split(", "))


def spots_of(answers: Answers) -> tuple[Spot, ...]:
    """All antennas of all readers."""
    count = int(answers.get("readers.antennas", "1"))
    return tuple(
        Spot(reader.port, antenna)
        for reader in readers_of(answers)
        for antenna in range(1, min(count, _kind(reader.family).antennas) + 1)
    )


def tables_text(answers: Answers) -> str:
    """The [[readers]] of the table file, one for each port that serves a zone."""
    served: dict[str, list[tuple[int, str]]] = {}
    for zone in zones_of(answers) if readers_of(answers) else ():
        said = answers[f"readers.{zone}"]
        if said != NONE:
            port, _, antenna = said.rpartition(" ")
            served.setdefault(port, []).append((int(antenna), zone))
    lines = []
    for number, reader in enumerate((one for one in readers_of(answers) if one.port in served), 1):
        antennas = ", ".join(f'{{ antenna = {n}, zone = "{zone}" }}' for n, zone in sorted(served[reader.port]))
        lines += [
            "", "[[readers]]", f'id = "reader-{number}"', f'protocol = "{reader.family}"',
            f'port = "{reader.port}"  # betline bridge ports lists what is connected', f"baud = {reader.baud}",
            f"antennas = [{antennas}]",
        ]  # fmt: skip
    return "\n".join(lines)


def _connected(text: str) -> str:
    if text == NONE:
        return text
    readers = [_reader(one) for one in text.split(",")]
    ports = [reader.port for reader in readers]
    twice = next((port for port in ports if ports.count(port) > 1), None)
    if twice:
        raise AnswerError(f"readers.connected names {twice} twice; name each port once.")
    airs = {_kind(reader.family).air for reader in readers}
    if len(airs) > 1:
        raise AnswerError(
            "readers.connected mixes readers of different tags (HF, NFC, UHF); take one kind for the chips."
        )
    return ", ".join(map(str, readers))


def _reader(text: str) -> FoundReader:
    found = re.fullmatch(r"([^\s\"\\]+)\s+([a-z0-9]+)(?:\s+(\d+))?", text.strip())
    if found is None:
        raise AnswerError(f"readers.connected: {text.strip()!r} is no reader; write port and family as {_EXAMPLE}.")
    port, family, baud = found.groups()
    if family not in FAMILIES:
        raise AnswerError(f"readers.connected: {family} is no family; {nearest(family, FAMILY_NAMES)}")
    if re.fullmatch(r"/dev/tty(USB|ACM)\d+", port):
        raise AnswerError(
            f"readers.connected: the number of {port} changes with the order of plugging in; write usb:SERIAL or a "
            f"name of {BY_ID} (betline bridge ports lists them)."
        )
    return FoundReader(port, family, int(baud or _kind(family).baud))


def _kind(family: str) -> ReaderFamily:
    return {str(name): one for name, one in FAMILIES.items()}[family]


def _antennas(text: str, most: int) -> str:
    if not text.isdigit() or not 1 <= int(text) <= most:
        raise AnswerError(f"readers.antennas must be a number from 1 to {most}, not {text!r}.")
    return text

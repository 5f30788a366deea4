"""Board layers of the firmware: compiled against the stub headers, and run over the model of the chip."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from firmware_bridge.protocols.betline.frames import Frame, FrameDecoder
from firmware_bridge.protocols.betline.messages import Ack, Command, Health, Hello, Message, Snapshot, read_message
from tests.unit.firmware.c_build import FIRMWARE, SANITIZED, TESTS, compiled, compiler

Spoken = TypeVar("Spoken", Hello, Snapshot, Health, Ack)
BOARDS = FIRMWARE / "boards"
CORE_SOURCES = tuple(sorted((FIRMWARE / "core").glob("*.c")))
COMMON_SOURCES = tuple(sorted((BOARDS / "common").glob("*.c")))
WARNINGS = ("-std=gnu11", "-Wall", "-Wextra", "-Werror", "-Wshadow", "-Wconversion")


@dataclass(frozen=True)
class Board:
    """One board layer: its main file, the folder of its pins and the stubs of its SDK."""

    name: str
    main: Path
    stubs: Path
    double: Path
    entry: tuple[str, ...] = ()

    @property
    def includes(self) -> list[str]:
        folders = (FIRMWARE / "core", BOARDS / "common", self.main.parent, self.stubs)
        return [f"-I{folder}" for folder in folders]


RP2040 = Board(
    "rp2040",
    BOARDS / "rp2040" / "main.c",
    BOARDS / "stubs" / "pico",
    TESTS / "board_rp2040.c",
    ("-Dmain=layer_main",),
)
ESP32 = Board("esp32", BOARDS / "esp32" / "main" / "main.c", BOARDS / "stubs" / "esp", TESTS / "board_esp32.c")


def board_program(board: Board, antennas: int) -> Path:
    """The board layer with the core, over the model, under sanitizers."""
    common = (
        *WARNINGS,
        *SANITIZED,
        *board.includes,
        f"-I{FIRMWARE / 'sim'}",
        f"-I{TESTS}",
        f"-DBL_ANTENNAS={antennas}",
    )
    layer = compiled(compiler(), f"{board.name}.o", (*common, *board.entry, "-c", board.main))
    rest = (
        *COMMON_SOURCES,
        *CORE_SOURCES,
        FIRMWARE / "sim" / "sim_radio.c",
        *(TESTS / name for name in ("pn5180_model.c", "board_harness.c")),
        board.double,
    )
    return compiled(compiler(), f"{board.name}_{antennas}", (*common, layer, *rest))


@dataclass(frozen=True)
class Run:
    """What a board said (time in ms and message), what else happened, and the figures at the end."""

    messages: tuple[tuple[int, Message], ...]
    boot_ids: frozenset[int]
    events: tuple[str, ...]
    figures: Mapping[str, int]

    def of(self, kind: type[Spoken]) -> list[Spoken]:
        return [message for _, message in self.messages if isinstance(message, kind)]


def run_board(program: Path, host: Iterable[tuple[int, bytes]] = (), **options: int) -> Run:
    """Lets a board run; the host's bytes come at their times in ms."""
    words = "".join(f"{at_ms} {data.hex()}\n" for at_ms, data in host)
    arguments = [f"{key}={value}" for key, value in options.items()]
    done = subprocess.run([program, *arguments], input=words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-300:] + done.stderr
    decoder = FrameDecoder()
    messages, boot_ids, events = [], set(), []
    *lines, last = done.stdout.splitlines()
    for line in lines:
        what, _, rest = line.partition(" ")
        if what != "said":
            events.append(line)
            continue
        at_ms, _, data = rest.partition(" ")
        for frame in decoder.feed(bytes.fromhex(data)):
            messages.append((int(at_ms), read_message(frame.type, frame.payload)))
            boot_ids.add(frame.boot_id)
    fields = last.split()
    figures = {name: int(value) for name, value in zip(fields[::2], fields[1::2], strict=True)}
    return Run(tuple(messages), frozenset(boot_ids), tuple(events), figures)


def tags_of(antenna: int, count: int) -> set[bytes]:
    """The tags that the harness puts on an antenna."""
    return {bytes.fromhex("e00401500000") + bytes([antenna, number]) for number in range(count)}


def words(*commands: Command) -> bytes:
    """Commands as a host sends them."""
    return b"".join(Frame(one.TYPE, one.to_payload(), seq).to_bytes() for seq, one in enumerate(commands))

"""The whole reader in C: under a host that talks nonsense, beside its twin in Python, as a program on a terminal."""

from __future__ import annotations

import json
import os
import random
import re
import select
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from betline.front_door import run
from firmware_bridge.protocols.betline.frames import MAX_BODY, Frame, FrameDecoder
from firmware_bridge.protocols.betline.messages import (
    PACE_OFF,
    RECORDS_PER_FRAME,
    SERIAL_BYTES,
    SLOWEST_PACE_MS,
    TEMPERATURE_UNKNOWN,
    Command,
    Field,
    Hello,
    Identify,
    Led,
    Pace,
    Read,
    Reboot,
    Snapshot,
    read_message,
)
from firmware_bridge.protocols.catalogue import family
from firmware_bridge.serial_line import SerialLine
from tests.unit.firmware.c_build import FIRMWARE, TESTS, compiler, core, sanitized_program
from virtual_table.readers import betline_air, betline_c, betline_twin
from virtual_table.readers.betline_c import NoFirmwareError
from virtual_table.readers.betline_core import Answering, CoreSetup, ReaderCore, Said
from virtual_table.readers.betline_twin import TwinCore

CORE = core("bl_cobs", "bl_crc32", "bl_frame", "bl_message", "bl_iso15693", "bl_reader")
DEVICE = (*CORE, FIRMWARE / "sim" / "sim_radio.c", FIRMWARE / "host" / "bl_device.c")
INCLUDES = tuple(f"-I{FIRMWARE / folder}" for folder in ("core", "sim", "host"))
UIDS = ("E004015306A22D70", "E004015306A22D80")


def program(name: str, *more: Path) -> Path:
    """The reader with `more`, stopped by the first undefined behaviour."""
    return sanitized_program(name, (*DEVICE, *more), INCLUDES)


@pytest.fixture(scope="module")
def fuzzer() -> Path:
    return program("reader_fuzz", TESTS / "reader_fuzz.c")


@pytest.fixture(scope="module")
def host_program() -> Path:
    return program("betline-reader", FIRMWARE / "host" / "main.c")


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(1, 6))
def test_ten_million_bytes_of_nonsense_and_sense(fuzzer: Path, seed: int) -> None:
    done = subprocess.run([fuzzer, str(seed), "2000000"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    said = dict(line.split() for line in done.stdout.splitlines())
    assert int(said.pop("heard")) >= 2_000_000
    assert said.keys() == {"1", "2", "3", "4"}
    assert min(map(int, said.values())) > 100


def random_command(rng: random.Random, antennas: int) -> Command:
    number = rng.randrange(12)
    antenna = rng.randint(0, antennas + 1)
    if rng.random() < 0.04:
        return Reboot(number)
    return rng.choice(
        (
            Identify(number),
            Read(number, antenna),
            Read(number, min(antenna, antennas)),
            Read(number, 1),
            Pace(number, antenna, rng.choice((0, 100, 250, 500, 501, PACE_OFF))),
            Field(number, rng.random() < 0.7),
            Led(number, 1, 2, 3),
        )
    )


def garbled(rng: random.Random, raw: bytes) -> bytes:
    what = rng.randrange(12)
    if what == 0:
        return rng.randbytes(5) + raw
    if what == 1:
        return raw[:-2] + b"\x01\x00"
    if what == 2:
        return raw + Frame(rng.randrange(256), rng.randbytes(rng.randrange(6))).to_bytes()
    if what == 3:
        return raw + raw
    if what == 4 and rng.random() < 0.3:
        return b"\x11" * 2000 + b"\x00" + raw
    return raw


class Story:
    """One run of a reader: what it was given, and what it said when."""

    def __init__(self, make_core: type[ReaderCore], seed: int) -> None:
        self.rng = rng = random.Random(seed)
        antennas = rng.choice((1, 1, 2, 8))
        setup = CoreSetup(antennas, rng.randrange(10), f"S{seed}", rng.choice((1000, 1000, 500, 1700)))
        self.field: dict[int, list[int]] = {number: [] for number in range(1, 9)}
        self.core = make_core(setup, self.listen)
        self.said: list[list[Said] | int] = []
        self.now_us = rng.choice((0, 0xFFFF_F000 * 1000))
        self.said.append(self.core.power_on(rng.getrandbits(32), self.now_us))
        uids = [0xE004_0100_0000_0000 | rng.getrandbits(40) for _ in range(600)]
        for number in range(200):
            what = rng.random()
            if what < 0.2:
                count = rng.choice((0, 1, 3, 10, 30, 130, 300, 500))
                self.field[rng.randint(1, antennas)] = rng.sample(uids, count)
            elif what < 0.6:
                self.now_us += rng.choice((0, 1_000, 30_000, 250_000, 700_000))
                command = random_command(rng, antennas)
                raw = Frame(command.TYPE, command.to_payload(), number).to_bytes()
                self.said.append(self.core.receive(garbled(rng, raw), self.now_us))
            else:
                self.wait(self.now_us + rng.choice((1_000, 50_000, 300_000)))
            self.said.append(self.core.next_us)

    def listen(self, antenna: int) -> Answering:
        tags = [(uid, self.rng.randrange(256)) for uid in self.field[antenna] if self.rng.random() > 0.05]
        return Answering(tags, self.rng.random() < 0.05)

    def wait(self, until_us: int) -> None:
        while self.core.next_us <= until_us:
            self.now_us = max(self.now_us, self.core.next_us)
            self.said.append(self.core.speak(self.now_us))
        self.now_us = until_us


@pytest.mark.parametrize("seed", range(80))
def test_core_and_twin_say_the_same_bytes_at_the_same_times(seed: int) -> None:
    compiler()
    compiled, told = Story(betline_c.FirmwareCore, seed), Story(TwinCore, seed)
    for number, (first, second) in enumerate(zip(compiled.said, told.said, strict=True)):
        assert first == second, f"step {number}"
    assert sum(len(said) for said in told.said if isinstance(said, list)) > 30


@pytest.mark.nightly
def test_the_stories_tell_everything() -> None:
    """What the comparison above rests on: all messages, parts, flags and results come up."""
    types, flags, results = set(), 0, set()
    for seed in range(80):
        for said in Story(TwinCore, seed).said:
            for frame in FrameDecoder().feed(b"".join(one.frame for one in said) if isinstance(said, list) else b""):
                message = read_message(frame.type, frame.payload)
                types.add(type(message).__name__)
                flags |= message.flags if isinstance(message, Snapshot) else 0
                results.add(getattr(message, "result", 0))
    assert types == {"Hello", "Snapshot", "Health", "Ack"}
    assert flags == 0x1F
    assert results == {0, 1, 2, 3}


def constants(*headers: str) -> dict[str, int]:
    """The numbers that C headers define."""
    found = {}
    for header in headers:
        text = (FIRMWARE / header).read_text(encoding="ascii")
        for name, value in re.findall(r"#define (\w+) (0x[0-9A-Fa-f]+|\d+)u?\b", text):
            found[name] = int(value, 0)
    return found


def test_the_limits_of_both_are_the_same() -> None:
    names = constants(
        "core/bl_frame.h", "core/bl_message.h", "core/bl_reader.h", "core/bl_iso15693.h", "host/bl_device.h"
    )
    expected = {
        "BL_MAX_BODY": MAX_BODY,
        "BL_RECORDS_PER_FRAME": RECORDS_PER_FRAME,
        "BL_SERIAL_BYTES": SERIAL_BYTES,
        "BL_TEMPERATURE_UNKNOWN": TEMPERATURE_UNKNOWN,
        "BL_PACE_OFF": PACE_OFF,
        "BL_FW_MAJOR": betline_twin.FW_MAJOR,
        "BL_FW_MINOR": betline_twin.FW_MINOR,
        "BL_MAX_TAGS": betline_twin.MAX_TAGS,
        "BL_KNOWN_TAGS": betline_twin.KNOWN_TAGS,
        "BL_COMMANDS_KEPT": betline_twin.COMMANDS_KEPT,
        "BL_HEALTH_MS": betline_twin.HEALTH_MS,
        "BL_TOLD_MS": SLOWEST_PACE_MS,
        "BL_USUAL_PACE_MS": betline_twin.USUAL_PACE_MS,
        "BL_ISO15693_MAX_PASSES": betline_air.MAX_PASSES,
        "BL_ISO15693_MAX_ROUNDS": betline_air.MAX_ROUNDS,
        "BL_ISO15693_MAX_MS": betline_air.MAX_MS,
        "BL_DEVICE_BOOT_US": betline_twin.BOOT_US,
    }
    assert {name: names[name] for name in expected} == expected


@pytest.mark.nightly
def test_the_library_is_compiled_once(tmp_path: Path) -> None:
    compiler()
    first = betline_c.build(tmp_path)
    written_ns = first.stat().st_mtime_ns
    assert betline_c.build(tmp_path) == first
    assert first.stat().st_mtime_ns == written_ns
    assert list(tmp_path.iterdir()) == [first]


def test_without_a_compiler_the_reason_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoFirmwareError, match="no C compiler"):
        betline_c.build(tmp_path)


def test_a_compiler_that_fails_is_no_reason_to_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cc").write_text("#!/bin/sh\necho it is broken >&2\nexit 1\n")
    (tmp_path / "cc").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoFirmwareError, match="it is broken"):
        betline_c.build(tmp_path / "cache")
    assert list((tmp_path / "cache").iterdir()) == []


def test_an_error_in_the_field_comes_out_of_the_core() -> None:
    compiler()

    def broken(antenna: int) -> Answering:
        raise RuntimeError(f"nothing is known of antenna {antenna}")

    one = betline_c.FirmwareCore(CoreSetup(1, 0, "X", 1000), broken)
    one.power_on(1, 0)
    with pytest.raises(RuntimeError, match="antenna 1"):
        one.speak(0)


@pytest.fixture
def terminal(host_program: Path, tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """The program on a pseudo-terminal: its path, and the file of its tags."""
    tags = tmp_path / "tags.txt"
    tags.write_text(f"# two tags\n{UIDS[0]}\n{UIDS[1]} 2 200\n")
    command = [host_program, "--tags", tags, "--antennas", "2", "--seat", "3", "--serial", "HOST-7"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip(), tags
        process.terminate()


def once(capsys: pytest.CaptureFixture[str], path: str) -> list[tuple[str, int, int]]:
    assert run(["bridge", "once", "--protocol", "betline", "--port", path, "--json"]) == 0
    return [(tag["uid"], tag["antenna"], tag["rssi"]) for tag in json.loads(capsys.readouterr().out)["tags"]]


@pytest.mark.nightly
def test_the_program_is_read_on_its_terminal(terminal: tuple[str, Path], capsys: pytest.CaptureFixture[str]) -> None:
    path, tags = terminal
    assert once(capsys, path) == [(UIDS[0], 1, 128), (UIDS[1], 2, 200)]
    tags.write_text(f"{UIDS[1]} 1 77\n")
    assert once(capsys, path) == [(UIDS[1], 1, 77)]
    tags.write_text("")
    assert once(capsys, path) == []


def test_the_program_says_who_it_is(terminal: tuple[str, Path]) -> None:
    betline = family("betline")
    line = SerialLine(terminal[0], betline.traits.line)
    try:
        line.write(betline.probe)
        answer = b""
        deadline_s = time.monotonic() + 5
        while (said := betline.recognise(answer)) is None and time.monotonic() < deadline_s:
            answer += line.read(0.1)
    finally:
        line.close()
    assert said == "Betline reader HOST-7 on host simulation, firmware 1.0, seat 3"


def test_the_program_speaks_through_pipes_and_ends_with_its_input(host_program: Path) -> None:
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([host_program, "--stdio"], **pipes, bufsize=0) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        decoder, types = FrameDecoder(), set()
        deadline_s = time.monotonic() + 10
        while not {0x01, 0x02, 0x03} <= types and time.monotonic() < deadline_s:
            if select.select([process.stdout], [], [], 0.2)[0]:
                types |= {frame.type for frame in decoder.feed(os.read(process.stdout.fileno(), 4096))}
        process.stdin.close()
        assert process.wait(10) == 0
    assert {0x01, 0x02, 0x03} <= types
    assert decoder.counters.resyncs == 0


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["--antennas", "9"], 2, "usage"),
        (["--tags"], 2, "usage"),
        (["--what", "1"], 2, "usage"),
        (["--tags", "/nowhere"], 1, "/nowhere cannot be read"),
        (["--tags", __file__], 1, "line 1: write UID"),
    ],
)
def test_the_program_refuses_in_a_sentence(host_program: Path, arguments: list[str], status: int, words: str) -> None:
    done = subprocess.run([host_program, *arguments], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (status, "")
    assert words in done.stderr


def test_the_first_thing_said_is_hello() -> None:
    core_ = TwinCore(CoreSetup(2, 4, "T", 1000), lambda _: Answering((), False))
    [said] = core_.power_on(5, 0)
    frame = Frame.from_bytes(said.frame)
    message = read_message(frame.type, frame.payload)
    assert isinstance(message, Hello)
    assert (message.antennas, message.seat, message.serial, frame.boot_id) == (2, 4, "T", 5)

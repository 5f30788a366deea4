"""The board layers: compiled without warnings, run over the model of the PN5180, and honest about hardware."""

from __future__ import annotations

import configparser
import ctypes
import re
import shutil
import subprocess
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from firmware_bridge.protocols.betline.messages import (
    Ack,
    Capability,
    Field,
    Health,
    Hello,
    Identify,
    Led,
    Pace,
    Read,
    Reboot,
    Result,
    Snapshot,
    SnapshotFlag,
)
from tests.unit.firmware.boards import (
    BOARDS,
    COMMON_SOURCES,
    CORE_SOURCES,
    ESP32,
    RP2040,
    WARNINGS,
    Board,
    board_program,
    run_board,
    tags_of,
    words,
)
from tests.unit.firmware.c_build import FIRMWARE, compiled, compiler, shared_library
from tests.unit.firmware.test_pn5180 import Broken

each = pytest.mark.parametrize("board", [RP2040, ESP32], ids=lambda board: board.name)
both = pytest.mark.parametrize(
    "board", [RP2040, pytest.param(ESP32, marks=pytest.mark.nightly)], ids=lambda board: board.name
)
LAYER_SOURCES = (*COMMON_SOURCES, *CORE_SOURCES)
WATCHDOG_MS = 4000
KEPT = 0xB1E70000
ARM = ("-mcpu=cortex-m0plus", "-mthumb", "-Os")
MEMORY = {"memcpy", "memset", "memmove", "memcmp", "strlen"}
"""What string.h gives; compilers call the first four by themselves too."""
RP2040_RAM = 264 * 1024


@cache
def program(board: Board) -> Path:
    return board_program(board, antennas=3)


def arm_compiler() -> str:
    found = shutil.which("arm-none-eabi-gcc")
    if found is None:
        pytest.skip("arm-none-eabi-gcc is not installed (Debian: gcc-arm-none-eabi libnewlib-arm-none-eabi)")
    return found


def objects(program: str, flags: tuple[str, ...], board: Board, antennas: int = 1) -> list[Path]:
    common = (*WARNINGS, *flags, *board.includes, f"-DBL_ANTENNAS={antennas}")
    return [compiled(program, f"{source.stem}.o", (*common, "-c", source)) for source in (board.main, *LAYER_SOURCES)]


@pytest.mark.one_in(4)  # the RP2040's is part of its program
@pytest.mark.parametrize("board", [ESP32, RP2040], ids=lambda board: board.name)
@pytest.mark.parametrize("antennas", [1, 8])
def test_a_layer_is_free_of_warnings(board: Board, antennas: int) -> None:
    assert objects(compiler(), (), board, antennas)


@both
def test_a_layer_is_free_of_warnings_for_arm(board: Board) -> None:
    """ESP32 is no ARM: its layer is compiled for another machine of 32 bits, where int32_t is long."""
    arm = arm_compiler()
    made = objects(arm, ARM, board)
    sizes = subprocess.run(
        [arm.replace("gcc", "size"), "-t", *made], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    text, data, bss = (int(figure) for figure in sizes[-1].split()[:3])
    assert text < 32 * 1024
    assert data + bss < RP2040_RAM / 4


def test_nine_antennas_are_refused(tmp_path: Path) -> None:
    flags = (*WARNINGS, *RP2040.includes, "-DBL_ANTENNAS=9", "-c", str(RP2040.main), "-o", str(tmp_path / "x.o"))
    done = subprocess.run([compiler(), *flags], capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "BL_ANTENNAS is 1 to 8" in done.stderr


@pytest.mark.nightly
def test_the_core_needs_string_h_only() -> None:
    nm = shutil.which("nm")
    if nm is None:
        pytest.skip("no nm (binutils) is installed")
    flags = ("-O2", "-fno-stack-protector", "-U_FORTIFY_SOURCE")
    made = [one for one in objects(compiler(), flags, RP2040) if one.stem not in ("main", "bl_wiring")]
    done = subprocess.run([nm, "-A", *made], capture_output=True, text=True, check=True)
    symbols = [line.split(":", 1)[1].split()[-2:] for line in done.stdout.splitlines()]
    defined = {name for kind, name in symbols if kind in "TRDBrdbt"}
    assert {name for kind, name in symbols if kind == "U"} - defined <= MEMORY | {"_GLOBAL_OFFSET_TABLE_"}


@each
def test_the_stubs_declare_what_the_layer_uses_and_nothing_more(board: Board) -> None:
    layer = board.main.read_text()
    headers = {path: path.read_text() for path in sorted(board.stubs.rglob("*.h"))}
    included = {str(path.relative_to(board.stubs)) for path in headers}
    everything = layer + "".join(headers.values())
    for path, text in headers.items():
        assert f'"{path.relative_to(board.stubs)}"' in everything, f"nobody includes {path}"
        declared = set(re.findall(r"^[a-z][\w \*]*?\b(\w+)\([^)]*\)[^;{]*;", text, re.MULTILINE))
        assert {name for name in declared if not re.search(rf"\b{name}\b", layer)} == set(), path
    for name in re.findall(r'#include "([^"]+)"', layer):
        assert name in included or any(
            (folder / name).exists() for folder in (FIRMWARE / "core", BOARDS / "common", board.main.parent)
        )


@pytest.mark.nightly
@both
def test_a_board_says_who_it_is(board: Board) -> None:
    run = run_board(program(board), ms=300, seat=9, boot_id=77)
    hello = run.of(Hello)[0]
    assert hello.seat == 9
    assert hello.antennas == 3
    assert hello.board == {"rp2040": 1, "esp32": 2}[board.name]
    assert hello.serial == {"rp2040": "E6614103E7452D2F", "esp32": "240AC400BEEF"}[board.name]
    assert hello.capabilities == Capability.ISO15693 | Capability.LED
    assert run.boot_ids == {77}


@pytest.mark.one_in(16)
@both
@pytest.mark.parametrize("seat", range(16))
def test_the_straps_are_the_seat(board: Board, seat: int) -> None:
    assert run_board(program(board), ms=100, seat=seat).of(Hello)[0].seat == seat


def test_hello_is_said_again_when_a_host_opens_the_port() -> None:
    run = run_board(program(RP2040), ms=900, connected=700)
    at_ms, first = run.messages[0]
    assert isinstance(first, Hello)
    assert 700 <= at_ms < 850


@both
def test_tags_of_every_antenna_are_told(board: Board) -> None:
    run = run_board(program(board), ms=3000, tags_a=20, tags_b=5)
    for antenna, count in ((1, 20), (2, 5), (3, 0)):
        told = [one for one in run.of(Snapshot) if one.antenna == antenna]
        assert len(told) >= 4
        for snapshot in told:
            assert {record.uid for record in snapshot.records} == tags_of(antenna, count)
            assert snapshot.flags == SnapshotFlag(0)
    healths = run.of(Health)
    assert len(healths) == 5
    assert healths[-1].rf_errors == 0
    assert run.figures["handshakes"] == run.figures["too_early"] == run.figures["errors"] == 0
    assert run.figures["longest_kick"] < WATCHDOG_MS / 4


@pytest.mark.nightly
@both
def test_health_beats_while_a_large_stack_is_read(board: Board) -> None:
    run = run_board(program(board), ms=6000, tags_a=120)
    times = [at_ms for at_ms, message in run.messages if isinstance(message, Health)]
    assert max(after - before for before, after in pairwise(times)) < 750
    assert {record.uid for record in run.of(Snapshot)[-1].records} <= tags_of(1, 120)
    assert any(len(snapshot.records) == 120 for snapshot in run.of(Snapshot))
    assert run.figures["longest_kick"] < WATCHDOG_MS / 4


@both
def test_the_temperature_is_that_of_the_chip(board: Board) -> None:
    told = run_board(program(board), ms=600).of(Health)[0].temperature
    assert told == {"rp2040": 374, "esp32": 0x7FFF}[board.name]


@both
def test_commands_are_obeyed(board: Board) -> None:
    host = [
        (500, words(Identify(1), Pace(2, 0, 0xFFFF))),
        (900, words(Read(3, 2), Led(4, 255, 0, 1))),
        (1500, words(Field(5, False), Read(6, 1))),
        (1700, words(Field(7, True), Read(8, 1))),
        (2200, words(Reboot(9))),
    ]
    run = run_board(program(board), host, ms=3000, tags_a=4, tags_b=6)
    assert {ack.command_id: ack.result for ack in run.of(Ack)} == dict.fromkeys(range(1, 10), Result.OK)
    asked = [one for one in run.of(Snapshot) if one.flags & SnapshotFlag.READ]
    assert [(one.antenna, len(one.records)) for one in asked] == [(2, 6), (1, 0), (1, 4)]
    assert asked[1].flags & SnapshotFlag.FIELD_OFF
    assert run.events[:2] == ("led r 1", "led b 1")
    assert run.events[-1].startswith("reboot ")


@both
@pytest.mark.parametrize("broken", [Broken.BUSY_HIGH, Broken.BUSY_LOW, Broken.NO_BOOT, Broken.NO_MISO, Broken.NO_FIELD])
def test_a_dead_chip_is_told_and_never_an_empty_table(board: Board, broken: Broken) -> None:
    run = run_board(program(board), [(1000, words(Read(1, 1)))], ms=2500, tags_a=5, fault=broken)
    assert run.of(Snapshot) == []
    assert run.of(Health)[-1].rf_errors > 3
    assert [(ack.command_id, ack.result) for ack in run.of(Ack)] == [(1, Result.HARDWARE_FAULT)]
    assert run.figures["longest_kick"] < WATCHDOG_MS / 4


@pytest.mark.parametrize(("kept", "watchdog", "told"), [(0, 0, 0), (0, 1, 1), (KEPT | 7, 1, 8), (KEPT | 7, 0, 7)])
def test_resets_by_the_watchdog_are_counted(kept: int, watchdog: int, told: int) -> None:
    host = [(700, words(Reboot(1)))]
    run = run_board(program(RP2040), host, ms=1000, kept=kept, watchdog=watchdog)
    assert run.of(Health)[0].watchdog_resets == told
    assert run.events[-1].endswith(f"kept {KEPT | told:08x}")


@pytest.mark.nightly
@pytest.mark.parametrize("watchdog", [0, 1])
def test_a_board_that_keeps_no_count_tells_the_last_reset(watchdog: int) -> None:
    assert run_board(program(ESP32), ms=600, watchdog=watchdog).of(Health)[0].watchdog_resets == watchdog


@pytest.mark.nightly
def test_what_memory_holds_after_power_on_is_no_count() -> None:
    sources = (*CORE_SOURCES, BOARDS / "common" / "bl_seat.c")
    code = ctypes.CDLL(str(shared_library("seat", sources, [f"-I{BOARDS / 'common'}"])))
    code.bl_seat_watchdog_resets.restype = ctypes.c_uint16
    keep = ctypes.c_uint32()
    for kept, by_watchdog, told in ((0xDEADBEEF, True, 1), (KEPT | 0xFFFF, True, 0xFFFF), (0xB1E80005, False, 0)):
        count = code.bl_seat_watchdog_resets(ctypes.c_uint32(kept), ctypes.c_bool(by_watchdog), ctypes.byref(keep))
        assert count == told
        assert keep.value == KEPT | told


def test_the_project_files_name_files_that_exist() -> None:
    pico = configparser.ConfigParser(inline_comment_prefixes=None)
    pico.read(BOARDS / "rp2040" / "platformio.ini")
    assert pico["env:pico"]["framework"] == "picosdk"
    patterns = re.findall(r"\+<([^>]+)>", pico["env:pico"]["build_src_filter"])
    for pattern in patterns:
        assert sorted((BOARDS / "rp2040").glob(pattern)), pattern
    esp = configparser.ConfigParser()
    esp.read(BOARDS / "esp32" / "platformio.ini")
    assert esp["env:esp32dev"]["framework"] == "espidf"
    folder = BOARDS / "esp32" / esp["platformio"]["src_dir"]
    cmake = (folder / "CMakeLists.txt").read_text()
    assert re.findall(r"\.\./\.\./common/(\w+\.c)", cmake) == [source.name for source in COMMON_SOURCES]
    assert sorted((folder / "../../../core").resolve().glob("*.c")) == list(CORE_SOURCES)


HONEST = (
    BOARDS / "rp2040" / "main.c",
    BOARDS / "rp2040" / "platformio.ini",
    BOARDS / "esp32" / "main" / "main.c",
    BOARDS / "esp32" / "platformio.ini",
    BOARDS / "common" / "bl_seat.h",
    BOARDS / "common" / "bl_wiring.h",
    FIRMWARE / "core" / "bl_pn5180.h",
    FIRMWARE.parents[1] / "hardware_docs" / "wiring.md",
    FIRMWARE.parents[1] / "hardware_docs" / "bom.md",
)


@pytest.mark.parametrize("path", HONEST, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_what_never_ran_on_hardware_says_so(path: Path) -> None:
    assert "not yet run on hardware" in " ".join(path.read_text().lower().split())


@each
def test_the_wiring_page_has_the_pins_of_the_code(board: Board) -> None:
    page = (FIRMWARE.parents[1] / "hardware_docs" / "wiring.md").read_text()
    section = page.split(f"<!-- pins of {board.name} -->")[1].split("<!-- end -->")[0]
    rows = dict(re.findall(r"^\| (\w+) \| ([\d, ]+) \|", section, re.MULTILINE))
    pins = (board.main.parent / "pins.h").read_text()
    told = dict(re.findall(r"PIN_(\w+) = (\d+)", pins))
    listed = dict(re.findall(r"PINS_(\w+) {([\d, ]+)}", pins))
    assert {name: len(value.split(",")) for name, value in listed.items()} == {"STRAP": 4, "ANTENNA": 3}
    assert rows == told | listed

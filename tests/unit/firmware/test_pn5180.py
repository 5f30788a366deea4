"""The PN5180 driver against a model of the chip: handshake, registers, slots, time, faults and recovery."""

from __future__ import annotations

import ctypes
import random
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

import pytest

from tests.unit.firmware.c_build import FIRMWARE, TESTS, core, sanitized_program, shared_library
from tests.unit.firmware.inventory import Tag

SOURCES = (*core("bl_iso15693", "bl_pn5180"), FIRMWARE / "sim" / "sim_radio.c", TESTS / "pn5180_model.c")
SETTINGS = ("fault", "irq_pin", "damaged", "missed", "antenna", "broken_from")
FIGURES = (
    *(
        "started",
        "fault",
        "faults",
        "recovered",
        "count",
        "collisions",
        "rx_errors",
        "unsettled",
        "stats_fault",
        "errors",
    ),
    *("handshakes_broken", "too_early", "general_errors", "elapsed_us", "spi_bytes"),
    *("firmware_major", "firmware_minor", "irq_trusted"),
)


class Broken(IntEnum):
    """What is wrong with the model, in the order of model_fault."""

    SOUND = 0
    BUSY_LOW = 1
    BUSY_HIGH = 2
    NO_BOOT = 3
    NO_MISO = 4
    NO_FIELD = 5
    FALSE_FIELD = 6
    ENDLESS = 7
    ODD_BITS = 8
    NOT_IN_TRANSMIT = 9
    TX_ERROR = 10


class Fault(IntEnum):
    """What the driver says, in the order of bl_pn5180_fault."""

    OK = 0
    BUSY_STUCK = 1
    NO_BOOT = 2
    NO_CHIP = 3
    NO_FIELD = 4
    REFUSED = 5


class Setting(ctypes.Structure):
    _fields_ = (
        ("seed", ctypes.c_uint64),
        *((name, ctypes.c_uint32) for name in SETTINGS),
        ("clock_ns", ctypes.c_uint64),
    )


class Figures(ctypes.Structure):
    _fields_ = tuple((name, ctypes.c_uint32) for name in FIGURES)


@dataclass(frozen=True)
class Reading:
    """The tags found through the chip and what driver and model counted."""

    uids: tuple[bytes, ...]
    figures: dict[str, int]


class Chip:
    """The compiled driver with its model; one fresh chip a call."""

    def __init__(self) -> None:
        self.code = ctypes.CDLL(str(shared_library("pn5180", (*SOURCES, TESTS / "pn5180_shim.c"))))

    def read(self, uids: Sequence[bytes], **setting: int) -> Reading:
        tags, figures = (Tag * 120)(), Figures()
        self.code.pn5180_run(
            ctypes.byref(Setting(**{"antenna": 1, **setting})),
            b"".join(uids),
            ctypes.c_size_t(len(uids)),
            tags,
            ctypes.c_size_t(120),
            ctypes.byref(figures),
        )
        told = {name: int(getattr(figures, name)) for name in FIGURES}
        return Reading(tuple(bytes(tag.uid) for tag in tags[: figures.count]), told)


@pytest.fixture(scope="module")
def chip() -> Chip:
    return Chip()


def some_uids(count: int, seed: int) -> list[bytes]:
    rng = random.Random(seed)
    return [b"\xe0\x04" + rng.randbytes(6) for _ in range(count)]


@pytest.mark.one_in(5)
@pytest.mark.parametrize("irq_pin", [0, 1])
@pytest.mark.parametrize("count", [0, 1, 2, 5, 17, 40, 60, 120])
def test_all_tags_are_found_through_the_chip(chip: Chip, count: int, irq_pin: int) -> None:
    uids = some_uids(count, count)
    reading = chip.read(uids, seed=count, irq_pin=irq_pin)
    assert sorted(reading.uids) == sorted(uids)
    for name in ("fault", "faults", "unsettled", "handshakes_broken", "too_early", "general_errors"):
        assert reading.figures[name] == 0, name
    assert (reading.figures["firmware_major"], reading.figures["firmware_minor"]) == (4, 0)


@pytest.mark.parametrize(("irq_pin", "trusted"), [(0, 0), (1, 1), (2, 0), (3, 0), (4, 0)])
def test_an_irq_pin_that_does_not_move_as_it_should_is_not_waited_for(chip: Chip, irq_pin: int, trusted: int) -> None:
    uids = some_uids(20, 2)
    reading = chip.read(uids, seed=2, irq_pin=irq_pin)
    assert sorted(reading.uids) == sorted(uids)
    assert reading.figures["irq_trusted"] == trusted
    assert reading.figures["elapsed_us"] < 1.15 * chip.read(uids, seed=2, irq_pin=1).figures["elapsed_us"]


def test_another_antenna_is_connected_while_the_field_is_off(chip: Chip) -> None:
    uids = some_uids(10, 3)
    reading = chip.read(uids, antenna=7)
    assert sorted(reading.uids) == sorted(uids)
    assert reading.figures["handshakes_broken"] == 0


@pytest.mark.parametrize("count", [1, 20, 60, 100])
def test_the_bus_costs_less_than_half_of_the_air_time(chip: Chip, count: int) -> None:
    """Ideal air time (hardware_docs/readers.md), Stay Quiet and the empty pass, then SPI, polling and settling."""
    ideal_ms = {1: 14, 20: 183, 60: 551, 100: 876}[count] + 4.1 * count + 9.8
    elapsed_ms = chip.read(some_uids(count, count), seed=count).figures["elapsed_us"] / 1000
    assert ideal_ms < elapsed_ms < 1.5 * ideal_ms + 15


def test_damaged_and_missed_answers_are_asked_again(chip: Chip) -> None:
    found = 0
    for seed in range(20):
        uids = some_uids(30, seed)
        reading = chip.read(uids, seed=seed, damaged=50, missed=20)
        assert set(reading.uids) <= set(uids)
        assert reading.figures["too_early"] == 0
        found += len(reading.uids)
    assert found > 0.99 * 20 * 30


def test_a_clock_that_wraps_does_not_end_an_inventory(chip: Chip) -> None:
    for wrap_us in (1 << 32, 1000 << 32):
        uids = some_uids(40, 4)
        reading = chip.read(uids, seed=4, clock_ns=wrap_us * 1000 - 100_000_000)
        assert sorted(reading.uids) == sorted(uids)
        assert reading.figures["unsettled"] == 0


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        (Broken.BUSY_LOW, Fault.BUSY_STUCK),
        (Broken.BUSY_HIGH, Fault.BUSY_STUCK),
        (Broken.NO_BOOT, Fault.NO_BOOT),
        (Broken.NO_MISO, Fault.NO_CHIP),
    ],
)
@pytest.mark.parametrize("irq_pin", [0, 1])
def test_a_chip_that_does_not_start_is_told_and_comes_back(
    chip: Chip, broken: Broken, told: Fault, irq_pin: int
) -> None:
    reading = chip.read(some_uids(5, 5), fault=broken, irq_pin=irq_pin)
    assert not reading.figures["started"]
    assert reading.figures["fault"] == told
    assert reading.figures["stats_fault"] == 1
    assert reading.uids == ()
    assert reading.figures["elapsed_us"] < 500_000
    assert reading.figures["recovered"] == 1


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        (Broken.BUSY_LOW, Fault.BUSY_STUCK),
        (Broken.BUSY_HIGH, Fault.BUSY_STUCK),
        (Broken.NO_FIELD, Fault.NO_FIELD),
        (Broken.FALSE_FIELD, Fault.NO_FIELD),
        (Broken.NOT_IN_TRANSMIT, Fault.REFUSED),
        (Broken.TX_ERROR, Fault.REFUSED),
        (Broken.ENDLESS, Fault.OK),
        (Broken.ODD_BITS, Fault.OK),
    ],
)
@pytest.mark.parametrize("irq_pin", [0, 1])
def test_a_chip_that_fails_later_is_no_empty_field(chip: Chip, broken: Broken, told: Fault, irq_pin: int) -> None:
    reading = chip.read(some_uids(5, 5), fault=broken, broken_from=1, irq_pin=irq_pin)
    assert reading.figures["started"] == 1
    assert reading.figures["fault"] == told
    assert reading.figures["stats_fault"] or reading.figures["unsettled"]
    assert reading.uids == ()
    assert reading.figures["elapsed_us"] < 10_000_000
    # A dead chip ends the inventory in the round; one bad slot costs 12 passes down to the longest mask, and one that
    # does not end takes 25 ms of the 9 s of an inventory.
    most = {Broken.ODD_BITS: 12 * 17, Broken.ENDLESS: 9_000 // 25}
    assert reading.figures["errors"] <= most.get(broken, 16)
    assert (reading.figures["rx_errors"] > 0) == (told is Fault.OK)
    assert reading.figures["recovered"] == 1


@pytest.mark.nightly
def test_any_levels_on_the_pins_under_sanitizers() -> None:
    program = sanitized_program("pn5180_fuzz", (*SOURCES, TESTS / "pn5180_fuzz.c"))
    done = subprocess.run([program, "1", "24"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 10_000

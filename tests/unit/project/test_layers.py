"""Imports point one way and the core is pure: docs/architecture.md, "Layers", held over every module of every room."""

from collections.abc import Iterable

import pytest

from tests.unit.project.imports import ROOMS, Module, is_within, modules

# What each room may import of the others. The readers of the virtual table speak with the codecs of the bridge.
NEIGHBOURS = {
    "betline": (),
    "firmware_bridge": ("betline",),
    "vision": ("betline",),
    "table_controller": ("betline",),
    "virtual_table": ("betline", "firmware_bridge.protocols"),
}
# The scorers see both sides: nothing imports them, and the camera's room imports nothing of the virtual table.
SCORERS = {
    "virtual_table.bench.vision": ("vision",),
    "virtual_table.bench.vision_cost": ("vision",),
    "virtual_table.bench.askew": ("vision",),
    "virtual_table.bench.limits": ("vision",),
}
# Each may import those before it.
CONTROLLER_ORDER = ("betting", "positions", "rulings", "table", "service")
CORE = tuple(f"table_controller.{part}" for part in ("betting", "positions", "rulings", "sensing", "evening"))
# Levels, clock and rotation are for whoever deals the next hand: they know the settings and the betting engine only.
EVENING = ("betline.settings", "table_controller.betting", "table_controller.evening")
PURE = frozenset(
    {
        "__future__",
        "abc",
        "bisect",
        "collections",
        "dataclasses",
        "enum",
        "fractions",
        "functools",
        "heapq",
        "itertools",
        "math",
        "operator",
        "re",
        "string",
        "types",
        "typing",
    }
)
PURE_FOR_BYTES = PURE | {"binascii", "struct"}
BUS = ("betline.bus", "betline.broker", "betline.topics", "betline.cli", "betline.front_door")
EFFECTS = frozenset({"open", "print", "input", "eval", "exec", "breakpoint", "__import__"})

ALL = tuple(modules())


def strangers(module: Module) -> list[str]:
    """Imports of a room that this module's room may not use."""
    room = module.name.partition(".")[0]
    allowed = (room, *NEIGHBOURS[room], *SCORERS.get(module.name, ()))
    return sorted(
        name
        for name in module.imports
        if name.partition(".")[0] in ROOMS and not any(is_within(name, package) for package in allowed)
    )


def backward(module: Module) -> list[str]:
    """Imports of a later part of the controller by an earlier one."""
    for place, part in enumerate(CONTROLLER_ORDER):
        if is_within(module.name, f"table_controller.{part}"):
            later = [f"table_controller.{name}" for name in CONTROLLER_ORDER[place + 1 :]]
            return sorted(name for name in module.imports if any(is_within(name, package) for package in later))
    return []


def impurities(module: Module, standard: Iterable[str], own: Iterable[str]) -> list[str]:
    """Imports and calls by which a pure module could reach a device, the clock, chance or the bus."""
    outside = [
        name
        for name in module.imports
        if name.partition(".")[0] not in standard and not any(is_within(name, package) for package in own)
    ]
    bus = [name for name in module.imports if any(is_within(name, package) for package in BUS)]
    return sorted({*outside, *bus, *(f"{name}()" for name in module.calls & EFFECTS)})


def test_a_room_imports_only_its_neighbours_and_betline_imports_no_room() -> None:
    assert {module.name: found for module in ALL if (found := strangers(module))} == {}


def test_the_parts_of_the_controller_import_one_way() -> None:
    assert {module.name: found for module in ALL if (found := backward(module))} == {}


def test_the_core_reaches_no_device_no_clock_no_chance_and_no_bus() -> None:
    core = [module for module in ALL if any(is_within(module.name, package) for package in CORE)]

    assert core
    assert {module.name: found for module in core if (found := impurities(module, PURE, ("betline", *CORE)))} == {}


def test_the_evening_knows_the_settings_and_the_betting_engine_only() -> None:
    evening = [module for module in ALL if is_within(module.name, "table_controller.evening")]

    assert evening
    assert {module.name: found for module in evening if (found := impurities(module, PURE, EVENING))} == {}


def test_the_wire_protocols_are_bytes_in_and_messages_out() -> None:
    package = "firmware_bridge.protocols"
    codecs = [module for module in ALL if is_within(module.name, package)]

    assert codecs
    assert {module.name: found for module in codecs if (found := impurities(module, PURE_FOR_BYTES, (package,)))} == {}


def test_every_room_is_read() -> None:
    assert {module.name.partition(".")[0] for module in ALL} == set(ROOMS) == set(NEIGHBOURS)


@pytest.mark.parametrize(
    ("name", "line", "found"),
    [
        ("vision.service", "import table_controller.service", ["table_controller.service"]),
        ("vision.service", "def f():\n    from firmware_bridge import link", ["firmware_bridge.link"]),
        ("betline.bus", "import vision", ["vision"]),
        ("firmware_bridge.cli", "from virtual_table import world", ["virtual_table.world"]),
        ("virtual_table.world", "from firmware_bridge import link", ["firmware_bridge.link"]),
        ("virtual_table.world", "from firmware_bridge.protocols import feig", []),
        ("virtual_table.world", "from firmware_bridge import protocols", []),
        ("virtual_table.camera.chips", "from vision import detector", ["vision.detector"]),
        ("virtual_table.bench.vision", "from vision import detector", []),
        ("vision.detector", "from virtual_table import films", ["virtual_table.films"]),
        ("vision.service", "import betline.bus\nfrom . import zones", []),
    ],
)
def test_an_import_of_another_room_is_found(name: str, line: str, found: list[str]) -> None:
    assert strangers(Module(name, name.rpartition(".")[0], line)) == found


@pytest.mark.parametrize(
    ("name", "line", "found"),
    [
        ("table_controller.betting.pots", "from ..rulings import words", ["rulings.words"]),
        ("table_controller.rulings.chips", "import table_controller.service", ["service"]),
        ("table_controller.rulings.chips", "from table_controller.betting import hand", []),
    ],
)
def test_an_import_against_the_order_is_found(name: str, line: str, found: list[str]) -> None:
    assert backward(Module(name, name.rpartition(".")[0], line)) == [f"table_controller.{part}" for part in found]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("import time", ["time"]),
        ("def f():\n    from random import random", ["random.random"]),
        ("from betline.bus import port", ["betline.bus.port"]),
        ("import paho.mqtt.client", ["paho.mqtt.client"]),
        ("text = open('journal')", ["open()"]),
        ("from ..journal import store", ["table_controller.journal.store"]),
        ("from dataclasses import dataclass\nfrom .hand import Hand\nfrom betline.settings import game", []),
    ],
)
def test_an_impure_line_is_found(line: str, found: list[str]) -> None:
    name = "table_controller.betting.pots"

    assert impurities(Module(name, name.rpartition(".")[0], line), PURE, ("betline", *CORE)) == found

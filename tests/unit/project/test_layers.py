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
    "cardroom": (
        "betline",
        "firmware_bridge.chips.register",
        "firmware_bridge.chips.record",
        "table_controller.betting",
        "table_controller.console.signing",
        "table_controller.journal",
        "table_controller.levels",
        "table_controller.positions",
    ),
}
# The floor draws a table as its console does, and asks of it what a console asks.
CONSOLES = {"cardroom.floor": ("table_controller.console",)}
# The scorers see both sides: nothing imports them, and the camera's room imports nothing of the virtual table.
SCORERS = {
    "virtual_table.bench.vision": ("vision",),
    "virtual_table.bench.camera": ("vision",),
    "virtual_table.bench.vision_cost": ("vision",),
    "virtual_table.bench.calibration_error": ("vision",),
    "virtual_table.bench.visibility": ("vision",),
    "virtual_table.bench.own_film.score": ("vision",),
    "virtual_table.bench.own_film.cli": ("vision",),
    "virtual_table.laboratory.readers": ("firmware_bridge",),
    "virtual_table.laboratory.controller": ("table_controller",),
    "virtual_table.laboratory.simulated_table": ("table_controller", "firmware_bridge"),
    "virtual_table.play.told": ("table_controller.announce",),
    "virtual_table.laboratory.cheats.catalogue": ("firmware_bridge",),
    "virtual_table.laboratory.trial": ("table_controller",),
    "virtual_table.laboratory.story": ("table_controller",),
    "virtual_table.chaos.play": ("table_controller",),
    "virtual_table.laboratory.journal_file": ("table_controller",),
    "virtual_table.cases.running": ("table_controller",),
    "virtual_table.bench.sensing": ("table_controller",),
    "virtual_table.bench.console": ("table_controller.console",),
    "virtual_table.bench.growth": ("table_controller",),
    "cardroom.bench.record": ("table_controller",),
    "virtual_table.bench.floor": ("cardroom.floor",),
    "virtual_table.site.evening": ("table_controller.journal",),
    "virtual_table.site.light_tables": ("table_controller.journal",),
    "virtual_table.site.scale": ("cardroom.record",),
}
# The parts of each room, ground floor first: each may import those before it, and every part stands here.
ORDER = {
    "betline": (
        "units", "counting", "tally", "logs",
        "charts", "rule_texts", "machine", "clock_offset", "geometry", "layout", "cards", "messages",
        "half_blocks",
        "qr", "screenshot", "chromium", "topics", "home_assistant", "login", "settings", "fields", "steps", "buttons",
        "cases", "phh", "recordings", "tap", "bus", "options", "metrics", "table_recording", "joining", "together",
        "known_tables", "tables_there", "watchdog", "stopping", "deck", "scratch", "tables", "people", "provision",
        "broker", "bench", "benchmark_book", "upkeep", "services", "doctor", "update", "front_door", "supervise",
        "readiness", "asyncapi", "setup", "cli",
    ),
    "firmware_bridge": (
        "protocols", "schedule", "second_look", "waits", "effects", "seating", "adaptive_timeout", "rf_arbiter",
        "waker", "serial_line", "tapped_line", "introduction", "link_states", "polling", "link", "said_of_late",
        "driver", "needs", "evidence", "read_zone", "ports", "once", "cards", "recording", "conform", "chips",
        "zone_feed", "line_replay", "service", "fuzz_subjects", "fuzz", "noise", "doctor", "finding", "teaching", "cli",
    ),
    "vision": (
        "imaging", "tuning", "calibration", "frame", "seats", "places", "detect", "chip_photo", "display", "clips",
        "film", "service", "doctor", "finding", "cli",
    ),
    "virtual_table": (
        "table", "scripts", "readers", "faults", "camera", "films", "play", "laboratory", "chaos", "run", "soak",
        "pytest_plugin", "cases", "bench", "site", "cli",
    ),
    "table_controller": (
        "cards", "betting", "positions", "levels", "rulings", "sensing", "announce", "audience", "journal", "session",
        "accounts", "history", "service", "recorder", "tools", "console", "training", "voice", "remote", "web",
        "happenings", "home", "hooks", "tracing", "table_replay", "cli",
    ),
    "cardroom": ("record", "room", "floor", "bench", "cli"),
}  # fmt: skip
CORE = tuple(f"table_controller.{part}" for part in ("betting", "positions", "levels", "rulings", "sensing"))
# What the floor knows of its tables, and says in words.
FLOOR = tuple(f"cardroom.floor.{part}" for part in ("pace", "table", "floor", "view"))
# Levels, clock and rotation are for whoever deals the next hand: they know the settings and the betting engine only.
LEVELS = ("betline.settings", "table_controller.betting", "table_controller.levels")
# A client of the bus like any other: it knows nothing of the controller that it talks to.
CONSOLE = "table_controller.console"
VOICE = "table_controller.voice"
WEB = "table_controller.web"
# What the staff works with in a browser: a console, and no more than that.
REMOTE = "table_controller.remote"
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
    consoles = [name for part, names in CONSOLES.items() if is_within(module.name, part) for name in names]
    allowed = (room, *NEIGHBOURS[room], *SCORERS.get(module.name, ()), *consoles)
    return sorted(
        name
        for name in module.imports
        if name.partition(".")[0] in ROOMS and not any(is_within(name, package) for package in allowed)
    )


def part_of(name: str) -> tuple[str, int]:
    """The room of a module or imported name, and how high its part lies; -1 for the room's own `__init__`."""
    room, _, rest = name.partition(".")
    part = rest.partition(".")[0]
    return room, ORDER[room].index(part) if part in ORDER.get(room, ()) else -1


def backward(module: Module) -> list[str]:
    """Imports of a higher part of its own room."""
    room, place = part_of(module.name)
    return sorted(name for name in module.imports if part_of(name)[0] == room and part_of(name)[1] > place >= 0)


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


def test_the_parts_of_each_room_import_one_way() -> None:
    assert {module.name: found for module in ALL if (found := backward(module))} == {}


def test_the_core_reaches_no_device_no_clock_no_chance_and_no_bus() -> None:
    core = [module for module in ALL if any(is_within(module.name, package) for package in CORE)]

    assert core
    assert {module.name: found for module in core if (found := impurities(module, PURE, ("betline", *CORE)))} == {}


def test_what_the_floor_knows_is_pure() -> None:
    core = [module for module in ALL if module.name in FLOOR]
    own = ("betline.messages", *FLOOR)

    assert len(core) == len(FLOOR)
    assert {module.name: found for module in core if (found := impurities(module, PURE, own))} == {}


def test_of_the_consoles_room_the_floor_knows_the_console_alone() -> None:
    assert strangers(Module("cardroom.floor.desk", "cardroom.floor", "import table_controller.session")) == [
        "table_controller.session"
    ]
    assert strangers(Module("cardroom.other", "cardroom", "import table_controller.console.client")) == [
        "table_controller.console.client"
    ]
    assert strangers(Module("cardroom.floor.desk", "cardroom.floor", "import table_controller.console.client")) == []


def test_the_levels_know_the_settings_and_the_betting_engine_only() -> None:
    levels = [module for module in ALL if is_within(module.name, "table_controller.levels")]

    assert levels
    assert {module.name: found for module in levels if (found := impurities(module, PURE, LEVELS))} == {}


def test_the_console_knows_nothing_of_the_controller() -> None:
    console = [module for module in ALL if is_within(module.name, CONSOLE)]
    own = {
        module.name: sorted(n for n in module.imports if n.startswith("table_controller") and not is_within(n, CONSOLE))
        for module in console
    }

    assert console
    assert {name: found for name, found in own.items() if found} == {}


def test_the_voice_knows_nothing_of_the_controller_but_what_is_said() -> None:
    voice = [module for module in ALL if is_within(module.name, VOICE)]
    rooms = (VOICE, "table_controller.announce")
    strange = {
        name
        for module in voice
        for name in module.imports
        if name.startswith("table_controller") and not any(is_within(name, room) for room in rooms)
    }

    assert voice
    assert strange == set()


def test_the_web_pages_know_nothing_of_the_controller() -> None:
    web = [module for module in ALL if is_within(module.name, WEB)]
    strange = {
        name
        for module in web
        for name in module.imports
        if name.startswith("table_controller") and not is_within(name, WEB) and not is_within(name, REMOTE)
    }

    assert web
    assert strange == set()


def test_the_remote_is_a_console() -> None:
    remote = [module for module in ALL if is_within(module.name, REMOTE)]
    strange = {
        name
        for module in remote
        for name in module.imports
        if name.startswith("table_controller") and not is_within(name, REMOTE) and not is_within(name, CONSOLE)
    }

    assert remote
    assert strange == set()


@pytest.mark.parametrize("room", ROOMS)
def test_every_part_of_a_room_has_its_place_in_the_order(room: str) -> None:
    parts = {module.name.split(".")[1] for module in ALL if module.name.startswith(f"{room}.")} - {"__main__"}

    assert parts == set(ORDER[room])


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
        ("vision.service.service", "import table_controller.service", ["table_controller.service"]),
        ("vision.service.service", "def f():\n    from firmware_bridge import link", ["firmware_bridge.link"]),
        ("betline.bus", "import vision", ["vision"]),
        ("firmware_bridge.cli", "from virtual_table.table import world", ["virtual_table.table.world"]),
        ("virtual_table.table.world", "from firmware_bridge import link", ["firmware_bridge.link"]),
        ("virtual_table.table.world", "from firmware_bridge.protocols import feig", []),
        ("virtual_table.table.world", "from firmware_bridge import protocols", []),
        ("virtual_table.camera.chips", "from vision.detect import detector", ["vision.detect.detector"]),
        ("virtual_table.bench.vision", "from vision.detect import detector", []),
        ("vision.detect.detector", "from virtual_table import films", ["virtual_table.films"]),
        ("vision.service.service", "import betline.bus\nfrom . import zones", []),
    ],
)
def test_an_import_of_another_room_is_found(name: str, line: str, found: list[str]) -> None:
    assert strangers(Module(name, name.rpartition(".")[0], line)) == found


@pytest.mark.parametrize(
    ("name", "line", "found"),
    [
        ("table_controller.betting.pots", "from ..rulings import table", ["table_controller.rulings.table"]),
        ("table_controller.rulings.acts.chips", "import table_controller.service", ["table_controller.service"]),
        ("table_controller.rulings.acts.chips", "from table_controller.betting import hand", []),
        ("vision.seats.watch", "from vision.detect import detector", ["vision.detect.detector"]),
        ("vision.detect.detector", "from vision.seats import watch", []),
        ("virtual_table.table.world", "from virtual_table.play import dealer", ["virtual_table.play.dealer"]),
    ],
)
def test_an_import_against_the_order_is_found(name: str, line: str, found: list[str]) -> None:
    assert backward(Module(name, name.rpartition(".")[0], line)) == found


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

"""Draws cases of chaos: the same number is the same case, whatever else is drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from types import MappingProxyType
from typing import Any, Final, get_args

from betline.settings import TableSettings, load_table, parse
from virtual_table.chaos.case import ChaosCase, People
from virtual_table.laboratory.trial import MODES, TABLES

MOST_EVENTS: Final = 8
HANDS: Final = (1, 4)
HAND_S: Final = 35.0
"""About how long a hand takes; events are drawn within that."""
NOISES: Final = ((0.0, 0.0), (0.05, 0.01), (0.05, 0.01), (0.10, 0.01))
STEPS_S: Final = (0.5, 30.0, 3600.0, 86_400.0)
READER_KINDS: Final = ("unplug", "unplug", "stuck", "reboot", "misreads")
CAMERA_KINDS: Final = ("camera-black", "camera-frozen", "camera-moved", "camera-blocked")
OTHER_KINDS: Final = ("kill", "kill", "kill", "broker-away", "latency", "clock-step", "disk-full")
RANDOM_SHARE: Final = 0.25
"""Share of the events that come at random times."""
AGAIN_SHARE: Final = 0.2
CALM_SHARE: Final = 0.4
PEOPLE_SHARE: Final = 0.25
CROWDED_SHARE: Final = 0.5
"""Share of the cases whose events come close together, about one or two moments."""
CROWD_S: Final = 3.0
MOST_PER_MINUTE: Final = 10.0
LONGEST_S: Final[Mapping[str, float]] = MappingProxyType(
    {"kill": 5.0, "disk-full": 6.0, "latency": 20.0, "misreads": 20.0, "unplug": 20.0, "camera-black": 20.0}
)
USUALLY_LONGEST_S: Final = 6.0


def draw(seed: int, table: str | None = None) -> ChaosCase:
    """The case of that number, at that table or at one that is drawn too."""
    chance = Random(f"chaos-{seed}")
    drawn, sensors = chance.choice(TABLES), chance.choice(MODES)
    hands, (missed, neighbour) = chance.randint(*HANDS), chance.choice(NOISES)
    where = table or drawn
    there = load_table(where)
    data: dict[str, Any] = {
        "table": where,
        "sensors": sensors if there.readers and there.cameras else _sensors(there),
        "seed": seed,
        "hands": hands,
        "hurry": chance.random() < 0.3,
        "eyes": chance.choice((0.0, 1.0)),
    }
    data["people"] = _people(Random(f"people-of-chaos-{seed}"))
    kinds = _kinds(data["sensors"])
    most_s = hands * HAND_S
    crowds = [chance.uniform(0.0, most_s) for _ in range(chance.randint(1, 2))]
    crowded = chance.random() < CROWDED_SHARE

    def moment_s() -> float:
        at_s = chance.choice(crowds) + chance.uniform(-CROWD_S, CROWD_S) if crowded else chance.uniform(0.0, most_s)
        return round(max(0.0, at_s), 2)

    events = [_event(chance, chance.choice(kinds), there, moment_s) for _ in range(chance.randint(1, MOST_EVENTS))]
    noise = {"missed": missed, "neighbour": neighbour} if missed else {}
    data["faults"] = {"reading": noise, "events": events}
    return parse(ChaosCase, data, f"case {seed}")


def _people(chance: Random) -> list[str]:
    """What people do besides, drawn apart: the rest of a case is the same without it."""
    if chance.random() < CALM_SHARE:
        return []
    return [one for one in get_args(People) if chance.random() < PEOPLE_SHARE]


def _sensors(table: TableSettings) -> str:
    return "readers" if table.readers else "camera"


def _kinds(sensors: str) -> tuple[str, ...]:
    of_readers = () if sensors == "camera" else READER_KINDS
    of_camera = () if sensors == "readers" else CAMERA_KINDS
    return (*OTHER_KINDS, *of_readers, *of_camera)


def _event(chance: Random, what: str, table: TableSettings, moment_s: Callable[[], float]) -> dict[str, Any]:
    event: dict[str, Any] = {"what": what}
    if what in READER_KINDS or what == "kill":
        event["on"] = "any"
    if what in READER_KINDS and chance.random() < 0.5:
        event["on"] = chance.choice(table.readers).id
    if chance.random() < RANDOM_SHARE:
        event["per_minute"] = round(chance.uniform(0.5, MOST_PER_MINUTE), 1)
    else:
        event["at_s"] = moment_s()
        if chance.random() < AGAIN_SHARE:
            event["every_s"] = round(chance.uniform(5.0, 40.0), 1)
    longest_s = LONGEST_S.get(what, USUALLY_LONGEST_S)
    if what != "clock-step":
        event["for_s"] = round(chance.uniform(0.1, longest_s), 2)
    elif chance.random() < 0.5:
        event["on"] = "any"
    return event | _amounts(chance, what)


def _amounts(chance: Random, what: str) -> dict[str, Any]:
    if what == "misreads":
        missed, neighbour = round(chance.uniform(0.1, 0.6), 2), round(chance.choice((0.0, 0.05)), 2)
        return {"reading": {"missed": missed, "neighbour": neighbour}}
    if what == "latency":
        return {"latency_ms": float(chance.randrange(20, 400, 20))}
    if what == "clock-step":
        return {"step_s": chance.choice(STEPS_S) * chance.choice((-1, 1))}
    return {}

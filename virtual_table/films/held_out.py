"""HELD OUT: scenes for scoring only. No threshold is ever chosen on these seeds, felts, chips and this sleeve.

Whoever tunes the detector makes scripts of its own, with other seeds and colours (`betline vision render`).
"""

from __future__ import annotations

from random import Random
from typing import Any, Final

from betline.settings import ChipSet, parse
from virtual_table.films.script import FilmScript

SEED: Final = 910_000
"""Held-out seeds are this and those above it."""
FELTS: Final = ("#22456e", "#6b2a34")
SLEEVE: Final = "#3f6b8f"
_CHIPS: Final = {
    "held-out-pastel": (
        ("ivory-1", 1, "#d9d3bd", "#8a5a3a"),
        ("rose-5", 5, "#c9788a", "#f4ece4"),
        ("sky-25", 25, "#6fa3c4", "#f2e9b8"),
        ("mint-100", 100, "#7fb89a", "#33363c"),
    ),
    "held-out-dark": (
        ("grey-1", 1, "#8d8f93", "#e9e5d8"),
        ("brick-5", 5, "#8e3a28", "#d9c9a8"),
        ("forest-25", 25, "#27613f", "#e4d96a"),
        ("ink-100", 100, "#23252d", "#c9c9cf"),
    ),
}


def chip_set(name: str) -> ChipSet:
    """A held-out chip set."""
    keys = ("key", "value", "colour", "edge_colour")
    return parse(ChipSet, {"name": name, "chips": [dict(zip(keys, row, strict=True)) for row in _CHIPS[name]]}, name)


CHIP_SETS: Final = tuple(_CHIPS)


def round_of_play(number: int) -> FilmScript:
    """A hand with all that seats and dealer do, in an order drawn by the seed; some acts overlap."""
    rng = Random(f"{SEED + number}:round")
    seats = rng.sample(range(1, 11), 10)
    acts: list[dict[str, Any]] = [{"act": "deal", "seat": None}]
    bets = [[rng.randint(1, 4)], [rng.randint(1, 3), rng.randint(1, 3)], [rng.randint(14, 30)], [2, 1], [1]]
    street = [{"act": "push", "seat": seat, "chips": chips} for seat, chips in zip(seats, bets, strict=False)]
    between = [
        {"act": "fake", "seat": seats[5]},
        {"act": "reach", "seat": seats[6], "over": seats[6] % 10 + 1},
        {"act": "tap", "seat": seats[7]},
        {"act": "lean", "seat": seats[9], "over_s": 2.0},
        {"act": "muck", "seat": seats[8]},
    ]
    acts += _shuffled(rng, street + between)
    acts += _shuffled(
        rng,
        [
            {"act": "pull_back", "seat": seats[0], "chips": [1]},
            {"act": "change", "seat": seats[1]},
            {"act": "return", "seat": seats[2], "chips": [rng.randint(1, 6)]},
            {"act": "push", "seat": seats[4], "chips": [rng.randint(1, 3)]},
            {"act": "pull_back", "seat": seats[3], "chips": [3]},
        ],
    )
    acts += [{"act": "sweep"}]
    acts += _shuffled(rng, [{"act": "push", "seat": seat, "chips": [rng.randint(1, 5)]} for seat in seats[1:4]])
    acts += [{"act": "sweep"}, {"act": "pay", "seat": seats[1]}, {"act": "clear"}]
    for act in acts[1:]:
        act["pause"] = round(rng.choice((rng.uniform(0.4, 1.2), rng.uniform(0.4, 1.2), rng.uniform(-0.4, 0.0))), 2)
    return _script(number, acts)


def lamps(number: int) -> FilmScript:
    """A lamp goes off and on between bets."""
    rng = Random(f"{SEED + number}:lamps")
    first, second, third = rng.sample(range(1, 11), 3)
    lamp = {"act": "lamp", "over_s": round(rng.uniform(0.1, 0.6), 2), "pause": 1.0}
    return _script(
        number,
        [
            {"act": "push", "seat": first},
            lamp | {"gain": round(rng.uniform(0.55, 0.75), 2)},
            {"act": "push", "seat": second, "pause": 1.5},
            lamp | {"gain": 1.0},
            {"act": "push", "seat": third, "pause": 1.5},
            {"act": "sweep"},
        ],
    )


def bump(number: int) -> FilmScript:
    """The camera is knocked while bets lie."""
    rng = Random(f"{SEED + number}:bump")
    mm = [round(rng.choice((-1, 1)) * rng.uniform(8.0, 25.0), 1) for _ in range(2)]
    acts: list[dict[str, Any]] = [{"act": "push", "seat": seat} for seat in rng.sample(range(1, 11), 2)]
    return _script(number, [*acts, {"act": "bump", "mm": mm, "pause": 1.5}, {"act": "wait", "pause": 10.0}])


def stillness(number: int, seconds: float) -> FilmScript:
    """Nothing happens for so long, cards and bets on the table, under a camera with all its faults."""
    rng = Random(f"{SEED + number}:still")
    acts: list[dict[str, Any]] = [{"act": "deal"}]
    acts += [{"act": "push", "seat": seat, "chips": [rng.randint(1, 9)]} for seat in rng.sample(range(1, 11), 4)]
    return _script(number, [*acts, {"act": "wait", "pause": seconds + 2.0}], flash_every=101, drift=0.04)


def _script(number: int, acts: list[dict[str, Any]], **camera: float) -> FilmScript:
    rng = Random(f"{SEED + number}:camera")
    faults = {"jpeg_quality": rng.randint(70, 90), "flicker": round(rng.uniform(0.0, 0.01), 4), "dropped": 0.002}
    return parse(
        FilmScript,
        {
            "seed": SEED + number,
            "felt": FELTS[number % 2],
            "sleeve": SLEEVE if number % 3 else None,
            "stack": 2000,
            "camera": {**faults, "flash_every": rng.choice((0, 101, 250)), **camera},
            "room": {"lamps": rng.randint(1, 3), "vignette": round(rng.uniform(0.1, 0.35), 3)},
            "acts": acts,
        },
        f"held-out scene {number}",
    )


def _shuffled(rng: Random, acts: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return rng.sample(acts, len(acts))

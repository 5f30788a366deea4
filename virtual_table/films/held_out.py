"""HELD OUT: scenes for scoring only. No threshold may be chosen on these seeds, felts, chips and this sleeve.

To tune the detector, write other scripts with other seeds and colours (`betline vision render`).
"""

from __future__ import annotations

from itertools import chain
from random import Random
from typing import Any, Final

from betline.settings import ChipSet, parse
from virtual_table.films.film_script import FilmScript

SEED: Final = 940_000
"""Seeds from this one on are held out."""
STREET_S: Final = 3.0
"""Between two streets: a second push of the same seat sooner than this would be a string bet."""
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

Acts = list[dict[str, Any]]


def chip_set(name: str) -> ChipSet:
    """A held-out chip set."""
    keys = ("key", "value", "colour", "edge_colour")
    return parse(ChipSet, {"name": name, "chips": [dict(zip(keys, row, strict=True)) for row in _CHIPS[name]]}, name)


CHIP_SETS: Final = tuple(_CHIPS)


def round_of_play(number: int) -> FilmScript:
    """A hand with all that seats and dealer do, in an order drawn by the seed; some acts overlap.

    Each round also has one or two of the rarer acts; six rounds in a row cover them all.
    """
    rng = Random(f"{SEED + number}:round")
    seats = rng.sample(range(1, 11), 10)
    early, late, between_hands = _rare(number, rng, seats)
    bets = [[rng.randint(1, 4)], [rng.randint(1, 3), rng.randint(1, 3)], [rng.randint(14, 30)], [2, 1], [1]]
    first: list[Acts] = [
        [{"act": "push", "seat": seat, "chips": chips}] for seat, chips in zip(seats, bets, strict=False)
    ]
    first += [
        [{"act": "fake", "seat": seats[5]}],
        [{"act": "reach", "seat": seats[6], "over": seats[6] % 10 + 1}],
        [{"act": "tap", "seat": seats[7]}],
        [{"act": "lean", "seat": seats[9], "over_s": 2.0}],
        [{"act": "muck", "seat": seats[8]}],
    ]
    second: list[Acts] = [
        [{"act": "pull_back", "seat": seats[0], "chips": [1]}],
        [{"act": "change", "seat": seats[1]}],
        [{"act": "return", "seat": seats[2], "chips": [rng.randint(1, 6)]}],
        [{"act": "push", "seat": seats[4], "chips": [rng.randint(1, 3)]}],
        [{"act": "pull_back", "seat": seats[3], "chips": [3]}],
    ]
    third = [[{"act": "push", "seat": seat, "chips": [rng.randint(1, 5)]}] for seat in seats[1:4]]
    street = _shuffled(rng, second + late)
    street[0].setdefault("pause", STREET_S)
    acts: Acts = [{"act": "deal", "seat": None}, *_shuffled(rng, first + early), *street]
    acts += [{"act": "sweep"}, *_shuffled(rng, third), {"act": "sweep"}]
    acts += [{"act": "pay", "seat": seats[1]}, {"act": "clear"}, *between_hands]
    for act in acts[1:]:
        pause = round(rng.choice((rng.uniform(0.4, 1.2), rng.uniform(0.4, 1.2), rng.uniform(-0.4, 0.0))), 2)
        act.setdefault("pause", pause)
    return _script(number, acts)


def _rare(number: int, rng: Random, seats: list[int]) -> tuple[list[Acts], list[Acts], Acts]:
    """The rarer acts of a round: groups for the first street, groups for the second, and what comes after the hand."""
    protector: list[Acts] = [[{"act": "protect", "seat": seats[6]}]]
    bare: list[Acts] = [[{"act": "unprotect", "seat": seats[6]}]]
    splash: list[Acts] = [[{"act": "splash", "seat": seats[5], "chips": [rng.randint(2, 6)]}]]
    carry: list[Acts] = [[{"act": "carry", "seat": seats[7], "chips": [rng.randint(1, 6)]}]]
    late_s = round(rng.uniform(0.2, 1.0), 2)
    topple: list[Acts] = [
        [
            {"act": "push", "seat": seats[9], "chips": [rng.randint(8, 14)]},
            {"act": "topple", "seat": seats[9], "chips": [rng.randint(4, 6)], "pause": late_s},
        ]
    ]

    def phone(where: str) -> list[Acts]:
        lies_s = round(rng.uniform(2.5, 5.0), 1)
        put = {"act": "phone", "seat": seats[5], "where": where}
        return [[put, {"act": "pocket", "seat": seats[5], "pause": lies_s}]]

    match number % 6:
        case 0:
            return splash + protector, bare, []
        case 1:
            return topple, [[{"act": "sweep", "seat": seats[4]}]], []
        case 2:
            return phone("zone"), [[{"act": "push_in", "seat": seats[4]}]], []
        case 3:
            return carry, [], [{"act": "race", "seat": seat} for seat in seats[5:8]]
        case 4:
            return [*splash, *phone("rail")], carry, []
        case _:
            return [*protector, *phone("felt")], [*bare, [{"act": "push_in", "seat": seats[4]}]], []


def street(number: int) -> FilmScript:
    """Some seats bet and the dealer gathers: short, for scenes that differ in something else."""
    return _script(number, _street(number))


def patterned(number: int) -> FilmScript:
    """The same on speed cloth, with suits woven into the felt."""
    return _script(number, _street(number), room={"patterned": True})


def lamps(number: int) -> FilmScript:
    """A lamp goes off and on between bets, perhaps in another colour; then the exposure jumps by 12 %."""
    rng = Random(f"{SEED + number}:lamps")
    first, second, third, fourth = rng.sample(range(1, 11), 4)
    lamp = {"act": "lamp", "over_s": round(rng.uniform(0.1, 0.6), 2), "pause": 1.0}
    off = lamp | {"gain": round(rng.uniform(0.55, 0.75), 2)}
    on = lamp | {"gain": 1.0}
    if number % 2:
        on |= {"kelvin": rng.randint(2700, 5600)}
    return _script(
        number,
        [
            {"act": "push", "seat": first},
            off,
            {"act": "push", "seat": second, "pause": 1.5},
            on,
            {"act": "push", "seat": third, "pause": 1.5},
            lamp | {"gain": rng.choice((0.88, 1.12)), "over_s": 8 / 30},
            {"act": "push", "seat": fourth, "pause": 1.5},
            {"act": "sweep"},
        ],
    )


def bump(number: int) -> FilmScript:
    """The camera is knocked while bets lie."""
    rng = Random(f"{SEED + number}:bump")
    mm = [round(rng.choice((-1, 1)) * rng.uniform(8.0, 25.0), 1) for _ in range(2)]
    acts: Acts = [{"act": "push", "seat": seat} for seat in rng.sample(range(1, 11), 2)]
    return _script(number, [*acts, {"act": "bump", "mm": mm, "pause": 1.5}, {"act": "wait", "pause": 10.0}])


def stillness(number: int, seconds: float) -> FilmScript:
    """Nothing happens for so long, with cards and bets on the table and a camera with all its faults."""
    rng = Random(f"{SEED + number}:still")
    acts: Acts = [{"act": "deal"}]
    acts += [{"act": "push", "seat": seat, "chips": [rng.randint(1, 9)]} for seat in rng.sample(range(1, 11), 4)]
    acts += [{"act": "wait", "pause": seconds + 2.0}]
    return _script(number, acts, camera={"flash_every": 101, "drift": 0.04}, room={"kelvin_drift": 100.0})


def _street(number: int) -> Acts:
    rng = Random(f"{SEED + number}:street")
    seats = rng.sample(range(1, 11), 7)
    bets = [[rng.randint(1, 4)], [rng.randint(1, 3), rng.randint(1, 3)], [rng.randint(8, 30)], [1], [2]]
    groups: list[Acts] = [
        [{"act": "push", "seat": seat, "chips": chips}] for seat, chips in zip(seats, bets, strict=False)
    ]
    groups += [[{"act": "fake", "seat": seats[5]}], [{"act": "tap", "seat": seats[6]}]]
    acts = [*_shuffled(rng, groups), {"act": "pull_back", "seat": seats[0], "chips": [1]}, {"act": "sweep"}]
    for act in acts[1:]:
        act["pause"] = round(rng.uniform(0.4, 1.0), 2)
    return acts


def _script(
    number: int, acts: Acts, camera: dict[str, Any] | None = None, room: dict[str, Any] | None = None
) -> FilmScript:
    rng = Random(f"{SEED + number}:camera")
    faults = {
        "jpeg_quality": rng.randint(70, 90),
        "flicker": round(rng.uniform(0.0, 0.01), 4),
        "flash_every": rng.choice((0, 101, 250)),
        "dropped": 0.002,
        "lost": 0.002,
        "jitter_ms": 5.0,
        "exposure_ms": round(rng.uniform(4.0, 16.7), 1),
        "readout_ms": round(rng.uniform(8.0, 25.0), 1),
    }
    looks = {
        "lamps": rng.randint(1, 3),
        "vignette": round(rng.uniform(0.1, 0.35), 3),
        "kelvin": rng.randint(2700, 5600),
        "kelvin_drift": rng.choice((0.0, 60.0, 120.0)),
    }
    return parse(
        FilmScript,
        {
            "seed": SEED + number,
            "felt": FELTS[number % 2],
            "sleeve": SLEEVE if number % 3 else None,
            "stack": 2000,
            "camera": faults | (camera or {}),
            "room": looks | (room or {}),
            "acts": acts,
        },
        f"held-out scene {number}",
    )


def _shuffled(rng: Random, groups: list[Acts]) -> Acts:
    """Groups of acts in another order, each in its own."""
    return list(chain.from_iterable(rng.sample(groups, len(groups))))

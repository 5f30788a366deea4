"""Scenes of how people handle chips and hands: tosses, hovering and resting hands, top-ups, cards among the bets.

The same scenes are there to tune the detector with and, with other seeds, felts, rails, sleeves and cut-outs, for
scoring only: a `Ground` says which.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from betline.settings import parse
from virtual_table.camera.cutouts import Collection
from virtual_table.films.film_script import FilmScript

Acts = list[dict[str, Any]]
SEATS: Final = 10
APART_S: Final = 3.2
"""A second push of a seat sooner than this would be a string bet."""


@dataclass(frozen=True, slots=True)
class Ground:
    """Where scenes play: seeds from ``seed`` on, and what they are drawn from."""

    seed: int
    photos: Collection
    looks: tuple[tuple[str, str, str | None], ...]
    """Felt, rail and sleeve, ``#rrggbb``; each player's own sleeve where it is None."""


TRAINING: Final = Ground(
    510_000,
    "training",
    (
        ("#1f5c3a", "#2a2320", "#161719"),
        ("#26282c", "#3b2a20", "#1c1d22"),
        ("#274f7a", "#1c1a1a", None),
        ("#7a2f34", "#2b2422", "#201d1c"),
        ("#24503c", "#4a3526", "#24503c"),
    ),
)
"""To tune the detector with."""
HELD_OUT: Final = Ground(
    960_000,
    "held_out",
    (
        ("#22456e", "#181617", "#121316"),
        ("#6b2a34", "#33261f", "#26222a"),
        ("#2d6b4f", "#221d1b", None),
        ("#30323a", "#241f1d", "#17181b"),
        ("#3d3a6b", "#4a3526", "#3f6b8f"),
    ),
)
"""For scoring only: no number may be chosen on these."""


def hovering(number: int, ground: Ground) -> FilmScript:
    """Hands that rest on their bet, and hands that stay above it and go."""
    rng = _rng(number, ground, "hovering")
    groups: list[Acts] = []
    for seat in _seats(rng, 6):
        pushed = {"act": "push", "seat": seat, "chips": [rng.randint(1, 8)]}
        groups.append(
            rng.choice(
                [
                    [pushed | {"over_s": _s(rng, 0.5, 4.0)}],
                    [pushed, {"act": "hover", "seat": seat, "over_s": _s(rng, 0.4, 4.5)}],
                    [pushed | {"over_s": _s(rng, 0.3, 1.0)}, _hover(rng, seat)],
                    [_hover(rng, seat), pushed],
                ]
            )
        )
    return _script(number, ground, [*_mixed(rng, groups), {"act": "sweep", "pause": 2.0}])


def tossing(number: int, ground: Ground) -> FilmScript:
    """Chips tossed over the line, one and several, among bets that are pushed."""
    rng = _rng(number, ground, "tossing")
    groups: list[Acts] = [
        [{"act": "toss", "seat": seat, "chips": [rng.choice((1, 1, 1, 2, 2, 3, 5))]}] for seat in _seats(rng, 7)
    ]
    for group in rng.sample(groups, 2):
        group += [{"act": "toss", "seat": group[0]["seat"], "chips": [rng.randint(1, 2)]}]
    left = [seat for seat in range(1, SEATS + 1) if all(seat != group[0]["seat"] for group in groups)]
    groups += [[{"act": "push", "seat": left[0], "chips": [rng.randint(1, 6)]}]]
    return _script(number, ground, [*_mixed(rng, groups), {"act": "sweep", "pause": 2.0}])


def taking_back(number: int, ground: Ground) -> FilmScript:
    """Bets taken back, at once or by a hand that had gone past them first, and bets pushed into the pot."""
    rng = _rng(number, ground, "taking back")
    groups: list[Acts] = []
    for at, seat in enumerate(_seats(rng, 6)):
        chips = rng.randint(2, 7)
        some = rng.choice((1, chips, chips))
        back = {"act": ("pull_back", "take_back", "take_back", "push_in")[at % 4], "seat": seat}
        groups.append([{"act": "push", "seat": seat, "chips": [chips]}, back | {"chips": [some]}])
    return _script(number, ground, [*_mixed(rng, groups), {"act": "sweep", "pause": 2.0}])


def topping_up(number: int, ground: Ground) -> FilmScript:
    """Chips of another colour put on a bet, and beside it; strings."""
    rng = _rng(number, ground, "topping up")
    groups: list[Acts] = []
    for seat in _seats(rng, 6):
        first = {"act": "push", "seat": seat, "chips": [rng.randint(1, 6)]}
        more = {"act": rng.choice(("top_up", "top_up", "push")), "seat": seat, "chips": [rng.randint(1, 3)]}
        groups.append([first, more])
    groups[0] = [{"act": "push", "seat": groups[0][0]["seat"], "chips": [rng.randint(1, 3), rng.randint(1, 3)]}]
    return _script(number, ground, [*_mixed(rng, groups), {"act": "sweep", "pause": 2.0}])


def showing(number: int, ground: Ground) -> FilmScript:
    """Cards face up in bet zones, empty ones and ones with bets."""
    rng = _rng(number, ground, "showing")
    groups: list[Acts] = []
    for seat in _seats(rng, 6):
        pushed = {"act": "push", "seat": seat, "chips": [rng.randint(1, 5)]}
        shown = {"act": "show", "seat": seat}
        groups.append(rng.choice([[shown], [shown], [pushed, shown]]))
    bare = [seat for seat in range(1, SEATS + 1) if all(seat != group[0]["seat"] for group in groups)]
    groups += [[{"act": "push", "seat": bare[0], "chips": [rng.randint(1, 4)]}]]
    acts = [{"act": "deal"}, *_mixed(rng, groups), {"act": "sweep", "pause": 2.0}]
    return _script(number, ground, acts)


def shading(number: int, ground: Ground) -> FilmScript:
    """Soft shadows of nobody in the picture over bet zones, and lamps that change, between bets."""
    rng = _rng(number, ground, "shading")
    groups: list[Acts] = []
    for seat in _seats(rng, 5):
        shade = {"act": "shade", "seat": seat, "gain": _s(rng, 0.5, 0.8), "over_s": _s(rng, 1.5, 4.0)}
        pushed = {"act": "push", "seat": seat, "chips": [rng.randint(1, 5)]}
        groups.append(rng.choice([[shade], [pushed, shade], [shade, pushed]]))
    lamp = {"act": "lamp", "over_s": _s(rng, 0.2, 0.6), "pause": 1.5}
    lamps: Acts = [lamp | {"gain": _s(rng, 0.6, 0.75)}, lamp | {"gain": 1.0, "pause": 2.0}]
    return _script(number, ground, [*_mixed(rng, groups), *lamps, {"act": "sweep", "pause": 2.0}])


def fidgeting(number: int, ground: Ground) -> FilmScript:
    """Restless arms behind the line, beside bets, fakes and a neighbour's reach."""
    rng = _rng(number, ground, "fidgeting")
    groups: list[Acts] = []
    for seat in _seats(rng, 6):
        busy = {"act": "fidget", "seat": seat, "over_s": _s(rng, 1.5, 4.0)}
        pushed = {"act": "push", "seat": seat, "chips": [rng.randint(1, 6)]}
        groups.append(
            rng.choice(
                [
                    [busy, pushed],
                    [pushed, busy],
                    [busy, {"act": "fake", "seat": seat}],
                    [pushed, busy, _hover(rng, seat)],
                ]
            )
        )
    return _script(number, ground, [*_mixed(rng, groups), {"act": "sweep", "pause": 2.0}])


KINDS: Final[dict[str, Callable[[int, Ground], FilmScript]]] = {
    "hovering": hovering,
    "tossing": tossing,
    "taking_back": taking_back,
    "topping_up": topping_up,
    "showing": showing,
    "shading": shading,
    "fidgeting": fidgeting,
}


def _rng(number: int, ground: Ground, kind: str) -> Random:
    return Random(f"{ground.seed + number}:{kind}")


def _seats(rng: Random, count: int) -> list[int]:
    return rng.sample(range(1, SEATS + 1), count)


def _s(rng: Random, least: float, most: float) -> float:
    return round(rng.uniform(least, most), 2)


def _hover(rng: Random, seat: int) -> dict[str, Any]:
    return {"act": "hover", "seat": seat, "over_s": _s(rng, 0.4, 4.5)}


def _mixed(rng: Random, groups: list[Acts]) -> Acts:
    """First each group's first act, in another order, then the second ones; some begin before the one before ends.

    A seat's acts are `APART_S` apart, so that they are acts of their own.
    """
    acts: Acts = []
    for turn in range(max(len(group) for group in groups)):
        those = [group[turn] for group in rng.sample(groups, len(groups)) if len(group) > turn]
        if turn:
            those[0]["pause"] = APART_S
        acts += those
    for act in acts:
        act.setdefault("pause", _s(rng, -0.3, 0.9))
    return acts


def _script(number: int, ground: Ground, acts: Acts) -> FilmScript:
    rng = _rng(number, ground, "looks")
    felt, rail, sleeve = ground.looks[number % len(ground.looks)]
    data: dict[str, Any] = {
        "seed": ground.seed + number,
        "felt": felt,
        "rail": rail,
        "sleeve": sleeve,
        "stack": 2000,
        "camera": {
            "jpeg_quality": rng.randint(72, 90),
            "flicker": round(rng.uniform(0.0, 0.01), 4),
            "flash_every": rng.choice((0, 101, 250)),
            "lost": 0.002,
            "jitter_ms": 5.0,
            "exposure_ms": round(rng.uniform(4.0, 16.7), 1),
            "readout_ms": round(rng.uniform(8.0, 25.0), 1),
        },
        "room": {
            "lamps": rng.randint(1, 3),
            "vignette": round(rng.uniform(0.1, 0.35), 3),
            "kelvin": rng.randint(2700, 5600),
            "photos": ground.photos,
        },
        "acts": acts,
    }
    return parse(FilmScript, data, f"scene {number}")

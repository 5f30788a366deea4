"""The suite `keys`: how many keys a dealer presses a hand, who keys only what nothing tells.

Random hands at a table of nine, played in simulated time: with readers and camera, with readers alone, and by keys
alone. The dealer keys no fold and no check that the chips of a later seat will tell; words, the last passes of a round,
streets, awards and the next hand are his. Counted is what a hand presses: a number is as many keys as it has digits, a
dialog its key, what is typed, and Enter. What people bring and take between hands is counted by itself.

A fold or check that the controller inferred and nobody made is wrong, and so is any other ruling that is not as meant.
"""

from __future__ import annotations

import multiprocessing
import os
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple

from betline.bench import Figure, Progress, Report
from betline.settings import TableSettings, load_table
from virtual_table.laboratory.laboratory import Conditions, Laboratory, without_camera, without_readers
from virtual_table.play.habits import Habits

TAKES: Final = ("seed",)
Mode = Literal["all", "no_camera", "no_sensors"]
MODES: Final[tuple[Mode, ...]] = ("all", "no_camera", "no_sensors")
SENSORS: Final[dict[Mode, str]] = {
    "all": "readers and camera",
    "no_camera": "readers alone",
    "no_sensors": "keys alone",
}
TABLE: Final = "casino-oval"
HANDS: Final = 100
FULL_HANDS: Final = 1_000
A_SITTING: Final = 20
"""Hands of one seed, one after the other."""
TARGETS: Final[dict[Mode, int]] = {"all": 5, "no_camera": 8}
COMINGS_AND_GOINGS: Final = frozenset({"sit-down", "leave", "sit-out", "return", "rebuy", "game"})


class Sitting(NamedTuple):
    """Some hands of one seed in one mode."""

    mode: Mode
    seed: int
    hands: int


@dataclass(frozen=True, slots=True)
class Pressed:
    """What was pressed in a sitting: keys by verb and hand; how many rulings were not as meant."""

    mode: Mode
    hands: tuple[Counter[str], ...]
    wrong: int


def measure(progress: Progress, *, full: bool = False, seed: int = 990_000) -> Report:
    """Plays the hands in all modes."""
    hands = FULL_HANDS if full else HANDS
    sittings = [
        Sitting(mode, seed + place, min(A_SITTING, hands - place * A_SITTING))
        for mode in MODES
        for place in range(-(-hands // A_SITTING))
    ]
    played: list[Pressed] = []
    workers = min(2, len(os.sched_getaffinity(0)))
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as pool:
        for place, one in enumerate(pool.map(play, sittings), 1):
            played.append(one)
            progress.at(place, len(sittings), f"{one.mode}: {len(one.hands)} hands")
    return report(played)


def play(sitting: Sitting) -> Pressed:
    """Plays the hands of a sitting."""
    conditions = Conditions(habits=Habits(spares_keys=True))
    came = Laboratory(table_of(sitting.mode), sitting.seed, conditions).play(sitting.hands)
    return Pressed(sitting.mode, tuple(came.kinds_by_hand), came.wrong)


def table_of(mode: Mode) -> TableSettings:
    """The table with what the mode leaves of its sensors."""
    table = load_table(TABLE)
    match mode:
        case "no_camera":
            return without_camera(table)
        case "no_sensors":
            return without_camera(without_readers(table))
    return table


def report(played: Sequence[Pressed]) -> Report:
    """The figures of all sittings."""
    keys: dict[str, Any] = {}
    figures = []
    for mode in MODES:
        hands = [hand for one in played if one.mode == mode for hand in one.hands]
        if not hands:
            continue
        at_the_table = [_without_people(hand).total() for hand in hands]
        keys[mode] = {
            **_quantiles(at_the_table),
            "with_comings_and_goings": _quantiles([hand.total() for hand in hands]),
        }
        target = TARGETS.get(mode)
        met = None if target is None else keys[mode]["p50"] <= target
        aim = "" if target is None else f"p50 <= {target}"
        measured = f"{keys[mode]['p50']}/{keys[mode]['p95']}"
        figures.append(Figure(f"{SENSORS[mode]}: keys a hand, p50/p95", measured, aim, met))
    wrong = sum(one.wrong for one in played)
    keys["wrong"] = wrong
    keys["by_kind"] = {mode: _a_hand([one for one in played if one.mode == mode]) for mode in MODES if mode in keys}
    figures.append(Figure("rulings that were not as meant", str(wrong), "0", wrong == 0))
    counts = sorted({sum(len(one.hands) for one in played if one.mode == mode) for mode in keys["by_kind"]})
    measured = f"{' to '.join(map(str, counts))} hands in each mode; what people bring and take is left out."
    return Report(keys, tuple(figures), (measured,))


def _without_people(hand: Counter[str]) -> Counter[str]:
    return Counter({verb: count for verb, count in hand.items() if verb not in COMINGS_AND_GOINGS})


def _a_hand(played: Sequence[Pressed]) -> dict[str, float]:
    """Keys a hand by verb, most first."""
    hands = [hand for one in played for hand in one.hands]
    total: Counter[str] = sum(hands, Counter())
    return {verb: round(count / len(hands), 2) for verb, count in total.most_common()}


def _quantiles(counts: Sequence[int]) -> dict[str, int]:
    ordered = sorted(counts)
    last = len(ordered) - 1
    return {"p50": ordered[round(0.5 * last)], "p95": ordered[round(0.95 * last)]}

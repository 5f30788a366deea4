"""The suite `keys`: how many keys a dealer presses a hand, who keys only what nothing tells.

Random nine-handed hands, played in simulated time: with readers and camera, with readers alone, and by keys alone. The
dealer keys words, who acts out of the readers' sight, and what was not understood within some seconds; he pushes the
pot before he awards it and lets the blinds say that the next hand is on. Counted is every press: `40 B` is three, a
dialog its key, what is typed, and Enter. In two of five sittings people come and go; what they bring and take between
hands is counted by itself.

What the controller inferred and nobody did is wrong, and so is any other ruling that is not as meant.
"""

from __future__ import annotations

import multiprocessing
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Final, Literal, NamedTuple

from betline.bench import Figure, Progress, Report
from betline.messages.table import Alert, Ruling, TableState
from betline.settings import TableSettings, load_table
from betline.supervise import as_worker
from virtual_table.laboratory.laboratory import Conditions, Laboratory, Told, without_camera, without_readers
from virtual_table.play.habits import Habits
from virtual_table.scripts.evening_script import BeforeHand, EveningScript

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
WITH_CHANGES: Final = (3, 4)
"""Of five sittings those in which people come and go."""
NINE: Final = tuple(range(1, 10))
OF_THE_HAND: Final = {"street-seen": "street", "hand-seen": "hand"}
TARGETS: Final[dict[Mode, int]] = {"all": 5, "no_camera": 8}
COMINGS_AND_GOINGS: Final = frozenset({"sit-down", "leave", "sit-out", "return", "rebuy", "game"})


class Sitting(NamedTuple):
    """Some hands of one seed in one mode, with the same nine people or with some who come and go."""

    mode: Mode
    seed: int
    hands: int
    changes: bool = False


@dataclass(frozen=True, slots=True)
class Pressed:
    """What was pressed in a sitting: keys by verb and hand; how many rulings were not as meant; what was inferred."""

    mode: Mode
    hands: tuple[Counter[str], ...]
    wrong: int
    inferred: Counter[str] = field(default_factory=Counter)


def measure(progress: Progress, *, full: bool = False, seed: int = 990_000) -> Report:
    """Plays the hands in all modes."""
    hands = FULL_HANDS if full else HANDS
    sittings = [
        Sitting(mode, seed + place, min(A_SITTING, hands - place * A_SITTING), changes=place % 5 in WITH_CHANGES)
        for mode in MODES
        for place in range(-(-hands // A_SITTING))
    ]
    played: list[Pressed] = []
    workers = min(2, len(os.sched_getaffinity(0)))
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), as_worker) as pool:
        for place, one in enumerate(pool.map(play, sittings), 1):
            played.append(one)
            progress.at(place, len(sittings), f"{one.mode}: {len(one.hands)} hands")
    return report(played)


def play(sitting: Sitting) -> Pressed:
    """Plays the hands of a sitting."""
    planned = 1 if sitting.changes else sitting.hands  # after the last hand that is planned chance decides
    evening = EveningScript(seats=NINE, hands=(BeforeHand(),) * planned)
    conditions = Conditions(habits=Habits(spares_keys=True))
    lab = Laboratory(table_of(sitting.mode), sitting.seed, conditions, evening=evening)
    came = lab.play(sitting.hands)
    return Pressed(sitting.mode, tuple(came.kinds_by_hand), came.wrong, inferred(lab.messages))


def inferred(messages: Iterable[Told]) -> Counter[str]:
    """What the controller inferred, by kind: folds and checks, streets and hands, and awards that it asked about."""
    found: Counter[str] = Counter()
    asked: set[str] = set()
    for body in (told.body for told in messages):
        match body:
            case Ruling(source="inferred", ruling=ruling):
                found[ruling] += 1
            case Alert(code=code, active=True) if code in OF_THE_HAND:
                found[OF_THE_HAND[code]] += 1
            case TableState(questions=questions):
                asked.update(question.id for question in questions if question.kind == "award")
    return found + Counter({"award": len(asked)})


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
        keys[mode] = _quantiles(at_the_table)
        target = TARGETS.get(mode)
        met = None if target is None else keys[mode]["p50"] <= target
        aim = "" if target is None else f"p50 <= {target}"
        measured = f"{keys[mode]['p50']}/{keys[mode]['p95']}"
        figures.append(Figure(f"{SENSORS[mode]}: keys a hand, p50/p95", measured, aim, met))
    wrong = sum(one.wrong for one in played)
    keys["wrong"] = wrong
    keys["by_kind"] = {mode: _kinds([one for one in played if one.mode == mode]) for mode in MODES if mode in keys}
    figures.append(Figure("rulings that were not as meant", str(wrong), "0", wrong == 0))
    counts = sorted({sum(len(one.hands) for one in played if one.mode == mode) for mode in keys["by_kind"]})
    seen: Counter[str] = sum((one.inferred for one in played), Counter())
    measured = f"{' to '.join(map(str, counts))} hands in each mode; what people bring and take is left out."
    told = f"Inferred: {', '.join(f'{count} x {kind}' for kind, count in seen.most_common()) or 'nothing'}."
    return Report(keys, tuple(figures), (measured, told))


def _kinds(played: Sequence[Pressed]) -> dict[str, Any]:
    """Keys a hand by verb, at the table and for those who come and go, what both come to, and what was inferred."""
    a_hand = _a_hand(played)
    return {
        "at_the_table": {verb: keys for verb, keys in a_hand.items() if verb not in COMINGS_AND_GOINGS},
        "comings_and_goings": {verb: keys for verb, keys in a_hand.items() if verb in COMINGS_AND_GOINGS},
        "with_comings_and_goings": _quantiles([hand.total() for one in played for hand in one.hands]),
        "inferred": dict(sum((one.inferred for one in played), Counter()).most_common()),
    }


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

"""A trial: some hands at one table under conditions that its seed decides, and what came of them.

The seed says everything: table, mode, noise, habits, troubles, hands. So a trial is repeated by its number alone.
"""

from __future__ import annotations

import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import Final, Literal

from betline.messages.table import Ruling, TableState
from betline.settings import TableSettings, load_table
from table_controller.sensing import Thresholds
from virtual_table.faults.plan import NO_FAULTS, TablePlan
from virtual_table.laboratory.camera import MEASURED, Eyes
from virtual_table.laboratory.laboratory import Conditions, Laboratory, without_camera, without_readers
from virtual_table.laboratory.trouble import Troubles
from virtual_table.play.habits import Habits
from virtual_table.play.pace import Pauses
from virtual_table.play.report import Report, Waited, Wrong
from virtual_table.scripts.seat_changes import Rates

Mode = Literal["readers+camera", "readers", "camera"]
ACTS_EACH: Final = 60
MOST_HANDS: Final = 30
TABLES: Final = ("home-six", "home-six", "casino-oval", "casino-oval", "casino-mux")
MODES: Final[tuple[Mode, ...]] = ("readers+camera",) * 5 + ("readers",) * 4 + ("camera",)
NOISES: Final = ((0.05, 0.01),) * 6 + ((0.10, 0.01), (0.15, 0.01), (0.20, 0.01), (0.05, 0.05), (0.05, 0.15))
"""Shares of missed reads and of neighbour reads; more than half of the trials have the usual ones."""
POOR_EYES: Final = 4.0
"""So many times the measured misses and false events, for a camera that is worse than any measured."""
TRAVELLING, CHANGE, EARLY, LATE, RESTARTS, DYING, ARMS, POOR = (
    "travelling chips",
    "change from the tray",
    "keys early",
    "keys late",
    "restarts",
    "dying sensors",
    "arms",
    "poor camera",
)
TROUBLES: Final = (TRAVELLING, CHANGE, EARLY, LATE, RESTARTS, DYING, ARMS, POOR)
ANTES, DEAD, BOMB_POTS, TOYS = OCCASIONS = "late antes", "dead blinds", "bomb pots", "toying"
"""What an evening may have besides, drawn apart so that a trial without any is what it was before there were some."""
ADVERSITIES: Final = (*TROUBLES, *OCCASIONS)
PLAYED: Final = (
    "antes_late", "dead_posts", "dead_posts_late", "bomb_pots", "toys", "chips_left", "no_bets", "answers_late"
)  # fmt: skip
"""What the occasions brought about, as the report of the evening counts it."""
CALM: Final = 0.25
"""Share of the trials with no adversity at all."""
ADVERSE: Final = 0.3
"""Share of the others that have each of them."""
QUICK: Final = 0.35
HASTY: Final = Pauses((0.02, 0.15), (0.1, 0.25), 0.0, 0.0, 4.0)


@dataclass(frozen=True, slots=True)
class Plan:
    """What a trial is."""

    seed: int
    table: str
    mode: Mode
    missed: float
    neighbour: float
    adversities: frozenset[str]
    pauses: Pauses
    quick: bool
    """Whether its people hurry."""
    false_mucks: float = 0.0
    """Share of the hands that leave which the camera takes for cards that were mucked."""

    @property
    def noise(self) -> str:
        """The noise in words."""
        return f"{self.missed:.0%} missed, {self.neighbour:.0%} neighbour"

    @property
    def named(self) -> str:
        """The trial in words."""
        against = ", ".join(one for one in ADVERSITIES if one in self.adversities) or "no trouble"
        return f"{self.table}, {self.mode}, {self.noise}; {against}{'; in a hurry' if self.quick else ''}"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a trial: counts, waits, and everything that was wrong with the number of its hand, from 1."""

    plan: Plan
    hands: int
    acts: int
    asked: int
    amended: int
    inferred_wrong: int
    inferred_folds: int
    wrongs: tuple[tuple[int, Wrong], ...]
    waited: tuple[Waited, ...]
    asked_about: Mapping[str, int] = field(default_factory=dict)
    played: Mapping[str, int] = field(default_factory=dict)
    """How often each of `PLAYED` came about."""


class Spoiled(Exception):
    """Something was wrong, so that nothing after it in this trial says anything."""


class StrictReport(Report):
    """A report at which a trial ends with the first thing that is wrong."""

    def is_wrong(self, wrong: Wrong) -> None:
        Report.is_wrong(self, wrong)
        raise Spoiled(wrong.sentence)


def plan_of(seed: int, occasions: float = ADVERSE) -> Plan:
    """The trial of that number; ``occasions`` is the share of the trials that have each of these (0: none has)."""
    chance = Random(f"trial-{seed}")
    mode, (missed, neighbour) = chance.choice(MODES), chance.choice(NOISES)
    table = chance.choice(TABLES)
    calm = chance.random() < CALM
    adversities = frozenset(one for one in TROUBLES if chance.random() < ADVERSE and not calm)
    of_occasions = Random(f"occasions-{seed}")
    adversities |= frozenset(one for one in OCCASIONS if of_occasions.random() < occasions and not calm)
    if mode == "readers":
        adversities -= {POOR}
    quick = chance.random() < QUICK
    return Plan(seed, table, mode, missed, neighbour, adversities, HASTY if quick else Pauses.short(), quick)


def conditions_of(plan: Plan, thresholds: Thresholds | None = None) -> Conditions:
    """The plan as the laboratory takes it."""
    on = plan.adversities.__contains__
    worse = POOR_EYES if on(POOR) else 1.0
    eyes = Eyes({kind: min(0.5, share * worse) for kind, share in MEASURED.items()}, 0.02 * worse, plan.false_mucks)
    habits = Habits(
        next_hand_early=0.7 if on(EARLY) else 0.0,
        street_early=0.5 if on(EARLY) else 0.0,
        straddle_early=0.6 if on(EARLY) else 0.0,
        straddle_late=0.6 if on(LATE) else 0.0,
        posts_late=0.4 if on(LATE) else 0.0,
        street_late=0.5 if on(LATE) else 0.0,
        trades=0.7 if on(TRAVELLING) else 0.0,
        keeps_stacks=on(CHANGE),
        antes_late=0.6 if on(ANTES) else 0.0,
        dead_with_live=0.7 if on(DEAD) else 0.0,
        toys=0.4 if on(TOYS) else 0.0,
        answers_late=0.3 if on(TOYS) else 0.0,
    )
    rates = Rates(0.9, 0.9, 0.0) if on(DEAD) else Rates()
    rates = replace(rates, bomb_pots=1.0 if on(BOMB_POTS) else 0.0)
    troubles = Troubles(
        restarts=3.0 if on(RESTARTS) else 0.0,
        readers_die=3.0 if on(DYING) else 0.0,
        cameras_die=2.0 if on(DYING) else 0.0,
        arms=12.0 if on(ARMS) else 0.0,
    )
    return Conditions(
        plan.missed, plan.neighbour, eyes=eyes, pauses=plan.pauses, habits=habits, rates=rates, troubles=troubles,
        thresholds=thresholds,
    )  # fmt: skip


def table_of(plan: Plan) -> TableSettings:
    """The table in the plan's mode, with antes and dead blinds where the trial has them."""
    table = load_table(plan.table)
    if DEAD in plan.adversities:
        options = {**table.house.options, "missed_blinds": "big-live-small-dead"}
        table = table.model_copy(update={"house": table.house.model_copy(update={"options": options})})
    if ANTES in plan.adversities:
        ante = table.game.blinds[0]
        table = table.model_copy(update={"game": table.game.model_copy(update={"ante": ante, "ante_by": "each"})})
    if plan.mode == "readers":
        return without_camera(table)
    return without_readers(table) if plan.mode == "camera" else table


def _nothing(_: Laboratory) -> None:
    return None


def run(
    plan: Plan,
    thresholds: Thresholds | None = None,
    faults: TablePlan = NO_FAULTS,
    *,
    acts: int = ACTS_EACH,
    last_hand: int = MOST_HANDS,
    made: Callable[[Laboratory], None] = _nothing,
    before_hand: Callable[[Laboratory], None] = _nothing,
) -> tuple[Laboratory, Outcome]:
    """Plays a trial until it has so many acts, or that hand is over, or something is wrong; ``faults`` happen besides.

    ``made`` and ``before_hand`` are called with the laboratory, once and before each hand.
    """
    report = StrictReport()
    table = table_of(plan)
    conditions = replace(conditions_of(plan, thresholds), faults=faults.fitted(table))
    lab = Laboratory(table, plan.seed, conditions, report)
    made(lab)
    wrongs: list[tuple[int, Wrong]] = []
    while report.acts < acts and report.hands < last_hand:
        before_hand(lab)
        try:
            lab.play(1)
        except Spoiled:
            wrongs.append((report.hands + 1, report.wrongs[-1]))
            break
        except Exception as error:
            place = traceback.extract_tb(error.__traceback__)[-1]
            sentence = f"{type(error).__name__} in {place.filename}:{place.lineno}: {error}"
            wrongs.append((report.hands + 1, Wrong("crash", None, lab.agenda.now_s(), sentence)))
            break
    return lab, Outcome(
        plan,
        report.hands,
        report.acts,
        report.asked + report.refused,
        report.amended,
        inferred_wrong(lab),
        sum(ruling.ruling == "fold" for _, ruling in _inferred(lab)),
        tuple(wrongs),
        tuple(report.waited),
        dict(report.asked_about),
        {name: report.evening[name] for name in PLAYED},
    )


def inferred_wrong(lab: Laboratory) -> int:
    """How many folds and checks were inferred of seats that had done nothing of the kind."""
    began: dict[tuple[int, str], float] = {}
    for told in lab.messages:
        if isinstance(told.body, TableState):
            began.setdefault((told.body.hand_no, told.body.street), told.at_s)
    wrong = 0
    for told_s, ruling in _inferred(lab):
        since_s = began.get((ruling.hand_no, ruling.street), 0.0)
        done = [one.kind for at_s, one in lab.report.performed if since_s <= at_s <= told_s and one.seat == ruling.seat]
        wrong += ruling.ruling not in done[-1:]
    return wrong


def _inferred(lab: Laboratory) -> Iterator[tuple[float, Ruling]]:
    """The rulings that no key and no chips brought, each with when it came."""
    for told in lab.messages:
        if isinstance(told.body, Ruling) and told.body.source == "inferred":
            yield told.at_s, told.body


def asked_in_words(outcomes: Iterable[Outcome]) -> str:
    """What was asked about, most first."""
    total = Counter[str]()
    for outcome in outcomes:
        total.update(outcome.asked_about)
    return ", ".join(f"{what} {count}" for what, count in total.most_common())

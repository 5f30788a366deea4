"""The suite `cheats`: how soon the controller says what is wrong, and how often it says so of honest play.

Each cheat of `virtual_table.laboratory.cheats` is acted out in hands of several seeds, with a camera and with readers
alone, at 5 % missed reads, 1 % neighbour reads and the camera's measured errors. It counts as raised when one of its
alerts or questions comes within `WAIT_S`; the time runs from when it is done, chips at rest. The seeds are not those of
the tests. Honest play is random hands without a pause between them; every alert that accuses the felt counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from betline.bench import Figure, Progress, Report
from betline.messages.table import Alert, Ruling
from betline.settings import TableSettings, load_table
from virtual_table.laboratory.cheats import CHEATS, ENROLLED, Cheat
from virtual_table.laboratory.laboratory import Conditions, Laboratory, without_camera
from virtual_table.laboratory.stage import NoSuchMoment, Stage

TABLE: Final = "home-six"
SEED: Final = 880_000
WAIT_S: Final = 8.0
THINKS_S: Final = (0.2, 4.0)
"""People look round before they cheat."""
TARGET_MS: Final = 2_000
TARGET_PER_HOUR: Final = 1.0
PEOPLE: Final = frozenset({"out-of-turn", "pick-up", "level", "level-ending", "break", "time-due", "ruled-otherwise"})
"""Alerts about what the dealer keyed and about the evening, which say nothing of the chips."""


class Effort(NamedTuple):
    """How much is measured."""

    runs: int
    """Of each cheat, with a camera and without one each."""
    tables: int
    """Evenings of honest play, with a camera and without one each."""
    hands: int
    """In each."""


USUAL: Final = Effort(3, 2, 45)
FULL: Final = Effort(20, 10, 200)


class Acted(NamedTuple):
    """One cheat, done."""

    raised_ms: float | None
    misread: bool
    """Whether the table ruled anything while everybody waited."""


@dataclass(slots=True)
class Honest:
    """What was said of honest play."""

    hours: float = 0.0
    hands: int = 0
    notices: Counter[str] = field(default_factory=Counter)
    """Alerts of the kind info: nobody did wrong."""
    false: Counter[str] = field(default_factory=Counter)

    @property
    def per_hour(self) -> float:
        return sum(self.false.values()) / self.hours if self.hours else 0.0


def measure(progress: Progress, *, full: bool = False) -> Report:
    """Acts all cheats out, then lets people play honestly."""
    effort = FULL if full else USUAL
    found: dict[str, list[Acted]] = {}
    for number, cheat in enumerate(CHEATS):
        progress.at(number, len(CHEATS) + 2 * effort.tables, cheat.name)
        found[cheat.name] = list(acted_out(cheat, effort.runs))
    honest = Honest()
    for number in range(effort.tables):
        for place, table in enumerate(_tables()):
            progress.at(len(CHEATS) + 2 * number + place, len(CHEATS) + 2 * effort.tables, "honest play")
            play_honestly(honest, table, SEED + number, effort.hands)
    return _report(found, honest)


def acted_out(cheat: Cheat, runs: int, seed: int = SEED) -> Iterator[Acted]:
    """So many of a cheat, with a camera and, where it can be noticed without one, with readers alone."""
    for place, table in enumerate(_tables()):
        if cheat.camera is not None and cheat.camera is not bool(table.cameras):
            continue
        for run in range(runs):
            yield act_out(cheat, table, seed + 1000 * place + run)


def act_out(cheat: Cheat, table: TableSettings, seed: int) -> Acted:
    """One evening up to the cheat, and some seconds more; other hands are tried where one does not lend itself."""
    for attempt in range(10):
        stage = Stage(Laboratory(table, seed + 10_000 * attempt, Conditions(enrolled=ENROLLED)))
        try:
            stage.play_until(cheat.when)
            stage.lab.let(stage.chance.uniform(*THINKS_S))
            began_s = stage.now_s
            done_s = cheat.act(stage)
        except NoSuchMoment:
            continue
        stage.lab.let(done_s + WAIT_S - stage.now_s)
        return _heard(cheat, stage, began_s, done_s)
    raise RuntimeError(f"No hand of seed {seed} lends itself to {cheat.name}.")


def _heard(cheat: Cheat, stage: Stage, began_s: float, done_s: float) -> Acted:
    told = [one for one in stage.lab.messages if one.at_s > began_s]
    raised = [
        one.at_s for one in told if isinstance(one.body, Alert) and one.body.active and one.body.code in cheat.codes
    ]
    raised += stage.asked_s(began_s, cheat.codes)
    ruled = any(isinstance(one.body, Ruling) for one in told if one.at_s > done_s)
    return Acted(max(0.0, min(raised) - done_s) * 1000 if raised else None, ruled)


def play_honestly(honest: Honest, table: TableSettings, seed: int, hands: int) -> None:
    """Adds an evening of honest play."""
    lab = Laboratory(table, seed)
    began_s = lab.agenda.now_s()
    honest.hands += lab.play(hands).hands
    honest.hours += (lab.agenda.now_s() - began_s) / 3600
    for told in lab.messages:
        if isinstance(told.body, Alert) and told.body.active and told.body.code not in PEOPLE:
            (honest.notices if told.body.severity == "info" else honest.false)[told.body.code] += 1


def _tables() -> tuple[TableSettings, TableSettings]:
    table = load_table(TABLE)
    return table, without_camera(table)


def _report(found: dict[str, list[Acted]], honest: Honest) -> Report:
    rows = {name: _row(acted) for name, acted in found.items()}
    figures = [
        Figure(
            name,
            f"{row['raised']} of {row['of']}" + (f", {row['ms_p95']} ms p95" if row["raised"] else ""),
            f"all, {TARGET_MS} ms",
            row["raised"] == row["of"] and row["ms_p95"] <= TARGET_MS,
        )
        for name, row in rows.items()
    ]
    per_hour = round(honest.per_hour, 2)
    figures.append(
        Figure("false alerts an hour", f"{per_hour}", f"< {TARGET_PER_HOUR:.0f}", per_hour < TARGET_PER_HOUR)
    )
    said = ", ".join(f"{code} {count}" for code, count in honest.false.most_common()) or "none"
    notices = ", ".join(f"{code} {count}" for code, count in honest.notices.most_common()) or "none"
    measured = (
        f"Honest play: {honest.hands} hands in {honest.hours:.2f} simulated hours; alerts: {said}; notices: {notices}.",
    )
    return Report({"cheats": rows, "false_per_hour": per_hour}, tuple(figures), measured)


def _row(acted: Sequence[Acted]) -> dict[str, Any]:
    times = sorted(one.raised_ms for one in acted if one.raised_ms is not None)
    p95 = round(times[min(len(times) - 1, int(len(times) * 0.95))]) if times else None
    misread = sum(one.misread for one in acted)
    return {"raised": len(times), "of": len(acted), "ms_p95": p95, "ruled": misread}

"""The figures of the suite `site`: each step, what a table more costs, and what is needed by that. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from betline.bench import Figure, Report
from virtual_table.site.needs import Play, fitted, needs

PROGRAMS: Final = ("site_broker", "pit_brokers", "recorder", "database", "floor")
TARGET_MS: Final = 1000.0
"""An entry is to have its row within so long, p95."""
LATE_MS: Final = 250.0
"""Light tables that speak so much later than their pace (p95) show that the machine has no time for them."""
WAITS: Final = 0.1
"""A recorder that waits for a core for less of the time than this is not held up."""
SPARE_MB: Final = 1000.0


@dataclass(frozen=True, slots=True)
class Step:
    """What was measured with so many tables; cores and MB by program."""

    tables: int
    pits: int
    messages_a_second: float
    crossing_a_second: float
    entries_a_second: float
    site_broker: Mapping[str, float]
    """Its own count of bytes a second, in and out."""
    cores: Mapping[str, float]
    waited: Mapping[str, float]
    """Share of the time in which threads of a program were ready to run and had no core; several may wait at once."""
    mb: Mapping[str, float]
    to_row_ms: Mapping[str, float | None]
    entries_timed: int
    without_row: int
    """Entries of the sampled tables that had no row some seconds after the end."""
    late_ms: float
    load: float

    @property
    def had_cores(self) -> bool:
        """Whether the machine had time for all of it: else the figures are those of a machine too small or too busy.

        It had none where the light tables spoke late, or the recorder waited longer for a core than it used one.
        """
        return self.late_ms < LATE_MS and self.waited["recorder"] <= max(WAITS, self.cores["recorder"])

    @property
    def in_time(self) -> bool:
        """Whether every entry had its row, and the slow ones in time too."""
        p95 = self.to_row_ms["p95"]
        return not self.without_row and p95 is not None and p95 < TARGET_MS


def too_small(found: Sequence[Step], tables: int, available_mb: float) -> str:
    """Why so many tables are not even tried, by the memory of the steps before; empty where they are."""
    if len(found) < 2:
        return ""
    wanted = fitted({step.tables: sum(step.mb.values()) for step in found}).at(tables) - sum(found[-1].mb.values())
    if wanted + SPARE_MB <= available_mb:
        return ""
    return f"{tables} tables were not tried: they need {wanted:.0f} MB more, and {available_mb:.0f} MB are there."


def report(found: Sequence[Step], refused: str, play: Play, a_pit: int) -> Report:
    """The figures of all steps; `refused` says why the next one was not measured."""
    sound = tuple(step for step in found if step.had_cores)
    sound = sound if len(sound) > 1 else tuple(found)
    cores = {name: {step.tables: step.cores[name] for step in found} for name in PROGRAMS}
    mb = {name: {step.tables: step.mb[name] for step in found} for name in PROGRAMS}
    traffic = {step.tables: step.site_broker["bytes_in"] + step.site_broker["bytes_out"] for step in found}
    messages = {step.tables: step.messages_a_second for step in found}
    last = found[-1]
    document: dict[str, Any] = {
        "steps": [step.tables for step in found],
        "messages_a_second_by_tables": _by(found, lambda step: step.messages_a_second, 1),
        "crossing_a_second_by_tables": _by(found, lambda step: step.crossing_a_second, 1),
        "entries_a_second_by_tables": _by(found, lambda step: step.entries_a_second, 2),
        "site_broker_bytes_a_second_by_tables": {
            way: _keyed({step.tables: step.site_broker[way] for step in found}, 0) for way in ("bytes_in", "bytes_out")
        },
        "core_share_by_tables": {name: _keyed(points, 4) for name, points in cores.items()},
        "memory_mb_by_tables": {name: _keyed(points, 1) for name, points in mb.items()},
        "to_row_ms_by_tables": {
            name: {str(step.tables): step.to_row_ms[name] for step in found} for name in ("p50", "p95", "p99")
        },
        "a_table_more": {
            "cores": {name: round(fitted(_of(points, sound)).a_table, 5) for name, points in cores.items()},
            "mb": {name: round(fitted(_of(points, sound)).a_table, 3) for name, points in mb.items()},
        },
        "entries_timed": sum(step.entries_timed for step in found),
        "lost": sum(step.without_row for step in found),
        "tables_late": {str(step.tables): round(step.late_ms, 1) for step in found},
        "waited_for_a_core_by_tables": {
            name: _keyed({step.tables: step.waited[name] for step in found}, 4) for name in PROGRAMS
        },
        "had_cores": {str(step.tables): step.had_cores for step in found},
        "load": {str(step.tables): round(step.load, 1) for step in found},
        "light": {
            "mb": round(last.mb["light_tables"], 1),
            "hands_an_hour": round(play.hands_an_hour),
            "entries_a_hand": round(play.entries_a_hand, 1),
            "bytes_an_entry": round(play.bytes_an_entry),
        },
        "not_measured": refused,
        "needs": needs(
            {name: _of(points, sound) for name, points in cores.items()},
            {name: _of(points, sound) for name, points in mb.items()},
            _of(traffic, sound),
            _of(messages, sound),
            play,
            a_pit,
        ),
    }
    return Report(document, _figures(found, document), _sentences(found, refused, play))


def _figures(found: Sequence[Step], document: Mapping[str, Any]) -> tuple[Figure, ...]:
    figures = []
    for step in found:
        many = f"{step.tables} table{'' if step.tables == 1 else 's'}"
        p50, p95, p99 = (step.to_row_ms[name] for name in ("p50", "p95", "p99"))
        figures += [
            Figure(f"{many}: entry to row, ms p50/p95/p99", f"{p50}/{p95}/{p99}", "p95 < 1000", step.in_time),
            Figure(
                f"{many}: messages a second; that cross",
                f"{step.messages_a_second:.0f}; {step.crossing_a_second:.0f}",
            ),
            *(
                Figure(f"{many}: {name.replace('_', ' ')}", f"{step.cores[name]:.1%} of a core, {step.mb[name]:.0f} MB")
                for name in PROGRAMS
            ),
        ]
    more, need = document["a_table_more"], document["needs"]
    every, one = need["all_sites"], need["a_site"]
    these = f"{need['tables']} tables at {need['sites']} sites{' (extrapolated)' if need['extrapolated'] else ''}"
    figures += [
        Figure(
            "a table more, all programs",
            f"{sum(more['cores'].values()):.2%} of a core, {sum(more['mb'].values()):.1f} MB",
        ),
        Figure(f"{these}: a site", f"{one['cores']['all']} cores, {one['mb']['all']} MB"),
        Figure(f"{these}: all", f"{every['brokers']} brokers, {every['cores']} cores, {every['memory_gb']} GB"),
        Figure(f"{these}: disk a day", f"{every['disk_gb_a_day']} GB"),
    ]
    return tuple(figures)


def _sentences(found: Sequence[Step], refused: str, play: Play) -> tuple[str, ...]:
    said = [
        f"{sum(step.entries_timed for step in found)} entries were followed to their rows, "
        f"{sum(step.without_row for step in found)} had none in time; tables played {play.hands_an_hour:.0f} hands an "
        f"hour. The tables are light, all else is real.",
    ]
    said += [
        f"At {step.tables} tables this machine was too small or too busy (load {step.load:.0f}): light tables spoke "
        f"{step.late_ms:.0f} ms late (p95), and the recorder, which had {step.cores['recorder']:.0%} of a core, was "
        f"ready and had none for {step.waited['recorder']:.0%} of the time."
        for step in found
        if not step.had_cores
    ]
    return (*said, refused) if refused else tuple(said)


def _by(found: Sequence[Step], of: Any, digits: int) -> dict[str, float]:
    return {str(step.tables): round(of(step), digits) for step in found}


def _of(points: Mapping[int, float], steps: Sequence[Step]) -> dict[int, float]:
    """The points of these steps: what a machine without time measured tells nothing of what programs need."""
    return {step.tables: points[step.tables] for step in steps}


def _keyed(points: Mapping[int, float], digits: int) -> dict[str, float]:
    return {str(tables): round(value, digits) for tables, value in points.items()}

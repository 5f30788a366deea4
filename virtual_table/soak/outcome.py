"""What a soak showed: samples over its hours, what was lost, and whether memory and handles stay flat."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

from betline.charts import Chart, Series, svg
from betline.counting import counted
from virtual_table.play.acknowledged import Kept
from virtual_table.soak.away import TOO_LONG_S, Gap

WARM_SHARE: Final = 0.25
"""The first part of a soak, in which caches fill: growth is told of the rest."""
JUDGED_FROM_H: Final = 1.0
"""A shorter soak is not held to grow: its slope is that of warming up."""
FLAT_MB_PER_HOUR: Final = 1.0
FLAT_HANDLES_PER_HOUR: Final = 1.0
MOST_PAIRS: Final = 4000


@dataclass(frozen=True, slots=True)
class Sample:
    """How it stood after so many hours of the table's time; counts are from the beginning on.

    ``memory_mb`` and ``handles`` are by process, ``ruling_ms`` is the p95 of the acts since the sample before: from
    chips at rest and hand gone to the announcement.
    """

    at_h: float
    hands: int
    acts: int
    wrong: int
    asked: int
    kills: int
    memory_mb: Mapping[str, float]
    handles: Mapping[str, int]
    ruling_ms: float | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """A whole soak; ``how`` says in words what was played, ``struck`` how often each fault struck.

    ``away`` has when the controller could not be heard; None in simulated time, where nothing takes time to start.
    """

    how: str
    hours: float
    samples: tuple[Sample, ...]
    kept: Kept
    struck: Mapping[str, int]
    faults: tuple[str, ...]
    entries: int
    took_s: float
    away: tuple[Gap, ...] | None = None

    @property
    def good(self) -> bool:
        """Whether nothing was lost or done twice or unlike, no ruling was wrong, nobody waited too long for the
        controller, and memory and handles are flat.
        """
        last = self.samples[-1]
        counts = (self.kept.lost, self.kept.twice, self.kept.unequal, last.wrong)
        return not any(counts) and not self.faults and not self.too_long and not self.growing

    @property
    def too_long(self) -> tuple[str, ...]:
        """What took too long, in words."""
        return tuple(gap.sentence for gap in self.away or () if gap.too_long)

    @property
    def growing(self) -> tuple[str, ...]:
        """What grows, in words; of a soak of under an hour nothing."""
        if self.hours < JUDGED_FROM_H:
            return ()
        found = []
        for name, slope in growth(self.samples, lambda one: one.memory_mb).items():
            if slope > FLAT_MB_PER_HOUR:
                found.append(f"{name} grows by {slope:.1f} MB an hour")
        for name, slope in growth(self.samples, lambda one: one.handles).items():
            if slope > FLAT_HANDLES_PER_HOUR:
                found.append(f"{name} opens {slope:.1f} files an hour that it does not close")
        return tuple(found)


def growth(
    samples: Sequence[Sample], what: Callable[[Sample], Mapping[str, float] | Mapping[str, int]]
) -> dict[str, float]:
    """By process how much is added an hour after it is warm: the middle of the slopes between any two samples.

    (Theil-Sen, which a few outliers do not move.)
    """
    warm = samples[int(len(samples) * WARM_SHARE) :]
    found: dict[str, float] = {}
    for name in dict.fromkeys(name for one in warm for name in what(one)):
        points = [(one.at_h, what(one)[name]) for one in warm if name in what(one)]
        pairs = list(combinations(points, 2))
        step = max(1, len(pairs) // MOST_PAIRS)
        slopes = sorted((y2 - y1) / (x2 - x1) for (x1, y1), (x2, y2) in pairs[::step] if x2 > x1)
        if slopes:
            found[name] = slopes[len(slopes) // 2]
    return found


def as_json(found: Outcome) -> dict[str, Any]:
    """The document of ``betline soak --json``."""
    last = found.samples[-1]
    return {
        "how": found.how, "hours": round(found.hours, 3), "took_s": round(found.took_s, 1), "good": found.good,
        "hands": last.hands, "acts": last.acts, "wrong": last.wrong, "asked": last.asked, "kills": last.kills,
        "struck": dict(found.struck), "lost": found.kept.lost, "twice": found.kept.twice,
        "unequal": found.kept.unequal, "acknowledged_commands": found.kept.commands, "heads": found.kept.heads,
        "restarts_compared": found.kept.restarts_compared, "entries": found.entries,
        "memory_mb_per_hour": _rounded(growth(found.samples, lambda one: one.memory_mb)),
        "handles_per_hour": _rounded(growth(found.samples, lambda one: one.handles)),
        "growing": list(found.growing), "faults": [*found.kept.faults, *found.faults, *found.too_long],
        "away": None if found.away is None else _away(found.away),
        "samples": [
            {
                "at_h": round(one.at_h, 4), "hands": one.hands, "acts": one.acts, "wrong": one.wrong,
                "asked": one.asked, "kills": one.kills, "memory_mb": dict(one.memory_mb),
                "handles": dict(one.handles), "ruling_ms_p95": one.ruling_ms,
            }
            for one in found.samples
        ],
    }  # fmt: skip


def lines(found: Outcome) -> list[str]:
    """The soak in sentences."""
    last, first = found.samples[-1], found.samples[0]
    memory = [
        f"{name} {first.memory_mb.get(name, megabytes):.0f} to {megabytes:.0f} MB"
        for name, megabytes in last.memory_mb.items()
    ]
    struck = ", ".join(f"{count} x {what}" for what, count in sorted(found.struck.items(), key=lambda one: -one[1]))
    kept = found.kept
    return [
        f"{found.hours:.2f} hours of {found.how}: {counted(last.hands, 'hand')}, {counted(last.acts, 'act')}, "
        f"{last.wrong} wrong, {last.asked} asked, {counted(last.kills, 'kill')}.",
        f"Struck: {struck or 'nothing'}.",
        f"{counted(kept.commands, 'command')} acknowledged, {counted(kept.heads, 'head')} published, "
        f"{counted(kept.restarts_compared, 'restart')} compared: {kept.lost} lost, {kept.twice} twice, "
        f"{kept.unequal} unlike the journal.",
        *([] if found.away is None else [_away_in_words(found.away)]),
        *found.too_long,
        f"Memory: {', '.join(memory)}.",
        *(["Whether memory and open files grow shows after an hour."] if found.hours < JUDGED_FROM_H else []),
        *[f"{one}." for one in found.growing],
        *kept.faults,
        *found.faults,
        "All is well." if found.good else "Not all is well.",
    ]


def _away(gaps: Sequence[Gap]) -> dict[str, Any]:
    return {
        "times": len(gaps),
        "sum_s": round(sum(gap.lasted_s for gap in gaps), 1),
        "longest_s": round(max((gap.lasted_s for gap in gaps), default=0.0), 1),
        "too_long": sum(gap.too_long for gap in gaps),
        "gaps": [
            {"at_s": round(gap.at_s, 1), "lasted_s": round(gap.lasted_s, 1), "load": round(gap.load, 1)} for gap in gaps
        ],
    }


def _away_in_words(gaps: Sequence[Gap]) -> str:
    if not gaps:
        return "The controller could be heard all the time."
    figures = _away(gaps)
    times, too_long = counted(figures["times"], "time"), counted(figures["too_long"], "time")
    return (
        f"The controller could not be heard {times}, {figures['sum_s']:.0f} s in all and "
        f"{figures['longest_s']:.0f} s at the longest; {too_long} for over {TOO_LONG_S:.0f} s."
    )


def picture(found: Outcome) -> str:
    """Memory, handles, times and counts over the hours, as SVG."""
    samples = found.samples
    times = tuple((one.at_h, one.ruling_ms) for one in samples if one.ruling_ms is not None)
    wrong = tuple((one.at_h, float(one.wrong)) for one in samples)
    asked = tuple((one.at_h, float(one.asked)) for one in samples)
    charts = (
        Chart("Memory", "hours", "MB", _by_process(samples, lambda one: one.memory_mb)),
        Chart("Open files", "hours", "handles", _by_process(samples, lambda one: one.handles)),
        Chart("Ready to announced", "hours", "ms, p95 between two samples", (Series("p95", times),)),
        Chart(
            "Wrong and asked", "hours", f"of {samples[-1].acts} acts", (Series("wrong", wrong), Series("asked", asked))
        ),
        Chart("Kills", "hours", "so far", (Series("kills", tuple((one.at_h, float(one.kills)) for one in samples)),)),
        Chart("Acts", "hours", "so far", (Series("acts", tuple((one.at_h, float(one.acts)) for one in samples)),)),
    )
    return svg(charts)


def _by_process(
    samples: Sequence[Sample], what: Callable[[Sample], Mapping[str, float] | Mapping[str, int]]
) -> tuple[Series, ...]:
    names = dict.fromkeys(name for one in samples for name in what(one))
    return tuple(
        Series(name, tuple((one.at_h, float(what(one)[name])) for one in samples if name in what(one)))
        for name in names
    )


def _rounded(found: Mapping[str, float]) -> dict[str, float]:
    return {name: round(value, 3) for name, value in found.items()}

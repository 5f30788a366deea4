"""The figures of a program as metrics: its bus's counters, what it has told of its devices, its times. Pure.

Nothing is counted here. What a program tells on the bus is the truth, and this shows the same to Prometheus.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, get_args

from betline import topics
from betline.bus.port import BusCounters
from betline.messages.common import Body, Health, Presence, PresenceState
from betline.messages.table import TableState
from betline.metrics import names
from betline.metrics.family import Family, Metric, Sample, Timing
from betline.topics import Topic

CONNECTION: Final = ("lost", "refused")
"""Problems of the connection; the others that the bus counts are messages that were dropped."""
FINE: Final = ("online", "starting", "unknown")
MADE_UP: Final = ("reason", "sender", "code", "outcome", "pit")
"""Labels whose values come from what others say; devices and sensors stand in the table file."""
MOST: Final = 64
"""Values of such a label at most: a name that a sender makes up must not fill a database."""

Told = Iterable[tuple[Topic, Body]]


def families(
    versions: dict[str, str],
    *,
    connected: bool,
    counters: BusCounters,
    told: Told,
    timings: Iterable[Timing] = (),
    own: Mapping[str, float] | None = None,
) -> list[Family]:
    """All metrics of a program. `told` are its retained messages as it sent them last, `own` figures beside these."""
    rows: dict[Metric, list[Sample]] = {}
    for metric, sample in (
        *_of_bus(versions, counters, connected=connected),
        *_of_told(told),
        *_of_timings(timings),
        *_of_figures((), own or {}),
    ):
        rows.setdefault(metric, []).append(sample)
    return [
        Family(metric, tuple(samples[:MOST] if metric.label in MADE_UP else samples))
        for metric, samples in rows.items()
    ]


def _of_bus(versions: dict[str, str], counters: BusCounters, *, connected: bool) -> Iterator[tuple[Metric, Sample]]:
    yield names.INFO, Sample(tuple(versions.items()), 1.0)
    yield names.CONNECTED, Sample((), float(connected))
    yield names.CONNECTS, Sample((), counters.connects)
    yield names.PUBLISHED, Sample((), counters.published)
    yield names.RECEIVED, Sample((), counters.received)
    problems = counters.problems.copy()
    for reason in CONNECTION:
        yield names.CONNECTION_FAILURES, Sample((("reason", reason),), problems.pop(reason, 0))
    for reason, count in {"repeated": counters.duplicates, **problems}.items():
        yield names.DROPPED, Sample((("reason", reason),), count)
    for sender, count in counters.dropped_by.copy().items():
        yield names.DROPPED_BY, Sample((("sender", sender),), count)


def _of_told(told: Told) -> Iterator[tuple[Metric, Sample]]:
    for topic, body in told:
        match body:
            case Health():
                yield from _of_figures(((names.DEVICE, topic.name),), body.counters)
            case Presence():
                yield from _of_presence(topic.name if topic.kind is topics.DEVICE_STATUS else "controller", body)
            case TableState():
                yield from _of_state(body)


def metric_of(figure: str) -> tuple[Metric, str] | None:
    """The metric of a figure of a health message and the value of its label; None where it is told elsewhere."""
    if figure in names.HEALTH:
        return names.HEALTH[figure], ""
    if figure.startswith(names.ELSEWHERE):
        return None
    return next(
        (
            (metric, figure.removeprefix(prefix))
            for prefix, metric in names.BY_PREFIX.items()
            if figure.startswith(prefix)
        ),
        None,
    )


def _of_figures(of: tuple[tuple[str, str], ...], figures: Mapping[str, float]) -> Iterator[tuple[Metric, Sample]]:
    for figure, value in figures.items():
        found = metric_of(figure)
        if found is None:
            continue
        metric, rest = found
        own = ((metric.label, rest),) if metric.label else ()
        yield metric, Sample((*of, *own), value * metric.per)


def _of_presence(device: str, presence: Presence) -> Iterator[tuple[Metric, Sample]]:
    for state in get_args(PresenceState):
        yield names.STATE, Sample(((names.DEVICE, device), ("state", state)), float(presence.state == state))


def _of_state(state: TableState) -> Iterator[tuple[Metric, Sample]]:
    yield names.HANDS, Sample((), state.hand_no)
    yield names.QUESTIONS, Sample((), len(state.questions))
    severities = Counter(alert.severity for alert in state.alerts)
    for severity in ("info", "warning", "error"):
        yield names.ALERTS, Sample((("severity", severity),), severities[severity])
    yield names.SENSORS_STALE, Sample((), sum(sensor.state not in FINE for sensor in state.sensors))
    for sensor in state.sensors:
        yield names.SENSOR_UP, Sample((("sensor", sensor.name),), float(sensor.state == "online"))


def _of_timings(timings: Iterable[Timing]) -> Iterator[tuple[Metric, Sample]]:
    for timing in timings:
        labels = ((names.DEVICE, timing.device),) if timing.device else ()
        yield names.TIMINGS[timing.name], Sample(labels, timing.tally)

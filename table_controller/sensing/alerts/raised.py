"""What people are told of the alerts that stand: each once, again when it grows, and no more when it has passed.

An alert has passed when it has not held for `FADE_NS`: evidence that comes and goes within a second makes one alert.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from betline.units import NS_PER_MS
from table_controller.sensing.observations import Alert, AlertPassed, Key

FADE_NS = 1_000 * NS_PER_MS


@dataclass(frozen=True, slots=True)
class Told:
    """What must be remembered of the alerts that are shown."""

    fading: Mapping[Key, int] = field(default_factory=dict)
    """Since when they do not hold."""
    peaks: Mapping[Key, tuple[int, int]] = field(default_factory=dict)
    """The largest amount and number of chips of which people were told."""


def after(
    raised: Mapping[Key, Alert], told: Told, standing: Mapping[Key, Alert], now_ns: int
) -> tuple[Mapping[Key, Alert], Told, tuple[Alert | AlertPassed, ...]]:
    """What is shown after alerts were worked out anew, what is remembered of it, and what people are told."""
    if not raised and not standing:
        return raised, told, ()
    shown: dict[Key, Alert] = {}
    fading: dict[Key, int] = {}
    peaks: dict[Key, tuple[int, int]] = {}
    news: list[Alert | AlertPassed] = []
    for key, alert in standing.items():
        old, peak = raised.get(key), told.peaks.get(key, (0, 0))
        shown[key] = old if old is not None and _looks_like(old, alert) else alert
        if old is None or alert.amount > peak[0] or alert.count > peak[1]:
            news.append(alert)
        peaks[key] = max(alert.amount, peak[0]), max(alert.count, peak[1])
    for key, alert in raised.items():
        if key in standing:
            continue
        since_ns = told.fading.get(key, now_ns)
        if now_ns - since_ns >= FADE_NS:
            news.append(AlertPassed(alert.code, alert.seat))
        else:
            shown[key], fading[key], peaks[key] = alert, since_ns, told.peaks.get(key, (0, 0))
    same = len(shown) == len(raised) and all(raised.get(key) is alert for key, alert in shown.items())
    return raised if same else shown, Told(fading, peaks), tuple(news)


def _looks_like(old: Alert, new: Alert) -> bool:
    """Whether people would read the same; the reads behind it change with every round."""
    return (old.sentence, old.amount, old.count) == (new.sentence, new.amount, new.count)

"""Alerts that the dealer has seen: they collapse into one row, and come back when they grow. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from betline.messages.table import Alert, TableState
from table_controller.console.intents import floor_question
from table_controller.console.keys import cap
from table_controller.console.view import Line, alert_line


def standing(state: TableState | None) -> tuple[Alert, ...]:
    """The alerts that stand, each sentence once, and none that a question to the floor asks already."""
    if state is None:
        return ()
    asked = floor_question(state)
    told = {one.sentence for one in state.rulings if asked is not None and one.ruling == asked.kind}
    found = {one.sentence: one for one in reversed(state.alerts) if one.active and one.sentence not in told}
    return tuple(reversed(found.values()))


_Key = tuple[str, int | None, str, str]
_Size = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Seen:
    """What the dealer has seen, and how large it was then: amount and number of chips."""

    alerts: Mapping[_Key, _Size] = field(default_factory=dict)

    def still(self, alerts: Iterable[Alert]) -> Seen:
        """Without what is over: the same alert would be a new one."""
        standing = {_key(one) for one in alerts}
        kept = {key: size for key, size in self.alerts.items() if key in standing}
        return self if kept == self.alerts else Seen(kept)

    def new(self, alerts: Iterable[Alert]) -> tuple[Alert, ...]:
        """Those that the dealer has not seen as large as they are now."""
        return tuple(one for one in alerts if not self._has(one))

    def after_key(self, alerts: Iterable[Alert]) -> Seen:
        """All of them are seen now; where all were, none is: they are shown again."""
        standing = tuple(alerts)
        return Seen({_key(one): _size(one) for one in standing} if self.new(standing) else {})

    def lines(self, alerts: Iterable[Alert]) -> tuple[Line, ...]:
        """What is shown: the new ones, and a row for all others."""
        standing = tuple(alerts)
        new = self.new(standing)
        rest = len(standing) - len(new)
        collapsed = f"{rest} alert{'' if rest == 1 else 's'} seen: {cap('seen')} shows {'it' if rest == 1 else 'them'}"
        return (*map(alert_line, new), *((Line("·", collapsed),) if rest else ()))

    def _has(self, alert: Alert) -> bool:
        seen = self.alerts.get(_key(alert))
        amount, count = _size(alert)
        return seen is not None and amount <= seen[0] and count <= seen[1]


def _key(alert: Alert) -> _Key:
    return alert.code, alert.seat, alert.zone, alert.uid


def _size(alert: Alert) -> _Size:
    return alert.amount, alert.count

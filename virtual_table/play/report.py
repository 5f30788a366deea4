"""The outcome of the hands: counts, latencies and stacks, as ``betline demo --headless --json`` prints them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from betline.counting import counted
from betline.messages.table import Alert
from virtual_table.scripts.script import PlayerAct

EVENING = ("seated", "left", "away", "back", "rebuys", "posts", "straddles", "chops", "games")
"""What is counted around the hands; posts are those of new and returning players, games the changes of game."""

FEW_CHIPS = 8
"""A round of so many takes under a tenth of a second; one of fifty takes half a second, and a set needs five."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """Something that is not as the people at the table know it.

    ``kind`` says what: the ruling on an act, that none came, that the action never reached a seat, the books, an award
    that was asked about, a street or a hand that had not begun, or that a program failed.
    ``since_s`` is the world's time when that began.
    """

    kind: Literal["ruling", "silence", "turn", "books", "award", "begun", "crash"]
    seat: int | None
    since_s: float
    sentence: str


@dataclass(frozen=True, slots=True)
class Waited:
    """How long an announcement took from the chips at rest, and from the later of that and the hand gone.

    ``counting_ms`` is when, from rest, what was certain of a pile was announced while it was still read.
    """

    seat: int
    chips: int
    rest_ms: float
    ready_ms: float
    counting_ms: float | None = None


@dataclass(slots=True)
class Report:
    """Everything counted while hands were played.

    ``wrong`` counts acts whose ruling differs from what the player meant, and books that differ from the chips on the
    table; ``asked`` questions that the dealer had to answer, and alerts after which an act had to be keyed; ``refused``
    keys that the controller did not take, ``amended`` rulings that the controller itself put right within moments,
    ``corrected`` keys for the wrong seat that were put right. ``evening`` counts what happens around the hands.
    """

    hands: int = 0
    acts: int = 0
    wrong: int = 0
    asked: int = 0
    refused: int = 0
    amended: int = 0
    corrected: int = 0
    evening: Counter[str] = field(default_factory=Counter)
    keys_by_hand: list[int] = field(default_factory=list)
    kinds_by_hand: list[Counter[str]] = field(default_factory=list)
    """The same keys by the verb that they were pressed for."""
    hand_seconds: list[float] = field(default_factory=list)
    rest_to_announcement_ms: list[float] = field(default_factory=list)
    serial_to_announcement_ms: list[float] = field(default_factory=list)
    waited: list[Waited] = field(default_factory=list)
    finishing_stacks: Mapping[int, int] = field(default_factory=dict)
    player_order: Sequence[int] | None = None
    faults: list[str] = field(default_factory=list)
    alerts_by_code: dict[str, list[str]] = field(default_factory=dict)
    """The sentences of the alerts, by their code."""
    performed: list[tuple[float, PlayerAct]] = field(default_factory=list)
    """What each player did, and when it began."""
    asked_about: Counter[str] = field(default_factory=Counter)
    """What was asked and refused, by the kind of the question and the code of the refusal."""
    wrongs: list[Wrong] = field(default_factory=list)

    def is_wrong(self, wrong: Wrong) -> None:
        """Counts something that is not as the people at the table know it."""
        self.wrong += 1
        self.wrongs.append(wrong)
        self.faults.append(wrong.sentence)

    @property
    def alerts(self) -> int:
        """How many alerts there were."""
        return sum(map(len, self.alerts_by_code.values()))

    def heard(self, alerts: Iterable[Alert]) -> None:
        """Takes down alerts that were raised; a message that an alert has passed does not count."""
        for alert in alerts:
            if alert.active:
                self.alerts_by_code.setdefault(alert.code, []).append(alert.sentence)

    def alert_lines(self) -> list[str]:
        """A line for each kind of alert: its code (docs/trouble.md), how often it came, and its first sentence."""
        return [
            f"alert {code}{f' ({len(sentences)} times)' if len(sentences) > 1 else ''}: {sentences[0]}"
            for code, sentences in self.alerts_by_code.items()
        ]

    def as_json(self) -> dict[str, Any]:
        """The JSON document of the command line, which is a contract."""
        stacks: Any = {str(seat): stack for seat, stack in sorted(self.finishing_stacks.items())}
        if self.player_order is not None:
            stacks = [self.finishing_stacks[seat] for seat in self.player_order]
        return {
            "hands": self.hands,
            "acts": self.acts,
            "wrong": self.wrong,
            "asked": self.asked,
            "alerts": self.alerts,
            "dealer_keys": sum(self.keys_by_hand),
            "corrected": self.corrected,
            **{name: self.evening[name] for name in EVENING},
            "finishing_stacks": stacks,
            "latency_ms": {
                "at_rest_to_announcement": quantiles(self.rest_to_announcement_ms),
                "few_chips_at_rest_to_announcement": quantiles(self._few_chips_ms()),
                "serial_to_announcement": quantiles(self.serial_to_announcement_ms),
            },
        }

    def _few_chips_ms(self) -> list[float]:
        return [one.rest_ms for one in self.waited if one.chips <= FEW_CHIPS]

    def as_text(self) -> str:
        """The report for people."""
        rest, serial = quantiles(self.rest_to_announcement_ms), quantiles(self.serial_to_announcement_ms)
        few = self._few_chips_ms()
        counting = quantiles([one.counting_ms for one in self.waited if one.counting_ms is not None])
        stacks = self.as_json()["finishing_stacks"]
        seats = stacks if isinstance(stacks, list) else [f"{seat}: {stack}" for seat, stack in stacks.items()]
        keys = quantiles([float(count) for count in self.keys_by_hand])["p50"]
        seconds = max(self.hand_seconds, default=0.0)
        return "\n".join(
            (
                f"{counted(self.hands, 'hand')}, {counted(self.acts, 'act')}, {self.wrong} wrong",
                f"questions: {self.asked}, alerts: {self.alerts}",
                *self.alert_lines(),
                f"dealer keys: {sum(self.keys_by_hand)} (median {_number(keys)} per hand), {self.corrected} corrected",
                ", ".join(f"{name}: {self.evening[name]}" for name in EVENING),
                f"chips at rest to announcement: {_times(rest)}",
                f"of these acts of 1 to {FEW_CHIPS} chips: {_times(quantiles(few)) if few else 'none was timed'}",
                *([f'of larger piles, to what is certain ("counting"): {_times(counting)}'] if counting["p50"] else []),
                f"last byte on the serial line to announcement: {_times(serial)}",
                f"longest hand: {seconds:.0f} s",
                f"finishing stacks: {', '.join(map(str, seats))}",
                *self.faults,
            )
        )

    @property
    def good(self) -> bool:
        """Whether every act was ruled as meant and every hand ended with the right stacks."""
        return self.wrong == 0 and not self.faults


def quantiles(values: Sequence[float]) -> dict[str, float | None]:
    """p50, p95 and p99 by nearest rank, rounded to a tenth; null where there are no values."""
    ordered = sorted(values)

    def rank(share: float) -> float | None:
        return round(ordered[max(0, math.ceil(share * len(ordered)) - 1)], 1) if ordered else None

    return {"p50": rank(0.50), "p95": rank(0.95), "p99": rank(0.99)}


def _times(values: Mapping[str, float | None]) -> str:
    return ", ".join(f"{name} {_number(value)} ms" for name, value in values.items())


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:g}"

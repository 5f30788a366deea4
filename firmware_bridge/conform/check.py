"""The shape of a check: what is asked of a reader, what the manual says, how it is measured, and the verdict."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from firmware_bridge.conform.evidence import Evidence
from firmware_bridge.conform.kit import Kit, Said


class Outcome(StrEnum):
    """How a check ended."""

    PASSED = "pass"
    FAILED = "fail"
    NOT_TRIED = "not tried"
    OBSERVED = "observed"
    """Something was measured for which there is no limit."""


class Group(StrEnum):
    """What a check is about."""

    TALK = "Talk"
    TAGS = "Tags"
    LINE = "Line"
    RECOVERY = "Recovery"
    ANTENNAS = "Antennas"
    LONG_RUN = "Long run"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome, what was seen in words, and the figures by their names with units."""

    outcome: Outcome
    seen: str
    figures: Mapping[str, float | int | str] = field(default_factory=dict)


Judge = Callable[[Evidence, Kit], Verdict]


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that is asked of a reader."""

    id: str
    group: Group
    title: str
    how: str
    """How it is measured."""
    limit: str
    """What it must keep; empty where it is only observed."""
    says: Said
    """What holds for all families; the kit of a family may know more."""
    judge: Judge


@dataclass(frozen=True, slots=True)
class Result:
    """A check with its verdict for one reader."""

    check: Check
    says: Said
    verdict: Verdict


def passed(seen: str, **figures: float | int | str) -> Verdict:
    """It keeps the limit."""
    return Verdict(Outcome.PASSED, seen, figures)


def failed(seen: str, **figures: float | int | str) -> Verdict:
    """It does not."""
    return Verdict(Outcome.FAILED, seen, figures)


def observed(seen: str, **figures: float | int | str) -> Verdict:
    """There is no limit."""
    return Verdict(Outcome.OBSERVED, seen, figures)


def not_tried(why: str) -> Verdict:
    """Nothing was measured."""
    return Verdict(Outcome.NOT_TRIED, why)


def judged(good: bool, seen: str, **figures: float | int | str) -> Verdict:
    """Passed or failed."""
    return Verdict(Outcome.PASSED if good else Outcome.FAILED, seen, figures)


def counted(number: int, one: str, more: str = "") -> str:
    """The number with its noun."""
    return f"{number} {one if number == 1 else more or one + 's'}"


def figure_of(value: float) -> float:
    """A figure with one digit behind the point."""
    return round(value, 1)

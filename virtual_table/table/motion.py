"""How hands move: minimum-jerk reaches with a bow, an overshoot and tremor, strung together into a path.

A minimum-jerk reach follows 10u^3 - 15u^4 + 6u^5 of its way (Flash and Hogan, 1985), which is what people's arms do.
Everything here is a pure function of time.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from betline.geometry import Point, Point3

MIN_REACH_S = 0.3
MAX_REACH_S = 0.9
_LANDED = 0.6  # share of a throw after which the chip slides on the felt
_OVERSHOOT_FROM = 0.7  # share of a reach after which the hand begins to overshoot its target


def min_jerk(u: float) -> float:
    """The share of the way covered at the share ``u`` of the time; ``u`` outside 0..1 is clamped."""
    if u <= 0.0:
        return 0.0
    if u >= 1.0:
        return 1.0
    return u * u * u * (10.0 - 15.0 * u + 6.0 * u * u)


@dataclass(frozen=True, slots=True)
class Reach:
    """One movement of a hand from a point to another; it stays at the target afterwards."""

    start_s: float
    end_s: float
    origin: Point3
    target: Point3
    arc_mm: float
    overshoot_mm: float
    bow_mm: float

    def at(self, t_s: float) -> Point3:
        """Where the hand is, in millimetres; z is its height over the surface at either end."""
        if t_s <= self.start_s:
            return self.origin
        if t_s >= self.end_s:
            return self.target
        u = (t_s - self.start_s) / (self.end_s - self.start_s)
        share = min_jerk(u)
        dx, dy = self.target[0] - self.origin[0], self.target[1] - self.origin[1]
        length = math.hypot(dx, dy) or 1.0
        along = share
        if u > _OVERSHOOT_FROM:
            along += self.overshoot_mm / length * math.sin(math.pi * (u - _OVERSHOOT_FROM) / (1 - _OVERSHOOT_FROM)) ** 2
        aside = self.bow_mm * math.sin(math.pi * share) / length
        return (
            self.origin[0] + dx * along - dy * aside,
            self.origin[1] + dy * along + dx * aside,
            self.origin[2] + (self.target[2] - self.origin[2]) * share + self.arc_mm * math.sin(math.pi * share),
        )


@dataclass(frozen=True, slots=True)
class HandPath:
    """What a hand does from leaving its place behind the rail until it is back there."""

    reaches: tuple[Reach, ...]
    starts_s: tuple[float, ...]
    tremor_mm: float
    tremor_hz: float
    tremor_phase: float

    @property
    def start_s(self) -> float:
        return self.starts_s[0]

    @property
    def end_s(self) -> float:
        return self.reaches[-1].end_s

    def at(self, t_s: float) -> Point3:
        """Where the hand is, in millimetres, tremor included."""
        index = max(0, bisect_right(self.starts_s, t_s) - 1)
        x, y, z = self.reaches[index].at(t_s)
        swing = math.tau * self.tremor_hz * t_s + self.tremor_phase
        return (x + self.tremor_mm * math.sin(swing), y + self.tremor_mm * math.cos(1.3 * swing), z)


class PathBuilder:
    """Strings reaches together from a starting point and time; the seeded ``rng`` gives them human variation."""

    def __init__(self, start_s: float, origin: Point3, rng: Random, pace: float = 1.0) -> None:
        self._rng = rng
        self._pace = pace
        self._reaches: list[Reach] = []
        self.now_s = start_s
        self.where = origin

    def reach(self, target: Point3, arc_mm: float = 25.0) -> float:
        """Moves to ``target`` in a time that fits the distance, and returns the time of arrival."""
        length = math.dist(self.where[:2], target[:2])
        took = self._pace * (0.26 + 0.00062 * length) * self._rng.uniform(0.88, 1.15)
        took = min(MAX_REACH_S, max(MIN_REACH_S * min(1.0, self._pace), took))
        return self.move(target, took, arc_mm)

    def move(self, target: Point3, took_s: float, arc_mm: float = 0.0) -> float:
        """Moves to ``target`` in the time given, and returns the time of arrival."""
        length = math.dist(self.where[:2], target[:2])
        self._reaches.append(
            Reach(
                self.now_s,
                self.now_s + took_s,
                self.where,
                target,
                arc_mm,
                overshoot_mm=min(self._rng.uniform(2.0, 8.0), 0.04 * length),
                bow_mm=self._rng.uniform(-0.06, 0.06) * length,
            )
        )
        self.now_s += took_s
        self.where = target
        return self.now_s

    def wait(self, seconds: float) -> float:
        """Stays where it is, and returns the time afterwards."""
        self.now_s += seconds
        return self.now_s

    def build(self) -> HandPath:
        return HandPath(
            tuple(self._reaches),
            tuple(reach.start_s for reach in self._reaches),
            tremor_mm=self._rng.uniform(0.2, 0.7),
            tremor_hz=self._rng.uniform(8.0, 11.0),
            tremor_phase=self._rng.uniform(0.0, math.tau),
        )


@dataclass(frozen=True, slots=True)
class Carry:
    """A thing that a hand carries: at ``start_s`` it lies at ``origin``, at ``end_s`` at ``target``.

    In between it stays near the hand, ``lift_mm`` above the felt, and rises and falls within ``ramp_s``.
    """

    start_s: float
    end_s: float
    path: HandPath
    origin: Point3
    target: Point3
    lift_mm: float
    ramp_s: float
    turn_from_rad: float
    turn_to_rad: float

    def at(self, t_s: float) -> tuple[float, float, float, float]:
        """x, y, z of the underside and the turn, at a time between start and end."""
        grasp, release = self.path.at(self.start_s), self.path.at(self.end_s)
        hand = self.path.at(t_s)
        share = min_jerk((t_s - self.start_s) / (self.end_s - self.start_s))
        ramp = min(1.0, (t_s - self.start_s) / self.ramp_s, (self.end_s - t_s) / self.ramp_s)
        back = 1.0 - share
        return (
            hand[0] + (self.origin[0] - grasp[0]) * back + (self.target[0] - release[0]) * share,
            hand[1] + (self.origin[1] - grasp[1]) * back + (self.target[1] - release[1]) * share,
            self.origin[2] * back + self.target[2] * share + self.lift_mm * min_jerk(ramp),
            self.turn_from_rad * back + self.turn_to_rad * share,
        )


@dataclass(frozen=True, slots=True)
class Throw:
    """A chip that flies, falls or rolls on its own from where it was let go to where it comes to rest."""

    start_s: float
    end_s: float
    origin: Point3
    target: Point3
    arc_mm: float
    turn_from_rad: float
    turn_to_rad: float

    def at(self, t_s: float) -> tuple[float, float, float, float]:
        """x, y, z of the underside and the turn: fast at first, down on the felt long before it rests."""
        u = min(1.0, max(0.0, (t_s - self.start_s) / (self.end_s - self.start_s)))
        share = 1.0 - (1.0 - u) ** 2
        fallen = min(1.0, u / _LANDED)
        return (
            self.origin[0] + (self.target[0] - self.origin[0]) * share,
            self.origin[1] + (self.target[1] - self.origin[1]) * share,
            self.origin[2]
            + (self.target[2] - self.origin[2]) * fallen**2
            + 4.0 * self.arc_mm * fallen * (1.0 - fallen),
            self.turn_from_rad + (self.turn_to_rad - self.turn_from_rad) * share,
        )


@dataclass(frozen=True, slots=True)
class Slide:
    """A card that slides over the felt on its own."""

    start_s: float
    end_s: float
    origin: Point
    target: Point
    turn_from_rad: float
    turn_to_rad: float

    def at(self, t_s: float) -> tuple[float, float, float]:
        """x, y and the turn: fast at first, slowed down by the felt."""
        u = min(1.0, max(0.0, (t_s - self.start_s) / (self.end_s - self.start_s)))
        share = 1.0 - (1.0 - u) ** 2
        return (
            self.origin[0] + (self.target[0] - self.origin[0]) * share,
            self.origin[1] + (self.target[1] - self.origin[1]) * share,
            self.turn_from_rad + (self.turn_to_rad - self.turn_from_rad) * share,
        )


def first_time(
    condition: Callable[[float], bool], start_s: float, end_s: float, step_s: float = 0.01, close_s: float = 0.0005
) -> float | None:
    """The first moment of the span at which the condition holds, to within ``close_s``; None if it never does.

    A condition that holds for less than ``step_s`` may be missed.
    """
    if condition(start_s):
        return start_s
    before = start_s
    while before < end_s:
        after = min(end_s, before + step_s)
        if condition(after):
            while after - before > close_s:
                middle = (before + after) / 2
                if condition(middle):
                    after = middle
                else:
                    before = middle
            return after
        before = after
    return None


def middle_of(points: Sequence[Point3]) -> Point:
    """The mean of some points, seen from above."""
    return (sum(p[0] for p in points) / len(points), sum(p[1] for p in points) / len(points))

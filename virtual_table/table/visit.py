"""One visit of a hand to the table: the stops it makes, planned in order, and what they do to chips on the way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from betline.geometry import Point
from virtual_table.table.holdings import Holdings
from virtual_table.table.motion import Carry, HandPath, PathBuilder, Throw, middle_of
from virtual_table.table.things import Chip, Looks, SeenChip
from virtual_table.table.timeline import HandVisit, Timeline

HOME_HEIGHT_MM = 40.0
_HANDFUL = 12  # more chips than this are pushed over the felt instead of being lifted
_PUSHED_LIFT_MM = 2.0
_THROWN_FROM_MM = 25.0


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand at rest: whose it is, where it waits behind the rail and where its shoulder is."""

    owner: str
    home_mm: Point
    shoulder_mm: Point
    right: bool
    looks: Looks


@dataclass(frozen=True, slots=True)
class _Grasped:
    chip: Chip
    at_s: float
    spot: SeenChip


@dataclass(frozen=True, slots=True)
class Carried:
    """A chip's path in a visit, from where it lay to where it comes to rest."""

    chip: Chip
    start_s: float
    end_s: float
    origin: SeenChip
    target: SeenChip
    lift_mm: float
    ramp_s: float

    def along(self, path: HandPath) -> Carry:
        """Its path in time with a hand on that path."""
        origin, target = self.origin, self.target
        return Carry(
            self.start_s,
            self.end_s,
            path,
            (origin.x_mm, origin.y_mm, origin.z_mm),
            (target.x_mm, target.y_mm, target.z_mm),
            self.lift_mm,
            self.ramp_s,
            origin.turn_rad,
            target.turn_rad,
        )


@dataclass(frozen=True, slots=True)
class Thrown:
    """A chip that was let go and comes to rest on its own."""

    chip: Chip
    throw: Throw
    target: SeenChip


class Visit:
    """Plans a visit stop by stop; `finish` writes it into the timeline.

    The holdings change as the stops are planned, so check first that every stop is possible. ``rng`` is the visit's own
    random stream, ``builder`` the path of its hand so far, ``start_s`` when the hand leaves its place.
    """

    def __init__(
        self,
        hand: Hand,
        holdings: Holdings,
        timeline: Timeline,
        at_s: float,
        rng: Random,
        pace: float = 1.0,
        lift_mm: float | None = None,
    ) -> None:
        self._hand = hand
        self._holdings = holdings
        self._timeline = timeline
        self.rng = rng
        self._pace = pace
        self._lift_mm = rng.uniform(28.0, 55.0) if lift_mm is None else lift_mm
        self.start_s = at_s
        self.builder = PathBuilder(at_s, (*hand.home_mm, HOME_HEIGHT_MM), rng, pace)
        self._grasped: dict[str, _Grasped] = {}
        self._closed: list[tuple[float, float]] = []
        self._carried: list[Carried] = []
        self._moves: list[Carried | Thrown | tuple[SeenChip, float]] = []

    def pick(self, chips: Sequence[Chip]) -> float:
        """Reaches for the chips and takes them; returns when."""
        spots = [self._holdings.spots[chip.uid] for chip in chips]
        middle = middle_of([(spot.x_mm, spot.y_mm, spot.z_mm) for spot in spots])
        self.builder.reach((*middle, 0.0))
        self._pause(0.07, 0.16)
        grasp = self.builder.now_s
        for chip in chips:
            spot, sunk = self._holdings.take(chip)
            self._grasped[chip.uid] = _Grasped(chip, grasp, spot)
            self._moves += [(lower, grasp) for lower in sunk]
        self._pause(0.04, 0.08)
        return grasp

    def place(
        self, chips: Sequence[Chip], where: str, apart: bool = False, on_top: bool = False
    ) -> tuple[Carried, ...]:
        """Takes picked chips to a place and lets go of them there; ``apart`` and ``on_top`` as for `Holdings.put`."""
        spots = self._holdings.put(chips, where, apart, on_top)
        middle = middle_of([(spot.x_mm, spot.y_mm, spot.z_mm) for spot in spots])
        self.builder.reach((*middle, 0.0), arc_mm=8.0)
        self._pause(0.05, 0.12)
        release = self.builder.now_s
        lift = self._lift_mm if len(chips) <= _HANDFUL else min(self._lift_mm, _PUSHED_LIFT_MM)
        placed = []
        for spot in spots:
            grasped = self._grasped.pop(spot.uid)
            ramp = min(0.3, 0.35 * (release - grasped.at_s))
            placed.append(Carried(grasped.chip, grasped.at_s, release, grasped.spot, spot, lift, ramp))
            self._holdings.rests_s[spot.uid] = release
        self._closed.append((min(carried.start_s for carried in placed), release))
        self._moves += placed
        self._carried += placed
        self._pause(0.06, 0.14)
        return tuple(placed)

    def throw(
        self, chips: Sequence[Chip], where: str, from_mm: Point
    ) -> tuple[tuple[Carried, ...], tuple[Thrown, ...]]:
        """Throws picked chips from a point on the hand's path to a place, where they lie as they fall.

        Returns their paths in the hand and through the air.
        """
        rng = self.rng
        spots = self._holdings.scatter(chips, where)
        let_go = self.builder.reach((*from_mm, _THROWN_FROM_MM), arc_mm=8.0)
        carried, thrown = [], []
        for spot in spots:
            grasped = self._grasped.pop(spot.uid)
            x, y = from_mm[0] + rng.uniform(-12.0, 12.0), from_mm[1] + rng.uniform(-12.0, 12.0)
            lands = let_go + rng.uniform(0.3, 0.55)
            start = SeenChip(spot.uid, spot.key, x, y, _THROWN_FROM_MM, spot.turn_rad - rng.uniform(1.0, 6.0))
            ramp = min(0.3, 0.35 * (let_go - grasped.at_s))
            carried.append(Carried(grasped.chip, grasped.at_s, let_go, grasped.spot, start, self._lift_mm, ramp))
            throw = Throw(
                let_go,
                lands,
                (x, y, start.z_mm),
                (spot.x_mm, spot.y_mm, spot.z_mm),
                rng.uniform(0.0, 25.0),
                start.turn_rad,
                spot.turn_rad,
            )
            thrown.append(Thrown(grasped.chip, throw, spot))
            self._holdings.rests_s[spot.uid] = lands
        self._closed.append((carried[0].start_s, let_go))
        self._moves += [*carried, *thrown]
        self._carried += carried
        return tuple(carried), tuple(thrown)

    def hold(self, start_s: float, end_s: float) -> None:
        """The fingers are closed around something other than chips in that span."""
        self._closed.append((start_s, end_s))

    def finish(self) -> HandVisit:
        """Returns home and writes everything into the timeline; returns the arm over the table."""
        self.builder.reach((*self._hand.home_mm, HOME_HEIGHT_MM), arc_mm=30.0)
        path = self.builder.build()
        for move in self._moves:
            if isinstance(move, Carried):
                self._timeline.carry(move.chip, move.along(path))
                self._timeline.lay(move.target, move.end_s)
            elif isinstance(move, Thrown):
                self._timeline.carry(move.chip, move.throw)
                self._timeline.lay(move.target, move.throw.end_s)
            else:
                self._timeline.lay(*move)
        hand = self._hand
        visit = HandVisit(hand.owner, hand.shoulder_mm, path, tuple(self._closed), hand.right, hand.looks)
        self._timeline.visit(visit)
        return visit

    @property
    def carried(self) -> tuple[Carried, ...]:
        """All chips carried so far, with their paths."""
        return tuple(self._carried)

    @property
    def rest_s(self) -> float:
        """When the last chip of the visit comes to rest."""
        return max(carried.end_s for carried in self._carried)

    @property
    def chips(self) -> tuple[Chip, ...]:
        return tuple(carried.chip for carried in self._carried)

    def _pause(self, shortest_s: float, longest_s: float) -> None:
        self.builder.wait(self._pace * self.rng.uniform(shortest_s, longest_s))

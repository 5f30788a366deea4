"""Where everything is at any time: spans at rest, carries by hands, slides; looked up by time.

Readers ask a hundred times a second and the camera thirty: the last answer about things at rest is kept until one of
them starts or stops moving.
"""

from __future__ import annotations

import math
from bisect import bisect_right, insort
from dataclasses import dataclass, field

from betline.geometry import Point, Point3, Polygon, centroid, contains, distance_mm
from virtual_table.table.motion import Carry, HandPath, Slide, Throw
from virtual_table.table.things import Chip, Looks, Scene, SeenArm, SeenCard, SeenChip, SeenPhone, TagInField

FIELD_HEIGHT_MM = 25.0
"""A carried tag is read up to this height over the felt; stacks at rest couple from tag to tag and are read whole."""

_WEAKEST_IN_ZONE = 0.5
_ONE_PILE_MM = 10.0
_FOREVER = math.inf


@dataclass(slots=True)
class _Lying:
    """A chip at rest for a span of time, with the antenna zone that has it in its field."""

    seen: SeenChip
    zone: str | None
    signal: float
    start_s: float
    end_s: float = _FOREVER


@dataclass(slots=True)
class _CardLying:
    seen: SeenCard
    start_s: float
    end_s: float = _FOREVER


@dataclass(frozen=True, slots=True)
class HandVisit:
    """An arm over the table: whose it is, its path, and when its fingers are closed around something."""

    owner: str
    shoulder_mm: Point
    path: HandPath
    closed_s: tuple[tuple[float, float], ...]
    right_hand: bool
    looks: Looks

    def seen(self, t_s: float) -> SeenArm:
        closed = any(start <= t_s < end for start, end in self.closed_s)
        return SeenArm(
            self.owner, self.shoulder_mm, self.path.at(t_s), 1.0 if closed else 0.35, self.right_hand, self.looks
        )


@dataclass(slots=True)
class PhoneStay:
    """A phone that a hand brings, that lies there with a changing screen, until a hand takes it away."""

    at_mm: Point
    turn_rad: float
    z_mm: float
    brought: HandPath
    from_s: float
    lies_s: float
    period_s: float
    glow: tuple[float, ...]
    taken_s: float = _FOREVER
    away: HandPath | None = None

    @property
    def gone_s(self) -> float:
        return self.away.end_s if self.away else _FOREVER

    def taken(self, at_s: float, path: HandPath) -> None:
        """A hand takes it away then."""
        self.taken_s, self.away = at_s, path

    def at(self, t_s: float) -> Point3:
        """Where it is, between coming and going."""
        if self.lies_s <= t_s < self.taken_s:
            return (*self.at_mm, self.z_mm)
        path, lay_s = (
            (self.brought, self.lies_s) if t_s < self.lies_s or self.away is None else (self.away, self.taken_s)
        )
        hand, there = path.at(t_s), path.at(lay_s)
        return (self.at_mm[0] + hand[0] - there[0], self.at_mm[1] + hand[1] - there[1], self.z_mm + hand[2])

    def seen(self, t_s: float) -> SeenPhone:
        level = self.glow[int((t_s - self.from_s) / self.period_s) % len(self.glow)]
        return SeenPhone(*self.at(t_s), self.turn_rad, level)


@dataclass(slots=True)
class _Answer:
    """The last answer, and the span of time for which it holds."""

    start_s: float = math.inf
    end_s: float = -math.inf
    tags: tuple[TagInField, ...] = ()


@dataclass(slots=True)
class _Still:
    """What was at rest when last asked, and the span of time for which that holds."""

    start_s: float = math.inf
    end_s: float = -math.inf
    chips: tuple[SeenChip, ...] = ()
    cards: tuple[SeenCard, ...] = ()


@dataclass(slots=True)
class _ZoneField:
    polygon: Polygon
    middle: Point
    reach_mm: float
    lying: list[_Lying] = field(default_factory=list)
    answer: _Answer = field(default_factory=_Answer)

    def signal(self, x: float, y: float, z: float) -> float:
        """How well a tag couples: 1 in the middle of the antenna, on the felt."""
        far = min(1.0, distance_mm((x, y), self.middle) / self.reach_mm)
        high = min(1.0, z / 100.0)
        return max(_WEAKEST_IN_ZONE, (1.0 - 0.35 * far * far) * (1.0 - 0.25 * high))


class Timeline:
    """The history of one table since the last moment forgotten, and its scheduled future."""

    def __init__(self, zones: dict[str, Polygon]) -> None:
        self._zones = {
            name: _ZoneField(polygon, centroid(polygon), max(distance_mm(centroid(polygon), p) for p in polygon))
            for name, polygon in zones.items()
        }
        self._lying: list[_Lying] = []
        self._last: dict[str, _Lying] = {}
        self._carries: list[tuple[Chip, Carry | Throw]] = []
        self._cards: list[_CardLying] = []
        self._last_card: dict[int, _CardLying] = {}
        self._slides: list[tuple[SeenCard, Slide]] = []
        self._visits: list[HandVisit] = []
        self._phones: list[PhoneStay] = []
        self._changes: list[float] = []
        self._still = _Still()

    def lay(self, seen: SeenChip, start_s: float) -> None:
        """The chip lies there from ``start_s`` until another call moves it."""
        self._lift(seen.uid, start_s)
        zone = next(
            (name for name, area in self._zones.items() if contains(area.polygon, (seen.x_mm, seen.y_mm))), None
        )
        signal = self._zones[zone].signal(seen.x_mm, seen.y_mm, seen.z_mm) if zone else 0.0
        lying = _Lying(seen, zone, signal, start_s)
        self._lying.append(lying)
        self._last[seen.uid] = lying
        if zone:
            self._zones[zone].lying.append(lying)
        self._changed(start_s)

    def carry(self, chip: Chip, carry: Carry | Throw) -> None:
        """The chip moves with a hand or on its own; say with `lay` where it comes to rest."""
        self._lift(chip.uid, carry.start_s)
        self._carries.append((chip, carry))
        self._changed(carry.start_s)
        self._changed(carry.end_s)

    def take_off(self, uid: str, at_s: float) -> None:
        """The chip leaves the table."""
        self._lift(uid, at_s)
        self._last.pop(uid, None)
        self._changed(at_s)

    def lying(self, uid: str) -> SeenChip:
        """Where the chip comes to rest after all that is scheduled; raises KeyError for one off the table."""
        return self._last[uid].seen

    def rests_since_s(self, uid: str) -> float:
        """When the chip comes to rest after all that is scheduled."""
        return self._last[uid].start_s

    def lay_card(self, seen: SeenCard, start_s: float) -> None:
        self._lift_card(seen.number, start_s)
        lying = _CardLying(seen, start_s)
        self._cards.append(lying)
        self._last_card[seen.number] = lying
        self._changed(start_s)

    def slide_card(self, seen: SeenCard, slide: Slide) -> None:
        """The card slides from where it lies; say with `lay_card` where it stops."""
        self._lift_card(seen.number, slide.start_s)
        self._slides.append((seen, slide))
        self._changed(slide.start_s)
        self._changed(slide.end_s)

    def take_off_card(self, number: int, at_s: float) -> None:
        self._lift_card(number, at_s)
        self._last_card.pop(number, None)
        self._changed(at_s)

    def visit(self, visit: HandVisit) -> None:
        self._visits.append(visit)

    def phone(self, stay: PhoneStay) -> None:
        self._phones.append(stay)

    def in_field(self, zone: str, t_s: float) -> tuple[TagInField, ...]:
        """The tags in a zone's field; raises KeyError for an unknown zone."""
        area = self._zones[zone]
        answer = area.answer
        if not answer.start_s <= t_s < answer.end_s:
            answer = _Answer(*self._span(t_s), self._tags_lying(area, t_s))
            area.answer = answer
        carried = self._tags_carried(area, t_s)
        return answer.tags + carried if carried else answer.tags

    def scene(self, t_s: float) -> Scene:
        """What can be seen at that time."""
        still = self._still
        if not still.start_s <= t_s < still.end_s:
            chips = tuple(lying.seen for lying in self._lying if lying.start_s <= t_s < lying.end_s)
            cards = tuple(lying.seen for lying in self._cards if lying.start_s <= t_s < lying.end_s)
            still = _Still(
                *self._span(t_s),
                chips if chips != still.chips else still.chips,
                cards if cards != still.cards else still.cards,
            )
            self._still = still
        return Scene(
            t_s,
            still.chips,
            tuple(
                SeenChip(chip.uid, chip.key, *carry.at(t_s))
                for chip, carry in self._carries
                if carry.start_s <= t_s < carry.end_s
            ),
            still.cards,
            tuple(
                SeenCard(card.number, *slide.at(t_s), card.face)
                for card, slide in self._slides
                if slide.start_s <= t_s < slide.end_s
            ),
            tuple(visit.seen(t_s) for visit in self._visits if visit.path.start_s <= t_s < visit.path.end_s),
            phones=tuple(phone.seen(t_s) for phone in self._phones if phone.from_s <= t_s < phone.gone_s),
        )

    def forget(self, before_s: float) -> None:
        """Drops what was over before that time; nothing earlier can be asked any more."""
        self._lying = [lying for lying in self._lying if lying.end_s > before_s]
        for area in self._zones.values():
            area.lying = [lying for lying in area.lying if lying.end_s > before_s]
        self._carries = [entry for entry in self._carries if entry[1].end_s > before_s]
        self._cards = [lying for lying in self._cards if lying.end_s > before_s]
        self._slides = [entry for entry in self._slides if entry[1].end_s > before_s]
        self._visits = [visit for visit in self._visits if visit.path.end_s > before_s]
        self._phones = [phone for phone in self._phones if phone.gone_s > before_s]
        self._changes = [change for change in self._changes if change > before_s]
        self._forget_answers()

    def _lift(self, uid: str, at_s: float) -> None:
        lying = self._last.get(uid)
        if lying is not None:
            lying.end_s = min(lying.end_s, at_s)

    def _lift_card(self, number: int, at_s: float) -> None:
        lying = self._last_card.get(number)
        if lying is not None:
            lying.end_s = min(lying.end_s, at_s)

    def _changed(self, at_s: float) -> None:
        insort(self._changes, at_s)
        self._forget_answers()

    def _forget_answers(self) -> None:
        self._still.end_s = -math.inf
        for area in self._zones.values():
            area.answer.end_s = -math.inf

    def _span(self, t_s: float) -> tuple[float, float]:
        """The time around ``t_s`` in which nothing starts or stops moving."""
        index = bisect_right(self._changes, t_s)
        start = self._changes[index - 1] if index else -math.inf
        return start, self._changes[index] if index < len(self._changes) else math.inf

    def _tags_lying(self, area: _ZoneField, t_s: float) -> tuple[TagInField, ...]:
        piles: list[tuple[Point, list[_Lying]]] = []
        for lying in area.lying:
            if lying.start_s <= t_s < lying.end_s:
                at = (lying.seen.x_mm, lying.seen.y_mm)
                pile = next((chips for middle, chips in piles if distance_mm(middle, at) < _ONE_PILE_MM), None)
                if pile is None:
                    piles.append((at, [lying]))
                else:
                    pile.append(lying)
        return tuple(TagInField(one.seen.uid, one.signal, len(pile)) for _, pile in piles for one in pile)

    def _tags_carried(self, area: _ZoneField, t_s: float) -> tuple[TagInField, ...]:
        tags = []
        for chip, carry in self._carries:
            if carry.start_s <= t_s < carry.end_s:
                x, y, z, _ = carry.at(t_s)
                if z <= FIELD_HEIGHT_MM and contains(area.polygon, (x, y)):
                    tags.append(TagInField(chip.uid, area.signal(x, y, z), 1))
        return tuple(tags)

"""Plays a film's script in a world of its own before the virtual camera: pictures, and the truth of each frame.

Acts are put into the world when their time comes, never before: the world forgets what is long over.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

import numpy as np

from betline.geometry import contains
from betline.settings import ChipSet, TableSettings, load_chip_set, load_table
from virtual_table import bank
from virtual_table.camera.flaws import FlawedCamera, Flaws
from virtual_table.camera.optics import Image
from virtual_table.camera.renderer import Renderer, Room
from virtual_table.camera.sensor import Light
from virtual_table.films.script import Act, FilmScript
from virtual_table.layout import inward_distance_mm
from virtual_table.line_truth import FINGERS_MM
from virtual_table.motion import min_jerk
from virtual_table.people import SLEEVES, seat_heading
from virtual_table.script import ScriptError
from virtual_table.things import Chip, Motion, Scene, SeenChip, SeenHead, Stroke, TruthEvent, WorldError
from virtual_table.world import World

START_S = 1.5
"""Nothing happens before: the detector takes its references."""
SETTLED_S = 0.45
"""Chips that lie so long without fingers past the line have settled, also between the motions of a string."""
_ONE_PILE_MM = 10.0
_DRIFT_S = 30.0
_LEAN_S = 0.7
_HAIRS = ("#1d1713", "#4a3423", "#8a6a44", "#b9b4ac", "#6b4634")


@dataclass(frozen=True, slots=True)
class TrueEvent:
    """What really happened, in the words of the camera's events; times in seconds of the film.

    ``seat`` is None for what concerns the whole picture; ``motions`` counts the forward motions of a bet.
    """

    t_s: float
    done_s: float
    seat: int | None
    event: str
    uids: tuple[str, ...] = ()
    by_dealer: bool = False
    motions: int = 0

    def line(self) -> dict[str, Any]:
        """The object of the truth file."""
        return {
            "t_ms": round(self.t_s * 1000),
            "t_done_ms": round(self.done_s * 1000),
            "seat": self.seat,
            "event": self.event,
            "uids": list(self.uids),
            "by_dealer": self.by_dealer,
            "motions": self.motions,
        }


@dataclass(frozen=True, slots=True)
class SeatTruth:
    """A seat's bet zone in one frame: the felt that chips cover, how many, and whose fingers are over it."""

    chips: int
    area_mm2: float
    hands: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Shot:
    """One frame: ``seats`` holds those with chips or fingers in the zone."""

    number: int
    t_s: float
    picture: Image
    seats: Mapping[int, SeatTruth]

    def line(self) -> dict[str, Any]:
        """The object of the truth file."""
        seats = {
            str(seat): {"chips": one.chips, "area_mm2": round(one.area_mm2), "hands": list(one.hands)}
            for seat, one in self.seats.items()
        }
        return {"frame": self.number, "t_ms": round(self.t_s * 1000), "seats": seats}


@dataclass(slots=True)
class _Sweep:
    """A gathering that is not over: a seat's chips are swept when the first of them leaves its place."""

    seats: dict[int, frozenset[str]]
    rest_s: float


@dataclass(slots=True)
class _Change:
    """The dealer's change that is not over: it begins when the first chip comes into the zone or leaves its place."""

    seat: int
    give: frozenset[str]
    take: frozenset[str]
    rest_s: float


@dataclass(slots=True)
class Film:
    """One film of a script; ``shots`` plays it once, afterwards ``events`` is what happened.

    ``unjudged`` are spans (seat, from, to) in which an own hand may be told or not: it grazes its zone on its way.
    """

    script: FilmScript
    chip_set: ChipSet | None = None
    lenient: bool = False
    """Leave out acts that do not go, as in scripts drawn by chance."""
    events: tuple[TrueEvent, ...] = ()
    unjudged: list[tuple[int, float, float]] = field(default_factory=list)
    world: World = field(init=False)
    length_s: float = field(init=False)
    """How long the film is at least; known for certain when the last act is placed."""
    _renderer: Renderer = field(init=False)
    _camera: FlawedCamera = field(init=False)
    _rng: Random = field(init=False)
    _acts: list[Act] = field(init=False)
    _next_s: float = field(init=False)
    _seen: list[TrueEvent] = field(default_factory=list)
    _strokes: dict[tuple[tuple[str, ...], float], tuple[Stroke, ...]] = field(default_factory=dict)
    _leans: list[tuple[int, float, float]] = field(default_factory=list)
    _changes: list[_Change] = field(default_factory=list)
    _sweeps: list[_Sweep] = field(default_factory=list)

    def __post_init__(self) -> None:
        script = self.script
        table = load_table(script.table)
        if not table.cameras:
            raise ScriptError(f"The table {table.name} has no camera: add one to its file.")
        if script.felt:
            table = table.model_copy(update={"felt": table.felt.model_copy(update={"colour": script.felt})})
        chips = self.chip_set or load_chip_set(script.chip_set or table.chip_set)
        self.world = World(table, chips, script.seed)
        for seat in table.seats:
            self.world.fill_stack(seat.number, script.stack)
        if script.sleeve:
            self.world.dress(script.sleeve)
        self._rng = Random(f"{script.seed}:film")
        room = Room(script.room.lamps, script.room.vignette, script.room.patterned)
        self._renderer = Renderer(table, chips, table.cameras[0], script.seed, self._drift(), room)
        flaws = Flaws(
            script.camera.jpeg_quality, script.camera.flash_every, script.camera.flicker, script.camera.dropped
        )
        self._camera = FlawedCamera(flaws, np.random.default_rng([script.seed, 0xF1]))
        self._acts = list(script.acts)
        self._next_s = START_S
        self.length_s = START_S + sum(act.pause for act in script.acts)

    @property
    def table(self) -> TableSettings:
        return self.world.table

    @property
    def fps(self) -> int:
        return self.table.cameras[0].fps

    def shots(self) -> Iterator[Shot]:
        """The frames in order; raises ScriptError at an act that does not go."""
        number = 0
        while True:
            t_s = number / self.fps
            while self._acts and self._start_of(self._acts[0]) <= t_s:
                self._play(self._acts.pop(0))
            if not self._acts and t_s >= self.length_s:
                break
            scene = replace(self.world.scene(t_s), heads=self._heads(t_s))
            picture = self._camera.shifted(self._renderer.clean_frame(scene))
            self._look_for_sweeps(scene)
            self._look_for_changes(scene)
            yield Shot(number, t_s, self._camera.taken(self._renderer.noisy(picture)), self._truth_of(scene))
            number += 1
        told = [one for event in self.world.truth() if not _by_frames(event) for one in self._of_world(event)]
        self.events = tuple(sorted([*told, *self._seen], key=lambda event: event.t_s))

    def _of_world(self, event: TruthEvent) -> list[TrueEvent]:
        strokes = self._strokes.get((event.uids, event.t_first), ()) if event.type == "bet_settled" else ()
        if strokes:
            return _settlings(event, strokes)
        if event.type == "chips_retracted" and event.by_dealer:  # the dealer amends a bet, its player takes back
            return [TrueEvent(event.t_first, event.t_done, event.seat, "bet_amended", event.uids, by_dealer=True)]
        return [TrueEvent(event.t_first, event.t_done, event.seat, event.type, event.uids, event.by_dealer)]

    def _start_of(self, act: Act) -> float:
        return act.at if act.at is not None else self._next_s + act.pause

    def _play(self, act: Act) -> None:
        at_s = self._start_of(act)
        try:
            end_s = self._by_hand(act, at_s) if act.act not in _OF_THE_ROOM else self._of_the_room(act, at_s)
        except (WorldError, bank.BankError) as error:
            if self.lenient:
                return
            raise ScriptError(f"The act {act.act} at {at_s:.1f} s does not go: {error}") from None
        self._next_s = max(self._next_s, end_s)
        rest = sum(later.pause for later in self._acts if later.at is None)
        last = max((later.at for later in self._acts if later.at is not None), default=0.0)
        self.length_s = max(self._next_s + rest, last) + self.script.end_pause

    def _of_the_room(self, act: Act, at_s: float) -> float:
        if act.act == "wait":
            return at_s
        if act.act == "lean":
            self._leans.append((act.seat or 0, at_s, at_s + act.over_s))
            return at_s + act.over_s
        if act.act == "flash":
            self._camera.flash()
            return at_s
        if act.act == "bump":
            view = self.table.cameras[0].pinhole()
            (ax, ay), (bx, by) = view.project((0.0, 0.0, 0.0)), view.project((*act.mm, 0.0))
            self._camera.moved_px = (self._camera.moved_px[0] + bx - ax, self._camera.moved_px[1] + by - ay)
            self._seen.append(TrueEvent(at_s, at_s, None, "camera_moved"))
            return at_s
        light = self._renderer.light
        end_s = at_s + act.over_s
        before = tuple(point for point in light.points if point[0] < at_s)
        self._renderer.light = Light((*before, (at_s, light.gain(at_s)), (end_s, act.gain)))
        self._seen.append(TrueEvent(at_s, end_s, None, "light_changed"))
        return end_s

    def _heads(self, t_s: float) -> tuple[SeenHead, ...]:
        """Heads come in from behind the rail to its inner edge, and go back."""
        heads = []
        for seat, from_s, to_s in self._leans:
            if from_s <= t_s < to_s:
                share = min_jerk(min(t_s - from_s, to_s - t_s) / min(_LEAN_S, (to_s - from_s) / 2))
                place, facing = self.table.seat(seat), seat_heading(self.table, seat)
                rng = Random(f"{self.script.seed}:{seat}:head")
                at = facing.offset(place.rail_mm, -320.0 + 260.0 * share, 0.0)
                behind = facing.offset(at, -160.0, rng.uniform(-60.0, 60.0))
                heads.append(SeenHead(at, behind, rng.choice(_HAIRS), rng.choice(SLEEVES)))
        return tuple(heads)

    def _by_hand(self, act: Act, at_s: float) -> float:
        world, seat = self.world, act.seat or 0
        match act.act:
            case "push":
                done = world.push(seat, self._groups(seat, act.chips), at_s)
                self._strokes[tuple(chip.uid for chip in done.chips), done.cross_s] = done.strokes
            case "pull_back":
                done = world.pull_back(seat, _some(world.bets(seat), act.chips[0], self._rng), at_s)
            case "return":
                done = world.return_bet(seat, _some(world.bets(seat), act.chips[0], self._rng), at_s)
            case "fake":
                done = world.fake(seat, at_s)
            case "reach":
                done = world.reach_over(seat, act.over or 0, at_s)
                self.unjudged.append((seat, done.start_s, done.end_s))
            case "tap":
                done = world.tap(seat, at_s)
            case "muck":
                done = world.muck(seat, at_s)
            case "deal":
                done = world.deal_cards(at_s, [place.number for place in world.table.seats])
            case "change":
                done = self._change(seat, at_s)
            case "pay":
                done = world.push_pot(seat, world.pot(), at_s)
            case "clear":
                done = world.clear_cards(at_s)
            case _:
                done = self._sweep(at_s)
        return done.end_s

    def _groups(self, seat: int, counts: Sequence[int]) -> list[tuple[Chip, ...]]:
        chosen = list(_some(self.world.stack(seat), sum(counts), self._rng))
        if len(chosen) < sum(counts):
            raise WorldError("no-chips", f"seat {seat} has {len(chosen)} chips and cannot push {sum(counts)}.")
        groups = []
        for count in counts:
            groups.append(tuple(chosen[:count]))
            del chosen[:count]
        return groups

    def _change(self, seat: int, at_s: float) -> Motion:
        """The dealer changes the largest chip of the bet for chips of the next smaller worths."""
        kinds = self.world.chip_set.chips
        for chip in sorted(self.world.bets(seat), key=lambda one: -one.value):
            smaller = [kind for kind in kinds if kind.value < chip.value and chip.value % kind.value == 0]
            fewest = min(smaller, key=lambda kind: chip.value // kind.value, default=None)
            if fewest is not None and chip.value // fewest.value <= 20:
                give = self.world.from_tray({fewest.key: chip.value // fewest.value}, at_s)
                done = self.world.exchange(seat, give, [chip], at_s)
                gives = frozenset(one.uid for one in give)
                self._changes.append(_Change(seat, gives, frozenset({chip.uid}), done.rest_s))
                return done
        raise WorldError("no-change", f"seat {seat} has no chip in its bet that can be changed.")

    def _sweep(self, at_s: float) -> Motion:
        seats = [place.number for place in self.table.seats]
        bets = {seat: frozenset(chip.uid for chip in self.world.bets(seat)) for seat in seats}
        done = self.world.gather(at_s)
        self._sweeps.append(_Sweep({seat: uids for seat, uids in bets.items() if uids}, done.rest_s))
        return done

    def _look_for_sweeps(self, scene: Scene) -> None:
        """A seat is swept in the first frame in which a chip of its bet is in the dealer's hand."""
        if not any(sweep.seats for sweep in self._sweeps):
            return
        moving = {chip.uid for chip in scene.moving}
        for sweep in self._sweeps:
            for seat, uids in list(sweep.seats.items()):
                if uids & moving:
                    swept = tuple(sorted(uids))
                    at_s = scene.t_s - 0.5 / self.fps
                    self._seen.append(TrueEvent(at_s, sweep.rest_s, seat, "pot_swept", swept, by_dealer=True))
                    del sweep.seats[seat]

    def _look_for_changes(self, scene: Scene) -> None:
        for change in list(self._changes):
            zone = self.table.seat(change.seat).bet_zone_mm
            begun = any(chip.uid in change.take for chip in scene.moving) or any(
                chip.uid in change.give and contains(zone, (chip.x_mm, chip.y_mm))
                for chip in (*scene.moving, *scene.settled)
            )
            if begun:
                at_s = scene.t_s - 0.5 / self.fps
                uids = tuple(sorted(change.give | change.take))
                self._seen.append(TrueEvent(at_s, change.rest_s, change.seat, "bet_amended", uids, by_dealer=True))
                self._changes.remove(change)

    def _truth_of(self, scene: Scene) -> dict[int, SeatTruth]:
        radius = self.world.chip_set.diameter_mm / 2
        truths = {}
        for place in self.table.seats:
            chips = [
                chip for chip in (*scene.settled, *scene.moving) if contains(place.bet_zone_mm, (chip.x_mm, chip.y_mm))
            ]
            hands = tuple(
                arm.owner for arm in scene.arms if self._over(place.number, arm.owner, arm.shoulder_mm, arm.grip_mm)
            )
            if chips or hands:
                area = math.pi * radius**2 * _piles(chips)
                truths[place.number] = SeatTruth(len(chips), area, hands)
        return truths

    def _over(self, seat: int, owner: str, shoulder: Sequence[float], grip: Sequence[float]) -> bool:
        """Whether the fingers of an arm are over a seat's zone: past the own line, inside another's zone."""
        place = self.table.seat(seat)
        if owner == f"seat-{seat}":
            ahead = seat_heading(self.table, seat).ahead
            return inward_distance_mm(place.line_mm, ahead, (grip[0], grip[1])) + FINGERS_MM > 0
        away = math.hypot(grip[0] - shoulder[0], grip[1] - shoulder[1]) or 1.0
        tip = tuple(grip[axis] + (grip[axis] - shoulder[axis]) / away * FINGERS_MM for axis in (0, 1))
        return contains(place.bet_zone_mm, (tip[0], tip[1])) or contains(place.bet_zone_mm, (grip[0], grip[1]))

    def _drift(self) -> Light | None:
        """A slow swing of the exposure over the film."""
        share = self.script.camera.drift
        if not share:
            return None
        return Light(
            tuple((10.0 * step, 1.0 + share * math.sin(math.tau * 10.0 * step / _DRIFT_S)) for step in range(3600))
        )


_OF_THE_ROOM = frozenset({"wait", "lean", "flash", "bump", "lamp"})


def _by_frames(event: TruthEvent) -> bool:
    """Whether the film finds the event's moment at each seat in its frames: sweeps and the dealer's change."""
    return event.type in ("pot_swept", "bet_amended")


def _settlings(bet: TruthEvent, strokes: Sequence[Stroke]) -> list[TrueEvent]:
    """A bet settles after its last motion, and before if chips lay there long enough; motions count from the first."""
    settled: list[TrueEvent] = []
    cross_s, uids = strokes[0].cross_s, tuple[str, ...]()
    for number, stroke in enumerate(strokes, 1):
        uids += tuple(chip.uid for chip in stroke.chips)
        if number == len(strokes) or strokes[number].cross_s - stroke.back_s >= SETTLED_S:
            settled.append(TrueEvent(cross_s, stroke.rest_s, bet.seat, "bet_settled", uids, motions=number))
            cross_s, uids = strokes[min(number, len(strokes) - 1)].cross_s, ()
    return settled


def _some(chips: Sequence[Chip], count: int, rng: Random) -> tuple[Chip, ...]:
    """So many chips of one kind where there are enough, else from the tops of all piles."""
    kinds: dict[str, list[Chip]] = {}
    for chip in chips:
        kinds.setdefault(chip.key, []).append(chip)
    enough = sorted(key for key, held in kinds.items() if len(held) >= count)
    if enough and rng.random() < 0.6:
        return tuple(kinds[rng.choice(enough)][-count:])
    return tuple(chips[-count:])


def _piles(chips: Sequence[SeenChip]) -> int:
    middles: list[tuple[float, float]] = []
    for chip in chips:
        if all(math.hypot(chip.x_mm - x, chip.y_mm - y) >= _ONE_PILE_MM for x, y in middles):
            middles.append((chip.x_mm, chip.y_mm))
    return len(middles)

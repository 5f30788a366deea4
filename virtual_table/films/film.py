"""Plays a film's script in a world of its own in front of the virtual camera: pictures, and the truth of each frame.

An act enters the world when it is due, not before: the world forgets what is long over.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from random import Random

import numpy as np

from betline.settings import ChipSet, TableSettings, load_chip_set, load_table
from virtual_table.camera.cutouts import cutouts
from virtual_table.camera.flaws import FlawedCamera, Flaws
from virtual_table.camera.optics import Image
from virtual_table.camera.renderer import Renderer, Room
from virtual_table.camera.sensor import Light
from virtual_table.camera.shade import SoftShade
from virtual_table.camera.shutter import Shutter
from virtual_table.films.actors import Actors
from virtual_table.films.film_script import Act, FilmScript
from virtual_table.films.truth import Shot, TrueEvent, ZoneTruth, events_of
from virtual_table.scripts.script import ScriptError
from virtual_table.table import bank
from virtual_table.table.motion import min_jerk
from virtual_table.table.people import SLEEVES, seat_heading
from virtual_table.table.things import Scene, SeenHead, WorldError
from virtual_table.table.world import World

START_S = 1.5
"""Nothing happens before this: the detector takes its references."""
CLEAR_CHANGE = 0.2
"""A smaller change of the light may be reported, or compensated for silently."""
_LEAN_S = 0.7
_HAIRS = ("#1d1713", "#4a3423", "#8a6a44", "#b9b4ac", "#6b4634")
_OF_THE_ROOM = frozenset({"wait", "lean", "flash", "bump", "lamp", "shade"})


@dataclass(slots=True)
class Film:
    """One film of a script; ``shots`` plays it once, afterwards ``events`` is what happened.

    ``unjudged`` is that of `Actors`.
    """

    script: FilmScript
    chip_set: ChipSet | None = None
    lenient: bool = False
    """Leave out impossible acts, as random scripts may have."""
    events: tuple[TrueEvent, ...] = ()
    world: World = field(init=False)
    length_s: float = field(init=False)
    """The length of the film at least; exact once the last act has begun."""
    _renderer: Renderer = field(init=False)
    _camera: FlawedCamera = field(init=False)
    _shutter: Shutter = field(init=False)
    _arrival: np.random.Generator = field(init=False)
    _actors: Actors = field(init=False)
    _acts: list[Act] = field(init=False)
    _next_s: float = field(init=False)
    _seen: list[TrueEvent] = field(default_factory=list)
    _leans: list[tuple[int, float, float]] = field(default_factory=list)
    _shades: list[SoftShade] = field(default_factory=list)

    def __post_init__(self) -> None:
        script = self.script
        table = load_table(script.table)
        if not table.cameras:
            raise ScriptError(f"The table {table.name} has no camera: add one to its file.")
        colours = {"colour": script.felt, "rail_colour": script.rail}
        felt = table.felt.model_copy(update={name: colour for name, colour in colours.items() if colour})
        table = table.model_copy(update={"felt": felt})
        chips = self.chip_set or load_chip_set(script.chip_set or table.chip_set)
        self.world = World(table, chips, script.seed)
        for seat in table.seats:
            self.world.fill_stack(seat.number, script.stack)
        if script.sleeve:
            self.world.dress(script.sleeve)
        if script.room.photos:
            self.world.show_hands_as(cutouts(script.room.photos).arm.hand_mm())
        self._actors = Actors(self.world, Random(f"{script.seed}:film"))
        room = Room(
            script.room.lamps,
            script.room.vignette,
            script.room.patterned,
            script.room.kelvin,
            photos=script.room.photos,
        )
        light = Light.drifting(script.camera.drift, script.room.kelvin, script.room.kelvin_drift)
        self._renderer = Renderer(table, chips, table.cameras[0], script.seed, light, room)
        camera = script.camera
        flaws = Flaws(camera.jpeg_quality, camera.flash_every, camera.flicker, camera.dropped)
        self._camera = FlawedCamera(flaws, np.random.default_rng([script.seed, 0xF1]))
        self._shutter = Shutter(camera.exposure_ms / 1e3, camera.readout_ms / 1e3)
        self._arrival = np.random.default_rng([script.seed, 0xF2])
        self._acts = list(script.acts)
        self._next_s = START_S
        self.length_s = START_S + sum(act.pause for act in script.acts)

    @property
    def table(self) -> TableSettings:
        return self.world.table

    @property
    def unjudged(self) -> list[tuple[int, float, float]]:
        return self._actors.unjudged

    @property
    def fps(self) -> int:
        return self.table.cameras[0].fps

    def shots(self) -> Iterator[Shot]:
        """The frames in order; raises ScriptError at an impossible act."""
        number, zones = 0, ZoneTruth(self.table, self.world.chip_set.diameter_mm / 2)
        while True:
            t_s = number / self.fps
            while self._acts and self._start_of(self._acts[0]) <= t_s:
                self._play(self._acts.pop(0), t_s)
            if not self._acts and t_s >= self.length_s:
                break
            scene = replace(self.world.scene(t_s), heads=self._heads(t_s))
            picture = self._camera.taken(self._renderer.noisy(self._camera.shifted(self._clean(scene))))
            stamp_s = self._stamp(t_s)
            if stamp_s is not None:
                yield Shot(number, t_s, picture, zones.seats(scene), stamp_s)
            number += 1
        happened = [one for event in self.world.truth() for one in events_of(event, self._actors.strokes)]
        self.events = tuple(sorted([*happened, *self._seen], key=lambda event: event.t_s))

    def _clean(self, scene: Scene) -> Image:
        picture = self._renderer.clean_frame(scene, self._shutter.exposed(self.world.scene, scene.t_s))
        for shade in self._shades:
            picture = shade.on(picture, scene.t_s)
        return picture

    def _stamp(self, t_s: float) -> float | None:
        """The time stamp that the frame arrives with; None if it never arrives."""
        camera = self.script.camera
        late_ms, luck = self._arrival.normal(0.0, camera.jitter_ms or 1e-9), self._arrival.random()
        if luck < camera.lost:
            return None
        most_s = 0.4 / self.fps
        return t_s + min(most_s, max(-most_s, late_ms / 1e3))

    def _start_of(self, act: Act) -> float:
        return act.at if act.at is not None else self._next_s + act.pause

    def _play(self, act: Act, now_s: float) -> None:
        """Begins an act when it is due, but not before the next picture: what has been filmed cannot change."""
        at_s = max(self._start_of(act), now_s)
        try:
            end_s = self._of_the_room(act, at_s) if act.act in _OF_THE_ROOM else self._actors.do(act, at_s)
        except (WorldError, bank.BankError) as error:
            if self.lenient:
                return
            raise ScriptError(f"The act {act.act} at {at_s:.1f} s is impossible: {error}") from None
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
        if act.act == "shade":
            self._shades.append(SoftShade.over(self.table, act.seat or 0, at_s, at_s + act.over_s, act.gain))
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
        end_s = at_s + act.over_s
        light = self._renderer.light
        self._renderer.light = light.changed(at_s, end_s, act.gain, act.kelvin, self.script.room.kelvin)
        clear = act.kelvin is not None or abs(act.gain / light.gain(at_s) - 1.0) >= CLEAR_CHANGE
        self._seen.append(TrueEvent(at_s, end_s, None, "light_changed", judged=clear))
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

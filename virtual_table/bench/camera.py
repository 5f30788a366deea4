"""The suite `camera`: the detector before the demo's camera while random hands are played, against the truth.

The table plays in simulated time. Its pictures are those that the demo's camera sends, drawn, noisy and encoded; the
detector's events go over the bus to the controller, which rules by them. What is scored is what was on the bus.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from random import Random
from typing import Any, Final, NamedTuple

import cv2
import numpy as np

from betline import topics
from betline.bench import Figure, Progress, Report
from betline.bus import Received
from betline.messages.common import Birth, Presence
from betline.messages.devices import CameraView, LineEvent
from betline.supervise import as_worker
from betline.topics import topic
from betline.units import NS_PER_MS
from virtual_table.bench import scoring
from virtual_table.bench.scoring import TIMED_MS, Matched, Said
from virtual_table.camera.mjpeg import FrameEncoder
from virtual_table.camera.renderer import Renderer
from virtual_table.films.truth import events_of
from virtual_table.laboratory.agenda import Agenda
from virtual_table.laboratory.bus import SimulatedBus, SimulatedHub
from virtual_table.laboratory.laboratory import Conditions, Laboratory
from virtual_table.table.things import TruthEvent
from virtual_table.table.world import World
from vision.detect.detector import make_detector
from vision.frame.events import CameraEvent

TAKES: Final = ("seed",)
TABLE: Final = "casino-oval"
SITTINGS, FULL_SITTINGS = 2, 10
HANDS: Final = 2
"""Hands of one sitting, one after the other."""
ON_ITS_WAY_S: Final = 0.03
"""From a picture to its events on the bus: what encoding, decoding and the detector take in the demo."""
VIEW_S: Final = 1.0
LINGER_S: Final = 3.0
"""How long the table is watched after the last hand."""
STAMP_MS, STAMP_MOST_MS = 2.0, 6.0
"""By how much the times of the demo's pictures are off: standard deviation, and at most."""
OF_CHIPS: Final = ("chips_crossing", "bet_settled", "string_suspect", "chips_retracted")
OF_HANDS: Final = ("hand_entered", "hand_left")
CHIPS_SHARE, HANDS_SHARE = 0.97, 0.95


class Sitting(NamedTuple):
    """Some hands of one seed."""

    seed: int
    hands: int


@dataclass(frozen=True, slots=True)
class Watched:
    """What happened in a sitting and what was heard on the bus of it; acts, those ruled otherwise than meant, and
    questions; ``seconds`` and ``pictures`` say how long the camera watched.
    """

    seed: int
    true: tuple[Said, ...]
    heard: tuple[Said, ...]
    acts: int
    wrong: int
    asked: int
    seconds: float
    pictures: int


class DetectorCamera:
    """The camera's program in simulated time: the demo's pictures, the detector, its events on the bus."""

    def __init__(self, world: World, agenda: Agenda, hub: SimulatedHub, seed: int) -> None:
        camera = world.table.cameras[0]
        self._world, self._agenda, self._device, self._fps = world, agenda, camera.id, camera.fps
        self._detector = make_detector(world.table)
        self._encoder = FrameEncoder(Renderer(world.table, world.chip_set, camera, seed), seed)
        self._chance = Random(f"stamps-{seed}")
        self._bus = SimulatedBus(hub, self._device, topic(topics.DEVICE_STATUS, self._device))
        self._bus.publish(
            topic(topics.DEVICE_BIRTH, self._device),
            Birth(role="vision", version="simulated", table=world.table.name, config_hash=world.table.config_hash()),
        )
        self._viewed: CameraView | None = None
        self._viewed_s = 0.0
        self._online = False
        self._events = 0
        self.pictures = 0
        self.truth: dict[TruthEvent, None] = {}
        """What happened at the lines so far: the world itself forgets it after each hand."""
        agenda.before_time_passes(lambda: self.truth.update(dict.fromkeys(world.truth())))
        agenda.every(1 / self._fps, self._look)

    def _look(self) -> None:
        picture = np.frombuffer(self._encoder.encode(self._world.scene(self._agenda.now_s())), np.uint8)
        off_ms = min(STAMP_MOST_MS, max(-STAMP_MOST_MS, self._chance.gauss(0.0, STAMP_MS)))
        shown = np.asarray(cv2.imdecode(picture, cv2.IMREAD_COLOR), dtype=np.uint8)
        events = self._detector.process(shown, self._agenda.now_ns + round(off_ms * NS_PER_MS), self.pictures)
        self.pictures += 1
        self._agenda.after(ON_ITS_WAY_S, lambda: self._tell(events))

    def _tell(self, events: Sequence[CameraEvent]) -> None:
        for event in events:
            self._events += 1
            body = LineEvent(
                id=f"{self._device}-{self._bus.boot_id}-{self._events}",
                event=event.kind,
                seat=event.seat,
                t_first_ns=event.t_first_ns,
                t_confirm_ns=event.t_confirm_ns,
                conf=event.conf,
                area_mm2=event.area_mm2,
                footprints=event.footprints,
                motions=event.motions,
                frame=event.frame,
            )
            of_all = event.seat is None
            self._bus.publish(
                topic(topics.DEVICE_LINE, self._device) if of_all else topic(topics.SEAT_LINE, event.seat), body
            )
        online = self._detector.ready and self._detector.frozen is None
        if online != self._online:
            self._online = online
            self._bus.publish(
                topic(topics.DEVICE_STATUS, self._device), Presence(state="online" if online else "stale")
            )
        self._view()

    def _view(self) -> None:
        view = CameraView(seats=self._detector.view(), frame=self.pictures, fps=float(self._fps))
        same = self._viewed is not None and view.seats == self._viewed.seats
        if not same or self._agenda.now_s() - self._viewed_s >= VIEW_S:
            self._viewed, self._viewed_s = view, self._agenda.now_s()
            self._bus.publish(topic(topics.DEVICE_VIEW, self._device), view)


def measure(progress: Progress, *, full: bool = False, seed: int = 970_000) -> Report:
    """Plays the sittings, two at a time."""
    sittings = [Sitting(seed + place, HANDS) for place in range(FULL_SITTINGS if full else SITTINGS)]
    watched: list[Watched] = []
    workers = min(2, len(os.sched_getaffinity(0)))
    progress.at(0, len(sittings), f"{len(sittings)} sittings of {HANDS} hands")
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), as_worker) as pool:
        for done in as_completed([pool.submit(play, sitting) for sitting in sittings]):
            watched.append(done.result())
            progress.at(len(watched), len(sittings), f"sitting {watched[-1].seed}")
    return report(sorted(watched, key=lambda one: one.seed))


def play(sitting: Sitting) -> Watched:
    """Plays the hands of a sitting before the camera."""
    cameras: list[DetectorCamera] = []

    def watch(world: World, agenda: Agenda, hub: SimulatedHub) -> None:
        cameras.append(DetectorCamera(world, agenda, hub, sitting.seed))

    heard: list[Said] = []

    def hear(received: Received) -> None:
        body = received.body
        if isinstance(body, LineEvent):
            first_ms, confirm_ms = body.t_first_ns / NS_PER_MS, body.t_confirm_ns / NS_PER_MS
            heard.append(Said(body.seat, body.kind, first_ms, confirm_ms, body.motions, body.conf))

    lab = Laboratory(TABLE, sitting.seed, Conditions(), watched_by=watch)
    began_s = lab.agenda.now_s()
    ear = SimulatedBus(lab.hub, "ear")
    for kind in (topics.SEAT_LINE, topics.DEVICE_LINE):
        ear.subscribe(kind, hear)
    came = lab.play(sitting.hands)
    lab.let(LINGER_S)
    happened = [one for event in cameras[0].truth for one in events_of(event, {})]
    true, judged = scoring.judged(
        (Said(one.seat, one.event, one.t_s * 1e3, one.done_s * 1e3, judged=one.judged) for one in happened), heard
    )
    seconds = lab.agenda.now_s() - began_s
    return Watched(sitting.seed, true, judged, came.acts, came.wrong, came.asked, seconds, cameras[0].pictures)


def report(watched: Sequence[Watched]) -> Report:
    """The figures of all sittings."""
    scenes = [scoring.match(one.true, one.heard) for one in watched]
    timed = [scoring.match(one.true, one.heard, TIMED_MS) for one in watched]
    classes = scoring.by_class(scenes)
    figures = []
    for names, what, least in ((OF_CHIPS, "chips", CHIPS_SHARE), (OF_HANDS, "hands", HANDS_SHARE)):
        for name in (name for name in names if name in classes):
            score = classes[name]
            met = score.worse >= least
            measured = f"{score.right} of {score.right + score.missed}, {score.invented} invented"
            figures.append(Figure(f"{what}: {name.replace('_', ' ')}", measured, f"at least {least:.0%} each", met))
    for name in (name for name in classes if name not in OF_CHIPS + OF_HANDS):
        score = classes[name]
        measured = f"{score.right} of {score.right + score.missed}, {score.invented} invented"
        figures.append(Figure(name.replace("_", " "), measured))
    waits = sorted(
        pair.reported.confirm_ms - pair.true.t_ms
        for scene in timed
        for pair in scene.pairs
        if pair.true.event == "hand_entered"
    )
    late = {"p50": scoring.quantile(waits, 0.5), "p95": scoring.quantile(waits, 0.95)}
    if waits:
        figures.append(Figure("a hand is seen after it came, p50/p95", f"{late['p50']:.0f}/{late['p95']:.0f} ms"))
    acts, wrong, asked = (sum(column) for column in zip(*((w.acts, w.wrong, w.asked) for w in watched), strict=True))
    figures.append(Figure("acts that were ruled otherwise than meant", f"{wrong} of {acts}", "0", wrong == 0))
    seconds, pictures = sum(one.seconds for one in watched), sum(one.pictures for one in watched)
    json = {
        "total": scoring.as_json(scoring.total(classes)),
        "per_class": {
            name: {**scoring.as_json(score), "time_error_ms": _errors(timed, name)} for name, score in classes.items()
        },
        "hand_seen_ms": late,
        "acts": {"acts": acts, "wrong": wrong, "asked": asked},
        "errors": [error for one, scene in zip(watched, scenes, strict=True) for error in _told(one.seed, scene)],
        "seconds": seconds,
        "pictures": pictures,
    }
    size = f"{len(watched)} sittings, {acts} acts, {asked} questions"
    shown = f"{seconds:.0f} s of the table's time, {pictures} pictures"
    return Report(json, tuple(figures), (f"{size}; {shown}.",))


def _errors(timed: Sequence[Matched], name: str) -> dict[str, float | None]:
    """How far the dates of a class are off, in milliseconds, late or early."""
    off = [abs(pair.off_ms) for scene in timed for pair in scene.pairs if pair.true.event == name]
    return {"p50": scoring.quantile(off, 0.5), "p95": scoring.quantile(off, 0.95)}


def _told(seed: int, scene: Matched) -> list[dict[str, Any]]:
    """What was missed and what was invented in a sitting, for whoever looks for the cause."""
    found = [("missed", one) for one in scene.missed] + [("invented", one) for one in scene.invented]
    return [
        {"seed": seed, "what": what, "event": one.event, "seat": one.seat, "t_ms": round(one.t_ms), "conf": one.conf}
        for what, one in sorted(found, key=lambda pair: pair[1].t_ms)
    ]

"""The camera on the bus: reads the source, detects, publishes events, the view of all seats, presence and health.

One thread (the caller's, in `run`) does all of it but reading the camera; a live source has a thread of its own that
keeps the newest frame. An event of the whole picture (light changed, camera moved, view lost) is published once, at
the camera's own line: from then on no seat's betting is seen.
"""

from __future__ import annotations

import importlib.metadata
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from betline.bus import Bus
from betline.messages.common import Birth, Health, Presence
from betline.messages.devices import CameraView, LineEvent, SeatView
from betline.messages.versions import own_capability
from betline.metrics.family import Timing
from betline.settings import TableSettings
from betline.tally import WORK_S, Tally
from betline.topics import BIRTH, DEVICE_BIRTH, DEVICE_HEALTH, DEVICE_LINE, DEVICE_STATUS, DEVICE_VIEW, SEAT_LINE, topic
from betline.units import NS_PER_MS, NS_PER_S
from vision.clips.keeper import RingKeeper
from vision.detect.detector import Detector
from vision.display.page import WatchPage
from vision.display.small_picture import SmallPictures
from vision.frame.cover import CoverCheck
from vision.frame.events import CameraEvent
from vision.imaging.pictures import Picture
from vision.imaging.sources import Frame, Source
from vision.service.tuner import Tuner

VIEW_S: Final = 1.0
HEALTH_S: Final = 2.0
READ_WAIT_S: Final = 0.25
LOST_S: Final = 1.0
"""A camera that gives no picture for this long is lost."""
BLIND_LEVEL: Final = 4.0
"""Grey levels by which places of a picture must differ; noise alone makes 2, a table 20 and more."""
REMEMBERED_FRAMES: Final = 300
FROZEN_S: Final = 1.2
"""The noise of its sensor alone changes every picture of a camera: one that is the same for this long is frozen."""
SAMPLE_PX: Final = 8
"""Of so many pixels one is compared, across and down."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why a camera that gives pictures sees nothing in them: a code and a sentence that says what to do."""

    code: str
    sentence: str


BLIND: Final = Trouble("camera-blind", "The camera sees nothing: uncover its lens, or give it light.")
FROZEN: Final = Trouble(
    "camera-frozen", "The camera gives the same picture again and again: unplug it, plug it in again."
)
COVERED: Final = Trouble("camera-covered", "Something covers part of the camera's lens: take it away.")
SILENT_FOR_LONG: Final = (None, BLIND)
"""Of these a moment is overlooked; the others have lasted already when they are noticed."""


class VisionService:
    """Serves one camera until it is stopped.

    ``notify`` gets a sentence when the camera's state changes, ``page`` each frame; ``tuning_file`` is where numbers
    are kept that a person sets for the next start too; ``rings`` keeps the pictures around every act. ``serves`` is
    called after each step of `run`, ``filmed`` with each picture that the detector gets.
    """

    def __init__(
        self,
        table: TableSettings,
        bus: Bus,
        source: Source,
        detector: Detector,
        *,
        notify: Callable[[str], None] = lambda _: None,
        page: WatchPage | None = None,
        tuning_file: Path | None = None,
        rings: RingKeeper | None = None,
        serves: Callable[[], None] = lambda: None,
        filmed: Callable[[Frame], None] = lambda _: None,
    ) -> None:
        self._table = table
        self._bus = bus
        self._source = source
        self._detector = detector
        self._notify = notify
        self._serves = serves
        self._filmed = filmed
        self._page = page
        self._rings = rings
        self._rings_said = ""
        self._tuner = Tuner(detector, bus, table.cameras[0].id, tuning_file, notify)
        self._device = table.cameras[0].id
        self._small = SmallPictures(bus, self._device, table, detector.calibration)
        self._stop = threading.Event()
        self._asked = threading.Event()
        """A controller has started: it wants to know what the camera sees."""
        self._events = 0
        self._presence: Presence | None = None
        self._pace = _Pace()
        self._last_frame_ns = time.monotonic_ns()
        self._last_number = 0
        self._lost = False
        self._changed_ns = self._last_frame_ns
        self._sample: Picture | None = None
        self._cover = CoverCheck()
        self._trouble: Trouble | None = None
        self._view: tuple[SeatView, ...] | None = None
        self._next_view_s = 0.0
        self._next_health_s = 0.0

    def run(self) -> None:
        """Serve until `stop` is called from another thread or a signal handler, or a recording has ended."""
        self._bus.publish(topic(DEVICE_BIRTH, self._device), self._birth())
        self._bus.subscribe(BIRTH, lambda _: self._asked.set())
        self._tuner.open()
        self._small.open()
        self._last_frame_ns = time.monotonic_ns()
        try:
            while not self._stop.is_set() and not self._source.ended:
                self.step()
                self._serves()
        finally:
            self._source.close()

    def timings(self) -> tuple[Timing, ...]:
        """How long frames took, and how old they were then, since the program began."""
        return Timing("frame", self._device, self._pace.work_s), Timing("lag", self._device, self._pace.lag_s)

    def stop(self) -> None:
        """Make `run` end."""
        self._stop.set()

    def step(self) -> None:
        """One frame, or a quarter of a second without one."""
        self._tuner.obey()
        frame = self._source.read(READ_WAIT_S)
        if frame is None:
            self._trouble = None
            self._without_frame()
        else:
            self._frame(frame)
        self._publish_presence()
        now_s = time.monotonic()
        view = self._detector.view()
        if not self._lost and (view != self._view or now_s >= self._next_view_s or self._asked.is_set()):
            self._asked.clear()
            self._view, self._next_view_s = view, now_s + VIEW_S
            body = CameraView(seats=view, frame=self._last_number, fps=round(self._pace.fps, 1))
            self._bus.publish(topic(DEVICE_VIEW, self._device), body)
        if now_s >= self._next_health_s:
            self._next_health_s = now_s + HEALTH_S
            self._bus.publish(topic(DEVICE_HEALTH, self._device), self._health())

    def _frame(self, frame: Frame) -> None:
        began_ns = time.monotonic_ns()
        self._trouble = self._trouble_in(frame)
        if self._trouble is not None:
            self._without_frame()
            return
        self._last_frame_ns, self._last_number, self._lost = began_ns, frame.number, False
        if self._rings is not None:
            self._rings.see(frame)
        self._filmed(frame)
        events = self._detector.process(frame.picture, frame.t_ns, frame.number)
        for event in events:
            self._publish(event)
        if self._page is not None:
            self._page.see(frame, self._detector, events)
        self._small.see(frame, self._detector)
        ended_ns = time.monotonic_ns()
        self._pace.note(frame.t_ns, (ended_ns - began_ns) / NS_PER_MS, (ended_ns - frame.t_ns) / NS_PER_MS)

    def _trouble_in(self, frame: Frame) -> Trouble | None:
        """Why nothing can be seen in a frame that has come, None where all is well."""
        if shows_nothing(frame.picture):
            return BLIND
        sample = frame.picture[::SAMPLE_PX, ::SAMPLE_PX].copy()
        if self._sample is None or self._sample.shape != sample.shape or not np.array_equal(sample, self._sample):
            self._sample, self._changed_ns = sample, frame.t_ns
        if frame.t_ns - self._changed_ns >= FROZEN_S * NS_PER_S:
            return FROZEN
        if self._detector.frozen == "camera_moved":
            self._cover.forget()
        elif self._detector.ready:
            self._cover.see(frame.picture, frame.t_ns)
        return COVERED if self._cover.covered else None

    def _without_frame(self) -> None:
        now_ns = time.monotonic_ns()
        if self._lost or (self._trouble in SILENT_FOR_LONG and now_ns - self._last_frame_ns < LOST_S * NS_PER_S):
            return
        self._lost = True
        lost = CameraEvent(
            kind="view_lost",
            seat=None,
            t_first_ns=self._last_frame_ns,
            t_confirm_ns=now_ns,
            frame=self._last_number,
            conf=1.0,
        )
        self._publish(lost)

    def _publish(self, event: CameraEvent) -> None:
        self._events += 1
        body = LineEvent(
            id=f"{self._device}-{self._bus.boot_id}-{self._events}",
            event=event.kind,
            seat=event.seat,
            t_first_ns=event.t_first_ns,
            t_confirm_ns=event.t_confirm_ns,
            conf=event.conf,
            area_mm2=round(event.area_mm2, 1),
            footprints=event.footprints,
            motions=event.motions,
            frame=event.frame,
            calib_id=self._detector.calibration.id,
        )
        where = topic(DEVICE_LINE, self._device) if event.seat is None else topic(SEAT_LINE, event.seat)
        self._bus.publish(where, body)
        if self._rings is not None:
            self._rings.act(body)
            if self._rings.problem != self._rings_said:
                self._rings_said = self._rings.problem
                self._notify(f"{self._device}: {self._rings_said or 'Pictures of acts are kept again.'}")

    def _publish_presence(self) -> None:
        if self._lost and self._trouble is not None:
            presence = Presence(state="stale", detail=self._trouble.sentence, code=self._trouble.code)
        elif self._lost:
            presence = Presence(state="stale", detail=self._source.problem or "The camera gives no pictures.")
        elif self._detector.frozen == "camera_moved":
            how = f"The camera was moved: put it back, or calibrate and restart. {self._detector.markers_said}"
            presence = Presence(state="stale", detail=how.rstrip())
        elif self._detector.frozen is not None:
            presence = Presence(state="stale", detail="The light is changing.")
        elif not self._detector.ready:
            presence = Presence(state="starting", detail="Learning the felt: keep hands away from the seats it misses.")
        else:
            presence = Presence(state="online", detail=self._detector.markers_said)
        if presence != self._presence:
            self._presence = presence
            self._bus.publish(topic(DEVICE_STATUS, self._device), presence)
            self._notify(f"{self._device}: {presence.state}. {presence.detail}".rstrip())
            if self._page is not None:
                self._page.say(presence.detail)

    def _birth(self) -> Birth:
        return Birth(
            role="vision",
            version=importlib.metadata.version("betline"),
            table=self._table.name,
            config_hash=self._table.config_hash(),
            seats=tuple(seat.number for seat in self._table.seats),
            capabilities=("bet-line", "tuning", f"calibration-{self._detector.calibration.id}", own_capability()),
        )

    def _health(self) -> Health:
        counters = self._detector.counters
        rms_mm = self._detector.calibration.rms_mm
        return Health(
            counters={
                "frames": float(counters.frames),
                "dropped": float(self._source.dropped),
                "frozen_frames": float(counters.frozen_frames),
                "seats_looked_at": float(counters.seats_looked_at),
                "unreported_events": float(counters.unreported),
                "events": float(self._events),
                **self._pace.counters(),
                **({} if self._rings is None else {"rings": self._rings.written, "rings_dropped": self._rings.dropped}),
                **({} if rms_mm is None else {"calibration_rms_mm": round(rms_mm, 2)}),
            }
        )


def shows_nothing(picture: Picture) -> bool:
    """Whether a picture, (H, W, 3) uint8 BGR, is the same everywhere but for noise: a covered lens, or no light."""
    return float(picture[::16, ::16].reshape(-1, 3).std(axis=0).max()) < BLIND_LEVEL


class _Pace:
    """How fast frames come and how long they take, over the last ten seconds; tallied, since the program began."""

    def __init__(self) -> None:
        self.work_s, self.lag_s = Tally(WORK_S), Tally(WORK_S)
        self._frames: deque[tuple[int, float, float]] = deque(maxlen=REMEMBERED_FRAMES)

    def note(self, t_ns: int, work_ms: float, lag_ms: float) -> None:
        """One frame: the time it shows, the work it took, and its age when that was done."""
        self._frames.append((t_ns, work_ms, lag_ms))
        self.work_s.note(work_ms / 1000)
        self.lag_s.note(lag_ms / 1000)

    @property
    def fps(self) -> float:
        if len(self._frames) < 2 or self._frames[-1][0] <= self._frames[0][0]:
            return 0.0
        return (len(self._frames) - 1) * NS_PER_S / (self._frames[-1][0] - self._frames[0][0])

    def counters(self) -> dict[str, float]:
        if not self._frames:
            return {}
        work_ms, lag_ms = np.array([frame[1:] for frame in self._frames]).T
        return {
            "fps": round(self.fps, 1),
            "frame_ms_p50": round(float(np.percentile(work_ms, 50)), 2),
            "frame_ms_p99": round(float(np.percentile(work_ms, 99)), 2),
            "lag_ms_p50": round(float(np.percentile(lag_ms, 50)), 1),
            "lag_ms_p99": round(float(np.percentile(lag_ms, 99)), 1),
        }

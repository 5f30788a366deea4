"""One seat's card spot while the detector runs: its eye, its state, how it looked lately, how old its picture is."""

from __future__ import annotations

from betline.units import NS_PER_MS
from vision.frame.events import CameraEvent
from vision.frame.zones import Indices
from vision.places import card_watch
from vision.places.card_eye import PlaceEye
from vision.places.card_history import History
from vision.places.card_places import Place
from vision.places.card_watch import Presence, SpotState
from vision.places.snapshot import SpotSnapshot, hindrance, spot_explained
from vision.places.table_frame import TableFrame
from vision.tuning.thresholds import Thresholds


class SpotWatch:
    """Watches one card spot; ``cells`` are its cells in the gate's picture."""

    def __init__(self, seat: int, place: Place, cells: Indices, thresholds: Thresholds) -> None:
        self.seat = seat
        self.at_ns = 0
        """When its picture was last taken."""
        self._thresholds = thresholds
        self._eye = PlaceEye(place, thresholds)
        self._history = History(cells)
        self._state = SpotState()
        self._seen: Presence | None = None
        self._blind = False

    @property
    def at_rest(self) -> bool:
        """Whether nothing is open there."""
        return self._eye.ready and self._state.at_rest

    def rests(self, t_ns: int) -> bool:
        """Whether it need not be looked at while nothing moves there."""
        return self.at_rest and not self._is_old(t_ns)

    def _is_old(self, t_ns: int) -> bool:
        """Whether its picture is to be taken anew: it follows slow drifts of light."""
        return t_ns - self.at_ns >= self._thresholds.refresh_ms * NS_PER_MS

    def tune(self, thresholds: Thresholds) -> None:
        """Goes on with other numbers."""
        self._thresholds = thresholds
        self._eye.tune(thresholds)

    def interrupt(self) -> None:
        """What happened meanwhile was not seen, and is never reported."""
        self._state, self.at_ns, self._blind = SpotState(), 0, True

    def see(
        self, now: TableFrame, seen: Presence, mucked: tuple[tuple[int, int], ...], *, arms_over: bool
    ) -> tuple[CameraEvent, ...]:
        """Takes a frame and who is there, any part of an arm too.

        ``mucked`` are the spans in which, lately, something came to rest in the muck.
        """
        self._seen = seen
        if not self._eye.ready:
            if self._eye.collect(now.picture, quiet=not seen.moving and not arms_over, gain=now.gain):
                self._know(now)
            return ()
        self._state = card_watch.trace(self._state, seen)
        events: tuple[CameraEvent, ...] = ()
        if self._state.open:
            self._history.add(now.t_ns, now.small)
            if card_watch.due(self._state, now.t_ns, self._thresholds) and now.looks():
                events = self._judge(now)
        elif self._state.throw is None and self._is_old(now.t_ns) and now.looks():
            self._refresh(now)
        if self._state.throw is not None:
            moment = now.moment(self.seat)
            judged = card_watch.muck_found(self._state, mucked, moment, self._thresholds, shown_ns=seen.shown_ns)
            self._state = judged.state
            events += judged.events
        return events

    def snapshot(self, t_ns: int, frozen: str | None) -> SpotSnapshot:
        """What is believed after the frame of ``t_ns``."""
        seen = self._seen if self._seen is not None and self._seen.t_ns == t_ns else None
        hindered = hindrance(frozen, ready=self._eye.ready, blind=self._blind)
        phase, reason = hindered or spot_explained(self._state, seen, t_ns, self._thresholds)
        return SpotSnapshot(self.seat, self._eye.place, self._state, self._eye.lying, phase, reason)

    def _judge(self, now: TableFrame) -> tuple[CameraEvent, ...]:
        shadows = now.shadows(self._eye.place)
        look = self._eye.look(now.picture, now.gain, shadows)
        if self._blind:
            self._blind = look.covered
            self._state = card_watch.known(look, self._thresholds)
            if not look.covered:
                self._adopt(now, shadows)
            return ()
        since_ns = self._history.since(now.small)
        judged = card_watch.judge(self._state, look, since_ns, now.moment(self.seat), self._thresholds)
        self._state = judged.state
        if judged.adopt:
            self._adopt(now, shadows)
        return judged.events

    def _refresh(self, now: TableFrame) -> None:
        """Takes the picture of a spot at rest from time to time: it follows slow drifts of light."""
        shadows = now.shadows(self._eye.place)
        look = self._eye.look(now.picture, now.gain, shadows)
        if self._blind and not look.covered:
            self._blind, self._state = False, card_watch.known(look, self._thresholds)
        self.at_ns = now.t_ns
        if not look.covered and not look.fresh:
            self._adopt(now, shadows)

    def _adopt(self, now: TableFrame, shadows: bool) -> None:
        self._eye.adopt(now.gain, shadows)
        self.at_ns = now.t_ns
        self._history.settle(now.small)

    def _know(self, now: TableFrame) -> None:
        """The first picture of a spot: what already lies there is no event."""
        look = self._eye.look(now.picture, now.gain, shadows=False)
        self._state = card_watch.known(look, self._thresholds)
        self._adopt(now, shadows=False)

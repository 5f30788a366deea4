"""A camera's numbers on the bus: obeys what a person sets, answers, and publishes all numbers again.

Commands arrive on the bus's thread and are obeyed between two frames by the detector's. Who may send them is the
broker's to say, as with every command.
"""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from collections.abc import Callable
from pathlib import Path
from typing import Final

from betline.bus import Bus, Received
from betline.messages.common import Reply
from betline.messages.devices import Tune, Tuning, TuningValue
from betline.topics import DEVICE_TUNE, DEVICE_TUNED, DEVICE_TUNING, topic
from vision.calibration.calibration import CalibrationError
from vision.detect.detector import Detector
from vision.tuning import adjustments as tuning
from vision.tuning.adjustments import KNOBS, TuningError
from vision.tuning.thresholds import Thresholds

VERB: Final = "tune"
REMEMBERED: Final = 64
WAITING: Final = 32


class Tuner:
    """Tunes one camera's detector; ``file`` is where numbers are kept, ``notify`` gets a sentence for each change."""

    def __init__(
        self, detector: Detector, bus: Bus, device: str, file: Path | None, notify: Callable[[str], None]
    ) -> None:
        self._detector = detector
        self._bus = bus
        self._device = device
        self._file = file
        self._notify = notify
        self._arrived: deque[Received] = deque(maxlen=WAITING)
        self._answered: OrderedDict[str, Reply] = OrderedDict()
        self._kept: dict[str, float] = {}

    def open(self) -> None:
        """Publishes the numbers and begins to listen."""
        self._kept = {} if self._file is None else tuning.read(self._file)
        self._publish()
        self._bus.subscribe(DEVICE_TUNE, self._take)

    def obey(self) -> None:
        """Obeys what has arrived; each command at most once, and not after it has expired."""
        while self._arrived:
            received = self._arrived.popleft()
            asked = received.body
            assert isinstance(asked, Tune)
            reply = self._answered.get(asked.id)
            if reply is None:
                reply = self._obeyed(asked, received.void_ns(asked.expires_ms))
                self._answered[asked.id] = reply
                if len(self._answered) > REMEMBERED:
                    self._answered.popitem(last=False)
                if reply.ok:
                    self._publish()
                    self._notify(f"{self._device}: {reply.sentence}")
            self._bus.publish(topic(DEVICE_TUNED, self._device), reply)

    def _take(self, received: Received) -> None:
        if isinstance(received.body, Tune) and received.topic.name == self._device and not received.retained:
            self._arrived.append(received)

    def _obeyed(self, asked: Tune, expires_ns: int) -> Reply:
        if expires_ns < time.monotonic_ns():
            return self._reply(asked, "expired", "The command came too late: give it again.")
        if asked.keep and self._file is None:
            return self._reply(asked, "no-file", "This camera has no file to keep numbers in: leave --keep out.")
        try:
            known = tuning.knob(asked.name)
            value = known.default if asked.value is None else asked.value
            before = getattr(self._detector.thresholds, asked.name)
            wanted = tuning.tuned(self._detector.thresholds, {asked.name: value})
            self._detector.tune(wanted)
        except (TuningError, CalibrationError) as error:
            return self._reply(asked, "refused", str(error))
        sentence = f"{asked.name} is {known.written(value)}, it was {known.written(before)}."
        if asked.keep and self._file is not None:
            try:
                self._keep(self._file, asked.name, wanted)
            except OSError as error:
                sentence += f" It could not be kept ({error.strerror}): the next start does not know it."
            else:
                sentence += f" Kept in {self._file}."
        return self._reply(asked, "ok", sentence)

    def _keep(self, file: Path, name: str, wanted: Thresholds) -> None:
        values = {**self._kept, name: float(getattr(wanted, name))}
        tuning.keep(file, values)
        self._kept = values

    def _reply(self, asked: Tune, code: str, sentence: str) -> Reply:
        return Reply(command_id=asked.id, verb=VERB, ok=code == "ok", code=code, sentence=sentence)

    def _publish(self) -> None:
        now = self._detector.thresholds
        values = tuple(
            TuningValue(
                name=known.name,
                value=getattr(now, known.name),
                default=known.default,
                unit=known.unit,
                least=known.least,
                most=known.most,
                meaning=known.meaning,
                kept=self._kept.get(known.name, known.default) == getattr(now, known.name),
            )
            for known in KNOBS.values()
        )
        self._bus.publish(topic(DEVICE_TUNING, self._device), Tuning(values=values))

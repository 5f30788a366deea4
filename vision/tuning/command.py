"""`betline vision tune`: asks the camera on the bus for its numbers, or sets one."""

from __future__ import annotations

import queue
import time
import uuid
from typing import Final

from betline.bus import Bus, Received
from betline.messages.common import Reply
from betline.messages.devices import Tune, Tuning, TuningValue
from betline.options import FAILED, UserError
from betline.topics import DEVICE_TUNE, DEVICE_TUNED, DEVICE_TUNING, topic
from betline.units import NS_PER_MS

WAIT_S: Final = 4.0
LIFE_MS: Final = 10_000


class TuneClient:
    """Asks one camera over the bus; all methods raise UserError where nobody answers."""

    def __init__(self, bus: Bus, device: str) -> None:
        self._bus = bus
        self._device = device
        self._tunings: queue.SimpleQueue[Tuning] = queue.SimpleQueue()
        self._replies: queue.SimpleQueue[Reply] = queue.SimpleQueue()
        bus.subscribe(DEVICE_TUNING, self._take)
        bus.subscribe(DEVICE_TUNED, self._take)

    def numbers(self) -> tuple[TuningValue, ...]:
        """All numbers of the camera."""
        try:
            return self._tunings.get(timeout=WAIT_S).values
        except queue.Empty:
            raise self._silent() from None

    def set(self, name: str, value: float | None, *, keep: bool) -> str:
        """Sets a number, None for its default; returns what the camera says. Raises UserError for a refusal too."""
        self.numbers()  # the camera is there, and the broker has taken both subscriptions
        life_ms = time.time_ns() // NS_PER_MS + LIFE_MS
        asked = Tune(id=uuid.uuid4().hex, expires_ms=life_ms, name=name, value=value, keep=keep)
        self._bus.publish(topic(DEVICE_TUNE, self._device), asked)
        end_s = time.monotonic() + WAIT_S
        while (left_s := end_s - time.monotonic()) > 0:
            try:
                reply = self._replies.get(timeout=left_s)
            except queue.Empty:
                break
            if reply.command_id == asked.id:
                if not reply.ok:
                    raise UserError(reply.sentence, FAILED)
                return reply.sentence
        raise self._silent()

    def _take(self, received: Received) -> None:
        if isinstance(received.body, Reply):
            self._replies.put(received.body)
        elif isinstance(received.body, Tuning) and received.topic.name == self._device:
            self._tunings.put(received.body)

    def _silent(self) -> UserError:
        sentence = f"Camera {self._device} does not answer: start betline vision run, or give its --broker and --site."
        return UserError(sentence, FAILED)


def described(value: TuningValue) -> str:
    """A number with its range and what it does, for a person: two lines."""
    default = "" if value.value == value.default else f", default {value.default:g}"
    kept = "" if value.kept else ", until the next start"
    head = f"{value.name:<19} {value.value:g} {value.unit}   ({value.least:g} to {value.most:g}{default}{kept})"
    return f"{head}\n    {value.meaning}"


def given(text: str) -> float | None:
    """The value on a command line: a number, or ``default``; raises UserError."""
    if text == "default":
        return None
    try:
        return float(text)
    except ValueError:
        raise UserError(f"{text} is no value: give a number, or default.") from None

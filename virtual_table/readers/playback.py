"""A recording that plays the reader: it answers the requests of the recorded host as the recorded reader did."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from betline.recordings import Recording
from firmware_bridge.protocols.family import LineSettings
from virtual_table.readers.faults import Piece


@dataclass(frozen=True, slots=True)
class _Exchange:
    """One write of the host (empty: what came before the first), and what came until the next, with the delays."""

    asked: bytes
    said: tuple[Piece, ...]


class Playback:
    """A `SerialDevice`. Requests are matched in the order of the recording.

    One that is not the next is reported, and looked for further on, then from the start: a host may begin anywhere, and
    may leave out what it does not need. One that is not in the recording at all is reported and not answered. After the
    last exchange the recording starts again, which is reported each time.
    """

    def __init__(self, recording: Recording, notify: Callable[[str], None], speed: float = 1.0) -> None:
        """`speed` divides the delays; `math.inf` leaves none."""
        self._exchanges = _exchanges(recording, speed)
        self._notify = notify
        self._at = 0
        self._heard = b""
        self._saying: deque[tuple[float, bytes]] = deque()

    def power_on(self, now_ms: float) -> None:
        """Start at the beginning, with what the reader sent before it was asked."""
        self._at = 0
        self._heard = b""
        self._saying.clear()
        if self._exchanges and not self._exchanges[0].asked:
            self._say(now_ms)

    def receive(self, data: bytes, now_ms: float) -> list[Piece]:
        """What the recorded reader answered immediately; the rest follows unasked."""
        self._heard += data
        pieces: list[Piece] = []
        while self._heard and self._find():
            pieces += [(0.0, said) for _, said in self._saying]
            self._saying.clear()
            self._heard = self._heard[len(self._exchanges[self._at].asked) :]
            self._say(now_ms)
        return pieces + self.speak(now_ms)

    @property
    def next_ms(self) -> float | None:
        """When the recorded reader sends more."""
        return self._saying[0][0] if self._saying else None

    def speak(self, now_ms: float) -> list[Piece]:
        """The pieces that are due."""
        pieces: list[Piece] = []
        while self._saying and self._saying[0][0] <= now_ms:
            pieces.append((0.0, self._saying.popleft()[1]))
        return pieces

    def _say(self, now_ms: float) -> None:
        self._saying.extend((now_ms + delay_ms, said) for delay_ms, said in self._exchanges[self._at].said)
        self._at += 1

    def _find(self) -> bool:
        """Set the exchange that answers what was heard; False if more bytes must come first, or none answers."""
        if self._at >= len(self._exchanges) and self._asking():
            self._notify("The recording is over; it starts again.")
            self._at = 0
        count = len(self._exchanges)
        incomplete = False
        for step in range(count):
            number = (self._at + step) % count
            asked = self._exchanges[number].asked
            if asked and self._heard.startswith(asked):
                if any(self._exchanges[(self._at + passed) % count].asked for passed in range(step)):
                    self._notify(f"{_hex(asked)} was asked out of order; the recording continues there.")
                self._at = number
                return True
            incomplete = incomplete or asked.startswith(self._heard)
        if not incomplete:
            self._notify(f"{_hex(self._heard)} is not in the recording; there is no answer.")
            self._heard = b""
        return False

    def _asking(self) -> bool:
        return any(exchange.asked for exchange in self._exchanges)


def _exchanges(recording: Recording, speed: float) -> list[_Exchange]:
    """The exchanges, with delays that leave out the time of the bytes on the line.

    A last request whose answer had only begun, or not, is left out: not the reader but the recording ended there.
    """
    byte_ms = LineSettings(recording.header.baud, recording.header.parity).byte_ms
    found: list[_Exchange] = []
    asked, arrived_ms, said = b"", 0.0, list[Piece]()
    for entry in recording.entries:
        if entry.to is not None:
            if asked or said:
                found.append(_Exchange(asked, tuple(said)))
            asked, said = bytes.fromhex(entry.to), []
            arrived_ms = entry.t_ms + len(asked) * byte_ms
        elif entry.from_ is not None:
            data = bytes.fromhex(entry.from_)
            delay_ms = max(0.0, entry.t_ms - len(data) * byte_ms - arrived_ms)
            said.append((0.0 if math.isinf(speed) else delay_ms / speed, data))
    if (asked or said) and not _is_cut(_Exchange(asked, tuple(said)), found, recording):
        found.append(_Exchange(asked, tuple(said)))
    return found


def _is_cut(last: _Exchange, before: list[_Exchange], recording: Recording) -> bool:
    """Whether the recording ended before the answer to the last request did, as far as earlier ones to it tell."""
    if recording.entries[-1].event == "lost" or not last.asked:
        return False
    told = _bytes(last)
    answers = [_bytes(one) for one in before if one.asked == last.asked]
    return any(len(told) < len(whole) and whole.startswith(told) for whole in answers)


def _bytes(exchange: _Exchange) -> bytes:
    return b"".join(data for _, data in exchange.said)


def _hex(data: bytes) -> str:
    return data[:24].hex(" ").upper() + (" ..." if len(data) > 24 else "")

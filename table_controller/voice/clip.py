"""A piece of speech: samples of 16 bits, and the WAV files that hold them."""

from __future__ import annotations

import io
import struct
import wave
from dataclasses import dataclass
from typing import Final

WIDTH: Final = 2
"""Bytes of a sample; all that speaks here gives 16 bits."""
_RIFF, _CHUNK = struct.Struct("<4sI4s"), struct.Struct("<4sI")
_FORMAT = struct.Struct("<HHIIHH")
_PCM = 1


class SpeechError(Exception):
    """Why something could not be said, as one sentence that says what to do."""


@dataclass(frozen=True, slots=True)
class Clip:
    """Samples of signed 16-bit little-endian numbers."""

    rate_hz: int
    channels: int
    pcm: bytes

    @property
    def seconds(self) -> float:
        """How long it lasts."""
        return len(self.pcm) / (self.rate_hz * self.channels * WIDTH)

    def to_wav(self) -> bytes:
        """The clip as a WAV file."""
        file = io.BytesIO()
        with wave.open(file, "wb") as wav:
            wav.setnchannels(self.channels)
            wav.setsampwidth(WIDTH)
            wav.setframerate(self.rate_hz)
            wav.writeframes(self.pcm)
        return file.getvalue()


def from_wav(data: bytes) -> Clip:
    """Reads a WAV file, also one that was written to a pipe and so has no true lengths; raises SpeechError."""
    if len(data) < _RIFF.size or data[:4] != b"RIFF" or data[8:12] != b"WAVE":
        raise SpeechError("The speech program gave no sound: try it by hand, or name another.")
    at, form = _RIFF.size, None
    while at + _CHUNK.size <= len(data):
        name, size = _CHUNK.unpack_from(data, at)
        at += _CHUNK.size
        if name == b"fmt " and size >= _FORMAT.size and at + _FORMAT.size <= len(data):
            form = _FORMAT.unpack_from(data, at)
        elif name == b"data":
            return _clip(form, data[at : at + size])
        at += size + size % 2
    raise SpeechError("The speech program gave a sound file without sound: try it by hand, or name another.")


def _clip(form: tuple[int, ...] | None, pcm: bytes) -> Clip:
    if form is None or form[0] != _PCM or form[5] != WIDTH * 8 or not form[1] or not form[2]:
        raise SpeechError("The speech program gives samples that are not 16 bits: choose another voice.")
    channels, rate_hz = form[1], form[2]
    return Clip(rate_hz, channels, pcm[: len(pcm) - len(pcm) % (WIDTH * channels)])

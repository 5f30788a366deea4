"""The Wyoming protocol as a speech server speaks it (Open Home Foundation): JSON lines, each with bytes after it.

A message is a line of JSON with ``type``, ``data``, ``data_length`` and ``payload_length``; then so many bytes of more
``data`` as JSON, then so many of payload. Bytes in, messages out: no socket here.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from table_controller.announce.numbers import Language
from table_controller.voice.clip import WIDTH, Clip, SpeechError

MOST_HEADER_BYTES: Final = 64 * 1024
MOST_BYTES: Final = 4 * 1024 * 1024
"""Of the data or payload of one message; a sentence of 20 s at 48 kHz is half of that."""


class WyomingError(SpeechError):
    """The server sent what is no Wyoming message, or said that it cannot do what was asked."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message of the protocol."""

    type: str
    data: Mapping[str, Any] = field(default_factory=dict)
    payload: bytes = b""


def encode(message: Message) -> bytes:
    """The bytes of a message."""
    data = json.dumps(message.data, ensure_ascii=False).encode() if message.data else b""
    header: dict[str, Any] = {"type": message.type}
    if data:
        header["data_length"] = len(data)
    if message.payload:
        header["payload_length"] = len(message.payload)
    return b"".join((json.dumps(header, ensure_ascii=False).encode(), b"\n", data, message.payload))


class Decoder:
    """Takes bytes as they arrive and gives the messages that are whole."""

    def __init__(self) -> None:
        self._bytes = bytearray()

    def feed(self, data: bytes) -> Iterator[Message]:
        """The messages that these bytes complete; raises WyomingError where they are none, and then cannot go on."""
        self._bytes += data
        while (message := self._take()) is not None:
            yield message

    def _take(self) -> Message | None:
        end = self._bytes.find(b"\n")
        if end < 0:
            if len(self._bytes) > MOST_HEADER_BYTES:
                raise _no_message("a line without an end")
            return None
        header = _object(bytes(self._bytes[:end]))
        name, more, payload = header.get("type"), _length(header, "data_length"), _length(header, "payload_length")
        if not isinstance(name, str):
            raise _no_message("a message without a type")
        begin = end + 1
        if len(self._bytes) < begin + more + payload:
            return None
        data = header.get("data") or {}
        if not isinstance(data, dict):
            raise _no_message("data that are no object")
        if more:
            data = data | _object(bytes(self._bytes[begin : begin + more]))
        body = bytes(self._bytes[begin + more : begin + more + payload])
        del self._bytes[: begin + more + payload]
        return Message(name, data, body)


def _object(line: bytes) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        raise _no_message("what is no JSON") from None
    if not isinstance(found, dict):
        raise _no_message("JSON that is no object")
    return found


def _length(header: Mapping[str, Any], name: str) -> int:
    length = header.get(name) or 0
    if type(length) is not int or not 0 <= length <= MOST_BYTES:
        raise _no_message(f"a {name} that cannot be")
    return length


def _no_message(what: str) -> WyomingError:
    return WyomingError(f"The speech server sent {what}: is it a Wyoming server? Look at the port of --wyoming.")


# --- what a speech server is asked, and what it answers

DESCRIBE: Final = Message("describe")


def synthesize(text: str, voice: str) -> Message:
    """Asks for a sentence in a voice of the server's."""
    return Message("synthesize", {"text": text, "voice": {"name": voice}})


def voice_for(info: Mapping[str, Any], language: Language) -> str | None:
    """The first installed voice that speaks a language, by the server's ``info``; None where it has none."""
    for program in _listed(info, "tts"):
        for voice in _listed(program, "voices"):
            name, spoken = voice.get("name"), voice.get("languages")
            if not isinstance(name, str) or not isinstance(spoken, list) or not voice.get("installed", True):
                continue
            if any(str(one).lower().replace("_", "-").partition("-")[0] == language for one in spoken):
                return name
    return None


def _listed(data: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    found = data.get(name)
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


class Recording:
    """Puts the clip of one sentence together from the server's messages."""

    def __init__(self) -> None:
        self._form: tuple[int, int] | None = None
        self._pcm = bytearray()

    def take(self, message: Message) -> Clip | None:
        """The clip once it is whole; raises WyomingError where the server refuses, or for samples of another size."""
        match message.type:
            case "audio-start" | "audio-chunk":
                self._form = _form(message.data)
                self._pcm += message.payload
                if len(self._pcm) > MOST_BYTES:
                    raise WyomingError("The speech server does not stop speaking: look at its log.")
            case "audio-stop":
                return self._whole()
            case "error":
                said = str(message.data.get("text", "it does not say why")).strip().rstrip(".")
                raise WyomingError(f"The speech server cannot say it ({said}): look at its log.")
        return None

    def _whole(self) -> Clip:
        if self._form is None or not self._pcm:
            raise WyomingError("The speech server gave no sound: look at its log.")
        rate_hz, channels = self._form
        return Clip(rate_hz, channels, bytes(self._pcm[: len(self._pcm) - len(self._pcm) % (WIDTH * channels)]))


def _form(data: Mapping[str, Any]) -> tuple[int, int]:
    rate_hz, width, channels = (data.get(name) for name in ("rate", "width", "channels"))
    fits = type(rate_hz) is int and 4000 <= rate_hz <= 192_000 and width == WIDTH and channels in (1, 2)
    if not fits:
        raise WyomingError("The speech server gives samples that are not 16 bits: choose another voice there.")
    assert isinstance(rate_hz, int)
    return rate_hz, 1 if channels == 1 else 2

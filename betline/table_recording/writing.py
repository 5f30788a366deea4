"""Writing a recording: one file for its owner only, whole chunks once a second."""

from __future__ import annotations

import base64
import importlib.util
import json
import os
import time
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, Self

from betline.messages.common import Envelope
from betline.options import FAILED, UserError
from betline.topics import KINDS, TopicKind
from betline.units import NS_PER_S

if TYPE_CHECKING:
    from mcap.writer import Writer

PROFILE: Final = "betline-table"
VERSION: Final = "1"
ABOUT: Final = "betline"
"""The name of the metadata that says what was recorded."""
BUS: Final = "/bus/"
CAMERA: Final = "/camera/"
SERIAL: Final = "/serial/"
JOURNAL: Final = "/journal"
CONTROLLER: Final = "/controller"
"""What the controller took, and when it took it."""
CHUNK_BYTES: Final = 512 * 1024
_PRIVATE: Final = 0o600
_JSON, _SCHEMA, _PICTURE = "json", "jsonschema", "foxglove.CompressedImage"
"""By these names other tools know what is in a channel and draw it."""


class RecordingWriter:
    """A recording that is written. Raises UserError where the file is there already, or the extra `lab` is not."""

    def __init__(self, path: Path, about: Mapping[str, str]) -> None:
        self.path = path
        self._writer, self._file = _opened(path)
        self._channels: dict[str, int] = {}
        self._schemas: dict[str, int] = {}
        self._unwritten = False
        self.counts: dict[str, int] = {}
        """Messages written, by the first part of the channel."""
        with self._failing():
            self._writer.start(profile=PROFILE)
            self._writer.add_metadata(ABOUT, {"version": VERSION, **about})
            self._file.flush()

    def message(self, channel: str, at_ns: int, data: bytes, *, sent_ns: int | None = None, number: int = 0) -> None:
        """One message of a channel as JSON: when it came and, where that is known, when it was sent."""
        with self._failing():
            known = self._channels.get(channel)
            if known is None:
                known = self._writer.register_channel(channel, _JSON, self._schema(channel))
                self._channels[channel] = known
            self._writer.add_message(
                known, max(at_ns, 0), data, max(at_ns if sent_ns is None else sent_ns, 0), number % 2**32
            )
        self._unwritten = True
        part = channel.split("/")[1]
        self.counts[part] = self.counts.get(part, 0) + 1

    def line(self, channel: str, at_ns: int, data: Mapping[str, Any], *, number: int = 0) -> None:
        """One message of a channel from plain data."""
        self.message(channel, at_ns, _json(data), number=number)

    def picture(self, camera: str, at_ns: int, jpeg: bytes) -> None:
        """One picture of a camera."""
        seconds, nanoseconds = divmod(at_ns, NS_PER_S)
        stamp = {"sec": seconds, "nsec": nanoseconds}
        image = {"timestamp": stamp, "frame_id": camera, "data": base64.b64encode(jpeg).decode(), "format": "jpeg"}
        self.message(f"{CAMERA}{camera}", at_ns, _json(image))

    def flush(self) -> None:
        """Ends the chunk, so that all until now can be read though the program is killed."""
        if self._unwritten:
            self._unwritten = False
            with self._failing():
                self._writer.flush()  # type: ignore[no-untyped-call]

    def attach(self, name: str, content: bytes) -> None:
        """Puts a whole file into the recording."""
        now_ns = time.time_ns()
        with self._failing():
            self._writer.add_attachment(now_ns, now_ns, name, "application/octet-stream", content)

    def close(self) -> None:
        """Writes index and end."""
        if not self._file.closed:
            with self._failing(), self._file:
                self._writer.finish()  # type: ignore[no-untyped-call]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _failing(self) -> _Failing:
        return _Failing(self.path)

    def _schema(self, channel: str) -> int:
        name, content = _schema_of(channel)
        if not name:
            return 0
        if name not in self._schemas:
            self._schemas[name] = self._writer.register_schema(name, _SCHEMA, _json(content))
        return self._schemas[name]


class _Failing:
    """A disk that fails ends the recording with a sentence."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> None:
        """Begins."""

    def __exit__(self, _kind: object, error: BaseException | None, _place: object) -> None:
        if isinstance(error, OSError):
            raise UserError(
                f"{self._path} cannot be written any more ({error.strerror}): what is in it stays; make room, then "
                "record into another file.",
                FAILED,
            ) from None


def check_lab() -> None:
    """Raises UserError where recordings cannot be made here."""
    if importlib.util.find_spec("mcap") is None:
        raise needs_lab()


def needs_lab() -> UserError:
    """The error where the library is not installed."""
    return UserError("Recordings of a table need the package mcap: pip install 'betline[lab]'.")


def _opened(path: Path) -> tuple[Writer, IO[bytes]]:
    try:
        from mcap.writer import Writer  # noqa: PLC0415
    except ModuleNotFoundError:
        raise needs_lab() from None
    try:
        file = os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE), "wb")
    except FileExistsError:
        raise UserError(f"{path} is there already: name another file, or remove it.") from None
    except OSError as error:
        raise UserError(f"{path} cannot be written ({error.strerror}): name another file.") from None
    return Writer(file, chunk_size=CHUNK_BYTES), file


def _json(data: object) -> bytes:
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False).encode()


def _schema_of(channel: str) -> tuple[str, Mapping[str, Any]]:
    """The name and the JSON Schema of what a channel carries; no name for one that has none."""
    if channel.startswith(BUS):
        path = channel.removeprefix(BUS)
        kind = next((kind for kind in KINDS if kind.matches(path)), None)
        return ("", {}) if kind is None else (kind.body.__name__, _schema_of_kind(kind))
    if channel.startswith(CAMERA):
        stamp = {"type": "object", "properties": {"sec": {"type": "integer"}, "nsec": {"type": "integer"}}}
        words = {"type": "string"}
        image = {"type": "string", "contentEncoding": "base64"}
        properties = {"timestamp": stamp, "frame_id": words, "data": image, "format": words}
        return _PICTURE, {"title": _PICTURE, "type": "object", "properties": properties}
    if channel.startswith(SERIAL):
        return "SerialBytes", {"title": "SerialBytes", "type": "object", "properties": {"hex": {"type": "string"}}}
    return channel.strip("/").capitalize(), {"type": "object"}


@cache
def _schema_of_kind(kind: TopicKind) -> dict[str, Any]:
    """A message as it stands on the bus: the envelope's fields, then the body's."""
    body, envelope = kind.body.model_json_schema(), Envelope.model_json_schema()
    body["properties"] = {**envelope["properties"], **body.get("properties", {})}
    body.pop("additionalProperties", None)
    return body

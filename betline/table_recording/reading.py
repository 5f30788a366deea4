"""Reading a recording: what it is about, and its messages in the order in which they were written."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from betline.options import WRONG_USAGE, UserError
from betline.table_recording.damage import SoFar, Trouble, broken, records, trouble_of
from betline.table_recording.writing import ABOUT, VERSION, needs_lab


@dataclass(frozen=True, slots=True)
class Message:
    """One message; `at_ns` is when it came, on the recording machine's wall clock."""

    channel: str
    at_ns: int
    sent_ns: int
    data: bytes
    number: int = 0

    @property
    def line(self) -> dict[str, Any]:
        """Its JSON."""
        found: dict[str, Any] = json.loads(self.data)
        return found

    @property
    def jpeg(self) -> bytes:
        """The picture of a camera's message."""
        return base64.b64decode(self.line["data"])


class Recording:
    """A recording that is read. Raises UserError where there is none, or the extra `lab` is not installed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.trouble: Trouble | None = None
        """What is wrong with the file, as far as it was read."""
        self.about: Mapping[str, str] = self._about()

    def messages(self, *prefixes: str) -> Iterator[Message]:
        """The messages of the channels that begin so, all without any; of one that is not whole those before that."""
        from mcap.records import Channel  # noqa: PLC0415
        from mcap.records import Message as Written  # noqa: PLC0415

        channels: dict[int, str] = {}
        for record in self._records():
            if isinstance(record, Channel):
                channels[record.id] = record.topic
            elif isinstance(record, Written):
                channel = channels.get(record.channel_id, "")
                if not prefixes or channel.startswith(prefixes):
                    yield Message(channel, record.log_time, record.publish_time, record.data, record.sequence)

    def _about(self) -> Mapping[str, str]:
        try:
            from mcap.records import Header, Metadata  # noqa: PLC0415
        except ModuleNotFoundError:
            raise needs_lab() from None
        for record in self._records():
            if isinstance(record, Metadata) and record.name == ABOUT:
                if record.metadata.get("version") != VERSION:
                    was = record.metadata.get("version", "?")
                    raise UserError(f"{self.path} is a recording of version {was}, this program reads {VERSION}.")
                return record.metadata
            if not isinstance(record, Header):
                break
        raise UserError(f"{self.path} is no recording of a table; give a file that betline record has made.")

    def _records(self) -> Iterator[object]:
        so_far = SoFar()
        try:
            file = self.path.open("rb")
        except OSError as error:
            raise UserError(f"{self.path} cannot be read ({error.strerror}); name another file.", WRONG_USAGE) from None
        with file:
            try:
                yield from records(file, so_far)
            except broken():
                self.trouble = self.trouble or trouble_of(self.path, so_far)

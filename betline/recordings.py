"""Recordings of a reader's serial line: both directions, with the times.

A text file in UTF-8, one JSON object a line. The first line is the header; each other line is one write of the host
(`to`) or one read of the host (`from`), as it came: a read is no frame. Bytes are hex, times are milliseconds since the
recording began and never go back.

    {"recording": "betline reader line", "version": 1, "protocol": "feig", "baud": 38400, "parity": "E", ...}
    {"t_ms": 12.5, "to": "05FF698901"}
    {"t_ms": 31.0, "from": "06006900F6FA"}
    {"t_ms": 840.2, "event": "lost"}
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import Field, model_validator

from betline.settings.load import parse
from betline.settings.model import Settings, SettingsError

VERSION: Final = 1
KIND: Final = "betline reader line"


class Header(Settings):
    """What was recorded."""

    recording: Literal["betline reader line"] = KIND
    version: Literal[1] = VERSION
    protocol: str = Field(min_length=1, description="family of the reader")
    baud: int = Field(ge=300, le=4_000_000)
    parity: Literal["N", "E", "O"]
    port: str = Field(default="", description="name of the port, for the reader of the file")
    began: str = Field(default="", description="ISO 8601, for the reader of the file")
    note: str = ""


class Entry(Settings):
    """One write or read of the host, or the opening or loss of the port."""

    t_ms: float = Field(ge=0)
    to: str | None = Field(default=None, pattern=r"^([0-9A-F]{2})+$", description="the host wrote these bytes")
    from_: str | None = Field(
        default=None, alias="from", pattern=r"^([0-9A-F]{2})+$", description="the host read these"
    )
    event: Literal["opened", "lost"] | None = None

    @model_validator(mode="after")
    def _one_of_three(self) -> Entry:
        if sum(value is not None for value in (self.to, self.from_, self.event)) != 1:
            raise ValueError("give one of to, from and event")
        return self


@dataclass(frozen=True, slots=True)
class Recording:
    """A whole recording."""

    header: Header
    entries: tuple[Entry, ...]


def header_line(header: Header) -> str:
    """The first line of a file."""
    return json.dumps(header.model_dump(), ensure_ascii=False) + "\n"


def entry_line(t_ms: float, kind: Literal["to", "from", "event"], what: bytes | str) -> str:
    """One further line; `t_ms` is rounded to a tenth of a millisecond."""
    shown = what if isinstance(what, str) else what.hex().upper()
    return json.dumps({"t_ms": round(t_ms, 1), kind: shown}) + "\n"


def load_recording(path: Path) -> Recording:
    """Reads a file. Raises SettingsError with a sentence that names the line."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError:
        raise SettingsError(f"{path} is no text file; give a file that betline bridge record has made.") from None
    except OSError as error:
        raise SettingsError(f"{path} cannot be read ({error.strerror}); make it readable or name another.") from None
    rows = list(_rows(path, lines))
    if not rows:
        raise SettingsError(f"{path} is empty; give a file that betline bridge record has made.")
    (where, first), *rest = rows
    header = parse(Header, first, where)
    entries: list[Entry] = []
    for where, row in rest:
        entry = parse(Entry, row, where)
        if entries and entry.t_ms < entries[-1].t_ms:
            raise SettingsError(f"{where}: t_ms goes back; the lines must be in the order in which they happened.")
        entries.append(entry)
    return Recording(header, tuple(entries))


def _rows(path: Path, lines: Iterable[str]) -> Iterable[tuple[str, Any]]:
    for number, line in enumerate(lines, start=1):
        if line.strip():
            where = f"{path}, line {number}"
            try:
                yield where, json.loads(line)
            except (json.JSONDecodeError, RecursionError):
                raise SettingsError(
                    f"{where} is not valid JSON; give a file that betline bridge record has made."
                ) from None

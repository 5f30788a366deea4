"""The tags above a virtual reader, from a text file that may be edited while the reader runs."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from pydantic import Field

from betline.settings import SettingsError
from betline.settings.load import parse
from betline.settings.model import Settings
from virtual_table.readers.air import AirInterface
from virtual_table.readers.field import FieldTag

FORMAT = """\
# One tag a line: its UID in hex, or JSON with the same keys as here. Blank lines and comments count for nothing.
E004015306A22D70
{"uid": "E004015306A22D80", "antenna": 2, "signal": 0.6, "pile": 12}
"""


class _Line(Settings):
    uid: str = Field(pattern=r"^([0-9A-Fa-f]{2}){1,62}$", description="hex, two digits a byte")
    antenna: int = Field(default=1, ge=1, le=8, description="output of the reader")
    signal: float = Field(default=1.0, ge=0, le=1, description="1 above the antenna, below 0.35 beside it, 0 away")
    pile: int = Field(default=1, ge=1, le=1000, description="how many tags its pile holds")


class TagFile:
    """The tags of a file, read again when it has changed; a bad edit is reported once and keeps the last good tags."""

    def __init__(self, path: Path, antennas: int, airs: Sequence[AirInterface], notify: Callable[[str], None]) -> None:
        """Reads the file. Raises SettingsError with a sentence that names the line."""
        self._path = path
        self._antennas = antennas
        self._airs = airs
        self._notify = notify
        self._seen = self._signature()
        self._tags = self._read()

    def __call__(self) -> tuple[FieldTag, ...]:
        """The current tags."""
        seen = self._signature()
        if seen != self._seen:
            self._seen = seen
            try:
                self._tags = self._read()
            except SettingsError as error:
                self._notify(f"{error} The reader keeps the previous tags.")
            else:
                self._notify(f"{len(self._tags)} tags are in the field now.")
        return self._tags

    def _signature(self) -> tuple[int, ...]:
        try:
            status = self._path.stat()
        except OSError:
            return ()
        return status.st_mtime_ns, status.st_size, status.st_ino

    def _read(self) -> tuple[FieldTag, ...]:
        try:
            lines = self._path.read_text(encoding="utf-8").splitlines()
        except UnicodeDecodeError:
            raise SettingsError(f"{self._path} is not a text file; give a file with one tag a line.") from None
        except OSError as error:
            raise SettingsError(
                f"{self._path} cannot be read ({error.strerror}); give a file with one tag a line."
            ) from None
        return tuple(
            self._tag(line, f"{self._path}, line {number}")
            for number, text in enumerate(lines, start=1)
            if (line := text.partition("#")[0].strip())
        )

    def _tag(self, line: str, where: str) -> FieldTag:
        found = parse(_Line, _keys(line, where), where)
        if found.antenna > self._antennas:
            raise SettingsError(f"{where}: the reader has no antenna {found.antenna}; start it with more --antennas.")
        uid = found.uid.upper()
        if not any(air.claims(uid) for air in self._airs):
            raise SettingsError(
                f"{where}: this family does not read tags with {len(uid)} hex digits; use tags that it reads."
            )
        return FieldTag(uid, found.antenna, found.signal, found.pile)


def _keys(line: str, where: str) -> Any:
    if not line.startswith("{"):
        return {"uid": line}
    try:
        return json.loads(line)
    except (json.JSONDecodeError, RecursionError):
        raise SettingsError(f"{where} is not valid JSON; write it like {FORMAT.splitlines()[-1]}.") from None

"""The chip register as the bridge uses it: which chip a UID is. A chip's worth comes from here and the chip set,
never from the tag.

The register is an SQLite file (`chips/store.py`); the demonstration and tests bring theirs as JSON lines,
`{"uid": ..., "chip_type": ...}`. It is read as a whole when the bridge starts: a house has some ten thousand chips.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType

from firmware_bridge.chips.record import CHIP_TYPE, UID, Chip, RegisterError
from firmware_bridge.chips.store import is_database, make, read

__all__ = ["ChipRegister", "RegisterError", "load_register", "read_chips", "usual_register", "write_register"]


class ChipRegister:
    """A lookup from UID to chip. It is replaced as a whole, so any thread may ask it at any time."""

    def __init__(self, chips: Mapping[str, str | Chip] | None = None, path: Path | None = None) -> None:
        """Of chips, or just of types, the keys of denominations in a chip set; `path` is the file that has them."""
        known = {uid: Chip(uid, chip) if isinstance(chip, str) else chip for uid, chip in (chips or {}).items()}
        self._chips: Mapping[str, Chip] = MappingProxyType(known)
        self._path = path
        self._stamp: tuple[int, int] | None = None

    def renewed(self) -> bool:
        """Read the file again if it has changed; whether it had. Raises RegisterError, once a change."""
        stamp = _stamp(self._path)
        if self._path is None or stamp is None or stamp == self._stamp:
            return False
        self._stamp = stamp
        chips = read_chips(self._path)
        if chips == self._chips:
            return False
        self._chips = MappingProxyType(chips)
        return True

    def __len__(self) -> int:
        return len(self._chips)

    def __contains__(self, uid: object) -> bool:
        return uid in self._chips

    def chip(self, uid: str) -> Chip | None:
        """The chip; None for a UID that the house does not know."""
        return self._chips.get(uid)

    def chip_type(self, uid: str) -> str | None:
        """The chip's type; None for a UID that the house does not know."""
        chip = self._chips.get(uid)
        return None if chip is None else chip.chip_type


def usual_register() -> Path:
    """The register in the user's state folder."""
    import platformdirs  # noqa: PLC0415  # the demonstration and tests bring their own register

    return Path(platformdirs.user_state_dir("betline", appauthor=False)) / "chips.sqlite"


def load_register(path: Path) -> ChipRegister:
    """Read a register, whatever its form. Raises RegisterError."""
    return ChipRegister(read_chips(path), path)


def read_chips(path: Path) -> dict[str, Chip]:
    """The chips of a register by UID, whatever its form. Raises RegisterError."""
    return read(path) if is_database(path) else _from_lines(path)


def write_register(path: Path, chips: Iterable[tuple[str, str]]) -> None:
    """Make a new register file of (UID, chip type) pairs. Raises RegisterError, and then leaves no file."""
    make(path, (Chip(uid, chip_type) for uid, chip_type in chips))


def _from_lines(path: Path) -> dict[str, Chip]:
    """The chips of a file of JSON lines. Raises RegisterError."""
    chips: dict[str, Chip] = {}
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        raise RegisterError(f"The chip register {path} is neither an SQLite file nor JSON lines.") from None
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
            uid, chip_type = entry["uid"], entry["chip_type"]
        except (ValueError, TypeError, KeyError):
            uid = chip_type = None
        fit = isinstance(uid, str) and UID.match(uid) and isinstance(chip_type, str) and CHIP_TYPE.match(chip_type)
        if not fit:
            raise RegisterError(
                f'The chip register {path}, line {number}: expected {{"uid": "E004...", "chip_type": "red-5"}}.'
            )
        if chips.setdefault(uid, Chip(uid, chip_type)).chip_type != chip_type:
            raise RegisterError(f"The chip register {path}, line {number}: {uid} is there twice with different types.")
    return chips


def _stamp(path: Path | None) -> tuple[int, int] | None:
    """By this a change of the file is noticed; None where there is no file."""
    try:
        return None if path is None else (path.stat().st_mtime_ns, path.stat().st_size)
    except OSError:
        return None

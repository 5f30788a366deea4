"""The file of the staff: TOML, readable by its owner only, written as a whole or not at all."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, get_args

import platformdirs

from betline.options import write_private
from betline.people.record import PeopleError, Person, PinProof, Staff
from betline.settings import Role, SettingsError, read_toml

OWNER_ONLY: Final = 0o600
_HEAD: Final = "# The staff of this house; written by `betline people`. Keep it private: only its owner may read it.\n"
_KEYS: Final = frozenset({"id", "name", "role", "salt", "verifier", "badges"})


def usual_roll() -> Path:
    """The staff's file in the user's config folder."""
    return Path(platformdirs.user_config_dir("betline", appauthor=False)) / "people.toml"


def new_id() -> str:
    """An id for a person, which says nothing about who it is."""
    return f"p-{secrets.token_hex(8)}"


def read_staff(path: Path) -> Staff:
    """The staff of a file, nobody where there is none; raises PeopleError for one that cannot be used or be trusted."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return Staff()
    except OSError as error:
        raise PeopleError(f"{path} cannot be read ({error.strerror}); make it readable or name another.") from None
    if mode & 0o077:
        raise PeopleError(f"Others than its owner can use {path}: chmod 600 {path}, then set every PIN anew.")
    try:
        found = read_toml(path)
    except SettingsError as error:
        raise PeopleError(str(error)) from None
    rows = found.get("person", [])
    if set(found) - {"person"} or not isinstance(rows, list):
        raise PeopleError(f"{path} is no file of the staff; betline people add begins one.")
    people = tuple(_person(row, path) for row in rows)
    if len({one.id for one in people}) < len(people):
        raise PeopleError(f"{path} has one person twice; remove one of them.")
    return Staff(people)


def _person(row: Any, path: Path) -> Person:
    try:
        if set(row) - _KEYS or row["role"] not in get_args(Role) or not (row["id"] and row["name"]):
            raise ValueError
        pin = PinProof(bytes.fromhex(row["salt"]), int(row["verifier"], 16)) if "verifier" in row else None
        return Person(str(row["id"]), str(row["name"]), row["role"], pin, tuple(map(str, row.get("badges", ()))))
    except (KeyError, TypeError, ValueError):
        name = row.get("name", "somebody") if isinstance(row, Mapping) else "somebody"
        raise PeopleError(f"{path}: the entry of {name} is damaged; remove it and enrol {name} anew.") from None


def write_staff(path: Path, staff: Staff) -> None:
    """Writes the whole file, for its owner only; raises PeopleError, and then leaves it as it was."""
    try:
        write_private(path, _HEAD + "".join(_rows(staff)))
    except OSError as error:
        raise PeopleError(f"{path} cannot be written ({error.strerror}); name another file with --people.") from None


def _rows(staff: Staff) -> Iterator[str]:
    for one in staff.people:
        yield f"\n[[person]]\nid = {_text(one.id)}\nname = {_text(one.name)}\nrole = {_text(one.role)}\n"
        if one.pin is not None:
            yield f"salt = {_text(one.pin.salt.hex())}\nverifier = {_text(f'{one.pin.verifier:x}')}\n"
        if one.badges:
            yield f"badges = [{', '.join(map(_text, one.badges))}]\n"


def _text(text: str) -> str:
    """A basic string of TOML: printable text is written as JSON writes it."""
    return json.dumps(text, ensure_ascii=False)


class Roll:
    """The staff as a running program knows it; a file that has changed is read again."""

    def __init__(self, path: Path | None) -> None:
        """Raises PeopleError; without a path nobody is enrolled."""
        self._path = path
        self._stamp = self._seen()
        self.staff = Staff() if path is None else read_staff(path)

    def renewed(self) -> bool:
        """Reads the file again if it has changed; whether the staff has. Raises PeopleError, once a change.

        A file that has vanished changes nothing: no table is opened to everybody by that.
        """
        stamp = self._seen()
        if self._path is None or stamp is None or stamp == self._stamp:
            return False
        self._stamp = stamp
        staff = read_staff(self._path)
        changed, self.staff = staff != self.staff, staff
        return changed

    def _seen(self) -> tuple[int, int, int] | None:
        try:
            found = None if self._path is None else self._path.stat()
        except OSError:
            return None
        return None if found is None else (found.st_mtime_ns, found.st_size, found.st_mode)

"""Other keys for the acts: what a key map's file or the table's says, read or refused in a sentence.

A map names an action and the keys that it has from now on, ``fold = "x"`` or ``fold = ["f", "x"]``; what it does not
name keeps its keys. ``map`` names a shipped map to begin with.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from betline.options import UserError
from betline.settings import config_dir, shipped
from table_controller.console.keys import KEYS, Key, KeyMap

FOLDER: Final = "keys"
BASE: Final = "map"
_SIGNS: Final[dict[str, str]] = {
    "/": "slash", "*": "asterisk", "+": "plus", ".": "full_stop", ",": "comma", "=": "equals_sign",
    "?": "question_mark", "#": "number_sign", ";": "semicolon", ":": "colon", "'": "apostrophe",
}  # fmt: skip
_NAMED: Final[dict[str, str]] = {
    "space": "Space", "enter": "Enter", "tab": "Tab", "insert": "Ins", "delete": "Del", "home": "Home", "end": "End",
    "pageup": "PgUp", "pagedown": "PgDn", "up": "↑", "down": "↓", "left": "←", "right": "→",
    **{f"f{number}": f"F{number}" for number in range(1, 25)},
}  # fmt: skip
_PRINTED: Final = {**{name: sign for sign, name in _SIGNS.items()}, **_NAMED}
_TAKEN: Final = {
    **dict.fromkeys("0123456789", "types a number"),
    "-": "types a range of seats",
    "minus": "types a range of seats",
    "backspace": "takes back a digit",
    "escape": "forgets the number",
}


class KeysError(UserError):
    """A key map that cannot be used; the sentence says what to mend."""


def key_map(wanted: Mapping[str, str | Iterable[str]], where: str) -> KeyMap:
    """The standard keys with what a map says otherwise; ``where`` names it in errors. Raises KeysError."""
    actions = {key.action for key in KEYS}
    for action in wanted:
        if action not in actions:
            raise KeysError(f"{where}: there is no act {action}. Take one of {', '.join(sorted(actions))}.")
    keys = tuple(_with(key, wanted[key.action], where) if key.action in wanted else key for key in KEYS)
    _check(keys, where)
    return KeyMap(keys)


def load_keys(name_or_path: str) -> KeyMap:
    """A shipped map by its name, or the map in a TOML file; raises KeysError."""
    return key_map(_read(name_or_path), name_or_path)


def keys_for(option: str | None, of_table: Mapping[str, str | tuple[str, ...]], users: Path) -> KeyMap:
    """The keys in force: those of the option, else of the user's file where it is there, else of the table's file."""
    if option is not None:
        return load_keys(option)
    if users.is_file():
        return load_keys(str(users))
    return key_map(_based(dict(of_table), "the table's [keys]"), "the table's [keys]")


def users_file(environment: Mapping[str, str] = os.environ) -> Path:
    """Where a user keeps a key map."""
    home = environment.get("XDG_CONFIG_HOME") or str(Path(environment.get("HOME", "~")).expanduser() / ".config")
    return Path(home) / "betline" / "keys.toml"


def _read(name_or_path: str) -> dict[str, str | Iterable[str]]:
    path = Path(name_or_path)
    if name_or_path in shipped(FOLDER):
        path = config_dir() / FOLDER / f"{name_or_path}.toml"
    if not path.is_file():
        names = ", ".join(shipped(FOLDER))
        raise KeysError(f"There is no key map {name_or_path}: give the path of a TOML file, or one of {names}.")
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise KeysError(f"{path} cannot be read: {error}. Mend it, or leave out the key map.") from None
    keys = content.get("keys", {})
    if set(content) - {"keys"} or not isinstance(keys, dict):
        raise KeysError(f'{path}: write one section [keys], with lines such as fold = "x".')
    return _based(keys, str(path))


def _based(keys: dict[str, str | Iterable[str]], where: str) -> dict[str, str | Iterable[str]]:
    base = keys.pop(BASE, None)
    if base is None:
        return keys
    if not isinstance(base, str) or base not in shipped(FOLDER):
        raise KeysError(f"{where}: there is no shipped map {base}. Take one of {', '.join(shipped(FOLDER))}.")
    return {**_read(base), **keys}


def _with(key: Key, wanted: str | Iterable[str], where: str) -> Key:
    names = (wanted,) if isinstance(wanted, str) else tuple(wanted)
    if not names or not all(isinstance(one, str) for one in names):
        raise KeysError(f'{where}: give {key.action} a key, such as "{key.binding.split(",")[0]}".')
    found = tuple(_name(one, where) for one in names)
    return replace(key, binding=",".join(found), shown=" ".join(_PRINTED.get(one, one.upper()) for one in found))


def _name(written: str, where: str) -> str:
    """Textual's name of a key as it is written in a map."""
    plain = written.strip().lower()
    if plain in _TAKEN:
        raise KeysError(f"{where}: the key {plain} {_TAKEN[plain]}. Take another one.")
    name = _SIGNS.get(plain, plain)
    if name in _PRINTED or (len(name) == 1 and name.isascii() and name.isalpha()):
        return name
    raise KeysError(f"{where}: there is no key {written}. Take a letter, a sign, or one of {', '.join(_NAMED)}.")


def _check(keys: tuple[Key, ...], where: str) -> None:
    owners: dict[str, str] = {}
    for key in keys:
        for name in key.binding.split(","):
            if name in owners:
                printed = _PRINTED.get(name, name.upper())
                both = f"{owners[name]} and of {key.action}"
                raise KeysError(f"{where}: {printed} is the key of {both}. Give one of them another key.")
            owners[name] = key.action

"""Which words of a line such as ``M min 20 · Enter · Esc: back`` can be clicked, and for which key. Pure."""

from __future__ import annotations

from typing import NamedTuple

_NAMES = {
    "Enter": "enter",
    "Esc": "escape",
    "↑": "up",
    "↓": "down",
    "←": "left",
    "→": "right",
    "PgUp": "pageup",
    "PgDn": "pagedown",
    "Home": "home",
    "⌫": "backspace",
    "Space": "space",
    "/": "slash",
}
_BETWEEN = " · "


class Spot(NamedTuple):
    """Words that answer to a click as a key does: where they begin, how long they are, Textual's name of the key."""

    start: int
    length: int
    key: str


def key_named(word: str) -> str | None:
    """Textual's name of a key as it is written on the screen; None for a word that is no key."""
    plain = word.rstrip(":")
    if plain in _NAMES:
        return _NAMES[plain]
    return plain.lower() if len(plain) == 1 and plain.isalnum() and (plain.isdigit() or plain.isupper()) else None


def spots(line: str) -> tuple[Spot, ...]:
    """The keys of a line: each part that begins with one, and where it begins with several, each of them."""
    found = []
    at = 0
    for part in line.split(_BETWEEN):
        words = part.split(" ")
        keys: list[tuple[int, str, str]] = []
        offset = 0
        for word in words:
            key = key_named(word)
            if key is None:
                if word == "or":
                    offset += len(word) + 1
                    continue
                break
            keys.append((offset, word, key))
            offset += len(word) + 1
        if len(keys) == 1:
            found.append(Spot(at, len(part), keys[0][2]))
        found += [Spot(at + start, len(word), key) for start, word, key in keys[:-1] if len(keys) > 1]
        if len(keys) > 1:
            start, _, key = keys[-1]
            found.append(Spot(at + start, len(part) - start, key))
        at += len(part) + len(_BETWEEN)
    return tuple(found)


def key_action(key: str) -> str:
    """The action of a place on a canvas that answers to a click as a key does."""
    return f"app.tap('{key}')"

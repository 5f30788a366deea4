"""What a Textual program and whoever shows it say to each other over pipes, as Textual's `WebDriver` has it. Pure.

    __GANGLION__ and a line feed     once, before the first packet of the program
    TYPE LENGTH PAYLOAD              TYPE is D, M or P; LENGTH has 4 bytes, the first the highest

D is what a terminal shows, or what is typed; M is JSON about the program itself; P is part of a file that the program
hands out, which is not taken here.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any, Final

OPENING: Final = b"__GANGLION__\n"
LONGEST_OPENING: Final = 4096
"""A program that has said so many bytes before its first packet is none of Textual's."""
LONGEST_META: Final = 16 * 1024
LONGEST: Final = 8 * 1024 * 1024
"""No screen is so large: a length beyond it is no length."""
_HEAD: Final = 5
_DATA, _META, _FILE = b"D", b"M", b"P"


class NoPackets(ValueError):
    """What came is not what Textual says; a sentence says why."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A piece of what the terminal shows; a packet comes in as many pieces as it was read in."""

    data: bytes


@dataclass(frozen=True, slots=True)
class Told:
    """What the program said of itself, by its type, such as `exit` and `open_url`; empty where it has none."""

    type: str


@dataclass(frozen=True, slots=True)
class Packets:
    """What was read so far and is not whole yet. Pieces of a screen are passed on at once, so little is kept."""

    open: bool = False
    """Whether the opening was read."""
    kind: bytes = b""
    """The packet that is being read; empty between two of them."""
    left: int = 0
    """How many bytes of it are still to come."""
    held: bytes = b""
    """The beginning of an opening, of a packet's head, or of what a program says of itself."""

    def fed(self, data: bytes) -> tuple[Packets, tuple[Shown | Told, ...]]:
        """After more bytes were read: what was in them. Raises NoPackets."""
        now, found = self, list[Shown | Told]()
        while data:
            if not now.open:
                now, data = now._opened(data)
            elif not now.kind:
                now, data = now._headed(data)
            else:
                now, data = now._filled(data, found)
        return now, tuple(found)

    def _opened(self, data: bytes) -> tuple[Packets, bytes]:
        held = self.held + data
        at = held.find(OPENING)
        if at >= 0:
            return replace(self, open=True, held=b""), held[at + len(OPENING) :]
        if len(held) > LONGEST_OPENING:
            raise NoPackets("It said too much before its first packet.")
        return replace(self, held=held), b""

    def _headed(self, data: bytes) -> tuple[Packets, bytes]:
        wanted = _HEAD - len(self.held)
        held, rest = self.held + data[:wanted], data[wanted:]
        if len(held) < _HEAD:
            return replace(self, held=held), rest
        kind, length = held[:1], int.from_bytes(held[1:], "big")
        if kind not in (_DATA, _META, _FILE):
            raise NoPackets("It sent a packet of a type that is not known.")
        if length > (LONGEST_META if kind == _META else LONGEST):
            raise NoPackets("It sent a packet that is too long.")
        return replace(self, kind=kind if length else b"", left=length, held=b""), rest

    def _filled(self, data: bytes, found: list[Shown | Told]) -> tuple[Packets, bytes]:
        piece, rest = data[: self.left], data[self.left :]
        left = self.left - len(piece)
        held = self.held + piece if self.kind == _META else b""
        if self.kind == _DATA:
            found.append(Shown(piece))
        elif self.kind == _META and not left:
            found.append(Told(_type_in(held)))
            held = b""
        return replace(self, kind=self.kind if left else b"", left=left, held=held), rest


def typed(text: str) -> bytes:
    """The packet of what was typed; raises UnicodeEncodeError for half a character."""
    return _packet(_DATA, text.encode())


def sized(columns: int, rows: int) -> bytes:
    """The packet that says how large the screen is, in cells."""
    return _meta(type="resize", width=columns, height=rows)


def focused(there: bool) -> bytes:
    """The packet that says whether somebody looks."""
    return _meta(type="focus" if there else "blur")


def _meta(**said: Any) -> bytes:
    return _packet(_META, json.dumps(said).encode())


def _packet(kind: bytes, payload: bytes) -> bytes:
    return kind + len(payload).to_bytes(4, "big") + payload


def _type_in(payload: bytes) -> str:
    try:
        said = json.loads(payload)
    except (ValueError, RecursionError):
        raise NoPackets("It said something of itself that is no JSON.") from None
    kind = said.get("type") if isinstance(said, dict) else None
    return kind if isinstance(kind, str) else ""

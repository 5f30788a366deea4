"""Events of a room as the journal's file has them, and which can be taken back. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields, is_dataclass
from itertools import takewhile
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from cardroom.room.errors import RoomError
from cardroom.room.events import (
    KINDS,
    ClockSet,
    Event,
    HandAllowed,
    HandEnded,
    HandForHand,
    Happened,
    MovesOrdered,
    Undone,
    kind_of,
)

_ADAPTERS: Final[Mapping[str, TypeAdapter[Any]]] = {kind: TypeAdapter(cls) for kind, cls in KINDS.items()}
FINAL: Final = frozenset(
    {"leave-asked", "left-seat", "moved", "counted", "counts-differ", "count-begun", "stock-taken"}
)
"""Kinds that tell what happened outside the room's book: taking them back would make the book wrong."""
ASIDE: Final = frozenset(
    {
        "draw-committed",
        "table-held",
        "table-let-go",
        "last-two-told",
        "clock-followed",
        "hand-allowed",
        "table-halted",
        "halt-ended",
    }
)
"""Kinds that were told or followed from others, and are no step of a person: the step before them is taken back."""


def undoing(happened: tuple[Happened, ...]) -> tuple[Undone, ...]:
    """The last event that still counts is taken back, with what followed from it, the event itself first.

    Raises RoomError where a table has carried it out, or it was drawn by lot.
    """
    gone = {one.event.seq for one in happened if isinstance(one.event, Undone)}
    there = [one for one in happened if one.seq not in gone and not isinstance(one.event, Undone)]
    steps = [one for one in there if kind_of(type(one.event)) not in ASIDE]
    last = steps[-1] if steps else None
    if last is None:
        raise RoomError("nothing", "Nothing is left to take back.")
    kind = kind_of(type(last.event))
    if kind in FINAL:
        raise RoomError("final", f"Entry {last.seq} ({kind}) was carried out and stays; do the contrary instead.")
    if isinstance(last.event, MovesOrdered) and last.event.seed:
        raise RoomError(
            "drawn",
            f"Entry {last.seq} was drawn by lot and stays; call its moves off one by one, with the reason: betline "
            "room moves --call-off PLAYER --why TEXT.",
        )
    if isinstance(last.event, ClockSet) and len(steps) > 1 and last in _brought(there, steps[-2]):
        last = steps[-2]
    return (Undone(seq=last.seq), *(Undone(seq=one.seq) for one in _brought(there, last)))


def _brought(there: list[Happened], step: Happened) -> list[Happened]:
    """What else the same decision came to: hand for hand sets the clock and allows hands."""
    if not isinstance(step.event, HandForHand | HandEnded):
        return []
    game = step.event.game
    return list(
        takewhile(
            lambda one: (
                isinstance(one.event, ClockSet | HandAllowed)
                and (one.event.game, one.at_ms, one.by) == (game, step.at_ms, step.by)
            ),
            (one for one in there if one.seq > step.seq),
        )
    )


def plain(event: Event) -> dict[str, Any]:
    """An event as JSON can have it."""
    return {one.name: _plain(getattr(event, one.name)) for one in fields(event)}


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else value


def read(seq: int, at_ms: int, kind: str, payload: Mapping[str, Any]) -> Happened:
    """An entry as an event; raises RoomError (`journal`) for one that this version does not know."""
    adapter = _ADAPTERS.get(kind)
    try:
        if adapter is None:
            raise ValueError
        event = adapter.validate_python(payload["event"])
        return Happened(seq, at_ms, str(payload["by"]), event)
    except (ValidationError, ValueError, KeyError):
        raise RoomError("journal", f"Entry {seq} ({kind}) is none that this version knows; update Betline.") from None

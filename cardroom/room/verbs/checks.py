"""Draws, made once more from what is in the journal. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cardroom.room import tournament
from cardroom.room.errors import RoomError
from cardroom.room.events import Happened, MovesOrdered, Undone
from cardroom.room.room import Room, after, fold
from cardroom.room.rules import RoomRules
from cardroom.room.tournament import Seed


@dataclass(frozen=True, slots=True)
class CheckedDraw:
    """A draw, and whether its seed gives the same seats once more."""

    seq: int
    why: str
    seed: str
    named: bool
    same: bool


def checked_draws(happened: Sequence[Happened], rules: RoomRules) -> tuple[CheckedDraw, ...]:
    """Every draw of seats, drawn again on the room as it was."""
    found, room = [], Room()
    for number, one in enumerate(happened):
        event = one.event
        if isinstance(event, MovesOrdered) and event.seed and event.why in ("draw", "late", "break", "redraw"):
            again = _again(room, event, rules)
            found.append(CheckedDraw(one.seq, event.why, event.seed, event.seed_named, again == event.moves))
        room = fold(happened[: number + 1]) if isinstance(event, Undone) else after(room, one)
    return tuple(found)


def _again(room: Room, event: MovesOrdered, rules: RoomRules) -> object:
    seed = Seed(event.seed, event.seed_named)
    try:
        match event.why:
            case "draw" | "late":
                return tournament.draw_seats(room, event.game, rules, seed, late=event.why == "late").moves
            case "break":
                source = event.moves[0].source
                return () if source is None else tournament.break_table(room, event.game, source.table, seed).moves
            case _:
                tables = sorted({move.to.table for move in event.moves if move.to is not None})
                return tournament.redraw(room, event.game, seed, tables).moves
    except RoomError:
        return None

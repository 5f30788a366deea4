"""Carrying moves out: tables are asked, and a move is done only when they have answered.

All who move leave their seats first, then all sit down, so that a redraw can send two players to each other's seats. A
table that refuses stops that player alone; whoever is off a seat stays in the room's book with the chips until another
move is ordered. The shell gives the tables; nothing here knows a bus.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from betline.steps import Command, Leave, SitDown
from cardroom.room import events as e
from cardroom.room.errors import RoomError
from cardroom.room.events import Event, Place
from cardroom.room.room import Pending, Room


class Tables(Protocol):
    """The tables as the room asks them."""

    def stack(self, place: Place) -> int | None:
        """The chips in a seat between hands; None where nobody sits there. Raises RoomError while a hand is played."""
        ...

    def ask(self, table: str, command: Command) -> str:
        """Asks a table and waits for its answer: empty when it was done, else why not."""
        ...


def carry_out(
    journal_append: Callable[[Event], Room], room: Room, tables: Tables, names: Mapping[str, str]
) -> tuple[Room, dict[str, str]]:
    """Carries out every move that is ordered; gives the room afterwards, and by player why a move was not done.

    A move that failed stays ordered: it is tried again, or called off.
    """
    failed: dict[str, str] = {}
    for player in _in_order(room):
        pending = room.moves[player]
        if pending.left or pending.move.source is None:
            continue
        try:
            chips = _stack(room, tables, player, pending.move.source)
            if chips is None:  # an earlier try has got so far, and the program ended before it could write that down
                chips = room.stacks.get(player, 0)
            elif not room.tables[pending.move.source.table].by_hand:
                room = journal_append(e.LeaveAsked(player=player, chips=chips))
                _leave(tables, pending.move.source, names.get(player, player))
        except RoomError as error:
            failed[player] = str(error)
            continue
        room = journal_append(e.LeftSeat(player=player, chips=chips))
    for player in _in_order(room):
        pending = room.moves[player]
        if not pending.left or player in failed:
            continue
        try:
            chips = _sit_down(room, tables, pending, names[player])
        except RoomError as error:
            failed[player] = str(error)
            continue
        room = journal_append(e.Moved(player=player, chips=chips))
    return room, failed


def calling_off(room: Room, player: str, reason: str) -> e.MoveCalledOff:
    """A move is not carried out; raises RoomError where none is ordered."""
    if player not in room.moves:
        raise RoomError("no-move", "No move is ordered for that player.")
    return e.MoveCalledOff(player=player, reason=reason)


def _in_order(room: Room) -> list[str]:
    return sorted(room.moves, key=lambda player: (room.moves[player].seq, player))


def _stack(room: Room, tables: Tables, player: str, source: Place) -> int | None:
    """What a player takes along; None where the seat is empty at the table already."""
    if room.tables[source.table].by_hand:
        return room.stacks.get(player, 0)
    return tables.stack(source)


def _leave(tables: Tables, source: Place, name: str) -> None:
    refused = tables.ask(source.table, Leave(seat=source.seat))
    if refused:
        raise RoomError("refused", f"{source} keeps {name}: {refused}")


def _sit_down(room: Room, tables: Tables, pending: Pending, name: str) -> int:
    to, chips = pending.move.to, pending.chips
    if to is None or room.tables[to.table].by_hand:
        return chips
    there = tables.stack(to)
    if there is not None:
        if there == chips:
            return chips  # an earlier try has seated the player
        raise RoomError("taken", f"{to} is taken at the table; call the move off and order another one.")
    refused = tables.ask(to.table, SitDown(seat=to.seat, stack=chips, player=name))
    if refused:
        raise RoomError("refused", f"{to} does not take {name}: {refused}")
    return chips

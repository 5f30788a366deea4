"""Must-move games: who of the feeding table goes to the main game when a seat opens there. Pure."""

from __future__ import annotations

from cardroom.room import events as e
from cardroom.room.errors import RoomError
from cardroom.room.events import Move, MovesOrdered, Place
from cardroom.room.room import Room
from cardroom.room.rules import RoomRules


def order_of(room: Room, table: str) -> tuple[str, ...]:
    """The players of a must-move table, who moves first first: who sat down first, but who has refused goes last."""
    there = [player for player in room.sits_at(table).values() if player not in room.moves]
    return tuple(
        sorted(there, key=lambda one: (one in room.put_back, room.put_back.get(one, room.since.get(one, 0)), one))
    )


def must_move(room: Room, feeder: str) -> MovesOrdered:
    """The next player of a must-move table goes to an open seat of the table that it feeds.

    Raises RoomError (`no-must-move`, `no-seat`, `nobody`).
    """
    table = room.table(feeder)
    if not table.feeds:
        raise RoomError("no-must-move", f"Table {feeder} feeds no other: open must-move tables with --feeds TABLE.")
    free = room.open_at(room.table(table.feeds).name)
    if not free:
        raise RoomError("no-seat", f"No seat is open at table {table.feeds}.")
    order = order_of(room, feeder)
    if not order:
        raise RoomError("nobody", f"Nobody sits at table {feeder}.")
    move = Move(player=order[0], source=room.where[order[0]], to=Place(table.feeds, free[0]))
    return MovesOrdered(game=table.game, why="must-move", rule="must-move", moves=(move,))


def refusing(
    room: Room, player: str, rules: RoomRules
) -> tuple[e.RefusedMustMove | MovesOrdered | e.MoveCalledOff, ...]:
    """A player does not want to move: by the house's rule that one leaves the game, or goes after the others.

    Raises RoomError (`not-there`).
    """
    place = room.where.get(player)
    pending = room.moves.get(player)
    if place is None or not room.table(place.table).feeds or (pending is not None and pending.why != "must-move"):
        raise RoomError("not-there", "That player does not sit at a must-move table.")
    leaves = rules.must_move_refusal == "leaves"
    found: list[e.RefusedMustMove | MovesOrdered | e.MoveCalledOff] = []
    if pending is not None:
        found.append(e.MoveCalledOff(player=player, reason="refused to move"))
    found.append(e.RefusedMustMove(player=player, leaves=leaves))
    if leaves:
        game = room.table(place.table).game
        move = Move(player=player, source=place, to=None)
        found.append(MovesOrdered(game=game, why="leave", rule="must-move", moves=(move,)))
    return tuple(found)

"""Tournament seating by TDA 7 to 11: draws, late entries, balancing, breaking, redraws. Pure.

Each decision is `MovesOrdered`: who goes where, by which rule, from which seed. Seats are drawn in two steps, as TDA 10
asks: the seats by lot, then the players by lot, who take them in that order. How many go to each table is no lot: the
tables come out as level as can be, and only which of the shortest tables has one more is drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Literal

from cardroom.room import events as e
from cardroom.room.draw import drawn
from cardroom.room.errors import RoomError
from cardroom.room.events import Move, MovesOrdered, Place
from cardroom.room.felt import Felt, due_big_blind, worst_seat
from cardroom.room.lots import DrawList, Seed, placed
from cardroom.room.room import Game, Pending, Room
from cardroom.room.rules import RoomRules


def tournament(room: Room, name: str) -> Game:
    """A tournament; raises RoomError."""
    game = room.game(name)
    if game.terms.kind != "tournament":
        raise RoomError("not-tournament", f"{name} is a cash game; its seats go by the waiting list.")
    return game


def _settled(room: Room, name: str) -> Game:
    """A tournament in which every move that was ordered is done; raises RoomError."""
    game = tournament(room, name)
    if any(pending.game == name and not _waits_for_its_line(room, pending) for pending in room.moves.values()):
        raise RoomError(
            "moves", "Moves are ordered and not done; carry them out first: betline room moves --carry-out."
        )
    return game


def _waits_for_its_line(room: Room, pending: Pending) -> bool:
    """Whether somebody who is out gives up a seat of a table that is cut off: nobody else's seat hangs on that."""
    source = pending.move.source
    return pending.move.to is None and source is not None and source.table in room.cut


def draw_seats(room: Room, name: str, rules: RoomRules, seed: Seed, *, late: bool) -> MovesOrdered:
    """Seats for all who have entered and have none (TDA 7); for late entries from the house's pool (TDA 8).

    Raises RoomError (`nobody`, `no-seat`).
    """
    game, given = _settled(room, name), seats_list(room, name, rules, late=late)
    if not given.players:
        raise RoomError("nobody", f"Everybody who has entered {name} has a seat.")
    chips = {player: room.adrift.get(player, game.terms.stack) for player in given.players}
    moves = _moves(room, given, seed, chips)
    return _ordered(room, name, "late" if late else "draw", "TDA 8" if late else "TDA 7", moves, seed)


def seats_list(room: Room, name: str, rules: RoomRules, *, late: bool) -> DrawList:
    """Who has entered and has no seat, and the seats that are open at tables that are not cut off."""
    players = [player for player in room.games[name].alive if player not in room.where]
    tables = [table.name for table in room.reached(name)]
    return _list(room, players, tables, level=not late or rules.late_seats == "shortest")


def counts_of(room: Room, name: str) -> dict[str, int]:
    """How many players each table of a game that is not cut off will have once all that was ordered is done."""
    return {table.name: len(room.will_sit_at(table.name)) for table in room.reached(name)}


def halted(room: Room, name: str, rules: RoomRules) -> tuple[str, ...]:
    """Tables at which play halts because they are too short (TDA 11-D)."""
    counts = counts_of(room, name)
    most = max(counts.values(), default=0)
    found = []
    for table, count in counts.items():
        short = rules.halt_short(room.tables[table].seats)
        if short and most - count >= short:
            found.append(table)
    return tuple(found)


def breaking_order(room: Room, game: Game) -> tuple[str, ...]:
    """The order in which the open tables break; those that nobody has announced break last, by name."""
    there = [table.name for table in room.tables_of(game.name)]
    named = [table for table in game.breaking if table in there]
    return (*named, *(table for table in there if table not in named))


def announcing(room: Room, name: str, order: tuple[str, ...]) -> e.BreakingOrderSet:
    """The breaking order is announced; raises RoomError for a table that is not of the game or stands twice."""
    tournament(room, name)
    there = {table.name for table in room.tables_of(name)}
    if len(set(order)) < len(order) or not set(order) <= there:
        raise RoomError("order", f"Name tables of {name}, each once: {', '.join(sorted(there))}.")
    return e.BreakingOrderSet(game=name, order=order)


def balance(room: Room, name: str, rules: RoomRules, felts: Mapping[str, Felt], seed: Seed) -> MovesOrdered | None:
    """The moves after which no table is too short (TDA 11); None where none is. A table that is cut off stays as it is.

    The player who is due the big blind at the fullest table goes to the worst seat of the shortest, never to the small
    blind (11-A); in stud the player whose seat is the one that opened last there. Raises RoomError: `positions` where
    nobody knows where the button of a table is, `only-small-blind`, `strangers`.
    """
    game, counts, moves = _settled(room, name), counts_of(room, name), list[Move]()
    seats = {table: dict(room.will_sit_at(table)) for table in counts}
    free = {table: list(room.open_at(table)) for table in counts}
    known = dict(felts)
    order, drew = [table for table in breaking_order(room, game) if table in counts], False
    at = rules.tight_at if len(room.tables_of(name)) <= rules.tight_tables else rules.balance_at
    while len(counts) > 1 and max(counts.values()) - min(counts.values()) >= at:
        fullest = [table for table in order if counts[table] == max(counts.values())]
        drew = drew or (rules.balance_from == "lot" and len(fullest) > 1)
        giver = drawn(f"{seed.whole}/giver/{len(moves)}", fullest)[0] if rules.balance_from == "lot" else fullest[0]
        taker = [table for table in order if counts[table] == min(counts.values())][-1]
        seat, to = _who_and_where(room, game, giver, taker, seats, free, known)
        player = seats[giver].pop(seat)
        seats[taker][to] = player
        free[taker].remove(to)
        counts[giver] -= 1
        counts[taker] += 1
        known = {
            table: replace(felt, seats=felt.seats - {seat} if table == giver else felt.seats | {to})
            if table in (giver, taker)
            else felt
            for table, felt in known.items()
        }
        moves.append(Move(player=player, source=Place(giver, seat), to=Place(taker, to)))
    if not moves:
        return None
    return _ordered(room, name, "balance", "TDA 11", moves, seed if drew else None)


def _who_and_where(
    room: Room,
    game: Game,
    giver: str,
    taker: str,
    seats: Mapping[str, Mapping[int, str]],
    free: Mapping[str, Sequence[int]],
    felts: Mapping[str, Felt],
) -> tuple[int, int]:
    """The seat that gives a player, and the seat that takes it."""
    if game.terms.deal == "stud":
        opened = [seat for seat in room.tables[taker].vacated if seat in free[taker]]
        to = opened[-1] if opened else free[taker][0]
        seat = min(seats[giver], key=lambda one: (one - to) % room.tables[giver].seats)
        return seat, to
    for table in (giver, taker):
        felt = felts.get(table)
        if felt is None:
            raise RoomError("positions", f"Say where the button of table {table} is: --at {table}=BUTTON/SMALL/BIG.")
        if not felt.seats <= set(seats[table]):
            strange = min(felt.seats - set(seats[table]))
            raise RoomError(
                "strangers",
                f"Somebody sits in seat {strange} of table {table} whom the room does not know; say who it is with "
                "betline room seat.",
            )
    seat_due = due_big_blind(felts[giver])
    if seat_due is None:
        raise RoomError("positions", f"Nothing was dealt at table {giver} yet, so nobody is due the big blind there.")
    return seat_due, worst_seat(felts[taker], free[taker]).seat


def table_to_break(room: Room, name: str) -> str | None:
    """The next table of the breaking order, where all its players fit elsewhere; else None."""
    game = tournament(room, name)
    order = breaking_order(room, game)
    if len(order) < 2:
        return None
    open_seats = sum(len(room.open_at(table)) for table in order[1:] if table not in room.cut)
    return order[0] if len(room.will_sit_at(order[0])) <= open_seats else None


def break_table(room: Room, name: str, table: str, seed: Seed) -> MovesOrdered:
    """The players of a table go to open seats of the others, by lot in two steps (TDA 10).

    Raises RoomError (`other-game`, `no-seat`, `cut-off`).
    """
    _settled(room, name)
    room.require_reached(table)
    if room.table(table).game != name:
        raise RoomError("other-game", f"Table {table} is of the game {room.table(table).game}, not of {name}.")
    return _ordered(room, name, "break", "TDA 10", _moves(room, break_list(room, name, table), seed, {}), seed)


def break_list(room: Room, name: str, table: str) -> DrawList:
    """Who sits at a table, and the open seats of the others that are not cut off."""
    others = [one.name for one in room.reached(name) if one.name != table]
    return _list(room, room.will_sit_at(table).values(), others)


def redraw_due(room: Room, name: str, rules: RoomRules) -> bool:
    """Whether so few players are left that all draw seats anew, and they sit at more tables than they need."""
    alive = len(tournament(room, name).alive)
    return alive in rules.redraw_at and len(room.tables_of(name)) > 1 and alive > 1


def redraw(room: Room, name: str, seed: Seed, tables: Sequence[str] = ()) -> MovesOrdered:
    """All players left draw new seats at as few tables as hold them, by lot; the tables that break last, or these.

    Raises RoomError (`no-seat`, `order`, `cut-off` where somebody sits at a table that is).
    """
    game = _settled(room, name)
    order = breaking_order(room, game)
    if not set(tables) <= set(order):
        raise RoomError("order", f"Name open tables of {name}: {', '.join(order)}.")
    for table in sorted({*tables, *(place.table for player in game.alive if (place := room.where.get(player)))}):
        room.require_reached(table)
    chips = {player: room.adrift.get(player, game.terms.stack) for player in game.alive if player not in room.where}
    drawn_moves = _moves(room, redraw_list(room, name, tables), seed, chips)
    moves = [move for move in drawn_moves if move.source != move.to]
    return _ordered(room, name, "redraw", "TDA 7", moves, seed)


def redraw_list(room: Room, name: str, tables: Sequence[str] = ()) -> DrawList:
    """Everybody who is left, and all seats of as few tables as hold them, those that break last; or of these."""
    game = room.games[name]
    chosen = list(tables)
    there = [table for table in breaking_order(room, game) if table not in room.cut]
    for table in () if tables else reversed(there):
        if sum(room.tables[one].seats for one in chosen) >= len(game.alive):
            break
        chosen.append(table)
    return _list(replace(room, where={}, moves={}, adrift={}), game.alive, chosen)


def _moves(room: Room, given: DrawList, seed: Seed, chips: Mapping[str, int]) -> list[Move]:
    return [
        Move(player=player, source=room.where.get(player), to=to, chips=chips.get(player, 0))
        for player, to in placed(seed.whole, given)
    ]


def _list(room: Room, players: Iterable[str], tables: Iterable[str], *, level: bool = True) -> DrawList:
    names = sorted(tables)
    return DrawList(
        players=tuple(sorted(players)),
        open={table: room.open_at(table) for table in names},
        sit={table: len(room.will_sit_at(table)) for table in names},
        level=level,
    )


Why = Literal["draw", "late", "balance", "break", "redraw"]


def _ordered(room: Room, name: str, why: Why, rule: str, moves: Iterable[Move], seed: Seed | None) -> MovesOrdered:
    left_out = tuple(table.name for table in room.tables_of(name) if table.name in room.cut)
    ordered = MovesOrdered(game=name, why=why, rule=rule, moves=tuple(moves), left_out=left_out)
    return ordered if seed is None else replace(ordered, seed=seed.text, seed_named=seed.named, public=seed.public)

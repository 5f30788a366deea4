"""Players and their seats: the draw, moves by the floor, going out, and what is not done yet."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from cardroom.room import events as e
from cardroom.room import prizes, tournament
from cardroom.room.errors import RoomError
from cardroom.room.events import Move, MovesOrdered, Place
from cardroom.room.moves import calling_off
from cardroom.room.room import Room
from cardroom.room.verbs.desk import Desk
from cardroom.room.verbs.drawing import order_drawn
from cardroom.room.verbs.options import (
    GameOption,
    PlanOption,
    PlayerArgument,
    PublicOption,
    ReasonOption,
    SeedOption,
    TableArgument,
    WhyOption,
    at_desk,
    wrong_usage,
)


@at_desk
def draw(
    desk: Desk,
    game: GameOption = None,
    seed: SeedOption = None,
    reason: ReasonOption = "",
    public: PublicOption = "",
    plan: PlanOption = False,
) -> None:
    """Draw seats for all who have entered and have none (TDA 7), all tables as level as can be.

    The draw is made from the seed whose digest was told before (betline room commit), once for each list. With --public
    also from what chance said before everybody once the list had closed: then not even who can read the seed knew it.

    Example: betline room draw --game sunday

    Example: betline room draw --public "dice 3 5 1 6 2"

    Example: betline room draw --reason "two names stood twice in the list" --by Ann
    """
    order_drawn(
        desk,
        game,
        lambda room, lot: (tournament.draw_seats(room, desk.game(room, game).name, desk.rules, lot, late=False),),
        seed,
        reason,
        public,
        plan=plan,
    )


@at_desk
def seat(
    desk: Desk,
    player: PlayerArgument,
    table: TableArgument,
    seat: Annotated[int, typer.Argument(metavar="SEAT", min=1, max=10, help="The seat.")],
    chips: Annotated[int, typer.Option("--chips", min=0, help="With these chips; default as the game has it.")] = 0,
    why: WhyOption = "",
) -> None:
    """Seat a player where the floor says: one who was called, or has no seat yet.

    In a tournament before the draw too: who needs that seat has it, and the draw seats the others (TDA 9).

    Example: betline room seat Ann t8 4 --chips 200

    Example: betline room seat Bob t1 1 --why "TDA 9"
    """
    who = desk.new_player(player)

    def decision(room: Room) -> tuple[e.Event, ...]:
        at = room.table(table)
        of = room.games[at.game]
        if who in room.where or who in room.moves:
            raise RoomError("seated", f"{player} has a seat; betline room move moves a player.")
        if of.terms.kind == "tournament" and who not in of.alive:
            raise RoomError("not-in", f"{player} is not in {of.name}; betline room enter sells an entry.")
        waiting = room.lists.get(of.name)
        entry = None if waiting is None else waiting.of(who)
        called_here = entry is not None and entry.called == Place(table, seat)
        if seat not in room.open_at(table) and not called_here:
            raise RoomError("taken", f"Seat {seat} of table {table} is taken or held; open are {room.open_at(table)}.")
        stack = room.adrift.get(who) or chips or of.terms.stack or of.terms.buy_in
        if not stack:
            raise RoomError("chips", "Say with how many chips: --chips.")
        off = (e.OffList(game=of.name, player=who, why="seated"),) if entry is not None else ()
        move = Move(player=who, source=None, to=Place(table, seat), chips=stack)
        by: Literal["list", "floor"] = "floor" if entry is None else "list"
        return (*off, MovesOrdered(game=of.name, why=by, rule="floor", moves=(move,), reason=why))

    desk.order(decision)


@at_desk
def move(
    desk: Desk,
    player: PlayerArgument,
    table: Annotated[
        str | None, typer.Argument(metavar="TABLE", help="Where to; without it the player leaves.")
    ] = None,
    seat: Annotated[int | None, typer.Argument(metavar="SEAT", min=1, max=10, help="Which seat.")] = None,
    why: WhyOption = "",
) -> None:
    """Move a player by the floor's decision: to another seat, or, in a cash game, out of the game.

    Example: betline room move Ann t2 5

    Example: betline room move Ann t2 1 --why "TDA 9"

    Example: betline room move Bob
    """
    who = desk.player(player)

    def decision(room: Room) -> tuple[e.Event, ...]:
        source = room.where.get(who)
        if source is None or who in room.moves:
            raise RoomError("no-seat", f"{player} has no seat, or is on the way already.")
        of = room.games[room.tables[source.table].game]
        if table is None:
            if of.terms.kind == "tournament":
                raise RoomError(
                    "tournament", f"A player leaves {of.name} by going out: betline room out {player}=STACK."
                )
            left = Move(player=who, source=source, to=None)
            return (MovesOrdered(game=of.name, why="leave", rule="floor", moves=(left,), reason=why),)
        if room.table(table).game != of.name:
            raise RoomError("other-game", f"Table {table} is of the game {room.table(table).game}, not of {of.name}.")
        if seat not in room.open_at(table):
            seats = ", ".join(map(str, room.open_at(table)))
            to_do = f"open at table {table}: {seats}" if seats else f"table {table} has no open seat"
            raise RoomError("taken", f"Seat {seat} is not open; {to_do}.")
        moved = Move(player=who, source=source, to=Place(table, seat))
        return (MovesOrdered(game=of.name, why="floor", rule="floor", moves=(moved,), reason=why),)

    desk.order(decision)


@at_desk
def out(
    desk: Desk,
    players: Annotated[
        list[str], typer.Argument(metavar="PLAYER=STACK", help="Who, and the stack at the hand's start.")
    ],
    game: GameOption = None,
) -> None:
    """Players went out in one hand: the one with more chips at its start is placed better.

    Example: betline room out Bob=4200 Cleo=9100
    """
    knocked = []
    for one in players:
        name, _, stack = one.rpartition("=")
        if not name or not stack.isdecimal():
            wrong_usage(f"{one}: write PLAYER=STACK, the chips at the start of the hand.")
        knocked.append(e.Knocked(player=desk.player(name), stack=int(stack)))

    def decision(room: Room) -> tuple[e.Event, ...]:
        of = tournament.tournament(room, desk.game(room, game).name)
        for one, said in zip(knocked, players, strict=True):
            if one.player not in of.alive:
                raise RoomError("not-in", f"{said.rpartition('=')[0]} is not in {of.name} any more, or never was.")
        places = {one.player: room.where.get(one.player) for one in knocked}
        with_tables = [(one, place.table if (place := places[one.player]) is not None else "") for one in knocked]
        went = prizes.going_out(of, with_tables, desk.rules)
        moves = tuple(Move(player=who, source=place, to=None) for who, place in places.items() if place is not None)
        return (went, MovesOrdered(game=of.name, why="out", rule="out", moves=moves)) if moves else (went,)

    desk.order(decision)


@at_desk
def moves(
    desk: Desk,
    carry_out: Annotated[bool, typer.Option("--carry-out", help="Ask the tables for what is not done.")] = False,
    call_off: Annotated[str, typer.Option("--call-off", metavar="PLAYER", help="This player does not move.")] = "",
    why: Annotated[str, typer.Option("--why", metavar="TEXT", help="Why it is called off.")] = "the floor says so",
) -> None:
    """Show the moves that are ordered and not done; carry them out, or call one off.

    Example: betline room moves --carry-out --wait 120
    """
    if call_off:
        who = desk.player(call_off)
        desk.decide(lambda room: (calling_off(room, who, why),))
        desk.tell({"called_off": call_off}, [f"{call_off} does not move."])
        return
    room, names = desk.room(), desk.names()
    ordered = [
        MovesOrdered(game=one.game, why="floor", rule=one.why, moves=(one.move,)) for one in room.moves.values()
    ]  # fmt: skip
    if carry_out:
        desk.carry_out(room, ordered)
        return
    rows = [
        {"player": names.get(who, who), "to": None if one.move.to is None else str(one.move.to), "left": one.left,
         "why": one.why}
        for who, one in sorted(room.moves.items())
    ]  # fmt: skip
    lines = [f"{row['player']} goes to {row['to'] or 'no seat'} ({row['why']})" for row in rows]
    desk.tell(rows, lines or ["Every move is done."])

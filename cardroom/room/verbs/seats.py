"""Players and their seats: drawing, moving, balancing, breaking, going out."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Literal

import typer

from cardroom.room import events as e
from cardroom.room import prizes, tournament
from cardroom.room.errors import RoomError
from cardroom.room.events import Move, MovesOrdered, Place
from cardroom.room.felt import Felt, due_big_blind, open_seats
from cardroom.room.moves import calling_off
from cardroom.room.room import Game, Room
from cardroom.room.verbs.desk import (
    Desk,
    GameOption,
    PlanOption,
    PlayerArgument,
    SeedOption,
    TableArgument,
    at_desk,
    seed_of,
    wrong_usage,
)

AtOption = Annotated[
    list[str] | None,
    typer.Option(
        "--at", metavar="TABLE=BUTTON/SMALL/BIG", help="Where the button and the blinds of a table by hand are."
    ),
]


@at_desk
def draw(desk: Desk, game: GameOption = None, seed: SeedOption = None, plan: PlanOption = False) -> None:
    """Draw seats for all who have entered and have none (TDA 7), all tables as level as can be.

    Example: betline room draw --game sunday
    """
    lot = seed_of(seed)
    desk.order(
        lambda room: (tournament.draw_seats(room, desk.game(room, game).name, desk.rules, lot, late=False),), plan=plan
    )


@at_desk
def seat(
    desk: Desk,
    player: PlayerArgument,
    table: TableArgument,
    seat: Annotated[int, typer.Argument(metavar="SEAT", min=1, max=10, help="The seat.")],
    chips: Annotated[int, typer.Option("--chips", min=0, help="With these chips; default as the game has it.")] = 0,
) -> None:
    """Seat a player where the floor says: one who was called, or has no seat yet.

    Example: betline room seat Ann t8 4 --chips 200
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
        why: Literal["list", "floor"] = "floor" if entry is None else "list"
        return (*off, MovesOrdered(game=of.name, why=why, rule="floor", moves=(move,)))

    desk.order(decision)


@at_desk
def move(
    desk: Desk,
    player: PlayerArgument,
    table: Annotated[
        str | None, typer.Argument(metavar="TABLE", help="Where to; without it the player leaves.")
    ] = None,
    seat: Annotated[int | None, typer.Argument(metavar="SEAT", min=1, max=10, help="Which seat.")] = None,
) -> None:
    """Move a player by the floor's decision: to another seat, or, in a cash game, out of the game.

    Example: betline room move Ann t2 5

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
            return (MovesOrdered(game=of.name, why="leave", rule="floor", moves=(left,)),)
        if room.table(table).game != of.name:
            raise RoomError("other-game", f"Table {table} is of the game {room.table(table).game}, not of {of.name}.")
        if seat not in room.open_at(table):
            raise RoomError("taken", f"Say an open seat of table {table}: {room.open_at(table)}.")
        moved = Move(player=who, source=source, to=Place(table, seat))
        return (MovesOrdered(game=of.name, why="floor", rule="floor", moves=(moved,)),)

    desk.order(decision)


@at_desk
def balance(
    desk: Desk,
    game: GameOption = None,
    at: AtOption = None,
    seed: SeedOption = None,
    plan: PlanOption = False,
) -> None:
    """Balance the tables (TDA 11): who is due the big blind goes to the worst seat, never to the small blind.

    Example: betline room balance --plan

    Example: betline room balance --at t1=3/4/5 --at t2=1/2/3
    """
    lot, said = seed_of(seed), dict(_said(one) for one in at or ())

    def decision(room: Room) -> tuple[e.Event, ...]:
        of = desk.game(room, game)
        ordered = tournament.balance(room, of.name, desk.rules, _felts(desk, room, of, said), lot)
        return () if ordered is None else (ordered,)

    desk.order(decision, plan=plan)


def _felts(desk: Desk, room: Room, game: Game, said: dict[str, Felt]) -> dict[str, Felt]:
    """Where button and blinds are: from the bus, of tables by hand as it was said."""
    found = {}
    for one in room.tables_of(game.name):
        if one.by_hand and one.name in said:
            found[one.name] = replace(said[one.name], seats=frozenset(room.sits_at(one.name)))
        elif not one.by_hand:
            found[one.name] = desk.tables.felt(one.name)
    return found


def _said(text: str) -> tuple[str, Felt]:
    name, _, places = text.partition("=")
    numbers = places.split("/")
    if not name or len(numbers) != 3 or not all(one in ("", "-") or one.isdecimal() for one in numbers):
        wrong_usage(f"--at {text}: write TABLE=BUTTON/SMALL/BIG as seats, - where nobody posted: t1=3/4/5.")
    button, small, big = (None if one in ("", "-") else int(one) for one in numbers)
    return name, Felt(seats=frozenset(), button=button, small_blind=small, big_blind=big)


@at_desk
def worst(desk: Desk, table: TableArgument, at: AtOption = None) -> None:
    """Show who is due the big blind at a table, and its open seats, the worst first (TDA 11-A).

    Example: betline room worst t2 --at t2=1/2/3
    """
    room, said = desk.room(), dict(_said(one) for one in at or ())
    felt = _felts(desk, room, room.games[room.table(table).game], said).get(table, Felt(seats=frozenset()))
    ranked = open_seats(felt, room.open_at(table))
    rows = [
        {
            "seat": one.seat,
            "hands_to_big_blind": one.hands_to_big_blind,
            "small_blind": one.is_small_blind,
            "waits": one.waits,
        }
        for one in ranked
    ]
    due = due_big_blind(felt)
    lines = [f"Due the big blind: {'nobody' if due is None else f'seat {due}'}."]
    for one in ranked:
        what = "the small blind: never" if one.is_small_blind else f"{one.hands_to_big_blind} hands to the big blind"
        lines.append(f"seat {one.seat}: {what}{', waits for the button' if one.waits else ''}")
    desk.tell({"due": due, "open": rows}, lines)


@at_desk
def breaking(
    desk: Desk,
    table: Annotated[str | None, typer.Argument(metavar="TABLE", help="Which; default the next in the order.")] = None,
    game: GameOption = None,
    order: Annotated[str, typer.Option("--order", metavar="T1,T2", help="Announce the breaking order instead.")] = "",
    seed: SeedOption = None,
    plan: PlanOption = False,
) -> None:
    """Break a table (TDA 10): its players draw seats and tables by lot. Or announce the order in which tables break.

    Example: betline room break --order t5,t4,t3

    Example: betline room break
    """
    if order:
        names = tuple(one.strip() for one in order.split(","))
        room = desk.decide(lambda room: (tournament.announcing(room, desk.game(room, game).name, names),))
        now = tournament.breaking_order(room, desk.game(room, game))
        desk.tell({"order": now}, [f"Tables break in this order: {', '.join(now)}."])
        return
    lot = seed_of(seed)

    def decision(room: Room) -> tuple[e.Event, ...]:
        of = desk.game(room, game)
        chosen = table or tournament.table_to_break(room, of.name)
        if chosen is None:
            raise RoomError(
                "no-seat", f"No table of {of.name} breaks: the players of the next one do not fit elsewhere."
            )
        return (tournament.break_table(room, of.name, chosen, lot),)

    desk.order(decision, plan=plan)


@at_desk
def redraw(
    desk: Desk,
    game: GameOption = None,
    tables: Annotated[str, typer.Option("--tables", metavar="T1,T2", help="Where to; default who breaks last.")] = "",
    seed: SeedOption = None,
    plan: PlanOption = False,
) -> None:
    """All players left draw new seats, as for the final table.

    Example: betline room redraw --tables t1
    """
    lot, names = seed_of(seed), tuple(one.strip() for one in tables.split(",") if one.strip())
    desk.order(lambda room: (tournament.redraw(room, desk.game(room, game).name, lot, names),), plan=plan)


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

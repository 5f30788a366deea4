"""Tables and how many sit at each: balancing, the worst seat, breaking, drawing anew."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from cardroom.room import events as e
from cardroom.room import tournament
from cardroom.room.errors import RoomError
from cardroom.room.felt import Felt, due_big_blind, open_seats
from cardroom.room.lots import Seed
from cardroom.room.room import Game, Room
from cardroom.room.verbs.desk import Desk
from cardroom.room.verbs.drawing import order_drawn
from cardroom.room.verbs.options import (
    GameOption,
    PlanOption,
    PublicOption,
    ReasonOption,
    SeedOption,
    TableArgument,
    at_desk,
    wrong_usage,
)

AtOption = Annotated[
    list[str] | None,
    typer.Option(
        "--at", metavar="TABLE=BUTTON/SMALL/BIG", help="Where the button and the blinds of a table by hand are."
    ),
]


@at_desk
def balance(
    desk: Desk,
    game: GameOption = None,
    at: AtOption = None,
    seed: SeedOption = None,
    reason: ReasonOption = "",
    plan: PlanOption = False,
) -> None:
    """Balance the tables (TDA 11): who is due the big blind goes to the worst seat, never to the small blind.

    Example: betline room balance --plan

    Example: betline room balance --at t1=3/4/5 --at t2=1/2/3
    """
    said = dict(_said(one) for one in at or ())

    def decision(room: Room, lot: Seed) -> tuple[e.Event, ...]:
        of = desk.game(room, game)
        ordered = tournament.balance(room, of.name, desk.rules, _felts(desk, room, of, said), lot)
        return () if ordered is None else (ordered,)

    if desk.rules.balance_from == "lot":
        order_drawn(desk, game, decision, seed, reason, plan=plan)
    else:
        desk.order(lambda room: decision(room, Seed("")), plan=plan)


def _felts(desk: Desk, room: Room, game: Game, said: dict[str, Felt]) -> dict[str, Felt]:
    """Where button and blinds are: from the bus, of tables by hand as it was said; not of those that are cut off."""
    found = {}
    for one in room.reached(game.name):
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
    room.require_reached(table)
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
    reason: ReasonOption = "",
    public: PublicOption = "",
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

    def decision(room: Room, lot: Seed) -> tuple[e.Event, ...]:
        of = desk.game(room, game)
        chosen = table or tournament.table_to_break(room, of.name)
        if chosen is None:
            raise RoomError(
                "no-seat", f"No table of {of.name} breaks: the players of the next one do not fit elsewhere."
            )
        return (tournament.break_table(room, of.name, chosen, lot),)

    order_drawn(desk, game, decision, seed, reason, public, plan=plan)


@at_desk
def redraw(
    desk: Desk,
    game: GameOption = None,
    tables: Annotated[str, typer.Option("--tables", metavar="T1,T2", help="Where to; default who breaks last.")] = "",
    seed: SeedOption = None,
    reason: ReasonOption = "",
    public: PublicOption = "",
    plan: PlanOption = False,
) -> None:
    """All players left draw new seats, as for the final table.

    Example: betline room redraw --tables t1
    """
    names = tuple(one.strip() for one in tables.split(",") if one.strip())
    order_drawn(
        desk,
        game,
        lambda room, lot: (tournament.redraw(room, desk.game(room, game).name, lot, names),),
        seed,
        reason,
        public,
        plan=plan,
    )

"""Games, tables, entries, and who is in the room."""

from __future__ import annotations

from typing import Annotated, Literal, cast

import typer

from betline.settings import table_anywhere
from cardroom.room import clock, prizes, tournament
from cardroom.room import events as e
from cardroom.room.errors import RoomError
from cardroom.room.room import Game, Room
from cardroom.room.seeds import Seeds
from cardroom.room.verbs.desk import Desk
from cardroom.room.verbs.drawing import order_drawn
from cardroom.room.verbs.holding import hold_tables
from cardroom.room.verbs.options import (
    GameOption,
    PlayerArgument,
    ReasonOption,
    SeedOption,
    TableArgument,
    at_desk,
    wrong_usage,
)
from cardroom.room.verbs.timing import tell_clock


@at_desk
def game(
    desk: Desk,
    name: Annotated[str, typer.Argument(metavar="NAME", help="What the game is called.")],
    cash: Annotated[bool, typer.Option("--cash", help="A cash game; without it a tournament.")] = False,
    deal: Annotated[str, typer.Option("--deal", metavar="flop|stud|mixed", help="What is dealt.")] = "flop",
    levels: Annotated[str, typer.Option("--levels", metavar="TABLE", help="Table file with the levels.")] = "",
    stack: Annotated[int, typer.Option("--stack", min=0, help="Starting chips.")] = 0,
    buy_in: Annotated[int, typer.Option("--buy-in", min=0, help="Money for the prize pool.")] = 0,
    fee: Annotated[int, typer.Option("--fee", min=0, help="Money for the house.")] = 0,
    re_entries: Annotated[int, typer.Option("--re-entries", min=0, help="How often one may enter again.")] = 0,
    late_to: Annotated[int, typer.Option("--late-to", min=0, help="Entries until the end of this level.")] = 0,
    add_on: Annotated[int, typer.Option("--add-on", min=0, help="What an add-on costs; 0: none.")] = 0,
    add_on_chips: Annotated[int, typer.Option("--add-on-chips", min=0, help="Its chips.")] = 0,
    guarantee: Annotated[int, typer.Option("--guarantee", min=0, help="The least prize pool.")] = 0,
) -> None:
    """Add a tournament, or a cash game with its waiting list.

    Example: betline room game sunday --levels tournament --stack 20000 --buy-in 90 --fee 10 --late-to 6

    Example: betline room game nl-1-2 --cash --buy-in 200
    """
    if deal not in ("flop", "stud", "mixed"):
        wrong_usage(f"--deal {deal} is no way to deal; say flop, stud or mixed.")
    added = e.GameAdded(
        game=name,
        kind="cash" if cash else "tournament",
        deal=cast("Literal['flop', 'stud', 'mixed']", deal),
        levels=table_anywhere(levels) if levels else "",
        stack=stack,
        buy_in=buy_in,
        fee=fee,
        re_entries=re_entries,
        late_to_level=late_to,
        add_on=add_on,
        add_on_chips=add_on_chips,
        guarantee=guarantee,
    )

    def decision(room: Room) -> tuple[e.Event, ...]:
        if name in room.games:
            raise RoomError("there", f"There is a game {name} already; use another name.")
        desk.periods(Game(terms=added))
        if not cash and not stack:
            raise RoomError("stack", "Say how many chips a player begins with: --stack CHIPS.")
        return (added,) if cash else (e.DrawCommitted(game=name, digest=Seeds(desk.path).new()), added)

    told = desk.decide(decision).committed.get(name)
    desk.tell(
        {"game": name, "committed": told},
        [f"{name} is open.", *([f"The seed of its draw has the SHA-256 {told}."] if told else [])],
    )


@at_desk
def table(
    desk: Desk,
    name: TableArgument,
    game: GameOption = None,
    seats: Annotated[int, typer.Option("--seats", min=2, max=10, help="How many seats it has.")] = 9,
    by_hand: Annotated[bool, typer.Option("--by-hand", help="It is not on the bus: people say what was done.")] = False,
    feeds: Annotated[str, typer.Option("--feeds", metavar="TABLE", help="A must-move table for this one.")] = "",
    close: Annotated[bool, typer.Option("--close", help="Close it; nobody may sit there.")] = False,
) -> None:
    """Open a table for a game, or close it.

    Example: betline room table t1 --game sunday --seats 9

    Example: betline room table t9 --game nl-1-2 --feeds t8

    Example: betline room table t1 --close
    """

    def decision(room: Room) -> tuple[e.Event, ...]:
        if close:
            room.table(name)
            if room.sits_at(name) or room.will_sit_at(name):
                raise RoomError("taken", f"Players sit at table {name}; betline room break {name} moves them first.")
            return (e.TableClosed(table=name),)
        if name in room.tables:
            raise RoomError("there", f"Table {name} is open already.")
        of = desk.game(room, game)
        if feeds and room.table(feeds).game != of.name:
            raise RoomError("feeds", f"Table {feeds} is of another game.")
        return (e.TableAdded(table=name, game=of.name, seats=seats, by_hand=by_hand, feeds=feeds),)

    room = desk.decide(decision)
    if close:
        hold_tables(desk, desk.hands_now(room), room.tables)
    elif room.games[room.tables[name].game].mark is not None:
        room = tell_clock(desk, room, room.tables[name].game, {name})
    lines = [f"Table {name} is {'closed' if close else 'open'}."]
    why = "" if close else room.games[room.tables[name].game].unlike.get(name, "")
    lines += [f"It does not follow the clock: {why}"] if why else []
    desk.tell({"table": name, "open": not close} | ({"unlike": why} if why else {}), lines)


@at_desk
def enter(
    desk: Desk,
    player: PlayerArgument,
    game: GameOption = None,
    re_entry: Annotated[bool, typer.Option("--re-entry", help="The player is out and enters again.")] = False,
    add_on: Annotated[bool, typer.Option("--add-on", help="The player buys the add-on.")] = False,
    seat: Annotated[bool, typer.Option("--seat", help="Draw a seat at once, as for late entries.")] = False,
    seed: SeedOption = None,
    reason: ReasonOption = "",
) -> None:
    """Sell an entry, a re-entry or an add-on (TDA 8).

    Example: betline room enter "Ann Lee"

    Example: betline room enter Bob --re-entry --seat
    """
    who = desk.new_player(player)
    what: Literal["entry", "re-entry", "add-on"] = "add-on" if add_on else "re-entry" if re_entry else "entry"

    def decision(room: Room) -> tuple[e.Event, ...]:
        of = desk.game(room, game)
        if what != "add-on" and room.is_here(who):
            raise RoomError("seated", f"{player} has a seat in this room; a player sits in one game at a time.")
        level = clock.level_now(of, desk.periods(of), desk.now_ms())
        return (prizes.entering(of, who, what, level, seated=who in room.where),)

    room = desk.decide(decision)
    of = desk.game(room, game)
    if seat and what != "add-on":
        order_drawn(
            desk,
            of.name,
            lambda room, lot: (tournament.draw_seats(room, of.name, desk.rules, lot, late=True),),
            seed,
            reason,
        )
        return
    sold = {"game": of.name, "what": what, "entries": sum(of.entries.values()), "pool": prizes.pool_of(of)}
    desk.tell(sold, [f"{player}: {what}. Entries {sold['entries']}, prize pool {sold['pool']}."])


@at_desk
def players(desk: Desk, game: GameOption = None) -> None:
    """List the players: where each sits, waits or is on the way, and the places of those who are out.

    Example: betline room players --json
    """
    room, names = desk.room(), desk.names("player")
    wanted = None if game is None else room.game(game).name
    rows = [row for row in _rows(room, names) if wanted is None or row["game"] == wanted]
    desk.tell(rows, [_line(row) for row in rows] or ["Nobody is in the room."])


def _rows(room: Room, names: dict[str, str]) -> list[dict[str, object]]:
    found: list[dict[str, object]] = []
    for player in sorted(names, key=lambda one: names[one].casefold()):
        for game in room.games.values():
            place, pending = room.where.get(player), room.moves.get(player)
            entered, waits = player in game.entries, room.lists.get(game.name)
            at = None if place is None else room.tables.get(place.table)
            waiting = None if waits is None else waits.of(player)
            if not entered and waiting is None and (at is None or at.game != game.name):
                continue
            state = "waits for a seat"
            if player in game.places:
                state = f"place {game.places[player]}"
            elif pending is not None:
                state = f"moving to {pending.move.to or 'no seat'}"
            elif player in room.adrift:
                state = f"without a seat, carries {room.adrift[player]}"
            elif at is not None and at.game == game.name:
                state = str(place)
            elif waiting is not None and waits is not None:
                state = f"waits, place {waits.place_of(player)}"
            row: dict[str, object] = {"player": names[player], "game": game.name, "state": state}
            row |= {"table": at.name, "seat": place.seat} if at is not None and place is not None else {}
            found.append(row)
    return found


def _line(row: dict[str, object]) -> str:
    return f"{row['player']!s:<24}  {row['game']!s:<14}  {row['state']}"

"""Waiting lists and must-move games."""

from __future__ import annotations

from typing import Annotated

import typer

from cardroom.room import events as e
from cardroom.room import must_move as must_moves
from cardroom.room import waiting
from cardroom.room.errors import RoomError
from cardroom.room.events import Place
from cardroom.room.room import Game, Room
from cardroom.room.verbs.desk import Desk, time_of
from cardroom.room.verbs.options import GameOption, PlanOption, PlayerArgument, TableArgument, at_desk
from cardroom.room.waiting import WaitingList


def _cash(desk: Desk, room: Room, name: str | None) -> tuple[Game, WaitingList]:
    """The cash game that is meant, with its list."""
    cash = [one for one in room.games.values() if one.terms.kind == "cash"]
    game = cash[0] if name is None and len(cash) == 1 else desk.game(room, name)
    if game.terms.kind != "cash":
        raise RoomError("tournament", f"{game.name} is a tournament: betline room enter sells its entries.")
    return game, room.lists.get(game.name, WaitingList())


@at_desk
def wait(
    desk: Desk,
    player: PlayerArgument,
    game: GameOption = None,
    phoned: Annotated[bool, typer.Option("--phoned", help="Called in, and not in the room yet.")] = False,
) -> None:
    """Put a player on the waiting list of a cash game.

    Example: betline room wait Ann --game nl-1-2

    Example: betline room wait Bob --game nl-1-2 --phoned
    """
    who = desk.new_player(player)

    def decision(room: Room) -> tuple[e.Event, ...]:
        of, names = _cash(desk, room, game)
        if (place := room.where.get(who)) is not None and room.tables[place.table].game == of.name:
            raise RoomError("seated", f"{player} plays {of.name} already, at {place}.")
        return (waiting.joining(names, of.name, who, phoned=phoned),)

    room = desk.decide(decision, "any")
    of, names = _cash(desk, room, game)
    place = names.place_of(who)
    desk.tell({"game": of.name, "player": player, "place": place}, [f"{player} waits for {of.name}, place {place}."])


@at_desk
def arrive(desk: Desk, player: PlayerArgument, game: GameOption = None) -> None:
    """A player who phoned in is in the room.

    Example: betline room arrive Bob --game nl-1-2
    """
    who = desk.player(player)

    def decision(room: Room) -> tuple[e.Event, ...]:
        of, names = _cash(desk, room, game)
        return (waiting.arriving(names, of.name, who),)

    desk.decide(decision, "any")
    desk.tell({"player": player, "here": True}, [f"{player} is here."])


@at_desk
def call(
    desk: Desk,
    table: TableArgument,
    seat: Annotated[int, typer.Argument(metavar="SEAT", min=1, max=10, help="The open seat.")],
    player: Annotated[str, typer.Option("--player", metavar="NAME", help="Out of turn: this one.")] = "",
) -> None:
    """Call the next of the list to an open seat, which is held for as long as the house says.

    Example: betline room call t8 4
    """
    who = desk.player(player) if player else ""

    def decision(room: Room) -> tuple[e.Event, ...]:
        of, names = _cash(desk, room, room.table(table).game)
        if seat not in room.open_at(table):
            raise RoomError("taken", f"Seat {seat} of table {table} is taken or held; open are {room.open_at(table)}.")
        return (waiting.calling(names, of.name, Place(table, seat), desk.now_ms(), desk.rules, who),)

    room = desk.decide(decision)
    entry = next(
        one for one in room.lists[room.tables[table].game].entries if one.called == Place(table, seat)
    )  # fmt: skip
    name, until = desk.names()[entry.player], time_of(entry.until_ms)
    desk.tell(
        {"player": name, "table": table, "seat": seat, "until_ms": entry.until_ms},
        [f"{name}: table {table}, seat {seat}, held until {until}. Then: betline room seat {name} {table} {seat}."],
    )


@at_desk
def passes(desk: Desk, player: PlayerArgument, game: GameOption = None) -> None:
    """A player who was called does not want the seat now; the house says how often the place is kept.

    Example: betline room pass Ann
    """
    who = desk.player(player)

    def decision(room: Room) -> tuple[e.Event, ...]:
        of, names = _cash(desk, room, game)
        return (waiting.passing(names, of.name, who, desk.rules),)

    room = desk.decide(decision, "any")
    place = _cash(desk, room, game)[1].place_of(who)
    desk.tell({"player": player, "place": place}, [f"{player} passes and is in place {place}."])


@at_desk
def off(desk: Desk, player: PlayerArgument, game: GameOption = None) -> None:
    """Take a player off the waiting list.

    Example: betline room off Ann
    """
    who = desk.player(player)

    def decision(room: Room) -> tuple[e.Event, ...]:
        of, names = _cash(desk, room, game)
        return (waiting.leaving(names, of.name, who),)

    desk.decide(decision, "any")
    desk.tell({"player": player}, [f"{player} is off the list."])


@at_desk
def waiting_list(
    desk: Desk,
    clear: Annotated[bool, typer.Option("--clear", help="Take off who has not come in time.")] = False,
) -> None:
    """Show the waiting lists; with --clear who was called or phoned in and has not come in time is taken off.

    Example: betline room waiting --clear
    """

    def decision(room: Room) -> tuple[e.Event, ...]:
        now_ms = desk.now_ms()
        return tuple(
            one
            for game, names in sorted(room.lists.items())
            for one in waiting.run_out(names, game, now_ms, desk.rules)
        )

    room, now_ms = desk.decide(decision, "any") if clear else desk.room(), desk.now_ms()
    names, rows, lines = desk.names(), list[dict[str, object]](), list[str]()
    for game, listed in sorted(room.lists.items()):
        late = {one.player for one in waiting.run_out(listed, game, now_ms, desk.rules)}
        for place, one in enumerate(listed.entries, 1):
            called = None if one.called is None else str(one.called)
            rows.append(
                {
                    "game": game,
                    "place": place,
                    "player": names.get(one.player, one.player),
                    "since_ms": one.joined_ms,
                    "here": one.is_here,
                    "passes": one.passes,
                    "called": called,
                    "until_ms": one.until_ms,
                    "late": one.player in late,
                }
            )
            what = (
                f"called to {called} until {time_of(one.until_ms)}" if called else "here" if one.is_here else "phoned"
            )
            over = "  TIME IS OVER" if one.player in late else ""
            lines.append(f"{game:<14}  {place:>2}  {names.get(one.player, one.player):<24}  {what}{over}")
    desk.tell(rows, lines or ["Nobody waits."])


@at_desk
def must_move(
    desk: Desk,
    table: TableArgument,
    refuses: Annotated[str, typer.Option("--refuses", metavar="PLAYER", help="This one does not want to move.")] = "",
    plan: PlanOption = False,
) -> None:
    """Move the next player of a must-move table to the main game; or say who refuses, which the house's rule settles.

    Example: betline room must-move t9

    Example: betline room must-move t9 --refuses Ann
    """
    if refuses:
        who = desk.player(refuses)
        desk.order(lambda room: must_moves.refusing(room, who, desk.rules), plan=plan)
        return
    desk.order(lambda room: (must_moves.must_move(room, table),), plan=plan)

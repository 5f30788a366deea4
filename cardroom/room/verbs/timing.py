"""The tournament clock over all tables, and hand for hand."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Annotated, Final, cast, get_args

import typer

from betline.messages.table import TableState
from betline.options import UserError
from betline.steps.commands import Clock
from cardroom.room import clock as clocks
from cardroom.room import events as e
from cardroom.room import holds
from cardroom.room.errors import RoomError
from cardroom.room.prizes import on_the_bubble
from cardroom.room.room import Game, Room
from cardroom.room.tables import OnBus
from cardroom.room.verbs.desk import Desk
from cardroom.room.verbs.holding import hold_tables
from cardroom.room.verbs.options import GameOption, at_desk, wrong_usage
from table_controller.levels.clock import ClockAction

FOLLOWS_S: Final = 1.0
"""A table that refuses may have been told by somebody else just before: so long its new state is waited for."""


@at_desk
def clock(
    desk: Desk,
    action: Annotated[
        str, typer.Argument(metavar="show|start|pause|next|back|set|sync", help="What the clock does.")
    ] = "show",
    game: GameOption = None,
    level: Annotated[int | None, typer.Option("--level", min=1, help="With set: this level.")] = None,
    left: Annotated[
        int | None, typer.Option("--left", metavar="SECONDS", min=0, help="With set: so much left.")
    ] = None,
) -> None:
    """Show or set the one clock of all tables of a tournament; each table is told and answers.

    Example: betline room clock start

    Example: betline room clock set --level 4 --left 600
    """
    if action not in ("show", "sync", *get_args(ClockAction)):
        wrong_usage(f"{action} is nothing that the clock does; say show, start, pause, next, back, set or sync.")
    if (action == "set") != (level is not None or left is not None):
        wrong_usage("--level and --left belong to set, which needs one of them.")
    room = desk.room()
    of = desk.clocked(room, game)
    if action not in ("show", "sync"):
        what, left_ms = cast("ClockAction", action), None if left is None else left * 1000

        def decision(room: Room) -> tuple[e.Event, ...]:
            now = desk.game(room, of.name)
            return (clocks.setting(now, desk.periods(now), desk.now_ms(), what, level, left_ms),)

        room = desk.decide(decision)
    if action != "show":
        room = tell_clock(desk, room, of.name)
    _show(desk, room.games[of.name])


@at_desk
def hand_for_hand(
    desk: Desk,
    action: Annotated[str, typer.Argument(metavar="on|off|ended", help="Begin, end, or a table's hand has ended.")],
    table: Annotated[str, typer.Argument(metavar="TABLE", help="With ended: which table.")] = "",
    game: GameOption = None,
) -> None:
    """Play hand for hand: all tables deal together, the clock stands, each hand takes the house's time off it.

    Tables on the bus end their hand, or play one more, and wait; betline room lead lets all of them deal the next one.
    For a table by hand, or one that does not answer, say when its hand has ended.

    Example: betline room hand-for-hand on

    Example: betline room hand-for-hand ended t2
    """
    if action not in ("on", "off", "ended") or (action == "ended") != bool(table):
        wrong_usage("Say on, off, or ended TABLE.")

    room = desk.room()
    on_bus = [one.name for one in room.tables_of(desk.clocked(room, game).name) if not one.by_hand]
    states = {} if action == "off" else desk.tables.states(on_bus)

    def decision(room: Room) -> Iterable[e.Event]:
        of = desk.clocked(room, game)
        if action == "ended":
            return holds.hand_ended(room, of, table, desk.periods(of), desk.rules, states, desk.now_ms())
        if action == "on":
            return holds.beginning(room, of, desk.periods(of), desk.now_ms(), states)
        return clocks.hand_for_hand(of, desk.periods(of), desk.now_ms(), on=False)

    deaf: dict[str, str] = {}
    room = hold_tables(desk, desk.decide(decision), on_bus, complain=deaf.__setitem__)
    of = desk.clocked(room, game)
    if of.mark is not None and (action != "ended" or not of.waits):
        room = tell_clock(desk, room, of.name)
        of = room.games[of.name]
    names, now_ms = sorted(room.dealing(of.name)), desk.now_ms()
    in_break = of.mark is not None and clocks.clock_of(of, desk.periods(of), now_ms).at(now_ms).in_break
    rest = [name for name in names if name not in of.waits] if of.waits else []
    if not of.hand_for_hand:
        line = "The tables deal as they like again."
    elif rest:
        line = f"Waiting for {', '.join(rest)}."
    elif in_break:
        line = "It is the break; all tables deal the next hand after it."
    else:
        line = "All tables deal the next hand."
    off = {name: room.cut[name] for name in names if name in room.cut}
    lines = [line, *(f"Table {table} is cut off with its pit {pit}." for table, pit in off.items())]
    lines += [f"Tell the dealer of table {table} yourself: {why}" for table, why in sorted(deaf.items())]
    data: dict[str, object] = {"hand_for_hand": of.hand_for_hand, "waiting_for": rest, "not_told": deaf}
    data |= {"in_break": True} if in_break else {}
    desk.tell(data | ({"cut_off": off} if off else {}), lines)


def tell_clock(desk: Desk, room: Room, name: str, only: Container[str] | None = None) -> Room:
    """Brings every table's clock to the room's, or that of these alone; what each answered is noted.

    Where somebody else sets the clock meanwhile, the tables that come next are told that.
    """
    no_bus, read = "", None
    for table in room.tables_of(name):
        if table.by_hand or (only is not None and table.name not in only):
            continue
        room, read = desk.newest(room, read)
        if table.name not in room.tables:
            continue
        game, sentence = room.games[name], no_bus
        if not sentence:
            try:
                sentence = _told(desk, game, desk.tables.table(table.name))
            except UserError as error:
                sentence = no_bus = str(error)
        if sentence != game.unlike.get(table.name, ""):
            followed = e.ClockFollowed(game=name, table=table.name, sentence=sentence)
            room = desk.decide(lambda _, followed=followed: (followed,))  # type: ignore[misc]
    return room


def _told(desk: Desk, game: Game, there: OnBus) -> str:
    """Tells one table; empty where it follows, else why not. Raises UserError where the bus cannot be used."""
    periods = desk.periods(game)
    stands = not clocks.clock_of(game, periods, desk.now_ms()).at(desk.now_ms()).running if periods else True

    def missing(state: TableState) -> tuple[Clock, ...]:
        return clocks.commands_for(game, periods, desk.now_ms(), state.level)

    try:
        commands = missing(there.state())
        refused = next((one for one in [desk.tables.ask(there.name, command) for command in commands] if one), "")
        # what is refused because somebody else has told the table just before is done; one that stands can be compared
        # whatever its wall clock says
        if (refused or (commands and stands)) and not there.comes_to(lambda state: not missing(state), FOLLOWS_S):
            return refused or "it has not come to the room's clock yet"
        return ""
    except RoomError as error:
        return str(error)


def _show(desk: Desk, game: Game) -> None:
    now_ms = desk.now_ms()
    reading = clocks.clock_of(game, desk.periods(game), now_ms).at(now_ms)
    minutes, seconds = divmod(reading.left_ms // 1000, 60)
    what = f"the break after level {reading.level}" if reading.in_break else f"level {reading.level}"
    lines = [f"{game.name}: {what}, {minutes}:{seconds:02} left, {'runs' if reading.running else 'stands'}."]
    if on_the_bubble(game) and not game.hand_for_hand:
        lines.append("The next who goes out has no prize: betline room hand-for-hand on.")
    lines += [f"Table {table} does not follow: {why}" for table, why in sorted(game.unlike.items())]
    data = {
        "game": game.name,
        "level": reading.level,
        "in_break": reading.in_break,
        "running": reading.running,
        "left_ms": reading.left_ms,
        "hand_for_hand": game.hand_for_hand,
        "bubble": on_the_bubble(game),
        "unlike": dict(game.unlike),
    }
    desk.tell(data, lines)

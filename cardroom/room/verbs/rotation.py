"""Dealers: strings of tables, pushes, and telling the tables who deals there."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Final

import typer

from betline.options import FAILED, UserError
from betline.steps.commands import Dealer
from cardroom.room import dealers
from cardroom.room import events as e
from cardroom.room.errors import RoomError
from cardroom.room.room import Room
from cardroom.room.verbs.desk import Desk, time_of
from cardroom.room.verbs.options import at_desk

app = typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode=None)

StringArgument = Annotated[str, typer.Argument(metavar="STRING", help="The string's name.")]
DealerArgument = Annotated[str, typer.Argument(metavar="DEALER", help="The dealer, by name.")]
NOBODY: Final[Mapping[str, str]] = MappingProxyType({})


@app.callback()
def _rotation() -> None:
    """Dealers: strings of tables, pushes and breaks."""


@app.command("string")
@at_desk
def string(
    desk: Desk,
    name: StringArgument,
    tables: Annotated[list[str], typer.Argument(metavar="TABLE", help="The tables, in the order of the push.")],
) -> None:
    """Say which tables dealers work through, in order.

    Example: betline room rotation string main t1 t2 t3
    """

    def decision(room: Room) -> tuple[e.Event, ...]:
        for table in tables:
            room.table(table)
        return (dealers.setting(room.strings, name, tuple(tables)),)

    _show(desk, desk.decide(decision))


@app.command("on")
@at_desk
def on(desk: Desk, dealer: DealerArgument, string: StringArgument) -> None:
    """A dealer begins: last in the row of those who wait for the first table.

    Example: betline room rotation on Bob main
    """
    who = desk.new_player(dealer, "dealer")
    _show(desk, desk.decide(lambda room: (dealers.coming(room.strings, who, string),)))


def _dealer(desk: Desk, name: str) -> str:
    """The id of a dealer; in a room of an older version dealers stand among the players."""
    working = {one for string in desk.room().strings.by_name.values() for one in string.dealers}
    former = {one.casefold(): person for person, one in desk.names("player").items() if person in working}
    return former.get(" ".join(name.split()).casefold()) or desk.player(name, "dealer")


@app.command("off")
@at_desk
def off(desk: Desk, dealer: DealerArgument) -> None:
    """A dealer goes home.

    Example: betline room rotation off Bob
    """
    who = _dealer(desk, dealer)
    _show(desk, desk.decide(lambda room: (dealers.going(room.strings, who),)))


@app.command("push")
@at_desk
def push(desk: Desk, string: StringArgument) -> None:
    """Every dealer goes one table on; the tables on the bus are told who deals there.

    A table of the string that is closed is left out: who dealt there rests.

    Example: betline room rotation push main
    """

    def decision(room: Room) -> tuple[e.Event, ...]:
        closed = [table for table in room.strings.named(string).tables if table not in room.tables]
        return (dealers.pushing(room.strings, string, closed),)

    _tell(desk, desk.decide(decision), string)


@app.command("tell")
@at_desk
def tell(desk: Desk, string: StringArgument) -> None:
    """Tell the tables on the bus once more who deals there, without a push: one did not answer when it was due.

    Example: betline room rotation tell main
    """
    _tell(desk, desk.room(), string)


def _tell(desk: Desk, room: Room, string: str) -> None:
    """Tells the tables who deals there, and shows it; raises UserError that names each table that did not note it."""
    names, not_told = desk.names(), dict[str, str]()
    for table, dealer in room.strings.named(string).at.items():
        if table not in room.tables or room.tables[table].by_hand:
            continue
        try:
            answer = desk.tables.ask(table, Dealer(name=names[dealer]))
        except (RoomError, UserError) as error:
            answer = str(error)
        if answer:
            not_told[table] = answer
    _show(desk, room, not_told)
    if not_told:
        raise UserError(
            f"Not told who deals there: {', '.join(not_told)}. {next(iter(not_told.values()))} "
            f"Later: betline room rotation tell {string}.",
            FAILED,
        )


@app.command("show")
@at_desk
def show(desk: Desk) -> None:
    """Show who deals where, who is next to deal, when the next push is due, and whose break is overdue.

    Example: betline room rotation show --json
    """
    _show(desk, desk.room())


def _show(desk: Desk, room: Room, not_told: Mapping[str, str] = NOBODY) -> None:
    names, now_ms = desk.names(), desk.now_ms()
    data, texts = list[dict[str, object]](), list[str]()
    for name, string in sorted(room.strings.by_name.items()):
        due_ms = string.due_ms(desk.rules)
        at = {table: names.get(string.at[table], "") if table in string.at else "" for table in string.tables}
        closed = [table for table in string.tables if table not in room.tables]
        deaf = {table: why for table, why in not_told.items() if table in string.tables}
        resting = [names.get(one, one) for one in string.resting]
        overdue = [names.get(one, one) for one in string.overdue(desk.rules)]
        is_due = due_ms is None or now_ms >= due_ms
        row: dict[str, object] = {"string": name, "at": at, "resting": resting, "due_ms": due_ms, "is_due": is_due}
        data.append(row | {"overdue": overdue, "closed": closed, "not_told": deaf})
        texts.append(f"{name}: push {'is due' if is_due else f'at {time_of(due_ms)}'}")
        texts += [
            f"  {table:<12} {dealer or 'nobody'}{', closed: the push leaves it out' if table in closed else ''}"
            for table, dealer in at.items()
        ]
        texts.append(f"  next to deal: {', '.join(resting) or 'nobody'}")
        texts += [f"  a break is overdue: {', '.join(overdue)}"] if overdue else []
        texts += [f"  table {table} was not told: {why}" for table, why in deaf.items()]
    desk.tell(data, texts or ["There is no string of tables: betline room rotation string."])

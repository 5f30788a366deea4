"""Holds of the room carried out at the tables: each is told what it must know, and its answer is noted."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from betline.messages.table import TableState
from betline.steps import Hold, LastTwo
from cardroom.room import events as e
from cardroom.room.errors import RoomError, cut_off
from cardroom.room.events import Event
from cardroom.room.holds import command_for, last_two_at, wanted_of
from cardroom.room.room import Room
from cardroom.room.rules import RoomRules
from cardroom.room.tables import BusTables


class Holder(Protocol):
    """Who holds tables: a person at work on a room."""

    rules: RoomRules

    @property
    def tables(self) -> BusTables:
        """The tables on the bus."""
        ...

    def decide(self, decision: Callable[[Room], Iterable[Event]], role: str = "floor") -> Room:
        """Decides on the room as it is now, and writes it into the journal."""
        ...

    def now_ms(self) -> int:
        """The wall clock."""
        ...


def hold_tables(
    holder: Holder,
    room: Room,
    names: Iterable[str],
    states: Callable[[Iterable[str]], dict[str, TableState]] | None = None,
    complain: Callable[[str, str], object] | None = None,
    told_s: Callable[[str], float | None] = lambda _: None,
    note: Callable[[str], object] = lambda _: None,
) -> Room:
    """Tells each of these tables on the bus what it does not know yet; one that does not answer is told later.

    ``states`` gives what the tables say of themselves; without it each is waited for. ``complain`` gets each table that
    was not told, and why. ``told_s`` says how long ago a table was told, None where that is not known, and
    ``note`` gets each that is told now. Raises RoomError where a person must sign first.
    """
    there = [one for one in names if one in room.tables and not room.tables[one].by_hand]
    concerned = [one for one in there if _concerns(room, one, holder.rules)]
    said = (states or holder.tables.states)(concerned)
    for name in concerned:
        state = said.get(name)
        if state is None:
            refused = (
                str(cut_off(name, room.cut[name])) if name in room.cut else f"Table {name} does not answer on the bus."
            )
        else:
            room, refused = _told(holder, room, name, state, told_s(name), note)
        if refused and complain is not None:
            complain(name, refused)
    return room


def _told(
    holder: Holder,
    room: Room,
    name: str,
    state: TableState,
    told_s: float | None,
    note: Callable[[str], object],
) -> tuple[Room, str]:
    """The room after a table was told what it must know, and why it does not do so."""
    command = command_for(room, name, state, holder.rules, holder.now_ms(), told_s)
    if command is None:
        over = name in room.told and wanted_of(room, name, holder.rules) is None
        return (holder.decide(lambda _: (e.TableLetGo(table=name),)) if over else room), ""
    try:
        refused = holder.tables.ask(name, command)
    except RoomError as error:
        if error.code == "sign":
            raise
        return room, str(error)
    note(name)
    if not isinstance(command, Hold):  # a table that is held no longer refuses to be let go
        return holder.decide(lambda _: (e.TableLetGo(table=name),)), ""
    held = e.TableHeld(table=name, why=command.why, after_hand=command.after_hand)
    known = room.told.get(name) == (held.why, held.after_hand)
    return (room if refused or known else holder.decide(lambda _: (held,))), refused


def tell_last_two(holder: Holder, room: Room) -> Room:
    """Tells the table of a tournament's last two players that nothing caps the raises any more (TDA 48)."""
    for game in tuple(room.games.values()):
        table = last_two_at(room, game)
        if table is None:
            continue
        try:
            refused = holder.tables.ask(table, LastTwo())
        except RoomError as error:
            if error.code == "sign":
                raise
            continue
        if not refused:
            told = e.LastTwoTold(game=game.name, table=table)
            room = holder.decide(lambda _, told=told: (told,))  # type: ignore[misc]
    return room


def _concerns(room: Room, table: str, rules: RoomRules) -> bool:
    return table in room.told or wanted_of(room, table, rules) is not None

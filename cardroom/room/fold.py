"""The room is a fold over what has happened: each event makes the next room of the one before. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, Final, TypeVar

from cardroom.room import events as e
from cardroom.room.events import Happened, Place
from cardroom.room.room import NOTHING_TOLD, Game, Pending, Room, Table, drawn_list
from cardroom.room.waiting import WaitingList
from table_controller.levels.clock import Mark

Value = TypeVar("Value")


def fold(happened: Iterable[Happened]) -> Room:
    """The room after all of these; what was taken back counts as though it had not been."""
    all_of_it = tuple(happened)
    undone = {one.event.seq for one in all_of_it if isinstance(one.event, e.Undone)}
    room = Room()
    for one in all_of_it:
        if one.seq not in undone:
            room = after(room, one)
    return room


def after(room: Room, one: Happened) -> Room:
    """The room after one more event; `Undone` needs the whole fold."""
    step = _STEPS.get(type(one.event))
    if step is not None and _is_of_nothing(room, one.event):
        return room
    if step is not None:
        return step(room, one, one.event)
    return replace(
        room,
        lists=_lists_after(room.lists, one),
        strings=room.strings.after(one),
        stock=room.stock.after(one),
        samples=room.samples.after(one),
    )


def _is_of_nothing(room: Room, event: Any) -> bool:
    """Whether something was told to a table, or followed for a game, whose opening was taken back since."""
    match event:
        case e.ClockFollowed(game=game, table=table):
            return game not in room.games or table not in room.tables
        case e.HandAllowed(table=table) | e.TableHeld(table=table) | e.TableHalted(table=table):
            return table not in room.tables
        case e.LastTwoTold(game=game):
            return game not in room.games
    return False


def _lists_after(lists: Mapping[str, WaitingList], one: Happened) -> Mapping[str, WaitingList]:
    match one.event:
        case e.Joined(game=game) | e.Arrived(game=game) | e.Called(game=game) | e.Passed(game=game):
            return {**lists, game: lists.get(game, WaitingList()).after(one)}
        case e.OffList(game=game):
            return {**lists, game: lists.get(game, WaitingList()).after(one)}
    return lists


def _game_after(room: Room, name: str, **changes: Any) -> Room:
    return replace(room, games={**room.games, name: replace(room.games[name], **changes)})


def _game_added(room: Room, _: Happened, event: e.GameAdded) -> Room:
    return replace(room, games={**room.games, event.game: Game(terms=event)})


def _table_added(room: Room, _: Happened, event: e.TableAdded) -> Room:
    table = Table(name=event.table, game=event.game, seats=event.seats, by_hand=event.by_hand, feeds=event.feeds)
    return replace(room, tables={**room.tables, table.name: table})


def _table_closed(room: Room, _: Happened, event: e.TableClosed) -> Room:
    name = event.table
    of = room.games[room.tables[name].game]
    room = _game_after(room, of.name, waits=of.waits - {name}, unlike=_without(of.unlike, name))
    return replace(
        room,
        tables=_without(room.tables, name),
        allowed=_without(room.allowed, name),
        halts=_without(room.halts, name),
        short=_without(room.short, name),
        told=_without(room.told, name),
    )


def _breaking_order_set(room: Room, _: Happened, event: e.BreakingOrderSet) -> Room:
    return _game_after(room, event.game, breaking=event.order)


def _entered(room: Room, _: Happened, event: e.Entered) -> Room:
    game = room.games[event.game]
    entries = {**game.entries}
    if event.what != "add-on":
        entries[event.player] = entries.get(event.player, 0) + 1
    return _game_after(
        room,
        event.game,
        entries=entries,
        out=_without(game.out, event.player) if event.what == "re-entry" else game.out,
        add_ons=game.add_ons | {event.player} if event.what == "add-on" else game.add_ons,
        last_two_told=game.last_two_told if event.what == "add-on" else None,
        pool=game.pool + event.paid,
        fees=game.fees + event.fee,
        chips_sold=game.chips_sold + event.chips,
    )


def _moves_ordered(room: Room, one: Happened, event: e.MovesOrdered) -> Room:
    ordered = {
        move.player: Pending(
            move=move, game=event.game, why=event.why, seq=one.seq, left=move.source is None, chips=move.chips
        )
        for move in event.moves
    }
    adrift = {player: chips for player, chips in room.adrift.items() if player not in ordered}
    drawn = room.drawn | {found} if (found := drawn_list(room, event)) else room.drawn
    return replace(room, moves={**room.moves, **ordered}, adrift=adrift, drawn=drawn)


def _draw_committed(room: Room, _: Happened, event: e.DrawCommitted) -> Room:
    return replace(room, committed={**room.committed, event.game: event.digest})


def _leave_asked(room: Room, _: Happened, event: e.LeaveAsked) -> Room:
    return replace(room, stacks={**room.stacks, event.player: event.chips})


def _left_seat(room: Room, _: Happened, event: e.LeftSeat) -> Room:
    pending, place = room.moves[event.player], room.where.get(event.player)
    moves = {**room.moves, event.player: replace(pending, left=True, chips=event.chips)}
    stacks = {**room.stacks, event.player: event.chips}
    return replace(_vacated(room, place), moves=moves, stacks=stacks, where=_without(room.where, event.player))


def _moved(room: Room, one: Happened, event: e.Moved) -> Room:
    to = room.moves[event.player].move.to
    room = replace(
        room, moves=_without(room.moves, event.player), put_back=_without(room.put_back, event.player)
    )  # fmt: skip
    if to is None:
        return replace(room, since=_without(room.since, event.player), stacks=_without(room.stacks, event.player))
    table = room.tables[to.table]
    filled = replace(table, vacated=tuple(seat for seat in table.vacated if seat != to.seat))
    return replace(
        room,
        tables={**room.tables, table.name: filled},
        where={**room.where, event.player: to},
        since={**room.since, event.player: one.seq},
        stacks={**room.stacks, event.player: event.chips},
    )


def _move_called_off(room: Room, _: Happened, event: e.MoveCalledOff) -> Room:
    pending = room.moves[event.player]
    adrift = {**room.adrift, event.player: pending.chips} if pending.left else room.adrift
    return replace(room, moves=_without(room.moves, event.player), adrift=adrift)


def _vacated(room: Room, place: Place | None) -> Room:
    if place is None or place.table not in room.tables:
        return room
    table = room.tables[place.table]
    return replace(
        room, tables={**room.tables, table.name: replace(table, vacated=(*table.vacated, place.seat))}
    )  # fmt: skip


def _went_out(room: Room, _: Happened, event: e.WentOut) -> Room:
    out = dict(room.games[event.game].out)
    for place in sorted({place for _, place in event.places}, reverse=True):
        when = max(out.values(), default=0) + 1
        out |= {player: when for player, other in event.places if other == place}
    return _game_after(room, event.game, out=out)


def _refused(room: Room, one: Happened, event: e.RefusedMustMove) -> Room:
    return room if event.leaves else replace(room, put_back={**room.put_back, event.player: one.seq})


def _clock_set(room: Room, _: Happened, event: e.ClockSet) -> Room:
    return _game_after(room, event.game, mark=Mark(event.period, event.left_ms, event.since_ms), unlike={})


def _clock_followed(room: Room, _: Happened, event: e.ClockFollowed) -> Room:
    unlike = room.games[event.game].unlike
    changed = {**unlike, event.table: event.sentence} if event.sentence else _without(unlike, event.table)
    return _game_after(room, event.game, unlike=changed)


def _hand_for_hand(room: Room, _: Happened, event: e.HandForHand) -> Room:
    others = {table: last for table, last in room.allowed.items() if room.tables[table].game != event.game}
    mark = room.games[event.game].mark
    ran = event.on and mark is not None and mark.since_ms is not None
    return replace(_game_after(room, event.game, hand_for_hand=event.on, ran=ran, waits=frozenset()), allowed=others)


def _hand_allowed(room: Room, _: Happened, event: e.HandAllowed) -> Room:
    return replace(room, allowed={**room.allowed, event.table: event.after_hand})


def _last_two_told(room: Room, _: Happened, event: e.LastTwoTold) -> Room:
    return _game_after(room, event.game, last_two_told=event.table)


def _table_halted(room: Room, _: Happened, event: e.TableHalted) -> Room:
    known = room.short.get(event.table, 0) if event.table in room.halts else -1
    halted = replace(
        room,
        halts={**room.halts, event.table: event.why},
        short={**room.short, event.table: max(known, event.short)},
    )
    anew = event.short > known and event.table in room.told
    return replace(halted, told={**room.told, event.table: NOTHING_TOLD}) if anew else halted


def _halt_ended(room: Room, _: Happened, event: e.HaltEnded) -> Room:
    return replace(room, halts=_without(room.halts, event.table), short=_without(room.short, event.table))


def _table_held(room: Room, _: Happened, event: e.TableHeld) -> Room:
    return replace(room, told={**room.told, event.table: (event.why, event.after_hand)})


def _table_let_go(room: Room, _: Happened, event: e.TableLetGo) -> Room:
    return replace(room, told=_without(room.told, event.table))


def _hand_ended(room: Room, _: Happened, event: e.HandEnded) -> Room:
    waits = room.games[event.game].waits | {event.table}
    over = waits >= room.dealing(event.game)
    return _game_after(room, event.game, waits=frozenset() if over else waits)


def _payouts_fixed(room: Room, _: Happened, event: e.PayoutsFixed) -> Room:
    return _game_after(room, event.game, prizes=event.prizes)


def _chop_agreed(room: Room, _: Happened, event: e.ChopAgreed) -> Room:
    return _game_after(room, event.game, chop=dict(event.amounts))


def _paid(room: Room, _: Happened, event: e.Paid) -> Room:
    return _game_after(room, event.game, paid={**room.games[event.game].paid, event.player: event.amount})


_STEPS: Final[Mapping[type[Any], Callable[[Room, Happened, Any], Room]]] = {
    e.GameAdded: _game_added,
    e.TableAdded: _table_added,
    e.TableClosed: _table_closed,
    e.BreakingOrderSet: _breaking_order_set,
    e.Entered: _entered,
    e.MovesOrdered: _moves_ordered,
    e.LeaveAsked: _leave_asked,
    e.LeftSeat: _left_seat,
    e.Moved: _moved,
    e.MoveCalledOff: _move_called_off,
    e.WentOut: _went_out,
    e.RefusedMustMove: _refused,
    e.ClockSet: _clock_set,
    e.ClockFollowed: _clock_followed,
    e.HandForHand: _hand_for_hand,
    e.HandEnded: _hand_ended,
    e.HandAllowed: _hand_allowed,
    e.LastTwoTold: _last_two_told,
    e.TableHalted: _table_halted,
    e.HaltEnded: _halt_ended,
    e.TableHeld: _table_held,
    e.TableLetGo: _table_let_go,
    e.DrawCommitted: _draw_committed,
    e.PayoutsFixed: _payouts_fixed,
    e.ChopAgreed: _chop_agreed,
    e.Paid: _paid,
}


def _without(mapping: Mapping[str, Value], key: str) -> Mapping[str, Value]:
    return {one: value for one, value in mapping.items() if one != key}

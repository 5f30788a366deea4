"""The room as it stands, as values, and what can be asked of it. Pure: no clock, no chance, no file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, TypeVar

from cardroom.room import events as e
from cardroom.room.dealers import Strings
from cardroom.room.errors import RoomError, cut_off
from cardroom.room.events import Place
from cardroom.room.figures import Samples
from cardroom.room.stock import Stock
from cardroom.room.waiting import WaitingList
from table_controller.levels.clock import Mark

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table of a game."""

    name: str
    game: str
    seats: int
    by_hand: bool = False
    feeds: str = ""
    vacated: tuple[int, ...] = ()
    """Seats that were left, the last one last (TDA 11-A, stud)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pending:
    """A move that was ordered and is not done."""

    move: e.Move
    game: str
    why: str
    seq: int
    left: bool = False
    """The player is off the old seat already, with `chips`."""
    chips: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """A tournament or a cash game, and how it stands."""

    terms: e.GameAdded
    breaking: tuple[str, ...] = ()
    entries: Mapping[str, int] = field(default_factory=dict)
    """Player: how often entered."""
    add_ons: frozenset[str] = frozenset()
    pool: int = 0
    fees: int = 0
    chips_sold: int = 0
    out: Mapping[str, int] = field(default_factory=dict)
    """Player: how late the tournament ended, a higher number later; who went out together and tied has the same."""
    prizes: tuple[int, ...] = ()
    chop: Mapping[str, int] = field(default_factory=dict)
    paid: Mapping[str, int] = field(default_factory=dict)
    mark: Mark | None = None
    """Where the clock stands; None before it was started."""
    unlike: Mapping[str, str] = field(default_factory=dict)
    """Tables that do not follow the clock, and why."""
    hand_for_hand: bool = False
    ran: bool = False
    """Hand for hand: whether the clock ran when it began, and goes on afterwards."""
    last_two_told: str | None = None
    """The table that knows that the last two players sit there; empty in journals that do not name it."""
    waits: frozenset[str] = frozenset()
    """Hand for hand: tables that have ended their hand."""

    @property
    def name(self) -> str:
        """What it is called."""
        return self.terms.game

    @property
    def alive(self) -> tuple[str, ...]:
        """Who has entered and is not out, by id."""
        return tuple(sorted(player for player in self.entries if player not in self.out))

    @property
    def places(self) -> Mapping[str, int]:
        """The place of each who is out, and of the winner; who enters later still moves those who are out down."""
        found, better = {}, len(self.alive)
        if better == 1 and self.out:
            found[self.alive[0]] = 1
        for when in sorted(set(self.out.values()), reverse=True):
            tied = [player for player, other in self.out.items() if other == when]
            found |= dict.fromkeys(tied, better + 1)
            better += len(tied)
        return found


NOTHING_TOLD: Final = ("", 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """All that is known of the room."""

    games: Mapping[str, Game] = field(default_factory=dict)
    tables: Mapping[str, Table] = field(default_factory=dict)
    """Those that are open."""
    where: Mapping[str, Place] = field(default_factory=dict)
    since: Mapping[str, int] = field(default_factory=dict)
    """Player: the number of the event by which the seat was taken."""
    stacks: Mapping[str, int] = field(default_factory=dict)
    """Player: the chips when they were last known."""
    moves: Mapping[str, Pending] = field(default_factory=dict)
    adrift: Mapping[str, int] = field(default_factory=dict)
    """Players off their seat whose move was called off, with their chips."""
    lists: Mapping[str, WaitingList] = field(default_factory=dict)
    put_back: Mapping[str, int] = field(default_factory=dict)
    """Players who refused to move to the main game and now move after the others: since which event."""
    strings: Strings = field(default_factory=Strings)
    committed: Mapping[str, str] = field(default_factory=dict)
    """Game: the digest of the seed of its next draw."""
    drawn: frozenset[str] = frozenset()
    """Lists that were drawn (`drawn_list`)."""
    allowed: Mapping[str, int] = field(default_factory=dict)
    """Hand for hand: table: up to which hand it may play."""
    halts: Mapping[str, str] = field(default_factory=dict)
    """Tables at which play halts, and why."""
    short: Mapping[str, int] = field(default_factory=dict)
    """How short these were at their shortest since play halts there."""
    told: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    """Tables that have answered that they are held: for what, and up to which hand; `NOTHING_TOLD`: it is to be told
    anew."""
    stock: Stock = field(default_factory=Stock)
    samples: Samples = field(default_factory=Samples)
    cut: Mapping[str, str] = field(default_factory=dict)
    """Tables that are cut off from the site now, and the pit of each: no decision counts on them. It is of the moment,
    and no event tells of it."""

    def game(self, name: str) -> Game:
        """A game by name; raises RoomError."""
        return _known(self.games, name, "game", "betline room game")

    def table(self, name: str) -> Table:
        """An open table by name; raises RoomError."""
        return _known(self.tables, name, "open table", "betline room table")

    def tables_of(self, game: str) -> tuple[Table, ...]:
        """The open tables of a game, by name."""
        return tuple(self.tables[name] for name in sorted(self.tables) if self.tables[name].game == game)

    def reached(self, game: str) -> tuple[Table, ...]:
        """The open tables of a game that are not cut off, by name."""
        return tuple(table for table in self.tables_of(game) if table.name not in self.cut)

    def dealing(self, game: str) -> frozenset[str]:
        """The open tables of a game that deal: those at which somebody sits, or all where the room seats nobody."""
        there = {place.table for place in self.where.values()}
        tables = frozenset(table.name for table in self.tables_of(game))
        return tables & there or tables

    def require_reached(self, table: str) -> None:
        """Raises RoomError (`cut-off`) for a table that is cut off."""
        if table in self.cut:
            raise cut_off(table, self.cut[table])

    def sits_at(self, table: str) -> Mapping[int, str]:
        """Seat: player, as the seats are now."""
        return {place.seat: player for player, place in sorted(self.where.items()) if place.table == table}

    def will_sit_at(self, table: str) -> Mapping[int, str]:
        """Seat: player, once all that was ordered is done."""
        stay = {place.seat: who for who, place in self.where.items() if place.table == table and who not in self.moves}
        come = {
            pending.move.to.seat: who
            for who, pending in self.moves.items()
            if pending.move.to is not None and pending.move.to.table == table
        }
        return {**stay, **come}

    def held(self, table: str) -> frozenset[int]:
        """Seats that are held for players of the waiting list."""
        places = [one.called for waiting in self.lists.values() for one in waiting.entries if one.called is not None]
        return frozenset(place.seat for place in places if place.table == table)

    def open_at(self, table: str) -> tuple[int, ...]:
        """Seats that nobody has, is to get or that are held for."""
        taken = {*self.sits_at(table), *self.will_sit_at(table), *self.held(table)}
        return tuple(seat for seat in range(1, self.tables[table].seats + 1) if seat not in taken)

    def is_here(self, player: str) -> bool:
        """Whether a player has a seat, gets one, or is on the way between two."""
        return player in self.where or player in self.moves or player in self.adrift


def drawn_list(room: Room, event: e.MovesOrdered) -> str:
    """The list that an order draws seats for, as a text: a second draw for it has the same one; else empty.

    A player who has entered again is another entry of the list.
    """
    if not event.seed or event.why not in ("draw", "late", "break", "redraw"):
        return ""
    game = room.games[event.game]
    players = game.alive if event.why == "redraw" else [move.player for move in event.moves]
    sources = sorted({move.source.table for move in event.moves if move.source} if event.why == "break" else ())
    entries = sorted(f"{player}x{game.entries.get(player, 0)}" for player in players)
    return " ".join((event.game, event.why, *sources, *entries))


def _known(mapping: Mapping[str, Value], name: str, what: str, verb: str) -> Value:
    if name not in mapping:
        there = f"there are {', '.join(sorted(mapping))}" if mapping else f"make one with {verb}"
        raise RoomError("unknown", f"There is no {what} {name}; {there}.")
    return mapping[name]

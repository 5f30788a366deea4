"""Waiting lists: join, call, pass, hold a seat for a while, names that were phoned in. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace

from cardroom.room import events as e
from cardroom.room.errors import RoomError
from cardroom.room.events import Happened, Place
from cardroom.room.rules import RoomRules

MINUTE_MS = 60_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """One who waits for a seat in a game."""

    player: str
    joined_ms: int
    is_here: bool = True
    """False: phoned in, and not in the room yet."""
    passes: int = 0
    called: Place | None = None
    """The seat that is held."""
    until_ms: int | None = None


@dataclass(frozen=True, slots=True)
class WaitingList:
    """Who waits for a game, the first one first."""

    entries: tuple[Waiting, ...] = ()

    def of(self, player: str) -> Waiting | None:
        """A player's entry; None where there is none."""
        return next((one for one in self.entries if one.player == player), None)

    def place_of(self, player: str) -> int:
        """The player's place in the list, from 1."""
        return [one.player for one in self.entries].index(player) + 1

    def next(self) -> Waiting | None:
        """The first who is in the room and is not called yet."""
        return next((one for one in self.entries if one.is_here and one.called is None), None)

    def after(self, one: Happened) -> WaitingList:
        """The list after an event of its game."""
        match one.event:
            case e.Joined(player=player, phoned=phoned):
                return WaitingList((*self.entries, Waiting(player=player, joined_ms=one.at_ms, is_here=not phoned)))
            case e.Arrived(player=player):
                return self._changed(player, is_here=True)
            case e.Called(player=player, to=to, until_ms=until_ms):
                return self._changed(player, called=to, until_ms=until_ms)
            case e.Passed(player=player, keeps_place=keeps):
                return self._passed(player, keeps_place=keeps)
            case e.OffList(player=player):
                return WaitingList(tuple(entry for entry in self.entries if entry.player != player))
        return self

    def _changed(self, player: str, **changes: object) -> WaitingList:
        return WaitingList(
            tuple(
                replace(entry, **changes) if entry.player == player else entry  # type: ignore[arg-type]
                for entry in self.entries
            )
        )

    def _passed(self, player: str, *, keeps_place: bool) -> WaitingList:
        entry = self.of(player)
        if entry is None:
            return self
        passed = replace(entry, passes=entry.passes + 1, called=None, until_ms=None)
        if keeps_place:
            return WaitingList(tuple(passed if one.player == player else one for one in self.entries))
        return WaitingList((*(one for one in self.entries if one.player != player), passed))


def joining(waiting: WaitingList, game: str, player: str, *, phoned: bool) -> e.Joined:
    """A player joins at the end; raises RoomError (`waits`) for one who waits already."""
    if waiting.of(player) is not None:
        raise RoomError("waits", f"That player waits for {game} already, in place {waiting.place_of(player)}.")
    return e.Joined(game=game, player=player, phoned=phoned)


def arriving(waiting: WaitingList, game: str, player: str) -> e.Arrived:
    """Who phoned in has come; raises RoomError (`not-waiting`)."""
    if _entry(waiting, game, player).is_here:
        raise RoomError("is-here", "That player is in the room already; call when a seat opens.")
    return e.Arrived(game=game, player=player)


def calling(waiting: WaitingList, game: str, to: Place, now_ms: int, rules: RoomRules, player: str = "") -> e.Called:
    """The next of the list gets a seat held, or a player out of turn, whom the floor names.

    Raises RoomError (`nobody`, `not-waiting`, `not-here`, `called`).
    """
    entry = _entry(waiting, game, player) if player else waiting.next()
    if entry is None:
        raise RoomError("nobody", f"Nobody who is in the room waits for {game}.")
    if not entry.is_here:
        raise RoomError("not-here", "That player phoned in and has not come; say betline room arrive first.")
    if entry.called is not None:
        raise RoomError("called", f"That player is called already, for {entry.called}.")
    return e.Called(game=game, player=entry.player, to=to, until_ms=now_ms + rules.lock_up_minutes * MINUTE_MS)


def passing(waiting: WaitingList, game: str, player: str, rules: RoomRules) -> e.Passed:
    """Who was called does not want the seat: the place is kept as often as the house allows, then it is the last.

    Raises RoomError (`not-waiting`, `not-called`).
    """
    entry = _entry(waiting, game, player)
    if entry.called is None:
        raise RoomError("not-called", "No seat is held for that player, so there is nothing to pass.")
    return e.Passed(game=game, player=player, keeps_place=entry.passes < rules.passes)


def leaving(waiting: WaitingList, game: str, player: str) -> e.OffList:
    """A player takes the name off the list; raises RoomError (`not-waiting`)."""
    return e.OffList(game=game, player=_entry(waiting, game, player).player, why="left")


def run_out(waiting: WaitingList, game: str, now_ms: int, rules: RoomRules) -> tuple[e.OffList, ...]:
    """Whose time is over: called and not come to the seat, or phoned in and not come at all."""
    found = []
    for entry in waiting.entries:
        if entry.until_ms is not None and now_ms >= entry.until_ms:
            found.append(e.OffList(game=game, player=entry.player, why="no-show"))
        elif not entry.is_here and now_ms >= entry.joined_ms + rules.call_in_minutes * MINUTE_MS:
            found.append(e.OffList(game=game, player=entry.player, why="call-in-over"))
    return tuple(found)


def _entry(waiting: WaitingList, game: str, player: str) -> Waiting:
    entry = waiting.of(player)
    if entry is None:
        raise RoomError("not-waiting", f"That player does not wait for {game}; say betline room wait first.")
    return entry

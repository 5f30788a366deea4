"""Who sits at the virtual table, and what those who come and return post: the players' own account (R-191 to R-193)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from betline.settings import GameSettings, HouseRules
from betline.steps import Leave, Rebuy, Return, SitDown, SitOut
from virtual_table.scripts.blinds import Places, first_places, is_between, next_places
from virtual_table.scripts.script import Change

MISSABLE = ("none", "big-live-small-dead", "single-big")
"""The ways of making up missed blinds that the virtual players know."""


@dataclass(frozen=True, slots=True)
class Guest:
    """One player between hands."""

    name: str
    stack: int
    is_new: bool = True
    """It has not been dealt in yet."""
    away: bool = False
    missed: Literal["none", "small", "all"] = "none"
    """What it missed while it was away: a player who has paid the big blind misses the small one only."""
    missed_straddle: bool = False
    """It missed a mandatory straddle while it was away (R-201)."""


@dataclass(frozen=True, slots=True)
class Forced:
    """Who is dealt in to a hand, and what is posted for it: ``antes`` are all dead money, ``dead`` the part of it that
    are missed blinds, ``lives`` live posts, and ``straddle`` is the seat that must straddle.
    """

    places: Places
    blinds: Mapping[int, int]
    lives: Mapping[int, int] = field(default_factory=dict)
    antes: Mapping[int, int] = field(default_factory=dict)
    dead: Mapping[int, int] = field(default_factory=dict)
    straddle: int | None = None


class Guests:
    """The players of an evening and the blinds that they owe, from one hand to the next."""

    def __init__(self, house: HouseRules, game: GameSettings) -> None:
        self._house = house
        self.game = game
        """The game of the next hand."""
        self.seats: dict[int, Guest] = {}
        self.last: Places | None = None

    @property
    def present(self) -> frozenset[int]:
        """The seats whose players are there and have chips."""
        return frozenset(seat for seat, guest in self.seats.items() if guest.stack and not guest.away)

    def change(self, change: Change) -> None:
        """A player comes, goes or buys chips."""
        seat = change.seat
        match change:
            case SitDown():
                self.seats[seat] = Guest(change.player, change.stack)
            case Leave():
                del self.seats[seat]
            case SitOut():
                self.seats[seat] = replace(self.seats[seat], away=True)
            case Return():
                self.seats[seat] = replace(self.seats[seat], away=False)
            case Rebuy():
                guest = self.seats[seat]
                self.seats[seat] = replace(guest, stack=guest.stack + change.amount)

    def next_places(self, button: int) -> Places:
        """Who would be dealt in now, and where button and blinds would be; ``button`` is that of the first hand."""
        if self.last is None:
            return first_places(self.present, button)
        usual = next_places(self.last, self.present)
        waiting = {seat for seat in usual.seats - self.last.seats if self._waits(seat, usual)}
        return replace(usual, seats=usual.seats - waiting)

    def forced(self, button: int) -> Forced:
        """The places and posts of a hand that begins now."""
        places = self.next_places(button)
        game, stacks = self.game, {seat: self.seats[seat].stack for seat in places.seats}
        antes = {seat: min(game.ante, stacks[seat]) for seat in self._ante_payers(places)} if game.ante else {}
        due = {places.small_blind: game.blinds[0], places.big: game.blinds[1]}
        blinds = {seat: min(due[seat], stacks[seat] - antes.get(seat, 0)) for seat in due if seat is not None}
        lives: dict[int, int] = {}
        dead: dict[int, int] = {}
        for seat in places.order if self.last is not None else ():
            guest = self.seats[seat]
            if guest.missed_straddle:
                antes[seat] = antes.get(seat, 0) + 2 * game.blinds[1]
            if seat in blinds:
                continue
            dead_small = guest.missed != "none" and self._house.missed_blinds == "big-live-small-dead"
            owes_big = guest.missed == "all" or (guest.missed == "small" and not dead_small)
            if owes_big or (guest.is_new and self._new_players_post()):
                lives[seat] = game.blinds[1]
            if dead_small:
                antes[seat] = antes.get(seat, 0) + game.blinds[0]
                dead[seat] = game.blinds[0]
        straddle = self._straddler(places)
        if straddle is not None and self.last is not None and self.seats[straddle].is_new:
            straddle = None
        return Forced(places, blinds, lives, antes, dead, straddle)

    def bomb_pot_places(self) -> Places | None:
        """Who is dealt in to a bomb pot that comes next, and where the button is then (R-303).

        None where somebody is new, away, short of chips or owes a blind: what a hand without blinds means for them, the
        players leave to a usual one.
        """
        if self.last is None or self.last.seats != frozenset(self.seats) or self._house.bomb_pot is None:
            return None
        guests = self.seats.values()
        if any(one.is_new or one.away or one.missed != "none" or one.missed_straddle for one in guests):
            return None
        return next_places(self.last, self.present) if self._house.bomb_pot.button_moves else self.last

    def dealt(self, places: Places, stacks: Mapping[int, int]) -> None:
        """A hand has been played; ``stacks`` are those of the players dealt in, after it."""
        for seat, guest in list(self.seats.items()):
            if seat in places.seats:
                self.seats[seat] = replace(
                    guest, stack=stacks[seat], is_new=False, missed="none", missed_straddle=False
                )
            elif guest.away and not guest.is_new:
                past = guest.missed_straddle or self._straddle_went_past(seat, places)
                self.seats[seat] = replace(guest, missed=self._missed(seat, guest, places), missed_straddle=past)
        self.last = places

    def _waits(self, seat: int, places: Places) -> bool:
        """Whether a seat must wait: a player who comes between button and big blind waits until the button has passed,
        also on the button if there is something to post; and if the house says so every new player waits for the big
        blind.
        """
        guest = self.seats[seat]
        if seat == places.big:
            return False
        if guest.is_new and self._house.new_player == "wait":
            return True
        posts = self._house.form == "cash" and (guest.is_new or guest.missed != "none")
        return (posts and seat == places.button) or is_between(places.button, seat, places.big)

    def _missed(self, seat: int, guest: Guest, places: Places) -> Literal["none", "small", "all"]:
        if self._house.missed_blinds == "none":
            return "none"
        if self.last is not None and is_between(self.last.big, seat, places.big):
            return "all"
        return "small" if seat == places.small and guest.missed == "none" else guest.missed

    def _straddler(self, places: Places) -> int | None:
        """The seat that must straddle, if the house has a mandatory straddle (R-201)."""
        if not self._house.mandatory_straddle or self._house.form == "tournament" or len(places.seats) < 3:
            return None
        if self._house.straddle_positions == "button":
            return places.button if places.button in places.seats else None
        return places.under_the_gun

    def _straddle_went_past(self, seat: int, places: Places) -> bool:
        straddler = self._straddler(places)
        if straddler is None:
            return False
        if self._house.straddle_positions == "button":
            return self.last is not None and is_between(self.last.button, seat, straddler)
        return is_between(places.big, seat, straddler)

    def _new_players_post(self) -> bool:
        in_limit = self._house.new_player == "post-in-limit" and self.game.limit == "fixed-limit"
        return self._house.new_player == "post" or in_limit

    def _ante_payers(self, places: Places) -> tuple[int, ...]:
        if self.game.ante_by == "each":
            return places.order
        payer = places.big if self.game.ante_by == "big-blind" else places.button
        return (payer,) if payer in places.seats else ()

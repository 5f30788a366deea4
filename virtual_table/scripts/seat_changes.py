"""Who comes, leaves, sits out and straddles between two hands of a random evening: drawn by a seed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from betline.settings import HouseRules
from betline.steps import Leave, Rebuy, Return, SitDown, SitOut
from virtual_table.scripts.blinds import Places, clockwise, is_between
from virtual_table.scripts.guests import MISSABLE, Forced, Guests
from virtual_table.scripts.script import Change

MIN_PLAYERS = 4  # players who stay at the table at least
MIN_DEALT_IN = 3  # of those dealt in last, who stay: who returns may have to wait, and two play with other blinds
REBUYS_BELOW = 0.4  # of what a player came with
COMES, GOES, GOES_AWAY, RETURNS, STRADDLES, CHOPS = 0.4, 0.15, 0.35, 0.5, 0.35, 0.6
_BUY_INS = (0.5, 0.8, 1.0)  # of the table's starting stack
_LEAVES_WITH_BLINDS_AHEAD = 0.7  # of those who go away: just before they would pay
NAMES = (
    "Alice", "Ben", "Carol", "Dan", "Ellen", "Frank", "Gina", "Hugo", "Ines", "Jack", "Kate", "Leo", "Mona", "Nick",
    "Olga", "Paul", "Quinn", "Rosa", "Sam", "Tara", "Ugo", "Vera", "Will", "Xenia", "Yuri", "Zoe",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Rates:
    """How often something comes about between two hands; shares from 0 to 1."""

    goes_away: float = GOES_AWAY
    returns: float = RETURNS
    """Of those who are away, before each hand."""
    bomb_pots: float = 0.0
    """Of the hands that may be one."""


class SeatChanges:
    """Chooses what changes between hands, so that button and big blind find the players where `blinds` needs them."""

    def __init__(
        self, house: HouseRules, seats: Sequence[int], starting_stack: int, chance: Random, rates: Rates
    ) -> None:
        self._house = house
        self._places = tuple(seats)
        self._starting = starting_stack
        self._chance = chance
        self._rates = rates
        self._came = 0

    @property
    def _is_tournament(self) -> bool:
        return self._house.form == "tournament"

    def sits(self, seat: int, stack: int | None = None) -> SitDown:
        """The next new player takes a seat."""
        turn, number = divmod(self._came, len(NAMES))
        self._came += 1
        name = NAMES[number] if not turn else f"{NAMES[number]} {turn + 1}"
        return SitDown(seat=seat, stack=stack or self._starting, player=name)

    def rebuys(self, guests: Guests) -> Iterator[Change]:
        """Those who must, or want to, buy chips; a player out of a tournament leaves while enough others stay.

        Nobody plays on with a few big blinds: PokerKit, by which the players know the min-raise, takes a short big
        blind as the level.
        """
        few = 3 * (guests.game.blinds[-1] + guests.game.ante)
        below = few if self._is_tournament else max(few, int(self._starting * REBUYS_BELOW))
        for seat in sorted(guests.seats):
            stack = guests.seats[seat].stack
            if self._is_tournament and not stack and len(guests.present) >= MIN_PLAYERS:
                yield Leave(seat=seat)
            elif stack < min(below, self._starting):
                yield Rebuy(seat=seat, amount=self._starting - stack)

    def choose(self, guests: Guests) -> Iterator[Change]:
        """The players' choices; each change is made before the next is asked for."""
        last = guests.last
        if last is None:
            return
        if not self._is_tournament:
            yield from self._back(guests)
            yield from self._away(guests, last)
            yield from self._leaves(guests)
        yield from self._comes(guests)

    def straddles(self, forced: Forced, guests: Guests) -> bool:
        """Whether the seat under the gun straddles, if the house allows it and the player can afford it (R-195)."""
        return self.may_straddle(forced, guests) and self._chance.random() < STRADDLES

    def straddles_on_the_button(self, forced: Forced, guests: Guests) -> bool:
        """Whether the button straddles, where the action begins at its left then (R-198)."""
        house, places = self._house, forced.places
        open_to_it = house.straddle_positions in ("utg-or-button", "any") and not house.mandatory_straddle
        return (
            open_to_it and house.mississippi_order == "left-of-straddle" and len(places.seats) >= MIN_PLAYERS
            and places.button in places.seats and places.button not in forced.lives
            and guests.game.limit in ("no-limit", "pot-limit")
            and min(guests.seats[seat].stack for seat in (places.button, places.big)) >= 10 * guests.game.blinds[-1]
            and self._chance.random() < STRADDLES
        )  # fmt: skip

    def may_straddle(self, forced: Forced, guests: Guests) -> bool:
        """Whether the seat under the gun may straddle, posts nothing else and has the chips for it."""
        house, places = self._house, forced.places
        game, seat = guests.game, places.under_the_gun
        open_to_it = house.straddle_positions in ("utg", "utg-or-button", "any") and not house.mandatory_straddle
        return (
            open_to_it and not self._is_tournament and game.limit in ("no-limit", "pot-limit")
            and len(places.seats) >= MIN_PLAYERS and seat not in forced.lives
            and min(guests.seats[seat].stack, guests.seats[places.big].stack) >= 10 * game.blinds[-1]
        )  # fmt: skip

    def free_to_go(self, guests: Guests) -> list[int]:
        """Who may leave or sit out; unless the button is dead, not the players in the two places that the button comes
        to next (see `blinds`).
        """
        last = guests.last
        if last is None or len(guests.present) <= MIN_PLAYERS or len(guests.present & last.seats) <= MIN_DEALT_IN:
            return []
        staying = frozenset[int]() if self._house.button_rule == "dead" else frozenset({last.small, last.big})
        return sorted(guests.present & last.seats - staying)

    def may_return(self, guests: Guests, seat: int) -> bool:
        """Whether a player may return now: one without a missed blind not where the button passes next."""
        guest, last = guests.seats.get(seat), guests.last
        if guest is None or not guest.away or last is None:
            return False
        return guest.missed != "none" or not is_between(last.small, seat, last.big)

    def empty(self, guests: Guests) -> list[int]:
        """The seats that a new player may take for the next hand: none of the last hand's, vacated ones included."""
        last = guests.last
        taken = frozenset[int]() if last is None else last.seats | {last.small, last.big, last.button}
        return [seat for seat in self._places if seat not in guests.seats and seat not in taken]

    def _back(self, guests: Guests) -> Iterator[Change]:
        for seat in sorted(seat for seat, guest in guests.seats.items() if guest.away):
            if self._chance.random() < self._rates.returns and self.may_return(guests, seat):
                yield Return(seat=seat)

    def _away(self, guests: Guests, last: Places) -> Iterator[Change]:
        free = self.free_to_go(guests)
        allowed = self._house.missed_blinds in MISSABLE and self._house.absent_players == "sit-out"
        if free and allowed and self._chance.random() < self._rates.goes_away:
            due = clockwise(guests.present, last.big)[0]
            ahead = due in free and self._chance.random() < _LEAVES_WITH_BLINDS_AHEAD
            yield SitOut(seat=due if ahead else self._chance.choice(free))

    def _leaves(self, guests: Guests) -> Iterator[Change]:
        free = self.free_to_go(guests)
        if free and self._chance.random() < GOES:
            yield Leave(seat=self._chance.choice(free))

    def _comes(self, guests: Guests) -> Iterator[Change]:
        if (empty := self.empty(guests)) and self._chance.random() < COMES:
            yield self.sits(self._chance.choice(empty), self._buy_in(guests.game.blinds[-1]))

    def _buy_in(self, big_blind: int) -> int:
        """What a new player buys in for: part of the starting stack, at least the house's minimum (R-281)."""
        if self._is_tournament:
            return self._starting
        least = self._house.buy_in[0] * big_blind if self._house.buy_in is not None else 0
        part = int(self._starting * self._chance.choice(_BUY_INS)) // big_blind * big_blind
        return min(max(part, least), self._starting)

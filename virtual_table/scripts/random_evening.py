"""An evening of random play: people come and go between hands, and PokerKit plays the hands.

The controller has no part in it: seats, stacks, button, blinds, posts, what the players mean and where the chips must
end are all worked out independently of it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from betline.settings import GameSettings, HouseRules, TableSettings, load_house_rules
from betline.steps import SitDown
from virtual_table.scripts.blinds import Places
from virtual_table.scripts.evening_script import BeforeHand, EveningScript
from virtual_table.scripts.guests import Forced, Guests
from virtual_table.scripts.random_play import Played, RandomPlay, check_game, is_known
from virtual_table.scripts.script import Change, HandScript, ScriptError
from virtual_table.scripts.seat_changes import CHOPS, Rates, SeatChanges

OTHER_GAME = 0.3  # of the hands for which the dealer may choose the game
BOMB_POT_BLINDS = (1, 2)  # big blinds that everybody antes


class RandomEvening:
    """Hands at a table with people who come and go: the same seed gives the same hands, acts, changes and stacks.

    A script says who sits down at first and what happens before its hands; after its last hand, chance decides.
    """

    def __init__(
        self, table: TableSettings, seed: int, script: EveningScript | None = None, rates: Rates | None = None
    ) -> None:
        self._house: HouseRules = load_house_rules(table.house.profile, table.house.options)
        _check_house(self._house)
        self._games = _games(table)
        self._named = next(iter(self._games))
        seats = [seat.number for seat in table.seats]
        hands = random.Random(f"hands-{seed}")
        self._play = {name: RandomPlay(game, hands, self._house.max_raises) for name, game in self._games.items()}
        chance = self._chance = random.Random(f"evening-{seed}")
        self._rates = rates or Rates()
        self._choices = SeatChanges(self._house, seats, table.starting_stack, chance, self._rates)
        self._guests = Guests(self._house, self._games[self._named])
        first = script.seats if script is not None else tuple(seats)
        missing = sorted(set(first) - set(seats))
        if missing:
            raise ScriptError(f"The evening needs seat {missing[0]}, which the table {table.name} does not have.")
        self._before = script.hands if script is not None else ()
        self._button = max(first)
        self.first: tuple[SitDown, ...] = tuple([self._choices.sits(seat) for seat in first])
        """Who sits down before the first hand."""
        for sits in self.first:
            self._guests.change(sits)

    def hands(self) -> Iterator[HandScript]:
        """One hand after the other, without end."""
        number = 0
        while True:
            number += 1
            plan = self._before[number - 1] if number <= len(self._before) else None
            yield self._hand(number, tuple(self._changes(plan)), plan)

    def _changes(self, plan: BeforeHand | None) -> Iterator[Change]:
        """What changes before a hand, each change made before the next is chosen."""
        for change in self._choices.rebuys(self._guests):
            self._guests.change(change)
            yield change
        for change in self._choices.choose(self._guests) if plan is None else plan.changes(self._choices, self._guests):
            self._guests.change(change)
            yield change

    def _hand(self, number: int, changes: tuple[Change, ...], plan: BeforeHand | None) -> HandScript:
        chosen = self._choose_game(is_first=number == 1)
        places = self._bomb_pot(plan)
        if places is not None:
            return self._bomb_pot_hand(number, changes, chosen, places)
        forced = self._guests.forced(self._button)
        places = forced.places
        before = {seat: self._guests.seats[seat].stack for seat in places.seats}
        straddles = self._straddles(forced, plan)
        played = self._play[self._named].play(before, forced, straddles, self._chop)
        self._guests.dealt(places, played.stacks)
        return replace(
            self._script(f"random hand {number}", chosen, changes, places, before, played),
            antes=forced.antes,
            dead=forced.dead,
            posts={**forced.blinds, **forced.lives},
            straddles=straddles,
            blinds=(places.small_blind, places.big),
            out={seat: guest.stack for seat, guest in self._guests.seats.items() if seat not in places.seats},
        )

    def _bomb_pot(self, plan: BeforeHand | None) -> Places | None:
        """The places of the hand if it is a bomb pot."""
        if plan is not None or not self._rates.bomb_pots or self._chance.random() >= self._rates.bomb_pots:
            return None
        places, guests = self._guests.bomb_pot_places(), self._guests
        most = 10 * BOMB_POT_BLINDS[-1] * guests.game.blinds[-1]
        rich = all(guest.stack >= most for guest in guests.seats.values())
        return places if rich and guests.game.limit != "fixed-limit" else None

    def _bomb_pot_hand(
        self, number: int, changes: tuple[Change, ...], chosen: str | None, places: Places
    ) -> HandScript:  # fmt: skip
        """A hand for which everybody antes, and that begins on the flop (R-303)."""
        ante = self._chance.choice(BOMB_POT_BLINDS) * self._guests.game.blinds[-1]
        before = {seat: self._guests.seats[seat].stack for seat in places.seats}
        played = self._play[self._named].play_bomb_pot(before, places, ante)
        self._guests.dealt(places, played.stacks)
        return replace(
            self._script(f"random hand {number}, a bomb pot", chosen, changes, places, before, played),
            antes=dict.fromkeys(places.order, ante),
            bomb_pot=ante,
            blinds=(None, None),
        )

    def _script(
        self,
        title: str,
        chosen: str | None,
        changes: tuple[Change, ...],
        places: Places,
        before: dict[int, int],
        played: Played,
    ) -> HandScript:
        """The hand that was played, without what had to be put out for it."""
        return HandScript(
            title=title,
            game=self._guests.game,
            chosen=chosen,
            seats=before,
            button=places.button,
            steps=played.steps,
            hole_cards=4 if self._guests.game.streets == "omaha" else 2,
            changes=changes,
            finishing=played.stacks,
        )

    def _choose_game(self, *, is_first: bool) -> str | None:
        """The dealer's choice, if it is another game than before (R-302); the evening begins with the first game."""
        others = [name for name in self._games if name != self._named]
        if is_first or not others or self._chance.random() >= OTHER_GAME:
            return None
        self._named = self._chance.choice(others)
        self._guests.game = self._games[self._named]
        return self._named

    def _straddles(self, forced: Forced, plan: BeforeHand | None) -> dict[int, int]:
        places, guests = forced.places, self._guests
        if forced.straddle is not None:
            to = 2 * self._guests.game.blinds[-1]
            return {
                forced.straddle: min(to, guests.seats[forced.straddle].stack - forced.antes.get(forced.straddle, 0))
            }
        if plan is None:
            wanted = self._choices.straddles(forced, guests)
        else:
            wanted = plan.straddle
            if wanted and not self._choices.may_straddle(forced, guests):
                raise ScriptError(
                    f"The evening's script asks for a straddle that seat {places.under_the_gun} may not make."
                )
        if plan is None and not wanted and self._choices.straddles_on_the_button(forced, guests):
            return {places.button: 2 * guests.game.blinds[-1]}
        return {places.under_the_gun: 2 * guests.game.blinds[-1]} if wanted else {}

    def _chop(self) -> bool:
        return self._house.chop_blinds and self._chance.random() < CHOPS


def _games(table: TableSettings) -> dict[str, GameSettings]:
    """The games that virtual players know, by name, the table's first game first; raises ScriptError if they cannot
    follow the table's rotation.
    """
    check_game(table.game)
    if table.rotation is None:
        return {"": table.game}
    if table.rotation.by != "choice":
        raise ScriptError(f"Random play knows rotations by the dealer's choice, not by {table.rotation.by}.")
    return {one.name: one.game for one in table.rotation.games if is_known(one.game)}


def _check_house(house: HouseRules) -> None:
    """Raises ScriptError for house rules that move chips in ways that the players' own account does not follow."""
    taken = {"kill": house.kill if house.kill_trigger else None, "rake": house.rake, "kitty": house.kitty}
    unknown = [name for name, value in taken.items() if value is not None]
    if unknown:
        raise ScriptError(f"Random play does not know the house's {unknown[0]}: set the option {unknown[0]} to none.")

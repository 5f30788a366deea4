"""Random hands that people could play, with PokerKit as the players' own understanding of the game.

The controller's engine has no part in it: what the players mean, and where the chips must end, comes from elsewhere.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterator, Mapping
from typing import Any

import pokerkit

from betline.settings import STREETS, GameSettings
from virtual_table.script import Awarded, HandScript, PlayerAct, ScriptError, Step, StreetDealt

_AUTOMATIONS = (
    pokerkit.Automation.ANTE_POSTING,
    pokerkit.Automation.BET_COLLECTION,
    pokerkit.Automation.BLIND_OR_STRADDLE_POSTING,
    pokerkit.Automation.CARD_BURNING,
    pokerkit.Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    pokerkit.Automation.HAND_KILLING,
    pokerkit.Automation.CHIPS_PUSHING,
    pokerkit.Automation.CHIPS_PULLING,
)
_BOARD_CARDS = (0, 3, 1, 1)

# How people play: the more are in before the flop, the fewer more come along.
_FOLDS_PREFLOP = (0.76, 0.8, 0.9, 0.96)
_FOLDS_LATER = 0.68
_BETS_UNOPENED = 0.45
_RAISES_FACING = 0.11
_ALL_IN_SHARE = 0.04
_PATIENCE_ACTS = 14
_FOLDS_IMPATIENT = 0.95


class RandomSession:
    """An evening of random play: the same seed gives the same hands, acts and stacks.

    Every seat that falls below ``rebuy_below`` of its first stack buys back up to it before the next hand.
    """

    rebuy_below = 0.4

    def __init__(self, game: GameSettings, stacks: Mapping[int, int], button: int, seed: int) -> None:
        if game.streets not in ("holdem", "omaha") or game.limit == "spread-limit" or len(game.blinds) != 2:
            raise ScriptError(
                "Random play knows hold'em and Omaha with two blinds, no-limit, pot-limit and fixed-limit; "
                f"this table plays {game.limit} {game.streets}."
            )
        if (game.limit == "pot-limit" and game.streets == "holdem") or (
            game.limit == "no-limit" and game.streets == "omaha"
        ):
            raise ScriptError(f"Random play does not know {game.limit} {game.streets}; it plays the usual pairs.")
        self._game = game
        self._first = dict(stacks)
        self._stacks = dict(stacks)
        self._button = button
        self._random = random.Random(f"hands-{seed}")

    @property
    def stacks(self) -> Mapping[int, int]:
        """What every seat has between two hands."""
        return dict(self._stacks)

    def hands(self) -> Iterator[HandScript]:
        """One hand after the other, without end."""
        number = 0
        while True:
            number += 1
            adds = self._rebuys()
            yield self._hand(number, adds)
            seats = sorted(self._stacks)
            self._button = seats[(seats.index(self._button) + 1) % len(seats)]

    def _rebuys(self) -> tuple[tuple[int, int], ...]:
        adds = []
        for seat, first in self._first.items():
            if self._stacks[seat] < first * self.rebuy_below:
                adds.append((seat, first - self._stacks[seat]))
                self._stacks[seat] = first
        return tuple(adds)

    def _hand(self, number: int, adds: tuple[tuple[int, int], ...]) -> HandScript:
        seats = sorted(self._stacks)
        first = seats.index(self._button) + 1
        order = [*seats[first:], *seats[:first]]  # left of the button first, the button last
        before = dict(self._stacks)
        state = _new_state(self._game, [before[seat] for seat in order])
        steps = tuple(self._play(state, order))
        self._stacks = dict(zip(order, state.stacks, strict=True))
        # Heads-up the first to the left of the button has the big blind, the button the small one.
        blinds = self._game.blinds if len(order) > 2 else tuple(reversed(self._game.blinds))
        posts = {seat: min(blind, before[seat]) for seat, blind in zip(order, blinds, strict=False)}
        return HandScript(
            title=f"random hand {number}",
            game=self._game,
            seats=before,
            button=self._button,
            steps=steps,
            hole_cards=4 if self._game.streets == "omaha" else 2,
            posts=posts,
            adds=adds,
            finishing=dict(self._stacks),
        )

    def _play(self, state: Any, order: list[int]) -> Iterator[Step]:
        state.deck_cards = _shuffled(self._random)
        street, acts, names = 0, 0, STREETS[self._game.streets]
        while state.status:
            if state.can_deal_hole():
                state.deal_hole()
            elif state.can_deal_board():
                street += 1
                count = _BOARD_CARDS[street]
                state.deal_board(count)
                yield StreetDealt(names[street], count, betting=state.actor_index is not None)
            else:
                yield self._act(state, order, preflop=street == 0, acts=acts)
                acts += 1
        yield Awarded(tuple(winners_by_pot(state, order)))

    def _act(self, state: Any, order: list[int], preflop: bool, acts: int) -> PlayerAct:
        index = state.actor_index
        seat, bet = order[index], state.bets[index]
        to_call = state.checking_or_calling_amount
        roll = self._random.random()
        low = state.min_completion_betting_or_raising_to_amount
        if low is not None and roll < (_RAISES_FACING if to_call else _BETS_UNOPENED):
            to = self._size(state, low)
            unopened = max(state.bets) == 0
            everything = to == bet + state.stacks[index]
            state.complete_bet_or_raise_to(to)
            return PlayerAct(seat, "bet" if unopened else "raise", to, all_in=everything)
        if to_call == 0:
            state.check_or_call()
            return PlayerAct(seat, "check", bet)
        folds = _FOLDS_PREFLOP[min(_in_for_a_bet(state), len(_FOLDS_PREFLOP) - 1)] if preflop else _FOLDS_LATER
        if acts > _PATIENCE_ACTS:
            folds = _FOLDS_IMPATIENT
        if roll < folds and state.can_fold():
            state.fold()
            return PlayerAct(seat, "fold", bet)
        everything = to_call == state.stacks[index]
        state.check_or_call()
        return PlayerAct(seat, "call", bet + to_call, all_in=everything)

    def _size(self, state: Any, low: int) -> int:
        """A size that a person would choose: the minimum, some part of the pot, rarely everything."""
        high = state.max_completion_betting_or_raising_to_amount
        roll = self._random.random()
        if roll < _ALL_IN_SHARE or high <= low:
            return int(high)
        step = _natural_step(self._game)
        pot = state.total_pot_amount + state.checking_or_calling_amount
        wanted = low if roll < 0.3 else max(state.bets) + int(pot * self._random.choice((0.4, 0.6, 0.75, 1.0)))
        return int(max(low, min(high, round(wanted / step) * step)))


def winners_by_pot(state: Any, order: list[int]) -> Iterator[tuple[int, ...]]:
    """The seats that PokerKit pushed each pot to, main pot first; none where everybody folded to one seat."""
    if not any(isinstance(operation, pokerkit.HoleCardsShowingOrMucking) for operation in state.operations):
        return
    pots: dict[int, set[int]] = {}
    for operation in state.operations:
        if isinstance(operation, pokerkit.ChipsPushing):
            winners = pots.setdefault(operation.pot_index or 0, set())
            winners.update(index for index, amount in enumerate(operation.amounts) if amount > 0)
    for number in sorted(pots):
        yield tuple(sorted(order[index] for index in pots[number]))


def _in_for_a_bet(state: Any) -> int:
    """How many have put chips in of their own will this round, by what their bets exceed the blinds."""
    blinds = state.blinds_or_straddles
    return sum(1 for index, bet in enumerate(state.bets) if bet > max(blinds[index], 0))


def _natural_step(game: GameSettings) -> int:
    return max(game.unit, game.blinds[0])


def _shuffled(chance: random.Random) -> deque[Any]:
    cards = list(pokerkit.Deck.STANDARD)
    chance.shuffle(cards)
    return deque(cards)


def _new_state(game: GameSettings, stacks: list[int]) -> Any:
    common = (_AUTOMATIONS, True, game.ante, tuple(game.blinds))
    if game.limit == "no-limit":
        return pokerkit.NoLimitTexasHoldem.create_state(
            *common, game.min_bet or game.blinds[-1], tuple(stacks), len(stacks)
        )
    if game.limit == "pot-limit":
        return pokerkit.PotLimitOmahaHoldem.create_state(
            *common, game.min_bet or game.blinds[-1], tuple(stacks), len(stacks)
        )
    assert game.bets is not None
    return pokerkit.FixedLimitTexasHoldem.create_state(*common, game.bets[0], game.bets[-1], tuple(stacks), len(stacks))

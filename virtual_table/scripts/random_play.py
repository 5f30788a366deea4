"""Random hands that people could play, with PokerKit as the players' own understanding of the game.

The controller's engine has no part in it: what the players mean, and where the chips must end, is independent of it.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pokerkit

from betline.settings import STREETS, GameSettings
from virtual_table.scripts.blinds import Places
from virtual_table.scripts.guests import Forced
from virtual_table.scripts.script import Awarded, Chopped, PlayerAct, ScriptError, Step, StreetDealt

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

# How people play: the more players are in before the flop, the fewer others come along.
_FOLDS_PREFLOP = (0.76, 0.8, 0.9, 0.96)
_FOLDS_LATER = 0.68
_BETS_UNOPENED = 0.45
_RAISES_FACING = 0.11
_ALL_IN_SHARE = 0.04
_PATIENCE_ACTS = 14
_FOLDS_IMPATIENT = 0.95


def check_game(game: GameSettings) -> None:
    """Raises ScriptError for a game that virtual players do not know."""
    if game.streets not in ("holdem", "omaha") or game.limit == "spread-limit" or len(game.blinds) != 2:
        raise ScriptError(
            "Random play knows hold'em and Omaha with two blinds, no-limit, pot-limit and fixed-limit; "
            f"this table plays {game.limit} {game.streets}."
        )
    if (game.limit == "pot-limit" and game.streets == "holdem") or (
        game.limit == "no-limit" and game.streets == "omaha"
    ):
        raise ScriptError(
            f"Random play does not know {game.limit} {game.streets}; "
            "it plays no-limit hold'em, pot-limit Omaha and fixed-limit."
        )


def is_known(game: GameSettings) -> bool:
    """Whether virtual players know a game."""
    try:
        check_game(game)
    except ScriptError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class Played:
    """A hand that was played: what happened, and what each seat has after it."""

    steps: tuple[Step, ...]
    stacks: Mapping[int, int]


class RandomPlay:
    """Plays hands; the same random stream and the same hands give the same acts."""

    def __init__(self, game: GameSettings, chance: random.Random, max_raises: int | None = None) -> None:
        check_game(game)
        self._game = game
        self._random = chance
        self._max_raises = max_raises if game.limit == "fixed-limit" else None

    def play(
        self, stacks: Mapping[int, int], forced: Forced, straddles: Mapping[int, int], chop: Callable[[], bool]
    ) -> Played:
        """One hand from the stacks before all posts; ``chop`` decides whether the blinds chop (R-204)."""
        order = forced.places.order
        state = _new_state(self._game, [stacks[seat] for seat in order], *self._posts(order, forced, straddles))
        chopped = None if straddles or forced.lives or forced.antes else chop
        steps = tuple(self._play(state, order, chopped))
        if steps and isinstance(steps[-1], Chopped):
            return Played(steps, dict(stacks))
        return Played(steps, dict(zip(order, state.stacks, strict=True)))

    def play_bomb_pot(self, stacks: Mapping[int, int], places: Places, ante: int) -> Played:
        """One hand for which everybody antes and that begins on the flop (R-303); everybody has more than the ante."""
        order = places.order
        antes, blinds = (ante,) * len(order), (0,) * len(order)
        state = _new_state(self._game, [stacks[seat] for seat in order], antes, blinds)
        state.deck_cards = _shuffled(self._random)
        while state.can_deal_hole():
            state.deal_hole()
        while not state.can_deal_board():
            state.check_or_call()
        state.deal_board(_BOARD_CARDS[1])
        return Played(tuple(self._acts(state, order, street=1, chop=None)), dict(zip(order, state.stacks, strict=True)))

    def _posts(
        self, order: Sequence[int], forced: Forced, straddles: Mapping[int, int]
    ) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Antes and blinds as PokerKit takes them, where live posts of players who act in turn are negative."""
        antes = tuple([forced.antes.get(seat, 0) for seat in order])
        if len(order) == 2:  # where PokerKit itself gives the button the small blind
            return antes, tuple(self._game.blinds)
        due = {forced.places.small: self._game.blinds[0], forced.places.big: self._game.blinds[1]}
        blinds = {**due, **{seat: -amount for seat, amount in forced.lives.items()}, **straddles}
        return antes, tuple([blinds.get(seat, 0) for seat in order])

    def _play(self, state: Any, order: Sequence[int], chop: Callable[[], bool] | None) -> Iterator[Step]:
        state.deck_cards = _shuffled(self._random)
        yield from self._acts(state, order, street=0, chop=chop)

    def _acts(self, state: Any, order: Sequence[int], street: int, chop: Callable[[], bool] | None) -> Iterator[Step]:
        acts, wagers, names = 0, 0, STREETS[self._game.streets]
        while state.status:
            if state.can_deal_hole():
                state.deal_hole()
            elif state.can_deal_board():
                street, wagers = street + 1, 0
                count = _BOARD_CARDS[street]
                state.deal_board(count)
                yield StreetDealt(names[street], count, betting=state.actor_index is not None)
            else:
                if chop is not None and street == 0 and _only_blinds_are_left(state) and chop():
                    yield Chopped()
                    return
                most = None if self._max_raises is None else self._max_raises + (street > 0)
                act = self._act(
                    state, order, preflop=street == 0, acts=acts, capped=most is not None and wagers >= most
                )
                yield act
                acts += 1
                wagers += act.kind in ("bet", "raise")
        yield Awarded(tuple(winners_by_pot(state, order)))

    def _act(self, state: Any, order: Sequence[int], preflop: bool, acts: int, capped: bool) -> PlayerAct:
        index = state.actor_index
        seat, bet = order[index], state.bets[index]
        to_call = state.checking_or_calling_amount
        roll = self._random.random()
        low = state.min_completion_betting_or_raising_to_amount
        if low is not None and not capped and roll < (_RAISES_FACING if to_call else _BETS_UNOPENED):
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


def winners_by_pot(state: Any, order: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """The seats that PokerKit pushed each pot to, main pot first; none if all folded to one seat."""
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
    """How many have put chips in voluntarily this round, by what their bets exceed the blinds."""
    blinds = state.blinds_or_straddles
    return sum(1 for index, bet in enumerate(state.bets) if bet > max(blinds[index], 0))


def _only_blinds_are_left(state: Any) -> bool:
    """Whether all have folded to the small blind, nobody has raised, and the small blind is to act (R-204)."""
    n = state.player_count
    small, big = (1, 0) if n == 2 else (0, 1)
    others = [index for index in range(n) if state.statuses[index] and index not in (small, big)]
    folded_to = state.statuses[small] and state.statuses[big] and not others
    untouched = state.bets[small] < state.bets[big] == state.blinds_or_straddles[1]
    return bool(folded_to and untouched and state.actor_index == small)


def _natural_step(game: GameSettings) -> int:
    return max(game.unit, game.blinds[0])


def _shuffled(chance: random.Random) -> deque[Any]:
    cards = list(pokerkit.Deck.STANDARD)
    chance.shuffle(cards)
    return deque(cards)


def _new_state(game: GameSettings, stacks: list[int], antes: tuple[int, ...], blinds: tuple[int, ...]) -> Any:
    alike = len(set(antes)) == 1
    common = (_AUTOMATIONS, alike, antes, blinds)
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

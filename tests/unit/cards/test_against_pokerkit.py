"""Random hands: the award that the cards make pays what PokerKit pushes, and every chip."""

from __future__ import annotations

import random
from typing import Any

import pokerkit
import pytest
from pokerkit import Automation as A

from betline.cards import DECK, parse_cards, written
from betline.settings import GameSettings
from table_controller.betting.pots import Parts, Pot, award
from table_controller.cards.ranking import ranking_of
from table_controller.cards.showdown import Proposal, Showdown, propose

UNIT = 5040
"""Divides by every number of winners, so that no odd chip is left: houses and PokerKit differ there."""
AUTOMATIC = (
    A.ANTE_POSTING, A.BET_COLLECTION, A.BLIND_OR_STRADDLE_POSTING, A.CARD_BURNING, A.HAND_KILLING, A.CHIPS_PUSHING,
    A.CHIPS_PULLING,
)  # fmt: skip
GAMES = {
    "holdem": (pokerkit.NoLimitTexasHoldem, {}, 2),
    "omaha": (pokerkit.PotLimitOmahaHoldem, {}, 4),
    "omaha-8": (pokerkit.FixedLimitOmahaHoldemHighLowSplitEightOrBetter, {"showdown": "high-low"}, 4),
}


def start(name: str, stacks: list[int]) -> Any:
    made = GAMES[name][0]
    blinds = (UNIT, 2 * UNIT)
    sizes = (2 * UNIT, 4 * UNIT) if name == "omaha-8" else (2 * UNIT,)
    return made.create_state(AUTOMATIC, True, 0, blinds, *sizes, tuple(stacks), len(stacks))


def played(name: str, seed: int) -> tuple[Any, dict[int, str], str, list[tuple[int, tuple[int, ...]]], list[int]]:
    """A hand in which everybody bets all that the rules let it, its cards, and its pots before they are paid."""
    rng = random.Random(f"{name} {seed}")
    players = rng.randint(2, 5)
    # with side pots PokerKit parts a pot without a low as if it had one (docs/pokerkit.md, no-low): one pot there
    same = name == "omaha-8"
    stacks = [UNIT * 20] * players if same else [UNIT * rng.randint(2, 30) for _ in range(players)]
    cards = rng.sample(DECK, len(DECK))
    state = start(name, stacks)
    hole = {seat: written(cards.pop() for _ in range(GAMES[name][2])) for seat in range(1, players + 1)}
    board, pots, before = "", [], []
    while state.status:
        if state.can_deal_hole():
            seat = state.hole_dealee_index + 1
            dealt = "".join(map(repr, state.hole_cards[seat - 1]))
            state.deal_hole(hole[seat][len(dealt) : len(dealt) + 2])
        elif state.can_deal_board():
            street = written(
                cards.pop() for _ in range(state.board_dealing_counts[0] if state.board_dealing_counts else 1)
            )
            state.deal_board(street)
            board += street
        elif state.actor_index is not None:
            most = state.max_completion_betting_or_raising_to_amount
            state.complete_bet_or_raise_to(most) if most is not None and rng.random() < 0.7 else state.check_or_call()
        else:
            if not pots:
                pots = [(pot.amount, tuple(index + 1 for index in pot.player_indices)) for pot in state.pots]
                before = list(state.stacks)
            state.show_or_muck_hole_cards(True)
    return state, hole, board, pots, before


@pytest.mark.one_in(3)
@pytest.mark.filterwarnings("ignore:A card being dealt")  # PokerKit may have burned it: it goes back in the deck
@pytest.mark.parametrize("name", GAMES)
def test_the_award_by_cards_is_what_pokerkit_pushes(name: str) -> None:
    ranking = ranking_of(
        GameSettings(limit="no-limit", blinds=(1, 2), streets=name.removesuffix("-8"), **GAMES[name][1])
    )
    several = split = 0
    for seed in range(60):
        state, hole, board, pots, before = played(name, seed)
        hands = {seat: parse_cards(cards) for seat, cards in hole.items()}
        contested = [(amount, seats) for amount, seats in pots if len(seats) > 1]
        found = propose(Showdown([seats for _, seats in contested], [parse_cards(board)], hands), ranking)
        assert isinstance(found, Proposal)
        won = dict.fromkeys(hands, 0)
        for number, (amount, seats) in enumerate(pots):
            winners = found.pots[contested.index((amount, seats))] if len(seats) > 1 else (seats,)
            parts = winners[0] if len(winners) == 1 else Parts(tuple(winners))
            for paid in award(number, Pot(amount, seats), parts, order=sorted(hands), unit=1, odd_to_first_name=False):
                won[paid.seat] += paid.amount
            split += len(winners) > 1
        several += len(contested) > 1
        assert [before[seat - 1] + won[seat] for seat in sorted(hands)] == list(state.stacks), (name, seed)
    assert several or name == "omaha-8"
    assert split or name != "omaha-8"

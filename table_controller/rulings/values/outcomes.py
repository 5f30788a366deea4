"""What a hand that is over leaves behind for the next one: a kill, legs, the rock (R-127, R-129, R-200)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from betline.steps import KillPot, TakeRock
from table_controller.betting import Hand, Illegal, Payout, PostKind
from table_controller.betting.forced import clockwise
from table_controller.betting.pots import PayoutKind
from table_controller.positions import KillRecord, Positions, WonHand, after_hand, first_positions, is_rock_due
from table_controller.rulings.values.state import Effect, State


def takes_rock(state: State, step: TakeRock) -> Effect:
    """The rock is put in front of a seat: at first by the dealer, from then on it goes with the pots (R-200)."""
    if not state.house.rock:
        raise Illegal("not-open", "Leave it: this house plays no rock (R-200).")
    _check_between_hands(state, step.seat)
    return Effect(state=state._replace(rock=step.seat))


def takes_kill(state: State, step: KillPot) -> Effect:
    """The dealer says who kills the next hand, where the house has a kill (R-127)."""
    if state.house.kill is None:
        raise Illegal("not-open", "Leave it: this house plays no kill pots (R-127).")
    _check_between_hands(state, step.seat)
    return Effect(state=state._replace(kills=KillRecord(step.seat, legs=state.kills.legs)))


def _check_between_hands(state: State, seat: int) -> None:
    if not state.between_hands:
        raise Illegal("not-between-hands", "Wait for the end of the hand: this is said between two hands.")
    if seat not in state.players:
        raise Illegal("not-open", f"Name a taken seat: nobody sits in seat {seat}.")


def carried_over(state: State, taken: Sequence[int]) -> State:
    """The table after the last pot of a hand was paid; `taken` is what the house took out of the awarded pots."""
    hand = state.hand
    if hand is None or not hand.hand_over:
        return state
    due = state.due or _would_have_been_due(state, hand)
    won = [payout for payout in hand.payouts if payout.kind is PayoutKind.POT]
    if not won:
        return state
    kills = after_hand(state.house, state.kills, due, _won_hand(state, hand, due, won, taken))
    return state._replace(kills=kills, rock=_rock(state, due, won))


def _would_have_been_due(state: State, hand: Hand) -> Positions:
    """The blinds of a hand that the story begins in the middle of: what they were is no bet won beyond them."""
    try:
        return first_positions(state.structure, state.options, hand.seats, hand.button)
    except Illegal:
        return Positions(button=hand.button, small_blind=None, big_blind=None, seats=frozenset(hand.seats))


def with_short_winners(state: State) -> State:
    """Notes who was all-in and won less than the least buy-in (R-283)."""
    hand = state.hand
    if hand is None or state.house.buy_in is None or state.house.stakes == "table":
        return state
    least = state.house.buy_in[0] * (state.structure.big_blind or state.structure.bet_ranges[0][0])
    won = dict.fromkeys(hand.seats, 0)
    for payout in hand.payouts:
        won[payout.seat] += payout.amount if payout.kind is PayoutKind.POT else 0
    players = dict(state.players)
    for seat in hand.seats:
        stack = hand.stack(seat)
        short = 0 < stack < least and (stack == won[seat] or players[seat].won_short)
        players[seat] = replace(players[seat], won_short=short)
    return state._replace(players=players)


def _won_hand(state: State, hand: Hand, due: Positions, won: list[Payout], taken: Sequence[int]) -> WonHand:
    winners = frozenset([payout.seat for payout in won])
    alone = dict.fromkeys(winners, 0)
    for payout in won:
        if all(other.pot != payout.pot or other.seat == payout.seat for other in won):
            house = taken[payout.pot] if payout.pot is not None and payout.pot < len(taken) else 0
            alone[payout.seat] += payout.amount + house
    posted = dict.fromkeys(hand.seats, state.structure.ante if state.structure.ante_by == "each" else 0)
    for post in due.posts:
        if post.kind is PostKind.BLIND:
            posted[post.seat] += post.amount
    lost = sum(
        max(stack - hand.stack(seat) - posted[seat], 0)
        for seat, stack in hand.starting_stacks.items() if seat not in winners
    )  # fmt: skip
    return WonHand(alone=alone, winners=winners, beyond_blinds=lost, full_bet=state.structure.bet_ranges[0][0])


def _rock(state: State, due: Positions, won: list[Payout]) -> int | None:
    """The rock goes with the pot for which it straddled, of a split pot to the winner left of its holder (R-200)."""
    if state.rock is None or not is_rock_due(state.house, due, state.rock):
        return state.rock
    main = min([payout.pot for payout in won if payout.pot is not None], default=None)
    return clockwise([payout.seat for payout in won if payout.pot == main], state.rock)[0]

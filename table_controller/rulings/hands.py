"""How a hand begins: who is dealt in, what is posted, with a kill or a rock, or as a bomb pot on the flop."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from betline.steps import NextHand
from table_controller.betting import BettingOptions, Hand, Illegal, Structure
from table_controller.positions import (
    Player,
    Positions,
    Unsupported,
    dealt_in,
    first_positions,
    forced_straddle,
    is_due,
    is_rock_due,
    kill_structure,
    options_of,
    structure_of,
    with_kill,
)
from table_controller.positions.players import cannot_cover_the_big_blind, missing, seat_players, still_missed
from table_controller.rulings import acts
from table_controller.rulings.dealer import gathered
from table_controller.rulings.state import Effect, State

BOMB_POT_STREET = "flop"


def next_hand(state: State, step: NextHand) -> Effect:
    """The button moves and the forced bets are posted."""
    if not state.between_hands:
        raise Illegal("action-pending", "The hand is not over: award its pots first.")
    state = gathered(state)
    if step.game is not None:
        state = replace(state, game=step.game, structure=structure_of(step.game))
    state = replace(state, options=options_of(state.house, last_two=state.last_two), players=_who_stays(state))
    if state.house.mandatory_straddle:
        raise Unsupported("mandatory_straddle", "somebody would have to straddle this hand.")
    seats = dealt_in(state.players, state.house)
    if len(seats) < 2:
        raise Illegal("not-open", f"A hand needs two players who can be dealt in, not {len(seats)}.")
    if step.bomb_pot is not None:
        return acts.settle(Effect(state=_bomb_pot(replace(state, redeal=None), seats, step.bomb_pot)))
    if state.redeal is not None and state.redeal.seats == frozenset(seats):
        placed = state.redeal
    elif state.last is None:
        placed = first_positions(state.structure, state.options, seats, seats[0])
    else:
        last = state.last
        state = _without_who_cannot_cover(state, last)
        placed = seat_players(state.house, state.structure, state.options, last, state.players)
    return acts.settle(Effect(state=posted(replace(state, redeal=None), placed)))


def posted(state: State, placed: Positions) -> State:
    """A hand begins: antes and forced bets are put in."""
    due, structure, killer = placed, state.structure, state.kills.seat
    if killer is not None and is_due(state.kills, placed):
        structure = kill_structure(state.house, state.structure)
        placed = with_kill(state.house, state.structure, placed, killer)
    elif state.rock is not None and is_rock_due(state.house, placed, state.rock):
        placed = forced_straddle(placed, structure)
    hand = Hand.start(
        structure, state.options, _stacks(state, placed), placed.button, placed.posts, carried=state.carried
    )
    players = {
        seat: replace(player, arrival=None, returns=None, missed=still_missed(state.house, player, seat, placed))
        if seat in placed.seats
        else missing(player, seat, state.last, placed, state.structure)
        for seat, player in state.players.items()
    }
    return _dealt(replace(state, players=players), placed, due, hand)


def positions_of_a_hand_in_its_middle(
    structure: Structure, options: BettingOptions, seats: Iterable[int], button: int
) -> Positions:  # fmt: skip
    """A hand that begins on a later street: button and blinds are where they would have been, nothing is posted."""
    present = tuple(sorted(seats))
    try:
        usual = first_positions(structure, options, present, button)
    except Illegal:
        return Positions(button=button, small_blind=None, big_blind=None, seats=frozenset(present))
    return replace(usual, posts=())


def _bomb_pot(state: State, seats: tuple[int, ...], ante: int) -> State:
    """Everybody puts in the ante, nobody a blind, and betting begins on the flop (R-303).

    The button moves or stays as the house says; who owes which blind next is as if there had been no such hand.
    """
    house = state.house.bomb_pot
    if house is None or BOMB_POT_STREET not in state.structure.streets:
        raise Illegal("not-open", "No bomb pot is played here: the house takes none, or the game has no flop.")
    ante = ante or house.ante
    if not ante:
        raise Illegal("below-minimum", "Say how much everybody puts in (`bomb_pot`).")
    last = state.last
    if last is None:
        placed = positions_of_a_hand_in_its_middle(state.structure, state.options, seats, seats[0])
    elif house.button_moves:
        placed = seat_players(state.house, state.structure, state.options, last, state.players)
    else:
        placed = last
    placed = replace(placed, posts=(), seats=frozenset(seats))
    stacks = _stacks(state, placed)
    paid = {seat: min(stack, ante) for seat, stack in stacks.items()}
    hand = Hand.resume(
        state.structure, state.options, {seat: stack - paid[seat] for seat, stack in stacks.items()}, placed.button,
        street=BOMB_POT_STREET, pot=sum(paid.values()), paid=paid, carried=state.carried,
    )  # fmt: skip
    return _dealt(state, placed, placed, hand)


def _dealt(state: State, placed: Positions, due: Positions, hand: Hand) -> State:
    absent = frozenset([seat for seat in placed.seats if state.players[seat].away])
    dealt = replace(
        state, hand=None, placed=placed, due=due, absent=absent, bets_made=(), borrowed={},
        borrowed_to_raise=frozenset(),
    )  # fmt: skip
    return replace(dealt.with_hand(hand), in_front=state.in_front)


def _stacks(state: State, placed: Positions) -> dict[int, int]:
    return {seat: state.players[seat].stack for seat in sorted(placed.seats)}


def _who_stays(state: State) -> dict[int, Player]:
    """A seat without chips sits out in a cash game and is vacated in a tournament (R-306)."""
    if state.house.form == "cash":
        return dict(state.players)
    return {seat: player for seat, player in state.players.items() if player.stack}


def _without_who_cannot_cover(state: State, last: Positions) -> State:
    """Who is due the big blind without covering it sits out until it buys chips; in a tournament it is out (R-203)."""
    while True:
        seat = cannot_cover_the_big_blind(state.house, state.structure, state.options, last, state.players)
        if seat is None:
            return state
        players = dict(state.players)
        if state.house.form == "tournament":
            del players[seat]
        else:
            players[seat] = replace(players[seat], must_rebuy=True)
        state = replace(state, players=players)

"""Steps between hands: the next hand, seats, buying in, chips that move outside betting."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from betline.steps import (
    Adds,
    AfterMinutes,
    Away,
    Back,
    Behind,
    Borrows,
    LastTwo,
    Leaves,
    Moves,
    NextHand,
    Race,
    Sits,
    TableSetup,
)
from table_controller.betting import BettingOptions, Hand, Illegal, Structure
from table_controller.positions import (
    Arrival,
    Player,
    Positions,
    Unsupported,
    dealt_in,
    first_positions,
    options_of,
    structure_of,
)
from table_controller.positions.players import missing, seat_players
from table_controller.rulings import acts
from table_controller.rulings.dealer import gathered
from table_controller.rulings.state import Departure, Effect, State


def next_hand(state: State, step: NextHand) -> Effect:
    """The button moves and the forced bets are posted."""
    if not state.between_hands:
        raise Illegal("action-pending", "The hand is not over: award its pots first.")
    if step.bomb_pot is not None:
        raise Unsupported("bomb_pot", "a hand that begins on the flop.")
    state = gathered(state)
    if step.game is not None:
        state = replace(state, game=step.game, structure=structure_of(step.game))
    state = replace(state, options=options_of(state.house, last_two=state.last_two))
    _refuse_unsupported_options(state)
    players = _busted_out(state)
    state = replace(state, players=players)
    seats = dealt_in(players, state.house)
    if len(seats) < 2:
        raise Illegal("not-open", f"A hand needs two players who can be dealt in, not {len(seats)}.")
    if state.redeal is not None and state.redeal.seats == frozenset(seats):
        placed = state.redeal
    elif state.last is None:
        placed = first_positions(state.structure, state.options, seats, seats[0])
    else:
        placed = seat_players(state.house, state.structure, state.options, state.last, players)
    return acts.settle(Effect(state=posted(replace(state, redeal=None), placed)))


def posted(state: State, placed: Positions) -> State:
    """A hand begins: antes and forced bets are put in."""
    stacks = {seat: state.players[seat].stack for seat in sorted(placed.seats)}
    hand = Hand.start(state.structure, state.options, stacks, placed.button, placed.posts)
    players = {
        seat: replace(player, arrival=None, returns=None, missed=())
        if seat in placed.seats
        else missing(player, seat, state.last, placed, state.structure)
        for seat, player in state.players.items()
    }
    absent = frozenset([seat for seat in placed.seats if players[seat].away])
    dealt = replace(state, hand=None, placed=placed, players=players, absent=absent, bets_made=())
    return replace(dealt.with_hand(hand), in_front=state.in_front)


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


def refuse_unsupported(setup: TableSetup) -> None:
    """Raises Unsupported for what earlier hands have left behind and the first hand would need."""
    if setup.kill is not None:
        raise Unsupported("kill", f"seat {setup.kill} has triggered one.")
    if setup.rock is not None:
        raise Unsupported("rock", f"seat {setup.rock} holds it.")
    if setup.legs:
        raise Unsupported("kill", "legs are counted towards one.")


def sits(state: State, step: Sits) -> Effect:
    """A player sits down and buys in (R-281)."""
    if step.seat in state.players:
        raise Illegal("not-open", f"Seat {step.seat} is taken.")
    _check_buy_in(state, step.stack, step.stack)
    _refuse_inside_the_lockout(state, step)
    last = state.placed or state.last
    arrival = Arrival(step.post, step.buys_button, replaces=last is not None and step.seat in last.seats)
    players = {**state.players, step.seat: Player(step.stack, arrival=arrival)}
    return Effect(state=replace(state, players=dict(sorted(players.items()))))


def leaves(state: State, step: Leaves) -> Effect:
    """A player leaves between hands, or without a hand in the present one."""
    _seated(state, step.seat)
    if state.hand is not None and not state.hand.hand_over:
        if step.seat in state.hand.seats:
            raise Illegal("not-between-hands", f"Seat {step.seat} is in the hand: it leaves when the hand is over.")
    else:
        state = gathered(state)
    left = {**state.left, step.seat: Departure(state.players[step.seat].stack, state.minutes)}
    players = {seat: player for seat, player in state.players.items() if seat != step.seat}
    return Effect(state=replace(state, players=players, left=left))


def away(state: State, step: Away) -> Effect:
    """A player is absent; the stack stays (R-194)."""
    player = replace(_seated(state, step.seat), away=True)
    return acts.settle(Effect(state=replace(state, players={**state.players, step.seat: player})))


def back(state: State, step: Back) -> Effect:
    """An absent player is back, and says whether it posts or waits for the big blind (R-193)."""
    player = _seated(state, step.seat)
    if not player.away:
        raise Illegal("not-open", f"Seat {step.seat} is not away.")
    returned = replace(player, away=False, returns=Arrival(step.post, step.buys_button))
    return Effect(state=replace(state, players={**state.players, step.seat: returned}))


def adds(state: State, step: Adds) -> Effect:
    """A player buys more chips: between hands only, at table stakes (R-280)."""
    _seated(state, step.seat)
    in_hand = state.hand is not None and not state.hand.hand_over and step.seat in state.hand.seats
    if in_hand and state.house.stakes == "table":
        raise Illegal("table-stakes", "Chips are added between hands only (table stakes).")
    if in_hand:
        raise Unsupported("stakes open", f"seat {step.seat} buys chips in the middle of a hand.")
    state = gathered(state) if state.between_hands else state
    player = state.players[step.seat]
    if not player.stack and state.house.short_buys == 1:
        raise Unsupported("short_buys 1", f"seat {step.seat} buys in again.")
    top_up = player.stack > 0 or state.house.short_buys == "any"
    _check_buy_in(state, step.amount, player.stack + step.amount, top_up=top_up)
    player = replace(player, stack=player.stack + step.amount)
    return Effect(state=replace(state, players={**state.players, step.seat: player}))


def borrows(state: State, step: Borrows) -> Effect:
    """Open stakes: a marker (R-283)."""
    _seated(state, step.seat)
    if state.house.stakes == "table":
        raise Illegal("table-stakes", "No chips are borrowed at table stakes.")
    raise Unsupported("stakes open", f"seat {step.seat} borrows {step.amount}.")


def moves(state: State, step: Moves) -> Effect:
    """Chips move outside betting: tips, fills, change (R-298)."""
    if isinstance(step.source, int) and isinstance(step.to, int):
        raise Unsupported("moves", "chips between two seats need the floor.")
    if not state.between_hands:
        raise Unsupported("moves", "chips move between hands only.")
    state = gathered(state)
    players = dict(state.players)
    if isinstance(step.source, int):
        player = _seated(state, step.source)
        if step.amount > player.stack:
            raise Illegal("above-maximum", f"Seat {step.source} has {player.stack}, not {step.amount}.")
        players[step.source] = replace(player, stack=player.stack - step.amount)
    if isinstance(step.to, int):
        player = _seated(state, step.to)
        players[step.to] = replace(player, stack=player.stack + step.amount)
    return Effect(state=replace(state, players=players))


def behind(state: State, step: Behind) -> Effect:
    """Money behind that plays."""
    _seated(state, step.seat)
    raise Unsupported("behind", f"seat {step.seat} has {step.amount} behind.")


def race(_state: State, step: Race) -> Effect:
    """Colour-up."""
    raise Unsupported("race", f"chips of {step.remove} go.")


def after_minutes(state: State, step: AfterMinutes) -> Effect:
    """Time passes."""
    return Effect(state=replace(state, minutes=state.minutes + step.minutes))


def last_two(state: State, _step: LastTwo) -> Effect:
    """The event is down to two players: the cap on raises is off (TDA 48)."""
    options = options_of(state.house, last_two=True)
    hand = None if state.hand is None else state.hand.with_options(options)
    return Effect(state=replace(state, last_two=True, options=options, hand=hand))


def _seated(state: State, seat: int) -> Player:
    if seat not in state.players:
        raise Illegal("not-open", f"Nobody sits in seat {seat}.")
    return state.players[seat]


def _busted_out(state: State) -> dict[int, Player]:
    """A seat without chips sits out in a cash game and is vacated in a tournament (R-306)."""
    if state.house.form == "cash":
        return dict(state.players)
    return {seat: player for seat, player in state.players.items() if player.stack}


def _check_buy_in(state: State, amount: int, total: int, *, top_up: bool = False) -> None:
    """R-281: least and most in big blinds, without blinds in small bets."""
    if state.house.buy_in is None:
        return
    structure = state.structure
    unit = structure.big_blind or structure.bet_ranges[0][0]
    least, most = (number * unit for number in state.house.buy_in)
    if total > most:
        raise Illegal("buy-in-range", f"At most {most} may be in front of a seat, not {total}.")
    if not top_up and amount < least:
        raise Illegal("buy-in-range", f"Buy in for at least {least}, not {amount}.")


def _refuse_inside_the_lockout(state: State, step: Sits) -> None:
    """R-282: who comes back soon brings all that was taken away; who sits there is not known yet."""
    departure = state.left.get(step.seat)
    if departure is None or state.minutes - departure.minute >= state.house.lockout_minutes:
        return
    if step.stack < departure.stack:
        why = f"{departure.stack} left seat {step.seat} a short while ago, and {step.stack} comes back."
        raise Unsupported(f"lockout_minutes {state.house.lockout_minutes}", why)


def _refuse_unsupported_options(state: State) -> None:
    if state.house.mandatory_straddle:
        raise Unsupported("mandatory_straddle", "somebody would have to straddle this hand.")

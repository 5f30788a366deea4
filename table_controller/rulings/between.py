"""Who sits where with what: seats, buying in, chips that move outside betting, time."""

from __future__ import annotations

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
    Race,
    Sits,
)
from table_controller.betting import Illegal
from table_controller.positions import Arrival, Player, Unsupported, options_of
from table_controller.rulings import acts, open_stakes
from table_controller.rulings.dealer import gathered
from table_controller.rulings.state import Departure, Effect, State


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
    """A player buys more chips: between hands, at open stakes in a hand too (R-280, R-283)."""
    _seated(state, step.seat)
    in_hand = state.hand is not None and not state.hand.hand_over and step.seat in state.hand.seats
    if in_hand and state.house.stakes == "table":
        raise Illegal("table-stakes", "Chips are added between hands only (table stakes).")
    state = gathered(state) if state.between_hands else state
    player, stack = state.players[step.seat], state.stacks[step.seat]
    if not stack and state.house.short_buys == 1:
        raise Unsupported("short_buys 1", f"seat {step.seat} buys in again.")
    top_up = (stack > 0 or state.house.short_buys == "any") and not player.must_rebuy
    if in_hand:
        _check_who_won_short(state, step)
    _check_buy_in(state, step.amount, stack + step.amount, top_up=top_up)
    bought = replace(player, must_rebuy=False)
    state = replace(state, players={**state.players, step.seat: bought})
    return acts.settle(Effect(state=_with_stack(state, step.seat, stack + step.amount)))


def borrows(state: State, step: Borrows) -> Effect:
    """Open stakes: chips against a marker, of another seat or accepted by all (R-283)."""
    _seated(state, step.seat)
    if state.house.stakes == "table":
        raise Illegal("table-stakes", "No chips are borrowed at table stakes.")
    if state.hand is None or state.between_hands or step.seat not in state.hand.in_hand:
        raise Illegal("not-open", f"Seat {step.seat} borrows while it is in a hand.")
    if isinstance(step.source, int):
        _seated(state, step.source)
        lends = state.stacks[step.source]
        if step.source == step.seat or step.amount > lends:
            raise Illegal("above-maximum", f"Seat {step.source} cannot lend {step.amount}: it has {lends} behind.")
        state = _with_stack(state, step.source, lends - step.amount)
    state = _with_stack(state, step.seat, state.stacks[step.seat] + step.amount)
    return acts.settle(Effect(state=open_stakes.borrowed(state, step.seat, step.amount)))


def moves(state: State, step: Moves) -> Effect:
    """Chips move outside betting: tips, fills, change (R-298)."""
    if not state.between_hands:
        return _moved_in_the_hand(state, step)
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


def _moved_in_the_hand(state: State, step: Moves) -> Effect:
    """A tip or a token leaves a stack in the middle of a hand; nothing comes to one at table stakes (R-280)."""
    if isinstance(step.to, int):
        raise Illegal("table-stakes", "Chips come to a stack between hands only (table stakes).")
    seat = step.source
    if not isinstance(seat, int):
        return Effect(state=state)
    _seated(state, seat)
    has = state.stacks[seat]
    if step.amount > has:
        raise Illegal("above-maximum", f"Seat {seat} has {has}, not {step.amount}.")
    return acts.settle(Effect(state=_with_stack(state, seat, has - step.amount)))


def behind(state: State, step: Behind) -> Effect:
    """Money behind plays as if it lay there, told before the hand; it comes under the most of a buy-in (R-298)."""
    _seated(state, step.seat)
    if not state.between_hands:
        raise Illegal("table-stakes", "Money behind plays when it is told before the hand (table stakes).")
    state = gathered(state)
    player = state.players[step.seat]
    _check_buy_in(state, step.amount, player.stack + step.amount, top_up=True)
    player = replace(player, stack=player.stack + step.amount, must_rebuy=False)
    return Effect(state=replace(state, players={**state.players, step.seat: player}))


def race(_state: State, step: Race) -> Effect:
    """Colour-up."""
    raise Unsupported("race", f"chips of {step.remove} go.")


def after_minutes(state: State, step: AfterMinutes) -> Effect:
    """Time passes."""
    rake = state.house.rake
    if rake is not None and rake.minutes is not None and (state.minutes + step.minutes) >= rake.minutes:
        raise Unsupported("rake time", "the time charge is due.")
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


def _with_stack(state: State, seat: int, stack: int) -> State:
    """A seat has another stack now, in the hand or beside it."""
    if state.hand is not None and not state.between_hands and seat in state.hand.seats:
        return replace(state, hand=state.hand.recounted(seat, stack))
    player = replace(state.players[seat], stack=stack)
    return replace(state, players={**state.players, seat: player})


def _check_who_won_short(state: State, step: Adds) -> None:
    """Who won less than the least buy-in all-in adds nothing short of a full one (R-283)."""
    if state.house.buy_in is None or not state.players[step.seat].won_short:
        return
    least = state.house.buy_in[0] * (state.structure.big_blind or state.structure.bet_ranges[0][0])
    if step.amount < least:
        raise Illegal("buy-in-range", f"After an all-in that won less than that, buy in for {least} at least.")


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
    """R-282: who comes back soon brings all that was taken away; the seat stands for who sat there."""
    departure = state.left.get(step.seat)
    if departure is None or state.minutes - departure.minute >= state.house.lockout_minutes:
        return
    if step.stack < departure.stack:
        why = f"{departure.stack} left seat {step.seat} within {state.house.lockout_minutes} minutes"
        raise Illegal("buy-in-range", f"{why}: bring that much back, or wait.")

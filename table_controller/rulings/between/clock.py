"""Time at the table: what passes, the house's charge for it, the end of an event (R-285, TDA 48)."""

from __future__ import annotations

from dataclasses import replace

from betline.settings import HouseRules
from betline.steps import AfterMinutes, LastTwo
from table_controller.positions import options_of
from table_controller.rulings.between.stacks import with_player
from table_controller.rulings.values import house_money
from table_controller.rulings.values.state import Effect, State

TIME_DUE = "time-due"


def after_minutes(state: State, step: AfterMinutes) -> Effect:
    """Time passes; a charge that falls due is collected now, or at the end of the hand in progress."""
    state = state._replace(minutes=state.minutes + step.minutes)
    return Effect(state=collected(state), alerts=(TIME_DUE,) if _periods(state) else ())


def collected(state: State) -> State:
    """The time charge of every full period, out of the stack of each player who is there, as far as it reaches."""
    rake, periods = state.house.rake, _periods(state)
    if rake is None or rake.time is None or rake.minutes is None or not periods or not state.between_hands:
        return state
    for seat, player in state.players.items():
        charge = 0 if player.away else min(periods * rake.time, state.stacks[seat])
        if not charge:
            continue
        if state.hand is not None and seat in state.hand.seats:
            state = state._replace(hand=state.hand.charged(seat, charge))
        else:
            state = with_player(state, seat, replace(player, stack=player.stack - charge))
        charges = {**state.time_charges, seat: state.time_charges.get(seat, 0) + charge}
        state = house_money.booked(state._replace(time_charges=charges), "time", charge)
    return state._replace(time_paid=state.time_paid + periods * rake.minutes)


def under_new_rules(state: State, house: HouseRules) -> State:
    """Other house rules hold from now on; a time charge that is new or another one counts from now."""
    periods = [None if rules.rake is None else rules.rake.minutes for rules in (state.house, house)]
    paid = state.time_paid if periods[0] == periods[1] else state.minutes
    return state._replace(house=house, time_paid=paid)


def last_two(state: State, _step: LastTwo) -> Effect:
    """The event is down to two players: the cap on raises is off (TDA 48)."""
    options = options_of(state.house, last_two=True)
    hand = None if state.hand is None else state.hand.with_options(options)
    return Effect(state=state._replace(last_two=True, options=options, hand=hand))


def _periods(state: State) -> int:
    """Full periods that have passed since the charge was collected."""
    rake = state.house.rake
    return 0 if rake is None or rake.minutes is None else (state.minutes - state.time_paid) // rake.minutes

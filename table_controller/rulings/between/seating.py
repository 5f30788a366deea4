"""Who sits where: coming, leaving, changing seats, being away and sent away."""

from __future__ import annotations

from dataclasses import replace

from betline.steps import ChangeSeat, KeepSeat, Leave, NamePlayer, Penalty, Return, SitDown, SitOut
from table_controller.betting import Illegal
from table_controller.positions import Arrival, Move, Player
from table_controller.rulings.acts import acts
from table_controller.rulings.acts.dealer import gathered
from table_controller.rulings.between import stakes
from table_controller.rulings.between.stacks import is_playing, seated, with_player
from table_controller.rulings.values.goings import departed, moved
from table_controller.rulings.values.state import Effect, State


def sits(state: State, step: SitDown) -> Effect:
    """A player sits down and buys in (R-281); inside the lockout with all that was taken away (R-282)."""
    state = gathered(state) if state.between_hands else state
    if step.seat in state.players:
        raise Illegal("not-open", f"Name an empty seat: seat {step.seat} is taken.")
    _check_kept(state, step.seat)
    if step.player and (other := _seat_of(state, step.player)) is not None:
        raise Illegal("not-open", f"Leave seat {other} first: this player sits there.")
    stakes.check_buy_in(state, step.stack, returns_with=_taken_away(state, step))
    last = state.placed or state.last
    arrival = Arrival(step.post, step.buys_button, replaces=last is not None and step.seat in last.seats)
    return Effect(state=with_player(state, step.seat, Player(step.stack, person=step.player, arrival=arrival)))


def names(state: State, step: NamePlayer) -> Effect:
    """Who sits there is named: what a player may bring back counts for the person from now on (R-282)."""
    player = seated(state, step.seat)
    other = _seat_of(state, step.player) if step.player else None
    if other is not None and other != step.seat:
        raise Illegal("not-open", f"This player sits in seat {other}: name the one in seat {step.seat} otherwise.")
    return Effect(state=with_player(state, step.seat, replace(player, person=step.player)))


def leaves(state: State, step: Leave) -> Effect:
    """A player leaves; who is in the hand leaves when that is over, where the step says so.

    Who leaves before a hand that is dealt again begins is gone after it; its hand is dead (TDA 30, 35-C).
    """
    player = seated(state, step.seat)
    if is_playing(state, step.seat):
        if not step.after_hand and not state.may_be_redealt:
            raise Illegal("not-between-hands", f"Seat {step.seat} is in the hand: it leaves when the hand is over.")
        if player.leaving:
            raise Illegal("not-open", f"Seat {step.seat} leaves after the hand already.")
        after = with_player(state, step.seat, replace(player, leaving=True, moving=None))
        return acts.settle(Effect(state=_with_absent(after, step.seat) if state.may_be_redealt else after))
    state = gathered(state) if state.between_hands else state
    return Effect(state=departed(state, step.seat) if step.seat in state.players else state)


def changes_seat(state: State, step: ChangeSeat) -> Effect:
    """A player moves to an empty seat; who is in the hand moves when that is over (R-192, R-193)."""
    player = replace(seated(state, step.seat), leaving=False, moving=None)
    if step.to in state.players:
        raise Illegal("not-open", f"Name an empty seat: seat {step.to} is taken.")
    _check_kept(state, step.to, but_for=step.seat)
    move = Move(step.to, step.post, step.buys_button)
    if is_playing(state, step.seat):
        return Effect(state=with_player(state, step.seat, replace(player, moving=move)))
    state = with_player(state, step.seat, player)
    return Effect(state=moved(gathered(state) if state.between_hands else state, step.seat, move))


def keeps_seat(state: State, step: KeepSeat) -> Effect:
    """A player who was to leave or to change seats after the hand stays where it is."""
    player = seated(state, step.seat)
    if not player.leaving and player.moving is None:
        raise Illegal("not-open", f"Seat {step.seat} stays anyway: it has not asked to leave or to change seats.")
    state = state._replace(absent=state.absent - {step.seat}) if state.may_be_redealt and not player.away else state
    return acts.settle(Effect(state=with_player(state, step.seat, replace(player, leaving=False, moving=None))))


def _check_kept(state: State, seat: int, but_for: int | None = None) -> None:
    """Raises Illegal for a seat to which another player moves when the hand is over."""
    for other, player in state.players.items():
        if other != but_for and player.moving is not None and player.moving.to == seat:
            raise Illegal("not-open", f"Seat {seat} is kept for seat {other}, which moves there after the hand.")


def away(state: State, step: SitOut) -> Effect:
    """A player is absent; the stack stays (R-194). In a hand that is dealt again its hand is dead (TDA 30, 35-C)."""
    player = replace(seated(state, step.seat), away=True)
    state = with_player(state, step.seat, player)
    if is_playing(state, step.seat) and state.may_be_redealt:
        state = _with_absent(state, step.seat)
    return acts.settle(Effect(state=state))


def back(state: State, step: Return) -> Effect:
    """An absent player is back, and says whether it posts or waits for the big blind (R-193)."""
    player = seated(state, step.seat)
    if not player.away:
        raise Illegal("not-open", f"Nothing to do: seat {step.seat} is not away.")
    returned = replace(player, away=False, returns=Arrival(step.post, step.buys_button))
    if state.may_be_redealt and not player.leaving:
        state = state._replace(absent=state.absent - {step.seat})
    return Effect(state=with_player(state, step.seat, returned))


def penalty(state: State, step: Penalty) -> Effect:
    """The floor sends a player away for some hands, from the next one on (R-294).

    In a tournament its hands are dealt and dead, in a cash game it sits out; then it is back by itself.
    """
    player = seated(state, step.seat)
    if not step.hands and not player.penalty:
        raise Illegal("not-open", f"Seat {step.seat} has no penalty that could be lifted.")
    returns = player.returns
    if not step.hands and state.house.form == "cash" and returns is None:
        returns = Arrival()
    return Effect(state=with_player(state, step.seat, replace(player, penalty=step.hands, returns=returns)))


def _seat_of(state: State, person: str) -> int | None:
    return next((seat for seat, player in state.players.items() if player.person == person), None)


def _taken_away(state: State, step: SitDown) -> int:
    """What this player left with inside the lockout; where nobody says who it is, the seat stands for who sat there."""
    recent = [left for left in reversed(state.left) if state.minutes - left.minute < state.house.lockout_minutes]
    own = [left.stack for left in recent if step.player and left.person == step.player]
    here = [left.stack for left in recent if left.seat == step.seat and not (step.player and left.person)]
    return (own or here or [0])[0]


def _with_absent(state: State, seat: int) -> State:
    return state._replace(absent=state.absent | {seat})

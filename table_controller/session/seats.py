"""A seat of the state: stack and bet, and what stands between its player and the next hand."""

from __future__ import annotations

from typing import Any, Literal

from betline.messages.table import SeatState
from table_controller.betting import Hand, Limit, PostKind
from table_controller.positions import Player
from table_controller.positions.kill import kill_amount
from table_controller.rulings.values.state import State


def seat_state(
    seat: int,
    state: State | None,
    *,
    name: str,
    on_felt: int | None,
    based: bool,
    hand_on_chips: bool,
    owes: int,
    change_due: int,
    can_win: int | None,
    mucked: bool,
    posts: tuple[int, ...],
    held: bool,
) -> SeatState:
    """The state of a seat; what the felt and the debts say comes with it."""
    hand = None if state is None else state.hand
    return SeatState(
        seat=seat,
        name=name,
        stack=state.stacks.get(seat, 0) if state is not None else 0,
        bet=hand.bet(seat) if hand is not None and seat in hand.seats else 0,
        status=status(seat, state, hand),
        on_felt=on_felt,
        based=based,
        hand_on_chips=hand_on_chips,
        owes=owes,
        change_due=change_due,
        can_win=can_win,
        mucked=mucked,
        posts=posts,
        held=held,
        **(_standing(seat, state) if state is not None and seat in state.players else {}),
    )


def status(seat: int, state: State | None, hand: Hand | None) -> Literal["empty", "out", "in", "folded", "all-in"]:
    """Whether the seat has a player, a hand, and chips to bet with."""
    if state is None or seat not in state.players:
        return "empty"
    if hand is None or seat not in hand.seats:
        return "out"
    if seat not in hand.in_hand:
        return "folded"
    return "all-in" if seat in hand.all_in and not hand.hand_over else "in"


def _standing(seat: int, state: State) -> dict[str, Any]:
    player = state.players[seat]
    return {
        "away": player.away,
        "leaves": player.leaving,
        "moves_to": None if player.moving is None else player.moving.to,
        "waits_hands": 0 if player.arrival is None or player.arrival.post else player.arrival.moved,
        "penalty": player.penalty,
        "comes": _comes(player, state),
        "missed": player.missed,
        "missed_straddle": player.missed_straddle,
        "deferred": player.deferred,
        "pick_up": player.pick_up,
        "needs_chips": player.must_rebuy or player.won_short,
        "straddle": _posted(seat, state, PostKind.STRADDLE),
        "sleeper": _posted(seat, state, PostKind.SLEEPER),
        "kill": _kill(seat, state),
        "legs": state.kills.legs.get(seat, 0),
        "rock": state.house.rock and state.rock == seat,
        "borrowed": state.borrowed.get(seat, 0),
    }


def _comes(player: Player, state: State) -> Literal["", "posts", "waits", "buys-button"]:
    """How a player who is not in comes in (R-192, R-193)."""
    coming = player.arrival or player.returns
    if coming is None or player.away:
        return ""
    if coming.buys_button:
        return "buys-button"
    if not coming.post:
        return "waits"
    if player.arrival is None:
        return "posts" if player.missed else ""
    if player.arrival.moved:
        return "posts"
    in_limit = state.structure.limit in (Limit.FIXED_LIMIT, Limit.SPREAD_LIMIT)
    match state.house.new_player:
        case "wait":
            return "waits"
        case "post":
            return "posts"
        case "post-in-limit":
            return "posts" if in_limit else ""
    return ""


def _posted(seat: int, state: State, kind: PostKind) -> int:
    if state.placed is None:
        return 0
    return max([post.amount for post in state.placed.posts if post.seat == seat and post.kind is kind], default=0)


def _kill(seat: int, state: State) -> int:
    """The kill of a seat: of this hand where it is posted in it, else the one that it owes a later one."""
    if state.kills.seat != seat or state.house.kill is None:
        return 0
    return kill_amount(state.house, state.structure)

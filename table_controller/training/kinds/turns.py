"""Questions about the turn that follows a step: whose it is, what it costs, the least and the most, what is said."""

from __future__ import annotations

from collections.abc import Iterator

from table_controller.announce.spoken import LEAST, ONLY
from table_controller.betting import Hand
from table_controller.rulings.values.state import State
from table_controller.training import wrong
from table_controller.training.kinds.draft import Draft, amount_of
from table_controller.training.moments import Moment
from table_controller.training.wrong import Choice


def _turn(moment: Moment) -> tuple[State, Hand, int] | None:
    """The table after the step with the seat to act; None where nobody is, or the floor must decide first."""
    state = moment.after.state
    hand = state.hand
    if hand is None or hand.next_seat is None or state.floor is not None or state.standing.declared is not None:
        return None
    return state, hand, hand.next_seat


def say(moment: Moment) -> Iterator[Draft]:
    """What the dealer says to the seat to act."""
    turn = _turn(moment)
    if turn is None or not {"call", "min_raise_to"} <= moment.expected:
        return
    state, hand, seat = turn
    call, bounds = hand.to_call or 0, state.raise_range
    if not call or bounds is None or bounds[0] >= hand.bet(seat) + hand.stack(seat):
        return
    wager, least = str(hand.wager_kind), bounds[0]
    calls = [
        cost
        for cost in (hand.level, call + hand.bet(seat), least - hand.bet(seat), call + hand.last_raise)
        if cost != call
    ]
    sizes = list(wrong.sizes(hand, seat, least))
    pairs = (
        [(cost, least) for cost in calls[:1]]
        + [(call, size) for size in sizes[:3]]
        + [(cost, least) for cost in calls[1:]]
    )
    sentence = (ONLY if least == bounds[1] else LEAST)[wager]
    others = tuple([_said(seat, sentence, cost, size) for cost, size in pairs])
    yield Draft(f"What do you say to seat {seat}?", _said(seat, sentence, call, least), others, after=True)


def _said(seat: int, sentence: str, call: int, least: int) -> Choice:
    sized = sentence.format(least=f"{least:,}")
    return Choice(f'"Seat {seat}, {call:,} to call. {sized}"', f"{call}/{least}")


def next_seat(moment: Moment) -> Iterator[Draft]:
    """Who acts next."""
    state, hand = moment.after.state, moment.after.state.hand
    if "next" not in moment.expected or hand is None or state.floor is not None:
        return
    over = "the hand is over" if hand.hand_over else "the betting round is over"
    nobody = Choice(f"Nobody: {over}", "0")
    right = nobody if hand.next_seat is None else _seat(hand.next_seat)
    before = moment.before.state.hand
    last = getattr(moment.step, "seat", 0)
    around = sorted(hand.in_hand, key=lambda seat: (seat - last - 1) % 10)
    folded = sorted(hand.folded, key=lambda seat: (seat - last - 1) % 10)
    aggressor = [] if before is None or before.aggressor is None else [before.aggressor]
    others = [
        *[_seat(seat) for seat in (*around[:2], *aggressor)],
        nobody,
        *[_seat(seat) for seat in (*around[2:], *folded)],
    ]
    yield Draft("Who acts next?", right, tuple(others), after=True)


def _seat(seat: int) -> Choice:
    return Choice(f"Seat {seat}", str(seat))


def call(moment: Moment) -> Iterator[Draft]:
    """What a call costs the player."""
    turn = _turn(moment)
    if turn is None or "call" not in moment.expected or not turn[1].to_call:
        return
    asks = "It is on you. How much more do you put in to call?"
    yield amount_of(asks, turn[1].to_call, you=turn[2], after=True)


def least(moment: Moment, *, mine: bool) -> Iterator[Draft]:
    """The least that the seat to act may make it; `mine` asks the player how much that costs."""
    turn = _turn(moment)
    if turn is None or "min_raise_to" not in moment.expected:
        return
    state, hand, seat = turn
    bounds = state.raise_range
    if bounds is None or bounds[0] >= hand.bet(seat) + hand.stack(seat):
        return
    wager, least = str(hand.wager_kind), bounds[0]
    if mine:
        little = "" if least == bounds[1] else " as little as you may"
        more = " more" if hand.bet(seat) else ""
        asks = f"It is on you. You want to {wager}{little}. How much{more} do you put in?"
        yield amount_of(asks, least - hand.bet(seat), you=seat, after=True)
    elif least == bounds[1]:
        yield amount_of(
            f"If seat {seat} {_third(wager)}, {'how much' if wager == 'bet' else 'to how much'}?", least, after=True
        )
    else:
        yield amount_of(f"What is the least that seat {seat} may {_verb(wager)}?", least, after=True)


def most(moment: Moment, *, mine: bool) -> Iterator[Draft]:
    """The most that the seat to act may make it."""
    turn = _turn(moment)
    if turn is None or "max_raise_to" not in moment.expected:
        return
    state, hand, seat = turn
    bounds, wager = state.raise_range, str(hand.wager_kind)
    if bounds is None or bounds[1] >= hand.bet(seat) + hand.stack(seat) or bounds[0] == bounds[1]:
        return
    if mine:
        asks = f"It is on you. What is the most that you may {_verb(wager)}?"
        yield amount_of(asks, bounds[1], you=seat, after=True)
    else:
        yield amount_of(f"What is the most that seat {seat} may {_verb(wager)}?", bounds[1], after=True)


def _third(wager: str) -> str:
    return {"bet": "bets", "raise": "raises", "complete": "completes"}[wager]


def _verb(wager: str) -> str:
    return {"bet": "bet", "raise": "raise to", "complete": "complete to"}[wager]


def may(moment: Moment) -> Iterator[Draft]:
    """Whether the player may bet or raise."""
    turn = _turn(moment)
    if turn is None or not moment.expected & {"may", "min_raise_to"}:
        return
    state, hand, seat = turn
    has = hand.bet(seat) + hand.stack(seat)
    wager = str(hand.wager_kind)
    if has <= hand.level:
        return
    bounds = state.raise_range
    passive = sorted([str(kind) for kind in state.may if str(kind) in ("call", "check", "fold")])
    refused = Choice(f"No, only {' or '.join(passive)}", "no") if passive else Choice("No", "no")
    all_in = Choice("Yes, but only all-in", "all-in")
    right = refused if bounds is None else all_in if bounds[0] >= has else _sized(bounds)
    sizes = [size for size in (hand.level + hand.last_raise, 2 * hand.level) if hand.level < size < has]
    guesses = [_sized((size, has)) for size in sizes if bounds is None or size != bounds[0]]
    asks = f"It is on you. May you {wager}?"
    yield Draft(asks, right, (refused, *guesses[:1], all_in, *guesses[1:]), you=seat, after=True)


def _sized(bounds: tuple[int, int]) -> Choice:
    least, most = bounds
    return Choice(f"Yes, to {least:,} or more" if least < most else f"Yes, to {least:,} and no more", str(least))

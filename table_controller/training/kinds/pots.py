"""Questions about the pots once a round is over: how much is in each, who can win it, what goes back."""

from __future__ import annotations

from collections.abc import Iterator

from table_controller.betting import PayoutKind
from table_controller.training.kinds.draft import Draft, amount_of
from table_controller.training.moments import Moment
from table_controller.training.wrong import Choice


def pots(moment: Moment) -> Iterator[Draft]:
    """How much is in each pot."""
    hand = moment.after.state.hand
    if "pots" not in moment.expected or hand is None or not hand.round_over:
        return
    for place, pot in enumerate(hand.pots):
        where = "still to be won" if len(hand.pots) == 1 else f"in {_pot(place, len(hand.pots))}"
        yield amount_of(f"The bets are taken in. How much is {where}?", pot.amount, part=place)


def who(moment: Moment) -> Iterator[Draft]:
    """Who can win each pot."""
    hand = moment.after.state.hand
    if "pots" not in moment.expected or hand is None or not hand.round_over or len(hand.pots) < 2:
        return
    everybody = tuple(sorted(hand.seats))
    sets = [tuple(sorted(pot.seats)) for pot in hand.pots]
    for place, right in enumerate(sets):
        fewer = [tuple([seat for seat in right if seat != one]) for one in right[:1] if len(right) > 2]
        others = [*sets, tuple(sorted(hand.in_hand)), everybody, *fewer]
        asks = f"The bets are taken in. Who can win {_pot(place, len(sets))}?"
        yield Draft(asks, _winners(right), tuple([_winners(one) for one in others]), part=place)


def _pot(place: int, of: int) -> str:
    return "the main pot" if place == 0 else "the side pot" if of == 2 else f"side pot {place}"


def _winners(seats: tuple[int, ...]) -> Choice:
    listed = [str(seat) for seat in seats]
    text = f"Seats {', '.join(listed[:-1])} and {listed[-1]}" if len(seats) > 1 else f"Seat {listed[0]} alone"
    return Choice(text, ",".join(listed))


def uncalled(moment: Moment) -> Iterator[Draft]:
    """What goes back because nobody matched it."""
    before, hand = moment.before.state.hand, moment.after.state.hand
    if before is None or hand is None or not moment.expected & {"bets", "stacks", "pot", "pots"}:
        return
    new = [one for one in hand.payouts[len(before.payouts) :] if one.kind is PayoutKind.UNCALLED]
    if len(new) != 1 or not hand.round_over:
        return
    seat, amount = new[0].seat, new[0].amount
    bet = hand.bet(seat) + amount
    matched = sorted([before.bet(one) for one in hand.seats if one != seat], reverse=True)
    amounts = [bet - lower for lower in matched if bet - lower > 0] + [bet]
    others = [_back(seat, other) for other in amounts]
    nothing = Choice("Nothing goes back", "0")
    yield Draft("The round is over. What goes back uncalled?", _back(seat, amount), (nothing, *others))


def _back(seat: int, amount: int) -> Choice:
    return Choice(f"{amount:,} goes back to seat {seat}", f"{seat}/{amount}")

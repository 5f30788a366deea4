"""Button and blinds from one hand to the next (R-180 to R-204).

Three button rules, and what each does with the blinds of players who have gone: the dead button leaves no blind out
and may stand before an empty seat (R-188), the moving button always stands before a player and lets those whom it
skipped make up their blinds (R-187), the simplified one forgets (R-186). While nobody comes or goes they agree.

In a hand without blinds button and blinds move on as if there were some, and nobody pays; in stud they stand still.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from betline.settings import HouseRules
from table_controller.betting import BettingOptions, Illegal, Post, Structure
from table_controller.betting.forced import clockwise
from table_controller.positions.dead import dead
from table_controller.positions.moving import moving
from table_controller.positions.places import SEATS, Positions, after, before, first_on_button, next_big_blind


def first_positions(structure: Structure, options: BettingOptions, seats: Sequence[int], button: int) -> Positions:
    """The positions of a hand whose button is known; raises Illegal (`setup`) where the blinds do not fit."""
    return _standing(structure.blinds, options, seats, button)


def known_positions(
    structure: Structure, options: BettingOptions, seats: Sequence[int], button: int, small: int | None,
    big: int | None,
) -> Positions:  # fmt: skip
    """The positions of a hand of which only button and blinds are known; None for a blind that nobody posted."""
    blinds = len(structure.blinds)
    if big is None or not blinds:
        return Positions(button=button, small_blind=small, big_blind=big, trail=(button,), seats=frozenset(seats))
    trail: tuple[int, ...] = (button, big)
    if blinds > 1:
        spot = (big - 2) % SEATS + 1 if small is None else small
        trail = (button, spot, big)
        if blinds == 3 and not first_on_button(blinds, options):
            trail = (button, before(spot, [seat for seat in seats if seat != button] or [spot]), spot, big)
    places = trail[len(trail) - blinds :]
    return Positions(
        button=button, small_blind=small, big_blind=big, trail=trail, blinds=blinds,
        owed={seat: number for number, seat in enumerate(places) if number and seat in (small, big)},
        seats=frozenset(seats),
    )  # fmt: skip


def next_positions(
    house: HouseRules, structure: Structure, options: BettingOptions, last: Positions, seats: Sequence[int],
    newcomers: Collection[int] = (),
) -> Positions:  # fmt: skip
    """The positions of the hand after `last`, dealt to `seats`; the button does not go to `newcomers` by itself.

    Raises Illegal (`not-open`) for fewer than two seats, `setup` where there are more blinds than seats.
    """
    if len(seats) < 2:
        raise Illegal("not-open", f"A hand needs two players who can be dealt in, not {len(seats)}.")
    base = last.frozen_from or last
    if structure.blinds:
        return _moved(house, structure.blinds, options, base, seats, newcomers)
    placed = replace(
        _moved(house, (0,) * base.blinds, options, base, seats, newcomers), small_blind=None, big_blind=None
    )  # fmt: skip
    return replace(placed, frozen_from=base) if structure.opener_named and base.blinds else placed


def _moved(
    house: HouseRules, blinds: Sequence[int], options: BettingOptions, last: Positions, seats: Sequence[int],
    newcomers: Collection[int],
) -> Positions:  # fmt: skip
    settled = [seat for seat in seats if seat not in newcomers] or seats
    if len(seats) == 2 and len(blinds) > 1:
        return _heads_up(house, blinds, options, last, seats)
    if house.button_rule == "dead" and last.blinds:
        return dead(blinds, options, last, seats)
    usual = _standing(blinds, options, seats, after(last.button, settled))
    if house.button_rule != "moving" or not blinds:
        return usual
    if last.is_heads_up and usual.big_blind == last.trail[-1]:
        usual = _standing(blinds, options, seats, after(usual.button, settled))
    return moving(house, blinds, last, usual, seats)


def _heads_up(
    house: HouseRules, blinds: Sequence[int], options: BettingOptions, last: Positions, seats: Sequence[int]
) -> Positions:  # fmt: skip
    """Two players: the button posts the small blind; nobody posts the big blind twice in a row (R-004, R-189)."""
    if house.three_to_two == "simplified" or not last.blinds:
        return _standing(blinds, options, seats, after(last.button, seats))
    big = next_big_blind(last, seats)
    return _standing(blinds, options, seats, next(seat for seat in seats if seat != big))


def _standing(blinds: Sequence[int], options: BettingOptions, seats: Sequence[int], button: int) -> Positions:
    """Blinds clockwise from a button; heads-up the button posts the small one (R-004), R-181 for the first of three."""
    order = clockwise(seats, button)
    trail: tuple[int, ...]
    if len(order) == 2 and len(blinds) > 1:
        order, blinds = order[::-1], blinds[-2:]
        trail = (button, *order)
    elif first_on_button(len(blinds), options):
        order = order[-1:] + order[:-1]
        trail = order[:3]
    else:
        trail = (button, *order[: len(blinds)])
    if len(blinds) > len(order):
        raise Illegal("setup", f"{len(blinds)} blinds need as many players, not {len(order)}.")
    places = order[: len(blinds)]
    return Positions(
        button=button, small_blind=places[-2] if len(places) > 1 else None, big_blind=places[-1] if places else None,
        posts=tuple([Post(seat, amount) for seat, amount in zip(places, blinds, strict=True) if amount]),
        trail=trail, blinds=len(blinds), owed={seat: number for number, seat in enumerate(places) if number},
        seats=frozenset(seats),
    )  # fmt: skip

"""Kill pots: what triggers one, what it multiplies, who posts what for it (R-127 to R-129)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from betline.settings import HouseRules
from table_controller.betting import Illegal, Post, PostKind, Structure
from table_controller.betting.sizes import up_to_unit
from table_controller.positions.places import Positions


@dataclass(frozen=True, slots=True)
class KillRecord:
    """What the hands so far left behind: who owes a kill, and the pots won in a row."""

    seat: int | None = None
    """The seat that posts the kill of the hand that begins, or has posted it for the one in progress."""
    missed: bool = False
    """It was not dealt in when its kill was due: it posts at the first chance off the blinds and the button."""
    legs: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class WonHand:
    """How a hand ended, as far as a kill depends on it."""

    alone: Mapping[int, int]
    """Seat: what it won in pots that it did not split."""
    winners: frozenset[int]
    beyond_blinds: int
    """What the others lost beyond blinds and antes."""
    full_bet: int


def kill_amount(house: HouseRules, structure: Structure) -> int:
    """The kill blind: twice or one and a half times the big blind (or small bet), or the house's amount (R-127)."""
    bet = structure.big_blind or structure.bet_ranges[0][0]
    match house.kill:
        case "full":
            return 2 * bet
        case "half":
            return up_to_unit(-(-3 * bet // 2), structure.unit)
        case int(amount):
            return amount
    raise Illegal("setup", "A kill was triggered, and this house plays none (`kill`).")


def kill_structure(house: HouseRules, structure: Structure) -> Structure:
    """The game of a kill pot: every limit grows as the kill blind does; stud has no bring-in then (R-127, R-129)."""
    amount = kill_amount(house, structure)
    factor = Fraction(amount, structure.big_blind or structure.bet_ranges[0][0])

    def grown(size: int) -> int:
        return up_to_unit(-(-size * factor.numerator // factor.denominator), structure.unit)

    least = structure.min_bet
    if structure.limit.is_big_bet:
        least = grown(structure.bet_ranges[0][0])
    return replace(
        structure, bets=tuple([grown(bet) for bet in structure.bets]), bring_in=0, min_bet=least,
        spread=tuple([(grown(low), grown(high)) for low, high in structure.spread]),
    )  # fmt: skip


def is_due(record: KillRecord, placed: Positions) -> bool:
    """Whether the kill is posted for this hand: a missed one waits until it is off the blinds and the button."""
    if record.seat is None or record.seat not in placed.seats:
        return False
    blinds = {post.seat for post in placed.posts}
    return not record.missed or (record.seat not in blinds and record.seat != placed.button)


def with_kill(house: HouseRules, structure: Structure, placed: Positions, seat: int) -> Positions:
    """The positions with the kill blind; in a blind it takes its place, or makes it dead money (R-128).

    A blind that the house puts off is not posted either; `put_off` says what is due in the next hand.
    """
    amount = kill_amount(house, structure)
    own = _own_blinds(placed, seat)
    dead = tuple([replace(post, kind=PostKind.DEAD) for post in own]) if house.kill_in_blind == "both" else ()
    first_act_is_left_of_it = seat == placed.big_blind or not structure.big_blind
    kill = Post(
        seat, amount, PostKind.BLIND if first_act_is_left_of_it else PostKind.LIVE,
        acts_last=house.kill_acts == "last" and not first_act_is_left_of_it,
    )  # fmt: skip
    others = tuple([post for post in placed.posts if post not in own])
    return replace(placed, posts=(*others, *dead, kill))


def put_off(house: HouseRules, placed: Positions, seat: int) -> tuple[int, ...]:
    """The blinds that the seat with the kill posts in the next hand instead of this one (R-128)."""
    if house.kill_in_blind != "defer-blind":
        return ()
    return tuple([post.amount for post in _own_blinds(placed, seat)])


def _own_blinds(placed: Positions, seat: int) -> list[Post]:
    return [post for post in placed.posts if post.seat == seat and post.kind is PostKind.BLIND]


def after_hand(house: HouseRules, record: KillRecord, placed: Positions, won: WonHand) -> KillRecord:
    """Who kills the next hand, and who has legs (R-127, R-129); a kill that could not be posted stays due."""
    trigger = house.kill_trigger
    if house.kill is None:
        return record
    legs = dict(record.legs)
    killer: int | None = None
    if trigger is not None and trigger.wins is not None:
        legs = _legs(record, won)
        killer = next((seat for seat, count in legs.items() if count >= trigger.wins), None)
    elif trigger is not None:
        least = trigger.pot_at_least or trigger.scoop_at_least or 0
        enough = [seat for seat, amount in won.alone.items() if amount >= least]
        if trigger.scoop_at_least is not None and len(won.winners) > 1:
            enough = []
        killer = max(enough, key=lambda seat: won.alone[seat], default=None)
    if killer is None and record.seat is not None and not is_due(record, placed):
        return KillRecord(record.seat, missed=True, legs=legs)
    return KillRecord(killer, legs=legs)


def _legs(record: KillRecord, won: WonHand) -> dict[int, int]:
    """Pots won in a row: a split keeps legs, a first leg needs nothing, a later one a full bet beyond the blinds."""
    if len(won.winners) != 1:
        return {seat: count for seat, count in record.legs.items() if seat in won.winners}
    winner = next(iter(won.winners))
    before = record.legs.get(winner, 0)
    counts = before == 0 or won.beyond_blinds >= won.full_bet
    return {winner: before + counts}

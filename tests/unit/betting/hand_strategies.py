"""Hands to begin with and steps to take, drawn at random from all that the engine knows."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st

from table_controller.betting import (
    STREETS,
    Action,
    ActionKind,
    BettingOptions,
    Hand,
    Limit,
    Parts,
    Post,
    PostKind,
    Pot,
    Structure,
    standard_posts,
)
from table_controller.betting.structure import (
    AnteBy,
    BringInEqual,
    HeadsUpCap,
    OddChip,
    PotBelowMinimum,
    PotLimitPreflop,
    PotLimitSmallBlind,
    ShortAllIn,
    ShortBlindPot,
    ShortOpenAllIn,
    SmallBlind,
    StraddleMinRaise,
)

WAGERS = frozenset({ActionKind.BET, ActionKind.RAISE, ActionKind.COMPLETE})
Step = Callable[[Hand], Hand]


@st.composite
def options(draw: st.DrawFn) -> BettingOptions:
    return BettingOptions(
        short_all_in=draw(st.sampled_from(ShortAllIn)),
        short_open_all_in=draw(st.sampled_from(ShortOpenAllIn)),
        max_raises=draw(st.sampled_from([3, 4, None])),
        heads_up_cap=draw(st.sampled_from(HeadsUpCap)),
        straddle_counts_as_raise=draw(st.booleans()),
        straddle_min_raise=draw(st.sampled_from(StraddleMinRaise)),
        pot_limit_preflop=draw(st.sampled_from(PotLimitPreflop)),
        pot_limit_small_blind=draw(st.sampled_from(PotLimitSmallBlind)),
        short_blind_pot=draw(st.sampled_from(ShortBlindPot)),
        pot_below_minimum=draw(st.sampled_from(PotBelowMinimum)),
        pot_round_to=draw(st.sampled_from([None, 5])),
        small_blind=draw(st.sampled_from(SmallBlind)),
        bring_in_equal=draw(st.sampled_from(BringInEqual)),
        odd_chip=draw(st.sampled_from(OddChip)),
    )


@st.composite
def blind_hands(draw: st.DrawFn) -> Hand:
    """A game with blinds, perhaps one straddle or post; short stacks abound."""
    limit = draw(st.sampled_from(Limit))
    blinds = draw(st.sampled_from([(1, 2), (2, 5), (5, 10), (5, 5, 10), (4,)]))
    seats = draw(st.lists(st.integers(1, 10), min_size=max(2, len(blinds)), max_size=7, unique=True))
    button = draw(st.integers(1, 10))
    structure = Structure(
        limit=limit,
        blinds=blinds,
        ante=draw(st.sampled_from([0, 0, 1, 7])),
        ante_by=draw(st.sampled_from(AnteBy if button in seats else [AnteBy.EACH, AnteBy.BIG_BLIND])),
        bets=(10, 10, 20, 20) if limit is Limit.FIXED_LIMIT else (),
        spread=((1, 8),) if limit is Limit.SPREAD_LIMIT else (),
        unit=draw(st.sampled_from([1, 1, 5])),
        cap=draw(st.sampled_from([None, None, 40])),
        streets=STREETS["omaha"],
    )
    chosen = draw(options())
    posts = list(standard_posts(structure, chosen, seats, button))
    posted = {post.seat for post in posts}
    for seat in seats:
        if seat not in posted and draw(st.booleans()):
            kind = draw(st.sampled_from([PostKind.LIVE, PostKind.DEAD, PostKind.STRADDLE, PostKind.SLEEPER]))
            amount = 2 * max(blinds) if kind is PostKind.STRADDLE else max(blinds)
            posts.append(Post(seat, amount, kind, acts_last=kind is PostKind.STRADDLE and draw(st.booleans())))
            break
    stacks = {seat: draw(st.integers(1, 120)) for seat in seats}
    return Hand.start(structure, chosen, stacks, button, posts, carried=draw(st.sampled_from([0, 0, 13])))


@st.composite
def ante_hands(draw: st.DrawFn) -> Hand:
    """Stud with or without a bring-in, draw games, and streets of any number."""
    limit = draw(st.sampled_from([Limit.POT_LIMIT, Limit.FIXED_LIMIT, Limit.SPREAD_LIMIT]))
    streets = draw(st.sampled_from([STREETS["stud"], STREETS["draw"], STREETS["triple-draw"], ("one", "two", "three")]))
    small, big = draw(st.sampled_from([(5, 10), (8, 12)]))
    seats = draw(st.lists(st.integers(1, 10), min_size=2, max_size=6, unique=True))
    structure = Structure(
        limit=limit,
        ante=draw(st.sampled_from([0, 1, 3])),
        bring_in=draw(st.sampled_from([0, 2, 5])) if streets == STREETS["stud"] else 0,
        min_bet=small,
        bets=(small, small, big, big, big)[: len(streets)] if limit is Limit.FIXED_LIMIT else (),
        spread=((small, big),) if limit is Limit.SPREAD_LIMIT else (),
        streets=streets,
    )
    stacks = {seat: draw(st.integers(1, 80)) for seat in seats}
    button = draw(st.sampled_from(seats))
    return Hand.start(structure, draw(options()), stacks, button, carried=draw(st.sampled_from([0, 17])))


def next_street(hand: Hand) -> str:
    streets = hand.structure.streets
    return streets[streets.index(hand.street) + 1]


def draw_step(hand: Hand, draw: st.DrawFn) -> Step:
    """One step that is open here: an act, a fold out of turn, a forfeit, a street, a bring-in, or the award."""
    if hand.awaiting_bring_in:
        seat = draw(st.sampled_from(sorted(hand.in_hand)))
        return lambda hand: hand.bring_in(seat)
    if hand.next_seat is None:
        if hand.betting_over:
            winners = [_winners(pot, draw) for pot in hand.pots]
            return lambda hand: hand.award(winners)
        street, first = next_street(hand), draw(st.sampled_from(sorted(hand.in_hand)))
        doubled = draw(st.booleans())
        return lambda hand: hand.deal(street, first, doubled=doubled)
    unusual = draw(st.integers(0, 29))
    if unusual == 0:
        seat = draw(st.sampled_from(sorted(hand.in_hand)))
        return lambda hand: hand.fold(seat)
    if unusual == 1:
        left_behind = draw(st.integers(0, hand.to_call or 0))
        return lambda hand: hand.forfeit(left_behind)
    kind = draw(st.sampled_from(sorted(hand.may)))
    to = None
    if kind in WAGERS and hand.raise_range is not None:
        least, most = hand.raise_range
        between = () if is_doubled(hand) else (draw(st.integers(least, most)),)
        to = draw(st.sampled_from([least, most, *between]))
    return lambda hand: hand.act(Action(kind, to))


def is_doubled(hand: Hand) -> bool:
    """An open pair allows two sizes and nothing between them (R-130)."""
    return hand.state.setup.doubled_street == hand.state.street


def _winners(pot: Pot, draw: st.DrawFn) -> tuple[int, ...] | Parts:
    names = st.lists(st.sampled_from(pot.seats), min_size=1, max_size=3, unique=True)
    parts = draw(st.lists(names, min_size=1, max_size=3))
    return Parts(tuple(map(tuple, parts))) if len(parts) > 1 else tuple(parts[0])

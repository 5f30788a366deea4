"""What a level allows: least and most of the usual moments of a hand, as the betting engine answers them.

Nothing is reckoned here: a hand with deep stacks is begun and asked, so the sheet says what the table will say.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from table_controller.betting import Action, ActionKind, BettingOptions, Hand, Illegal, Limit, Structure

DEEP = 10**9
_FIRST_SEAT = 1


@dataclass(frozen=True, slots=True)
class Situation:
    """One moment: what calling adds, the least and the most that the seat may make it.

    `least` is None where no bet or raise is open, `most` too where only the stack bounds it.
    """

    name: str
    call: int
    least: int | None
    most: int | None


@dataclass(frozen=True, slots=True)
class BetSizes:
    """A level's sheet: the first round moment by moment, then the opening bets of each street."""

    first_round: tuple[Situation, ...]
    min_bets: tuple[tuple[str, int, int | None], ...]
    """Each street with the least opening bet, and the most where the game bounds it by itself."""


def bet_sizes_of(structure: Structure, options: BettingOptions, players: int) -> BetSizes:
    """The sheet of a game at so many players; raises Illegal where the numbers make no game."""
    hand = _begun(structure, options, players)
    found = [_situation("first to act", hand)]
    for name, moment in (
        ("everybody limps to the small blind", _to_the_small_blind(hand, ActionKind.CALL)),
        ("everybody folds to the small blind", _to_the_small_blind(hand, ActionKind.FOLD)),
        ("everybody limps to the big blind", _limped(hand)),
        ("after one pot raise" if structure.limit is Limit.POT_LIMIT else "after one minimum raise", _raised(hand)),
    ):
        if moment is not None:
            found.append(_situation(name, moment))
    bounded = structure.limit in (Limit.FIXED_LIMIT, Limit.SPREAD_LIMIT)
    ranges = zip(structure.streets, structure.bet_ranges, strict=True)
    bets = tuple([(street, least, most if bounded else None) for street, (least, most) in ranges])
    return BetSizes(tuple(found), bets)


def _begun(structure: Structure, options: BettingOptions, players: int) -> Hand:
    """A hand at which the first seat is to act; in stud the bring-in has been posted."""
    seats = range(_FIRST_SEAT, _FIRST_SEAT + players)
    hand = Hand.start(structure, options, dict.fromkeys(seats, DEEP), seats[-1])
    return hand.bring_in(_FIRST_SEAT) if hand.awaiting_bring_in else hand


def _situation(name: str, hand: Hand) -> Situation:
    least, most = hand.raise_range or (None, None)
    unbounded = hand.structure.limit is Limit.NO_LIMIT and hand.structure.cap is None
    return Situation(name, hand.to_call or 0, least, None if unbounded else most)


def _to_the_small_blind(hand: Hand, act: ActionKind) -> Hand | None:
    """All before the smallest live blind, who must be the last before the big blind, call or fold."""
    blinds = [bet for bet in hand.bets.values() if bet]
    if len(set(blinds)) < 2 or len(hand.seats) < 3:
        return None
    return _until(hand, act, lambda one: 0 < one.bets[one.next_seat or 0] < hand.level)


def _limped(hand: Hand) -> Hand | None:
    """All call; the big blind has its option."""
    return _until(hand, ActionKind.CALL, lambda one: one.option)


def _raised(hand: Hand) -> Hand | None:
    """The first seat raises by the pot, or by the minimum."""
    bounds = hand.raise_range
    if bounds is None:
        return None
    least, most = bounds
    to = most if hand.structure.limit is Limit.POT_LIMIT else least
    raised = hand.act(Action(hand.wager_kind, to))
    return raised if raised.next_seat is not None else None


def _until(hand: Hand, act: ActionKind, reached: Callable[[Hand], bool]) -> Hand | None:
    while hand.next_seat is not None:
        if reached(hand):
            return hand
        try:
            hand = hand.act(Action(act))
        except Illegal:
            return None
    return None

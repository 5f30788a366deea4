"""What an amount that was said stands for: "five" may be 500 or 5,000 (TDA 57; R-024, R-031)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from table_controller.betting import Limit
from table_controller.rulings.values.reckoning import Reckoned, Reckoning
from table_controller.rulings.values.situation import Situation
from table_controller.rulings.values.words import Said, Verb


@dataclass(frozen=True, slots=True)
class Reading:
    """What an amount means, in whole chips: of a bet or raise "by" what is added, else the total."""

    amount: int | None
    """None where it stays unclear."""
    legal: tuple[int, ...] = ()
    """The totals of the readings that would be a legal bet or raise, where it stays unclear."""
    cites: tuple[str, ...] = ()
    reckoning: Reckoning = ()


def read(s: Situation, said: Said) -> Reading:
    """The amount as said where that is reasonable, else the highest reading at or below the pot (TDA 57).

    Readings are the amount times 10, 100, 1,000 and so on, as far as they would be a legal bet or raise. Where all are
    above the pot it is the lowest of them, unless the house says otherwise (`unclear_amount`); where none is legal the
    amount stays unclear.
    """
    value = said.amount or 0
    if isinstance(value, int) and _is_reasonable(s, said, value):
        return Reading(value)
    scaled = tuple(_scaled(s, value))
    calls = _calls(s, said).intersection(scaled)
    if calls:
        return Reading(min(calls), cites=("TDA-57",))
    legal = tuple([amount for amount in scaled if _is_legal(s, total_of(s, said, amount)[0])])
    if isinstance(value, int) and not legal and s.least is None:
        return Reading(value)
    if isinstance(value, Fraction) and _is_reasonable(s, said, int(value)):
        legal = ()  # at a table where two and three are money, two and a half is neither
    limit = s.hand.pot if s.house.ambiguous_amount == "at-most-pot" else s.hand.pot - 1
    within = [amount for amount in legal if amount <= limit]
    if within:
        step = _reckoned(legal, limit, f"{max(within)} is the highest that is not above the pot")
        return Reading(max(within), cites=("TDA-57",), reckoning=(step,))
    if legal and s.house.unclear_amount == "lowest":
        step = _reckoned(legal, limit, f"all are above the pot, so the lowest: {min(legal)}")
        return Reading(min(legal), cites=("TDA-57",), reckoning=(step,))
    step = _reckoned(legal, limit, "all are above the pot" if legal else "no reading would be legal")
    return Reading(None, tuple([total_of(s, said, amount)[0] for amount in legal]), ("TDA-57",), (step,))


def total_of(s: Situation, said: Said, amount: int) -> tuple[int, Reckoning]:
    """What an amount makes the seat's total: "by" adds to the bet, a bare one is as the house says (R-024)."""
    if not (_adds(s, said) and s.hand.level):
        return amount, ()
    total = amount + s.match
    amounts = (("said", amount), ("bet", s.match), ("total", total))
    return total, (Reckoned("R-024", "an amount on top of the bet", amounts, f"a raise to {total}"),)


def makes_a_bet(s: Situation, said: Said) -> bool:
    """Whether an amount was said with a bet or raise, which binds; alone, or as a "bet" facing one, it may call."""
    return said.verb in (Verb.RAISE, Verb.COMPLETE) or (said.verb is Verb.BET and not s.facing)


def _adds(s: Situation, said: Said) -> bool:
    if said.by or said.verb is Verb.AMOUNT:
        return said.by
    return not said.to and said.verb is Verb.RAISE and s.house.bare_raise_amount == "by"


def _is_reasonable(s: Situation, said: Said, value: int) -> bool:
    """Whether the amount as said is a call, a bet or raise, or at least money at this table."""
    if value in _calls(s, said) or _would_act(s, total_of(s, said, value)[0]):
        return True
    if makes_a_bet(s, said) and s.least == s.most:
        return True  # one size alone is legal, or none: it is that, whatever was said
    return _is_in_play(s, said, value)


def _is_in_play(s: Situation, said: Said, value: int) -> bool:
    """Whether so little is bet at this table: a blind, the smallest bet or more, and no tenth of what it faces."""
    structure = s.hand.structure
    forced = [amount for amount in (*structure.blinds, structure.bring_in) if amount]
    smallest = min(structure.bet_ranges[0][0], structure.big_blind or structure.bet_ranges[0][0])
    if structure.limit in (Limit.FIXED_LIMIT, Limit.SPREAD_LIMIT):
        smallest = min([smallest, *forced])
    against = s.full_raise if _adds(s, said) else s.match
    return (value >= smallest or value in forced) and not (said.loose and 10 * value <= against)


def _calls(s: Situation, said: Said) -> frozenset[int]:
    """The amounts that call, where no bet or raise was declared (TDA 40-C)."""
    if not s.facing or said.to or makes_a_bet(s, said):
        return frozenset()
    owed = s.match - s.bet
    if said.by:
        return frozenset({owed}) if s.bet else frozenset()
    return frozenset({s.match, owed})


def _would_act(s: Situation, total: int) -> bool:
    """Whether a total is enough for a bet or raise, or half of a raise where that is made a full one (TDA 43)."""
    if s.least is None:
        return total >= s.match
    over = total - s.match
    is_half = s.hand.level > 0 and s.house.half_standard and over > 0 and 2 * over >= s.full_raise
    return total >= s.least or is_half


def _is_legal(s: Situation, total: int) -> bool:
    return _would_act(s, total) and total <= (s.everything if s.most is None else s.most)


def _scaled(s: Situation, value: int | Fraction) -> Iterator[int]:
    """The amount times 10, 100 and so on, as far as the seat has so much."""
    scaled = Fraction(value) * 10
    while 0 < scaled <= s.everything:
        if scaled.denominator == 1:
            yield int(scaled)
        scaled *= 10


def _reckoned(legal: tuple[int, ...], limit: int, outcome: str) -> Reckoned:
    amounts = tuple([(f"reading {number}", amount) for number, amount in enumerate(legal, start=1)])
    return Reckoned("TDA-57", "what the amount means", (*amounts, ("highest allowed by the pot", limit)), outcome)

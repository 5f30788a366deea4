"""What PokerKit reckons, corrected to what the rules say: one function for each difference of a question.

Each takes the question as the corrections before it left it, and gives it back as it is where its case is another.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import pokerkit

from table_controller.betting import Limit, Post, PostKind
from table_controller.betting.structure import (
    HeadsUpCap,
    PotBelowMinimum,
    PotLimitPreflop,
    PotLimitSmallBlind,
    ShortBlindPot,
    ShortOpenAllIn,
)
from tests.peers.questions import Question
from tests.peers.rounds import Round
from tests.peers.tables import Table


@dataclass(frozen=True)
class Moment:
    """The seat to act, what its round is by the rules, and PokerKit's state."""

    seat: int
    round: Round
    peer: pokerkit.State


Correction = Callable[[Moment, Question], Question]


def owed_in_full(m: Moment, q: Question) -> Question:
    others_with_chips = [
        i for i in m.peer.player_indices if i != m.seat - 1 and m.peer.statuses[i] and m.peer.stacks[i]
    ]
    if m.round.unmet:
        q = replace(q, increment=m.round.increment, reopened=m.round.reopened_to(m.seat))
    if q.level >= m.round.forced or not others_with_chips:
        return q
    return replace(q, level=m.round.forced, base=0 if m.peer.completion_status else m.round.forced)


def blind_owed_in_full(m: Moment, q: Question) -> Question:
    return q if m.round.table.structure.bring_in else owed_in_full(m, q)


def bring_in_owed_in_full(m: Moment, q: Question) -> Question:
    return owed_in_full(m, q) if m.round.table.structure.bring_in else q


def straddle_raised(m: Moment, q: Question) -> Question:
    if m.round.fixed or m.round.straddle <= q.increment:
        return q
    return replace(q, increment=m.round.straddle, reopened=m.round.reopened_to(m.seat))


def opened_short(m: Moment, q: Question) -> Question:
    to_minimum = m.round.options.short_open_all_in is ShortOpenAllIn.TO_MINIMUM and not m.round.fixed
    return replace(q, base=0, increment=m.round.size) if to_minimum and 0 < q.level < m.round.size else q


def blind_below_the_bet(m: Moment, q: Question) -> Question:
    r = m.round
    below = r.fixed and not r.table.structure.bring_in and r.forced and not r.blind_is_the_bet
    return replace(q, base=0) if below and not r.full else q


def completed(m: Moment, q: Question) -> Question:
    return replace(q, base=m.round.full) if m.round.fixed and m.round.below_full else q


def reopened(m: Moment, q: Question) -> Question:
    return replace(q, reopened=m.round.reopened_to(m.seat)) if m.round.below_full else q


def blind_is_a_bet(m: Moment, q: Question) -> Question:
    return replace(q, wagers=q.wagers + m.round.blind_is_the_bet) if m.round.fixed else q


def short_all_ins_uncounted(m: Moment, q: Question) -> Question:
    return replace(q, wagers=q.wagers - m.round.uncounted)


def straddles_counted(m: Moment, q: Question) -> Question:
    r = m.round
    if not r.fixed or r.street or not r.options.straddle_counts_as_raise:
        return q
    return replace(q, wagers=q.wagers + len([p for p in r.table.posts if p.kind is PostKind.STRADDLE]))


def house_cap(m: Moment, q: Question) -> Question:
    most = m.round.options.max_raises
    return replace(q, most_wagers=None if most is None else most + 1) if m.round.fixed else q


def heads_up_uncapped(m: Moment, q: Question) -> Question:
    free = m.round.freed and m.round.options.heads_up_cap is not HeadsUpCap.ALWAYS
    return replace(q, most_wagers=None) if free else q


def assumed_call(m: Moment, q: Question) -> Question:
    """Smaller blinds as large as the big one, but not what a blind lacks of itself: that is for `missing_blinds`."""
    r, table = m.round, m.round.table
    if r.options.pot_limit_preflop is not PotLimitPreflop.ASSUMED_CALL or r.street or _big_blind_is_through(m):
        return q
    in_full = r.options.short_blind_pot is ShortBlindPot.FULL
    big = table.structure.big_blind
    assumed = 0
    for post in table.posts:
        if post.seat in table.small_blinds and post.seat != m.seat and (in_full or _posted(m, post) == post.amount):
            assumed += max(big - max(m.peer.bets[post.seat - 1], post.amount), 0)
    if in_full:
        assumed += sum(big - blind for blind in _vacant_blinds(table))
    return replace(q, assumed=q.assumed + assumed)


def _big_blind_is_through(m: Moment) -> bool:
    """It has acted or folded, or is all-in and was passed; or there is none."""
    big = m.round.table.big_blind
    if big is None or big in m.round.seen or big in m.round.gone:
        return True
    return not m.peer.stacks[big - 1] and m.seat in m.round.seen


def _posted(m: Moment, post: Post) -> int:
    seat = post.seat - 1
    return min(post.amount, m.peer.starting_stacks[seat] - m.peer.get_effective_ante(seat))


def _vacant_blinds(table: Table) -> list[int]:
    posted = [post for post in table.posts if post.kind is PostKind.BLIND]
    return sorted(table.structure.blinds)[: len(table.structure.blinds) - len(posted)]


def missing_blinds(m: Moment, q: Question) -> Question:
    r = m.round
    if r.options.short_blind_pot is not ShortBlindPot.FULL or r.street or r.table.big_blind is None:
        return q
    posted = sum(_posted(m, post) for post in r.table.posts if post.kind is PostKind.BLIND)
    return replace(q, assumed=q.assumed + max(sum(r.table.structure.blinds) - posted, 0))


def own_blind_counted(m: Moment, q: Question) -> Question:
    r, big = m.round, m.round.table.big_blind
    live = {i + 1 for i in m.peer.player_indices if m.peer.statuses[i]}
    if (
        r.options.pot_limit_small_blind is not PotLimitSmallBlind.AS_POT
        or r.street
        or m.seat not in r.table.small_blinds
        or q.level != r.table.structure.big_blind
        or live != {m.seat, big}
    ):
        return q
    return replace(q, assumed=q.assumed + q.own)


def pot_below_the_bet(m: Moment, q: Question) -> Question:
    no_bet = m.round.options.pot_below_minimum is PotBelowMinimum.NO_BET and q.limit is Limit.POT_LIMIT
    return replace(q, barred=True) if no_bet and not q.level and q.most < q.increment else q

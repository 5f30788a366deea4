"""What the chips that moved at one seat are: nothing yet, an act, or a reason why they are no act.

Pure judgement on one account against the table's books. Who may act when is `order`'s business.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from betline.units import NS_PER_MS
from table_controller.sensing.account import Account, LastAct
from table_controller.sensing.belief import ZoneBelief
from table_controller.sensing.observations import ChipsMoved
from table_controller.sensing.setup import Thresholds
from table_controller.sensing.view import SeatBook
from table_controller.sensing.witness import SeatWitness

TAKES_NS = 100 * NS_PER_MS
"""From the moment at which a chip that a hand takes cannot be read any more until the hand has left the zone: a hand at
1 m/s takes as long for the 100 mm from the middle of a bet zone over its edge.
"""
MISSED_SINCE = 2
"""A chip that missed so many rounds is one that the antenna reads badly: how many it may miss, `presence` says."""
ANSWER_NS = 1_000 * NS_PER_MS
"""Nobody hears that something is owed, takes chips and is over the line with them so soon: a hand that is there again
by then has begun a second motion of its own accord (R-052)."""
GATHER_NS = 3_000 * NS_PER_MS
"""A dealer takes this long at most to gather the bets of a round."""


@dataclass(frozen=True, slots=True)
class Cover:
    """The chips are accounted for without an act."""

    why: Literal["keyed", "owed", "change", "swap"]
    amount: int
    over: int = 0


@dataclass(frozen=True, slots=True)
class Act:
    """The chips are an act; so much of them makes up what was ruled before."""

    pays: int = 0


@dataclass(frozen=True, slots=True)
class Wait:
    """Too early to say: half a change, or less lies there than before, which no act leaves."""


WAIT = Wait()
Verdict = Cover | Act | Wait | None


def judge(
    account: Account,
    book: SeatBook,
    its_turn: bool,
    house: frozenset[str],
    now_ns: int,
    thresholds: Thresholds,
    again: bool = False,
) -> Verdict:
    """What the settled movement in front of a seat is. `house` are chips last seen in the pot or the tray; `again`: it
    is a second motion of the seat's act, which pays no debt of the first.

    In this order: a value-neutral swap; change-making, which ends with the ruled bet in front of the seat; half a
    change; a debt paid (R-036, "owes"), or what was keyed or posted made good (R-042); an act.
    """
    if not account.new and not account.gone:
        return None
    came, went = account.new_value, account.gone_value
    if came == went and account.new and account.gone and not account.unknown:
        return Cover("swap", 0)
    tidy = book.bet - book.owes
    total = account.total
    if total > tidy == total + came - went:
        return Cover("change", total - tidy)
    changing = book.change_due > 0 or account.new.keys() & house or (not its_turn and breaks_a_chip(account))
    if changing and now_ns - account.moved_ns < thresholds.change_gap_ms * NS_PER_MS:
        return WAIT
    if not account.new or came == 0 or came < went:
        return WAIT
    debt = 0 if again else max(book.owes, account.awaited)
    net = came - went
    if debt and 0 < net <= debt:
        return Cover("owed" if book.owes else "keyed", net)
    if debt and net > debt:
        return Act(debt) if its_turn else Cover("owed" if book.owes else "keyed", debt, net - debt)
    return Act()


def breaks_a_chip(account: Account) -> bool:
    """Whether the new chips are worth just what one of those before is: change that the dealer makes unasked."""
    return len(account.new) > 1 and account.new_value in account.counted.values()


def was_gathered(account: Account, accounts: Iterable[Account], pot: ZoneBelief | None, swept_ns: int) -> bool:
    """Whether the dealer and not the seat took these chips: they lie in the pot, or other bets went with them."""
    if pot is not None and any(uid in pot.present for uid in account.gone):
        return True
    swept = [swept_ns]
    for other in accounts:
        if other is not account and not other.new:
            swept.append(other.gone_ns if other.gone else other.swept_ns)
    return any(at >= 0 and abs(at - account.gone_ns) < GATHER_NS for at in swept)


def ended(belief: ZoneBelief, seen: SeatWitness | None, under_hand: bool, thresholds: Thresholds) -> bool:
    """Whether a movement is over: the zone has settled and, where a camera sees, the hand has left (R-051).

    A chip can come to rest, or be taken back, until the hand leaves. So a round must have begun since, a second look
    may be it, and each chip answered since the hand could last have taken it (`TAKES_NS`), or missed rounds twice.
    `under_hand`: the dealer said that what lies there counts although a hand rests on it. Then, and where nobody sees
    the hand, the last new chip must have had all its rounds too (`presence`).
    """
    if not belief.settled:
        return False
    if seen is None or under_hand:
        return belief.round_no - belief.newest_round + 1 >= max(thresholds.settle_rounds, belief.needs)
    if seen.hand or belief.previous_ns <= seen.left_ns:
        return False
    taken_ns = seen.left_ns - TAKES_NS
    there = (belief.tracks[uid] for uid in belief.present)
    return all(track.after_ns > taken_ns or track.missed >= MISSED_SINCE for track in there)


UNHEARD_ROUNDS = 2
"""So many rounds after those that settled an act a chip of it may still be unheard: seven in all at 20 % are 1e-5."""


def is_late_chip(
    account: Account,
    belief: ZoneBelief,
    book: SeatBook,
    seen: SeatWitness | None,
    its_turn: bool,
    thresholds: Thresholds,
) -> bool:
    """Whether new chips belong to the seat's last act: soon after it, and no hand brought them.

    Where nobody sees the hand, they must have missed no more rounds than a chip that lay there could have.
    """
    last = account.last_act
    if last is None or account.gone or book.change_due:
        return False
    came = [belief.tracks[uid] for uid in account.new]
    came_ns = min(track.since_ns for track in came)
    if came_ns - last.rest_ns > thresholds.amend_ms * NS_PER_MS:
        return False
    if seen is None:
        unheard = min(track.since_round for track in came) - last.round_no - 1
        return not its_turn and last.epoch == belief.epoch and unheard <= UNHEARD_ROUNDS
    return not seen.hand and seen.entered_ns <= last.ended_ns


def is_second_motion(account: Account, belief: ZoneBelief, seen: SeatWitness | None) -> bool:
    """Whether the new chips came with the hand that was back before it could have heard what it owes for its last act.

    Only a camera sees that; without one (`seen` is None) chips that come then pay (R-045).
    """
    last = account.last_act
    if last is None or seen is None or account.gone or not account.new:
        return False
    visit = seen.brought(min(belief.tracks[uid].since_ns for uid in account.new), len(belief.present))
    return visit is not None and last.rest_ns < visit[0] <= last.ended_ns + ANSWER_NS


@dataclass(frozen=True, slots=True)
class Manner:
    """How an act is reported."""

    in_turn: bool = True
    again: bool = False
    late: bool = False
    """It replaces the seat's last act, for a chip of it came late."""
    pays: int = 0


def reported(
    act_no: int,
    account: Account,
    belief: ZoneBelief,
    seen: SeatWitness | None,
    manner: Manner,
    passed: int,
    now_ns: int,
) -> tuple[Account, ChipsMoved]:
    """The account after an act of all that moved, and the act. `seen` is None where no camera can be relied on."""
    last = account.last_act if manner.late else None
    came = sorted((belief.tracks[uid].since_ns, belief.tracks[uid].since_round) for uid in account.new)
    times = [since_ns for since_ns, _ in came]
    chips = {uid: value for uid, value in account.new.items() if value is not None}
    taken_back, first_ns, in_turn, pays = tuple(account.gone.values()), times[0], manner.in_turn, manner.pays
    by_motion = motions_of(chips, belief, seen)
    motions = seen.motions if seen is not None and seen.motions_ns >= first_ns - BET_BEFORE_NS else 1
    rests = came
    if last is not None:
        by_motion = (*last.by_motion[:-1], (*last.by_motion[-1], *chips.values()))
        chips = {**last.chips, **chips}
        taken_back, first_ns, in_turn, pays = last.taken_back, last.first_ns, last.in_turn, last.pays
        motions = max(motions, last.motions)
        rests = [(last.rest_ns, UNHEARD_BEFORE), *came]
    motions = max(motions, len(by_motion))
    memory = LastAct(
        act_no, chips, taken_back, by_motion, motions, pays, first_ns, times[-1], now_ns, in_turn, passed,
        belief.epoch, belief.round_no,
    )  # fmt: skip
    observation = ChipsMoved(
        act_no=act_no,
        seat=account.seat,
        pushed=tuple(chips.values()),
        taken_back=taken_back,
        by_motion=by_motion,
        motions=motions,
        uids=tuple(chips),
        first_ns=first_ns,
        rest_ns=memory.rest_ns,
        last_byte_ns=belief.at_ns,
        pays=pays,
        gap_ms=_gap_ms(rests),
        in_turn=in_turn,
        again=manner.again,
        amends=None if last is None else last.act_no,
        degraded=seen is None,
        unknown=len([value for value in account.new.values() if value is None]),
    )
    return account.acted(memory), observation


UNHEARD_BEFORE = -10
"""Stands for the round of a ruled act's last chip: those that have settled it since are more than can all have missed
one that lay there."""


def _gap_ms(came: Iterable[tuple[int, int]]) -> int:
    """The longest time in which no chip came, of the times and rounds in which they did.

    A chip that so few rounds have not heard as can miss one may have lain there: a round of 300 takes 3 s, and every
    one of them misses some.
    """
    gaps = (
        (after - before, rounds - 1) for (before, since), (after, then) in pairwise(came) for rounds in [then - since]
    )
    return max((gap for gap, unheard in gaps if unheard >= UNHEARD_ROUNDS), default=0) // NS_PER_MS


def motions_of(chips: Mapping[str, int], belief: ZoneBelief, seen: SeatWitness | None) -> tuple[tuple[int, ...], ...]:
    """The chips by the visit of the hand that brought them, in order. Only a visit that was seen begins a motion."""
    groups: list[list[int]] = [[]]
    current = None
    for uid, value in chips.items():
        visit = None if seen is None else seen.brought(belief.tracks[uid].since_ns, len(belief.present))
        if visit is not None and current is not None and visit != current:
            groups.append([])
        current = visit or current
        groups[-1].append(value)
    return tuple(tuple(group) for group in groups)


BET_BEFORE_NS = 1_000 * NS_PER_MS
"""The camera dates a bet to its crossing of the line, the reader to its first round: this much earlier at most."""

"""What makes one `State` of another: chips going in, hands going out, rounds ending, pots being paid.

Whether a move is allowed is asked before, in `hand` and `rights`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from operator import sub

from table_controller.betting import pots, rights, sizes, turns
from table_controller.betting.acts import FOLD, ActionKind
from table_controller.betting.pots import Payout, PayoutKind
from table_controller.betting.state import NOBODY, NOT_ACTED, SLEEPS, State
from table_controller.betting.structure import BettingOptions, BringInEqual, HeadsUpCap


def put(state: State, chips: int, kind: ActionKind) -> State:
    """The position to act puts in these chips (none for a check), and the turn passes."""
    (
        setup, street, behind, wagers, paid, acted, live, able, dead, pot, level, last_raise, full, proper, raises,
        capped, entrants, acts, acts_with_chips, aggressive_acts, aggressor, turn, _, payouts, bring_in, carried, lay,
    ) = state  # fmt: skip
    following = turn + 1
    wager, left = wagers[turn] + chips, behind[turn] - chips
    if chips:
        behind = (*behind[:turn], left, *behind[following:])
        wagers = (*wagers[:turn], wager, *wagers[following:])
        pot += chips
        acts_with_chips += 1
        if not left:
            able &= ~(1 << turn)
        if wager > level:
            aggressor = turn
            aggressive_acts += 1
            if wager >= rights.least_wager(setup, street, level, full, last_raise):
                proper = wager
            if setup.big_bet:
                if wager - level >= last_raise:
                    last_raise, full = wager - level, wager
            elif sizes.is_full(wager - full, last_raise, half_counts=setup.half_counts):
                if full:
                    raises += 1
                    capped = capped or caps(setup.options, raises, entrants, able | 1 << turn)
                last_raise = max(last_raise, min(wager - full, setup.bet_ranges[street][1]))
                full = wager
            level = wager
    acted = (*acted[:turn], level, *acted[following:])
    start = following if following < len(behind) else 0
    following = turns.next_to_act(start, able, live, level, wagers, acted, setup.last_to_act, aggressor)
    after = State(
        setup, street, behind, wagers, paid, acted, live, able, dead, pot, level, last_raise, full, proper, raises,
        capped, entrants, acts + 1, acts_with_chips, aggressive_acts, aggressor, following,
        (turn, kind, wager, chips, not left), payouts, bring_in, carried, lay,
    )  # fmt: skip
    return after if following >= 0 else settled(after)


def caps(options: BettingOptions, raises: int, entrants: int, betting: int) -> bool:
    """Whether this raise caps the round; once capped, a fold does not uncap it (R-121).

    `entrants` counts the live hands when the round began; `betting` is the set of those who are not all-in: two of
    them are heads-up although an all-in hand lies beside them (Robert's Rules, betting and raising 3).
    """
    if options.max_raises is None or raises < options.max_raises:
        return False
    match options.heads_up_cap:
        case HeadsUpCap.ALWAYS:
            return True
        case HeadsUpCap.OFF_IF_ROUND_STARTED_HEADS_UP:
            return entrants > 2
        case HeadsUpCap.OFF_IF_HEADS_UP_BEFORE_CAP:
            return betting.bit_count() > 2


def fold(state: State, position: int) -> State:
    """A live hand is out; where it was not its turn, the turn stays."""
    remaining = ~(1 << position)
    live, able, turn = state.live & remaining, state.able & remaining, state.turn
    if not live & (live - 1):
        turn = NOBODY
    elif turn >= 0:
        start = (position + 1) % len(state.behind) if position == turn else turn
        turn = turns.next_to_act(
            start, able, live, state.level, state.wagers, state.acted, state.setup.last_to_act, state.aggressor
        )
    act = (position, FOLD, state.wagers[position], 0, False)
    after = state._replace(live=live, able=able, turn=turn, acts=state.acts + 1, last_act=act)
    return after if turn >= 0 else settled(after)


def uncalled_back(state: State, position: int, before: State) -> State:
    """What nobody has called of a dead hand's bet or raise goes back, and the bet to match with it (R-047)."""
    called = max([wager for p, wager in enumerate(state.wagers) if p != position] + [before.level])
    amount = state.wagers[position] - called
    if position != state.aggressor or amount <= 0 or not state.contested:
        return state
    behind, wagers = list(state.behind), list(state.wagers)
    behind[position] += amount
    wagers[position] = called
    turn = state.turn
    if turn >= 0:
        turn = turns.next_to_act(
            turn, state.able, state.live, called, tuple(wagers), state.acted, state.setup.last_to_act, before.aggressor
        )
    payout = Payout(state.setup.seats[position], amount, PayoutKind.UNCALLED, None)
    return settled(
        state._replace(
            behind=tuple(behind), wagers=tuple(wagers), pot=state.pot - amount, level=called,
            last_raise=before.last_raise, full=before.full, proper=before.proper, raises=before.raises,
            capped=before.capped, aggressive_acts=before.aggressive_acts, aggressor=before.aggressor, turn=turn,
            payouts=(*state.payouts, payout),
        )
    )  # fmt: skip


def reopened(state: State) -> State:
    """The position to act acted before the last proper bet, as far as its right to raise goes."""
    acted = list(state.acted)
    acted[state.turn] = min(acted[state.turn], state.proper - 1)
    return state._replace(acted=tuple(acted))


def recounted(state: State, position: int, stack: int) -> State:
    """The position has this many chips behind."""
    setup = state.setup
    before = state.behind[position] + setup.reserve[position]
    change = stack - before
    cap = setup.structure.cap
    room = stack if cap is None else max(cap - (setup.starting[position] - before), 0)
    playable = min(stack, room)
    behind, reserve, starting = list(state.behind), list(setup.reserve), list(setup.starting)
    behind[position], reserve[position] = playable, stack - playable
    starting[position] += change
    able, turn = state.able, state.turn
    if not playable:
        able &= ~(1 << position)
        if turn >= 0:
            turn = turns.next_to_act(
                turn, able, state.live, state.level, state.wagers, state.acted, setup.last_to_act, state.aggressor
            )
    counted = replace(setup, reserve=tuple(reserve), starting=tuple(starting))
    return settled(state._replace(setup=counted, behind=tuple(behind), able=able, turn=turn))


def charged(state: State, position: int, amount: int) -> State:
    """The position has so much less, first of what it can bet."""
    setup, behind, reserve = state.setup, list(state.behind), list(state.setup.reserve)
    kept = min(reserve[position], behind[position] + reserve[position] - amount)
    behind[position] += reserve[position] - amount - kept
    reserve[position] = kept
    return state._replace(setup=replace(setup, reserve=tuple(reserve)), behind=tuple(behind))


def raked(state: State, taken: Mapping[int, int]) -> State:
    """Pots that were paid without the part of the house; of a pot that was split in this way the first payout pays."""
    left = dict(taken)
    payouts = []
    for payout in state.payouts:
        house = left.pop(payout.pot, 0) if payout.kind is PayoutKind.POT and payout.pot is not None else 0
        if house:
            state = charged(state, state.setup.position_of[payout.seat], house)
        payouts.append(replace(payout, amount=payout.amount - house))
    return state._replace(payouts=tuple(payouts))


def settled(state: State) -> State:
    """Where the round is over: what cannot be contested goes back, and a hand that all others folded to is won."""
    if state.turn >= 0 or state.awaiting_bring_in:
        return state
    while (settlement := pots.settle(state.contributions(), state.live, state.aggressor)) is not None:
        state = _take(state, settlement)
    if state.contested or not state.pot:
        return state
    winner = state.live.bit_length() - 1
    return paid_out(state, (Payout(state.setup.seats[winner], state.pot, PayoutKind.POT, 0),))


def _take(state: State, settlement: pots.Settlement) -> State:
    taker, amount, contributions = settlement.taker, settlement.amount, settlement.contributions
    paid = tuple(map(min, state.paid, contributions))
    number = None
    if settlement.kind is PayoutKind.POT:
        number = sum(1 for _ in pots.levels(contributions, state.live, state.dead))
    return state._replace(
        behind=(*state.behind[:taker], state.behind[taker] + amount, *state.behind[taker + 1 :]),
        wagers=tuple(map(sub, contributions, paid)),
        paid=paid,
        pot=state.pot - amount,
        able=state.able | (1 << taker & state.live),
        payouts=(*state.payouts, Payout(state.setup.seats[taker], amount, settlement.kind, number)),
        lay=state.lay or state,
    )


def paid_out(state: State, payouts: tuple[Payout, ...]) -> State:
    """The pots are empty and these payouts are in the stacks."""
    behind = list(state.behind)
    for payout in payouts:
        behind[state.setup.position_of[payout.seat]] += payout.amount
    return _emptied(state)._replace(behind=tuple(behind), payouts=state.payouts + payouts)


def passed_out(state: State) -> State:
    """Nobody wins: all that is in the pot waits for the next hand (R-307)."""
    return _emptied(state)._replace(carried=state.pot)


def _emptied(state: State) -> State:
    nothing = (0,) * len(state.behind)
    return state._replace(wagers=nothing, paid=nothing, dead=0, pot=0, lay=state.lay or state)


def open_street(state: State, street: int, start: int) -> State:
    """The round's bets are gathered; the first able position from `start` on begins the next street."""
    players = len(state.behind)
    nothing, nobody_acted = (0,) * players, (NOT_ACTED,) * players
    return state._replace(
        street=street,
        wagers=nothing,
        paid=state.contributions(),
        acted=nobody_acted,
        level=0,
        last_raise=state.setup.bet_ranges[street][0],
        full=0,
        proper=0,
        raises=0,
        capped=False,
        entrants=state.live.bit_count(),
        acts=0,
        acts_with_chips=0,
        aggressive_acts=0,
        aggressor=NOBODY,
        turn=turns.next_to_act(start, state.able, state.live, 0, nothing, nobody_acted),
        last_act=None,
        lay=None,
    )


def bring_in(state: State, position: int) -> State:
    """The position posts the bring-in, or what it has if less; one posted before goes back (R-202).

    Nobody can act before it: a hand that was out by then, such as a fouled one, is no act of the round.
    """
    structure = state.setup.structure
    amount = structure.bring_in
    behind = [chips + wager for chips, wager in zip(state.behind, state.wagers, strict=True)]
    posted = min(amount, behind[position])
    behind[position] -= posted
    players = len(behind)
    wagers = tuple([posted if p == position else 0 for p in range(players)])
    full = amount if amount >= state.setup.bet_ranges[0][0] else 0
    optional = full and state.setup.options.bring_in_equal is BringInEqual.LIVE_OPTION
    acted = tuple([SLEEPS if p == position and not optional else NOT_ACTED for p in range(players)])
    able = sum([1 << p for p in range(players) if state.live >> p & 1 and behind[p]])
    return settled(
        state._replace(
            behind=tuple(behind),
            wagers=wagers,
            acted=acted,
            able=able,
            pot=state.pot - sum(state.wagers) + posted,
            level=amount,
            full=full,
            turn=turns.next_to_act((position + 1) % players, able, state.live, amount, wagers, acted),
            bring_in=position,
            acts=0,
            lay=None,
        )
    )

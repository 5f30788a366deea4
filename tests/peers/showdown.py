"""The end of a hand in both engines: PokerKit ranks the cards, the engine is told who won, the stacks are compared."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import pokerkit
from pokerkit.hands import Hand as Cards

from table_controller.betting import Hand, Parts, PayoutKind
from table_controller.betting.structure import OddChip
from tests.peers.differences import FORFEIT_BLIND, NO_LOW, ODD_UNITS, PAID_AT_ONCE, POTS_APART, Difference

Pots = list[tuple[int, tuple[int, ...]]]
"""Amounts and the seats that can win them, main pot first."""
Ranking = dict[int, Cards]
"""The hands that qualify, by seat."""


@dataclass(frozen=True)
class Showdown:
    """What PokerKit knows once all cards are out."""

    pots: Pots
    rankings: list[Ranking]
    """One for each way to win, high before low."""
    before: list[int]
    """Stacks by seat before anything is paid."""


def discard(peer: pokerkit.State, rng: random.Random) -> None:
    """Every player whose draw it is changes a random part of its cards."""
    while (seat := peer.stand_patter_or_discarder_index) is not None:
        cards = peer.hole_cards[seat]
        peer.stand_pat_or_discard(rng.sample(cards, rng.choice((0, 1, 2, len(cards)))))


def run_out(peer: pokerkit.State, rng: random.Random) -> Showdown | None:
    """Deal and show everything and pay the pots; None where all but one have folded."""
    if not peer.status or sum(peer.statuses) == 1:
        seen = None
    else:
        while any(peer.standing_pat_or_discarding_statuses) or peer.showdown_indices:
            discard(peer, rng)
            if peer.showdown_indices:
                peer.show_or_muck_hole_cards(True)
        seen = Showdown(pots_of(peer), [_ranking(peer, kind) for kind in peer.hand_type_indices], list(peer.stacks))
    while peer.can_kill_hand():
        peer.kill_hand()
    while peer.can_push_chips():
        peer.push_chips()
    while peer.can_pull_chips():
        peer.pull_chips()
    assert not peer.status, "PokerKit's hand is not over"
    return seen


def _ranking(peer: pokerkit.State, kind: int) -> Ranking:
    hands = {i + 1: peer.get_hand(i, 0, kind) for i in peer.player_indices}
    return {seat: hand for seat, hand in hands.items() if hand is not None}


def pots_of(peer: pokerkit.State) -> Pots:
    return [(pot.amount, tuple(i + 1 for i in pot.player_indices)) for pot in peer.pots]


def best(ranking: Ranking, seats: Sequence[int]) -> list[int]:
    """The seats with the best hand; nobody where no hand qualifies."""
    able = [seat for seat in seats if seat in ranking]
    return [seat for seat in able if ranking[seat] == max(ranking[other] for other in able)]


def pay(hand: Hand, peer: pokerkit.State, seen: Showdown | None) -> set[Difference]:
    """Pay our hand by PokerKit's cards and compare the stacks; the differences that this met."""
    if seen is None:
        assert hand.hand_over, "PokerKit has paid the hand, the engine has not"
        return _compare_stacks(hand, peer, [], None)
    before = pots_before_payment(hand)
    met = _compare_pots(hand, before, seen.pots)
    if len(before) > len(hand.pots):
        met.add(PAID_AT_ONCE)
    if not hand.hand_over:
        hand = hand.award([_winners(seats, seen.rankings) for _, seats in before[: len(hand.pots)]])
    return met | _compare_stacks(hand, peer, before, seen)


def pots_before_payment(hand: Hand) -> Pots:
    """The pots with those that are paid because one player alone could win them."""
    pots = [(pot.amount, pot.seats) for pot in hand.pots]
    alone = [(p.amount, (p.seat,)) for p in hand.payouts if p.kind is PayoutKind.POT]
    return pots + alone[::-1]


def _winners(seats: Sequence[int], rankings: Sequence[Ranking]) -> list[int] | Parts:
    parts = [tuple(winners) for ranking in rankings if (winners := best(ranking, seats))]
    return list(parts[0]) if len(parts) == 1 else Parts(tuple(parts))


def _compare_pots(hand: Hand, ours: Pots, theirs: Pots) -> set[Difference]:
    if ours == theirs:
        return set()
    # what a folded blind had in above all others: to the last pot, or back
    excess = sum(amount for amount, _ in ours) - sum(amount for amount, _ in theirs)
    contributed = {True: [0], False: [0]}
    for seat, started in hand.starting_stacks.items():
        won = sum(p.amount for p in hand.payouts if p.seat == seat and p.kind is PayoutKind.POT)
        contributed[seat in hand.folded].append(started - hand.stack(seat) + won)
    assert 0 < excess <= max(contributed[True]) - max(contributed[False]), f"pots {ours}, PokerKit's {theirs}"
    amount, seats = ours[-1]
    assert [p for p in (*ours[:-1], (amount - excess, seats)) if p[0]] == theirs, f"pots {ours}, PokerKit's {theirs}"
    return {FORFEIT_BLIND}


def _compare_stacks(hand: Hand, peer: pokerkit.State, pots: Pots, seen: Showdown | None) -> set[Difference]:
    ours = [hand.stack(seat) for seat in sorted(hand.seats)]
    assert sum(ours) == sum(peer.starting_stacks), "chips were made or lost"
    assert sum(peer.stacks) == sum(peer.starting_stacks), "PokerKit made or lost chips"
    if ours == peer.stacks:
        return set()
    where = f"stacks {ours}, PokerKit's {peer.stacks}"
    if seen is None:
        (winner,) = hand.in_hand
        ((folded, excess),) = [
            (s, peer.stacks[s - 1] - ours[s - 1]) for s in hand.folded if peer.stacks[s - 1] != ours[s - 1]
        ]
        assert 0 < excess <= max(hand.starting_stacks[folded] - ours[folded - 1], 0), where
        assert ours[winner - 1] - excess == peer.stacks[winner - 1], where
        return {FORFEIT_BLIND}
    low_shared, merged = _as_pokerkit_pays(seen)
    assert merged == peer.stacks, f"{where}, foreseen {merged}"
    met: set[Difference] = set()
    excess = sum(amount for amount, _ in pots) - sum(amount for amount, _ in seen.pots)
    if low_shared:
        met.add(NO_LOW)
    odd = [left for amount, seats in pots for left in _odd_units(amount, seats, seen.rankings)]
    if hand.options.odd_chip is OddChip.LEFT_OF_BUTTON and max(odd) > 1:
        met.add(ODD_UNITS)
    if len(_merged(seen)) < len(seen.pots) and any(odd):
        met.add(POTS_APART)
    if excess:
        met.add(FORFEIT_BLIND)
    assert met, where
    if NO_LOW not in met:
        gap = max(abs(mine - other) for mine, other in zip(ours, peer.stacks, strict=True))
        assert gap <= sum(odd) + excess, where
    return met


def _odd_units(amount: int, seats: Sequence[int], rankings: Sequence[Ranking]) -> list[int]:
    """What each split of a pot leaves odd: that into high and low, then each half's among its winners."""
    parts = [winners for ranking in rankings if (winners := best(ranking, seats))]
    half, over = divmod(amount, len(parts))
    return [over, *((half + (0 if number else over)) % len(winners) for number, winners in enumerate(parts))]


def _survivors(seen: Showdown) -> set[int]:
    """Who wins a part of some pot; PokerKit kills the others' hands."""
    return {s for _, seats in seen.pots for ranking in seen.rankings for s in best(ranking, seats)}


def _merged(seen: Showdown) -> Pots:
    survivors = _survivors(seen)
    merged: Pots = []
    for amount, seats in seen.pots:
        left = tuple(seat for seat in seats if seat in survivors)
        before = merged.pop()[0] if merged and merged[-1][1] == left else 0
        merged.append((before + amount, left))
    return merged


def _as_pokerkit_pays(seen: Showdown) -> tuple[bool, list[int]]:
    """Whether a low half is shared by hands that are none, and the stacks that PokerKit's way of paying makes."""
    survivors, stacks, low_shared = _survivors(seen), list(seen.before), False
    kinds = [r for ranking in seen.rankings if (r := {s: h for s, h in ranking.items() if s in survivors})]
    for amount, seats in _merged(seen):
        for number, ranking in enumerate(kinds):
            part = amount // len(kinds) + (0 if number else amount % len(kinds))
            winners = best(ranking, seats)
            if not winners:
                low_shared, winners = low_shared or len(seats) > 1, list(seats)
            for place, winner in enumerate(winners):
                stacks[winner - 1] += part // len(winners) + (0 if place else part % len(winners))
    return low_shared, stacks

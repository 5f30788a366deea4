"""Kill pots: who kills the next hand, and what a kill blind does to a blind (R-127 to R-129)."""

from __future__ import annotations

import pytest

from betline.settings import HouseRules, load_house_rules
from table_controller.betting import BettingOptions, Illegal, Limit, Post, PostKind, Structure
from table_controller.positions import (
    KillRecord,
    WonHand,
    after_hand,
    first_positions,
    is_due,
    kill_structure,
    with_kill,
)

LIMIT = Structure(limit=Limit.FIXED_LIMIT, blinds=(2, 4), bets=(4, 4, 8, 8))
PLACED = first_positions(LIMIT, BettingOptions(), (1, 2, 3, 4, 5), 5)


def rules(**options: object) -> HouseRules:
    return load_house_rules("home", {"kill": "full", **options})


def won(*winners: int, amount: int = 50, beyond_blinds: int = 10, split: bool = False) -> WonHand:
    alone = dict.fromkeys(winners, 0 if split else amount)
    return WonHand(alone=alone, winners=frozenset(winners), beyond_blinds=beyond_blinds, full_bet=4)


@pytest.mark.parametrize(("kill", "bets"), [("full", (8, 8, 16, 16)), ("half", (6, 6, 12, 12)), (10, (10, 10, 20, 20))])
def test_r_127_a_kill_multiplies_the_limits(kill: object, bets: tuple[int, ...]) -> None:
    assert kill_structure(rules(kill=kill), LIMIT).bets == bets


def test_r_127_a_house_without_kills_refuses_one() -> None:
    with pytest.raises(Illegal, match="plays none"):
        kill_structure(load_house_rules("home"), LIMIT)


def test_r_127_a_pot_that_is_large_enough_and_not_split_is_killed_by_its_winner() -> None:
    pot = rules(kill_trigger={"pot_at_least": 50})

    assert after_hand(pot, KillRecord(), PLACED, won(3)).seat == 3
    assert after_hand(pot, KillRecord(), PLACED, won(3, amount=49)).seat is None
    assert after_hand(pot, KillRecord(), PLACED, won(3, 4, split=True)).seat is None
    scoop = rules(kill_trigger={"scoop_at_least": 50})
    assert after_hand(scoop, KillRecord(), PLACED, won(3)).seat == 3
    assert after_hand(scoop, KillRecord(), PLACED, won(3, 4)).seat is None


def test_r_129_legs() -> None:
    two = rules(kill_trigger={"wins": 2})

    first = after_hand(two, KillRecord(), PLACED, won(3, beyond_blinds=0))
    assert (first.seat, first.legs) == (None, {3: 1})
    assert after_hand(two, first, PLACED, won(3)).seat == 3
    assert after_hand(two, first, PLACED, won(3, beyond_blinds=3)).legs == {3: 1}
    assert after_hand(two, first, PLACED, won(4)).legs == {4: 1}
    assert after_hand(two, first, PLACED, won(3, 4, split=True)).legs == {3: 1}
    assert after_hand(two, first, PLACED, won(4, 5, split=True)).legs == {}
    killer = KillRecord(3, legs={3: 2})
    assert after_hand(two, killer, PLACED, won(3, 4, split=True)).seat == 3


def test_r_129_a_missed_kill_is_posted_off_the_blinds_and_the_button() -> None:
    record = after_hand(rules(kill_trigger={"wins": 2}), KillRecord(7, legs={7: 2}), PLACED, won(3))

    assert (record.seat, record.missed) == (7, True)
    missed = {seat: is_due(KillRecord(seat, missed=True), PLACED) for seat in PLACED.seats}
    assert missed == {1: False, 2: False, 3: True, 4: True, 5: False}
    assert is_due(KillRecord(2), PLACED)
    assert not is_due(KillRecord(7), PLACED)


def test_r_128_a_killer_in_the_big_blind_posts_the_kill_only_or_both() -> None:
    assert with_kill(rules(), LIMIT, PLACED, 2).posts == (Post(1, 2), Post(2, 8))
    both = with_kill(rules(kill_in_blind="both"), LIMIT, PLACED, 2).posts
    assert both == (Post(1, 2), Post(2, 4, PostKind.DEAD), Post(2, 8))
    small = with_kill(rules(), LIMIT, PLACED, 1).posts
    assert small == (Post(2, 4), Post(1, 8, PostKind.LIVE, acts_last=True))


def test_r_129_a_stud_kill_pot_has_no_bring_in() -> None:
    stud = Structure(limit=Limit.FIXED_LIMIT, bets=(5, 5, 10, 10), bring_in=2)

    assert kill_structure(rules(), stud).bring_in == 0
    assert kill_structure(rules(), stud).bets == (10, 10, 20, 20)

"""What holds of button and blinds whoever comes and goes."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from table_controller.betting import PostKind
from table_controller.positions import dealt_in
from table_controller.positions.places import is_past
from tests.unit.positions.evening import EVENINGS, Dealt, Event, game, hands, house

RULES = ("dead", "moving", "simplified")
BLINDS = ((2,), (1, 2), (1, 2, 4))
Evening = tuple[set[int], list[list[Event]]]

NEW = st.sampled_from(["post", "post-in-limit", "wait", "free"])
REPLACED = st.sampled_from(["pay-in-stead", "sit-out", "live-big-blind"])
MISSED = st.sampled_from(["none", "big-live-small-dead", "one-per-hand", "single-big"])
BOTH = st.sampled_from(["big-now-small-next", "post-both"])


@pytest.mark.one_in(3)
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("blinds", BLINDS)
@settings(deadline=None)
@given(evening=EVENINGS, new=NEW, replaced=REPLACED, missed=MISSED, both=BOTH)
def test_every_hand_can_be_dealt(
    rule: str, blinds: tuple[int, ...], evening: Evening, new: str, replaced: str, missed: str, both: str
) -> None:
    rules = house(rule, new_player=new, replacement=replaced, missed_blinds=missed, moving_both_due=both)
    for dealt in hands(rules, game(*blinds), *evening):
        placed = dealt.placed
        assert len(placed.seats) >= 2
        assert all(dealt.before[seat].stack and not dealt.before[seat].away for seat in placed.seats)
        assert {post.seat for post in placed.posts} <= placed.seats
        assert placed.big_blind in dealt.paid(max(blinds))
        assert sum(post.amount for post in placed.posts if post.kind is PostKind.LIVE) <= max(blinds) * len(
            placed.seats
        )
        assert rule == "dead" or placed.button in placed.seats
        for seat in placed.seats:
            live = [post for post in placed.posts if post.seat == seat and post.kind is not PostKind.DEAD]
            assert len(live) <= 1


@pytest.mark.one_in(3)
@pytest.mark.parametrize("rule", ["dead", "moving"])
@pytest.mark.parametrize("blinds", BLINDS)
@settings(deadline=None)
@given(evening=EVENINGS)
def test_r_187_r_188_nobody_posts_two_big_blinds_in_a_row_while_others_have_not(
    rule: str, blinds: tuple[int, ...], evening: Evening
) -> None:
    last: Dealt | None = None
    for dealt in hands(house(rule), game(*blinds), *evening):
        if last is not None:
            paid = {seat for seat in dealt.paid(max(blinds)) if not dealt.before[seat].arrival}
            before = set(last.paid(max(blinds)))
            others = (dealt.placed.seats & last.placed.seats) - paid - before
            assert not (paid & before and others)
            assert rule == "moving" or not paid & before
        last = dealt


@pytest.mark.parametrize("blinds", BLINDS)
@settings(deadline=None)
@given(evening=EVENINGS)
def test_r_188_the_dead_button_has_one_big_blind_which_skips_nobody(blinds: tuple[int, ...], evening: Evening) -> None:
    last: Dealt | None = None
    for dealt in hands(house("dead"), game(*blinds), *evening):
        bigs = dealt.paid(max(blinds))
        assert len(bigs) == 1
        if last is not None and dealt.placed.trail[-1] == bigs[0]:  # nobody has bought the button
            before = last.placed.trail[-1]
            assert not [seat for seat in dealt.placed.seats if is_past(before, seat, bigs[0])]
        last = dealt


@settings(deadline=None)
@given(evening=EVENINGS, both=BOTH)
def test_r_187_who_paid_a_big_blind_pays_a_small_one_next_but_where_both_are_due(evening: Evening, both: str) -> None:
    owes: set[int] = set()
    last: Dealt | None = None
    for dealt in hands(house("moving", moving_both_due=both), game(1, 2), *evening):
        placed = dealt.placed
        bigs = set(dealt.paid(2))
        paid_small = {post.seat for post in placed.posts if post.amount == 1}
        anew = last is None or placed.is_heads_up or last.placed.is_heads_up or placed.trail[-1] != placed.big_blind
        if not anew:
            both_due = bigs & owes  # then the big one comes first
            assert (owes & placed.seats) - both_due <= paid_small
        owes = bigs - paid_small
        last = dealt


@settings(deadline=None)
@given(evening=EVENINGS)
def test_r_193_a_seat_that_is_left_out_owes_one_set_of_blinds_at_most(evening: Evening) -> None:
    for dealt in hands(house("dead"), game(1, 2), *evening):
        for seat, player in dealt.before.items():
            assert player.missed in ((), (1,), (2, 1))
            made_up = [post.amount for post in dealt.placed.posts if post.seat == seat]
            if player.missed and seat in dealt.placed.seats:
                assert sorted(made_up, reverse=True) in ([2, 1], [1], [2])
                assert seat == dealt.placed.big_blind or sum(made_up) == sum(player.missed)


@pytest.mark.one_in(4)
@pytest.mark.parametrize(
    ("rule", "blinds"),
    [(rule, blinds) for rule in RULES for blinds in BLINDS if (rule, len(blinds)) != ("moving", 3)],
)
@settings(deadline=None)
@given(evening=EVENINGS, new=NEW, replaced=REPLACED, form=st.sampled_from(["cash", "tournament"]))
def test_nobody_waits_for_longer_than_the_big_blind_takes_to_come(
    rule: str, blinds: tuple[int, ...], evening: Evening, new: str, replaced: str, form: str
) -> None:
    rules = house(rule, new_player=new, replacement=replaced, form=form)
    seats, nights = evening
    dealt = list(hands(rules, game(*blinds), seats, [[], *nights, *[[]] * 22]))
    assume(len(dealt) == len(nights) + 23)
    last = dealt[-1]

    assert last.placed.seats == set(dealt_in(last.before, rules))
    assert all(not last.before[seat].arrival or seat == last.placed.big_blind for seat in last.placed.seats)

"""Turn order, streets, forced bets, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from table_controller.betting import (
    STREETS,
    Action,
    ActionKind,
    Hand,
    Illegal,
    Limit,
    Post,
    PostKind,
    Structure,
    standard_posts,
)
from table_controller.betting.structure import AnteBy, SubstantialAction, ThreeBlindFirst
from tests.unit.betting.betting_helpers import CASH, LIMIT_20_40, TDA, no_limit, on_the_flop, played

FOUR = dict.fromkeys(range(1, 5), 1000)
CHECK = Action(ActionKind.CHECK)


def turns(hand: Hand) -> list[int]:
    """The order in which the seats call and check the round through."""
    order = []
    while hand.next_seat is not None:
        order.append(hand.next_seat)
        hand = played(hand, "call" if hand.to_call else "check")
    return order


def test_r001_play_moves_clockwise_past_folded_and_all_in_seats() -> None:
    hand = on_the_flop(no_limit(1, 2), {2: 1000, 3: 40, 5: 1000, 8: 1000, 9: 1000}, button=9)
    hand = played(hand, "bet 20", "all-in", "fold", "raise 60")
    assert turns(hand) == [9, 2]
    hand = played(hand, "call", "call").deal("turn")
    assert turns(hand) == [2, 8, 9]


def test_r005_a_round_ends_when_every_bet_is_matched_or_one_hand_is_left() -> None:
    hand = played(on_the_flop(no_limit(1, 2), FOUR, button=4), "bet 20", "call", "call")
    assert not hand.round_over
    assert played(hand, "call").round_over
    assert played(hand, "raise 40", "fold", "fold", "fold").hand_over


def test_r007_all_check_and_the_next_card_is_free() -> None:
    hand = played(on_the_flop(no_limit(1, 2), FOUR, button=4, pot=40), *["check"] * 4)
    assert (hand.round_over, hand.betting_over, hand.pot) == (True, False, 40)


def test_r002_the_first_round_begins_left_of_the_big_blind_and_later_ones_left_of_the_button() -> None:
    hand = Hand.start(no_limit(1, 2), TDA, FOUR, 4)
    assert turns(hand) == [3, 4, 1, 2]
    hand = played(hand, "call", "call", "fold", "check").deal("flop")
    assert turns(hand) == [2, 3, 4]


def test_r004_heads_up_the_button_is_the_small_blind_and_acts_first_before_the_flop_only() -> None:
    hand = Hand.start(no_limit(1, 2), TDA, {3: 100, 8: 100}, 8)
    assert hand.bets == {3: 2, 8: 1}
    assert turns(hand) == [8, 3]
    assert turns(played(hand, "call", "check").deal("flop")) == [3, 8]


def test_r006_the_big_blind_keeps_its_option_once() -> None:
    hand = played(Hand.start(no_limit(1, 2), TDA, FOUR, 4), "call", "call", "call")
    assert hand.option
    assert hand.may == {ActionKind.CHECK, ActionKind.RAISE, ActionKind.FOLD}
    hand = played(hand, "raise 6", "call", "fold", "call")
    assert hand.round_over


def test_r008_betting_is_over_when_one_player_alone_has_chips() -> None:
    hand = played(on_the_flop(no_limit(1, 2), {1: 50, 2: 500}, button=2), "all-in", "call")
    assert hand.betting_over
    hand = hand.deal("turn").deal("river")
    assert (hand.street, hand.next_seat, hand.betting_over) == ("river", None, True)


def test_r181_the_first_of_three_blinds_stands_where_the_house_has_it() -> None:
    structure = no_limit(5, 5, 10)
    seats = range(1, 6)
    left = replace(CASH, three_blind_first=ThreeBlindFirst.LEFT_OF_BUTTON)
    button = replace(CASH, three_blind_first=ThreeBlindFirst.ON_BUTTON)
    assert [post.seat for post in standard_posts(structure, left, seats, 5)] == [1, 2, 3]
    assert [post.seat for post in standard_posts(structure, button, seats, 5)] == [5, 1, 2]


def test_r187_several_big_blinds_keep_their_options() -> None:
    posts = [Post(3, 2), Post(4, 2), Post(5, 2)]
    hand = Hand.start(no_limit(1, 2), CASH, {3: 200, 4: 200, 5: 200}, 3, posts)
    assert (hand.next_seat, hand.to_call, hand.min_raise_to) == (3, 0, 4)
    assert turns(hand) == [3, 4, 5]


def test_r192_a_live_post_keeps_its_option_and_does_not_move_the_first_act() -> None:
    posts = [Post(1, 1), Post(2, 2), Post(4, 2, PostKind.LIVE)]
    hand = Hand.start(no_limit(1, 2), CASH, dict.fromkeys(range(1, 6), 200), 5, posts)
    assert turns(hand) == [3, 4, 5, 1, 2]


def test_r195_a_straddle_moves_the_first_act_and_has_the_last_option() -> None:
    posts = [Post(1, 1), Post(2, 2), Post(3, 4, PostKind.STRADDLE)]
    hand = Hand.start(no_limit(1, 2), CASH, FOUR, 4, posts)
    assert turns(hand) == [4, 1, 2, 3]


def test_r198_a_mississippi_straddle_may_act_last_from_the_button() -> None:
    posts = [Post(1, 10), Post(2, 25), Post(5, 50, PostKind.STRADDLE, acts_last=True)]
    hand = Hand.start(no_limit(10, 25), CASH, dict.fromkeys(range(1, 6), 3000), 5, posts)
    assert turns(hand) == [3, 4, 1, 2, 5]


def test_r128_a_kill_that_acts_last_waits_for_the_big_blind() -> None:
    posts = [Post(1, 10), Post(2, 20), Post(4, 40, PostKind.LIVE, acts_last=True)]
    structure = replace(LIMIT_20_40, bets=(40, 40, 80, 80))
    hand = Hand.start(structure, CASH, dict.fromkeys(range(1, 6), 900), 5, posts)
    assert turns(hand) == [3, 5, 1, 2, 4]
    assert turns(played(hand, "raise")) == [5, 1, 2, 4]


def test_r199_a_sleeper_is_passed_over_unless_raised() -> None:
    posts = [Post(1, 1), Post(2, 2), Post(4, 4, PostKind.SLEEPER)]
    hand = Hand.start(no_limit(1, 2), CASH, dict.fromkeys(range(1, 6), 300), 5, posts)
    assert turns(hand) == [3, 5, 1, 2]
    raised = played(hand, "raise 8")
    assert (raised.next_seat, raised.to_call, raised.min_raise_to) == (4, 4, 12)


def test_r221_a_fold_out_of_turn_counts_at_once_and_leaves_the_turn() -> None:
    hand = Hand.start(no_limit(1, 2), TDA, FOUR, 4).fold(1)
    assert hand.next_seat == 3
    assert hand.folded == {1}
    assert turns(hand) == [3, 4, 2]


def test_r221_a_fold_out_of_turn_may_end_the_hand() -> None:
    hand = Hand.start(no_limit(1, 2), TDA, FOUR, 4).fold(1).fold(2).fold(4)
    assert hand.hand_over
    assert hand.stack(3) == 1003


@pytest.mark.parametrize(
    ("option", "acts", "substantial"),
    [
        (SubstantialAction.TDA, ["fold", "fold"], False),
        (SubstantialAction.TDA, ["fold", "call"], True),
        (SubstantialAction.TDA, ["fold", "fold", "fold"], True),
        (SubstantialAction.WSOP_LIVE, ["fold", "fold"], True),
        (SubstantialAction.WSOP_LIVE, ["call"], False),
    ],
)
def test_r224_substantial_action(option: SubstantialAction, acts: list[str], substantial: bool) -> None:
    hand = Hand.start(no_limit(1, 2), replace(TDA, substantial_action=option), dict.fromkeys(range(1, 6), 100), 5)
    assert not hand.substantial
    assert played(hand, *acts).substantial is substantial


def test_tda51_the_big_blind_is_the_opening_bet_and_a_raise_is_not() -> None:
    hand = Hand.start(no_limit(1, 2), TDA, FOUR, 4)
    assert hand.only_opening_bet
    assert hand.aggressor is None
    hand = played(hand, "raise 6")
    assert not hand.only_opening_bet
    assert hand.aggressor == 3
    flop = on_the_flop(no_limit(1, 2), FOUR, button=4)
    assert not flop.only_opening_bet
    assert played(flop, "bet 2").only_opening_bet
    assert not played(flop, "bet 2", "raise 4").only_opening_bet


def test_r010_the_hand_remembers_at_which_bet_each_seat_acted() -> None:
    hand = played(on_the_flop(no_limit(1, 2), FOUR, button=4), "check", "bet 10")
    assert (hand.acted_at(1), hand.acted_at(2), hand.acted_at(3)) == (0, 10, None)
    assert hand.has_acted == {1, 2}


def test_the_last_act_says_what_an_all_in_amounted_to() -> None:
    hand = on_the_flop(no_limit(1, 2), {1: 100, 2: 60, 3: 300}, button=3)
    kinds = []
    for act in ("bet 80", "all-in", "all-in"):
        hand = played(hand, act)
        assert hand.last_act is not None
        kinds.append((hand.last_act.kind, hand.last_act.to, hand.last_act.all_in))
    assert kinds == [(ActionKind.BET, 80, False), (ActionKind.CALL, 60, True), (ActionKind.RAISE, 300, True)]


REFUSED: dict[str, tuple[str, Callable[[Hand], Hand]]] = {
    "another seat": ("not-your-turn", lambda hand: hand.act(CHECK, 4)),
    "a check facing a bet": ("not-open", lambda hand: hand.act(CHECK)),
    "a bet over a bet": ("not-open", lambda hand: hand.act(Action(ActionKind.BET, 10))),
    "a raise without an amount": ("not-open", lambda hand: hand.act(Action(ActionKind.RAISE))),
    "more than the stack": ("above-maximum", lambda hand: hand.act(Action(ActionKind.RAISE, 1001))),
    "a raise below the bet": ("below-minimum", lambda hand: hand.act(Action(ActionKind.RAISE, -5))),
    "the flop too early": ("action-pending", lambda hand: hand.deal("flop")),
    "an award too early": ("action-pending", lambda hand: hand.award([[1]])),
    "a fold of a folded hand": ("not-open", lambda hand: hand.fold(1).fold(1)),
    "a fold of nobody": ("not-open", lambda hand: hand.fold(9)),
    "a bring-in where there is none": ("not-open", lambda hand: hand.bring_in(1)),
    "a call of nothing": ("not-open", lambda hand: played(hand, *["call"] * 3).act(Action(ActionKind.CALL))),
    "an act after the round": ("not-open", lambda hand: played(hand, *["call"] * 3, "check").act(CHECK)),
    "the turn before the flop": ("not-open", lambda hand: played(hand, *["call"] * 3, "check").deal("turn")),
    "a deal after the hand": ("too-late", lambda hand: played(hand, *["fold"] * 3).deal("flop")),
    "a fold after the hand": ("too-late", lambda hand: played(hand, *["fold"] * 3).fold(2)),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_refused_has_a_code_and_a_sentence_and_changes_nothing(what: str) -> None:
    code, act = REFUSED[what]
    hand = Hand.start(no_limit(1, 2), TDA, FOUR, 4)
    before = hand.state
    with pytest.raises(Illegal) as refused:
        act(hand)
    assert refused.value.code == code
    assert refused.value.sentence.endswith(".")
    assert hand.state is before


@pytest.mark.parametrize(
    ("stacks", "button", "posts"),
    [
        ({1: 100}, 1, None),
        ({1: 100, 11: 100}, 1, None),
        ({1: 100, 2: 0}, 1, None),
        ({1: 100, 2: 100}, 0, None),
        ({1: 100, 2: 100}, 1, [Post(3, 2)]),
        ({1: 100, 2: 100}, 1, [Post(1, 0)]),
    ],
)
def test_a_hand_that_cannot_begin_is_refused(
    stacks: dict[int, int], button: int, posts: list[Post] | None
) -> None:  # fmt: skip
    with pytest.raises(Illegal) as refused:
        Hand.start(no_limit(1, 2), TDA, stacks, button, posts)
    assert refused.value.code == "setup"


@pytest.mark.parametrize(
    "start",
    [
        {"street": "fifth", "pot": 0},
        {"street": "flop", "pot": 7},
        {"street": "flop", "pot": 7, "paid": {1: 6}},
        {"street": "flop", "pot": 7, "paid": {1: 6, 9: 1}},
        {"street": "flop", "pot": 8, "folded": [9]},
        {"street": "flop", "pot": 8, "folded": [1, 2, 3]},
        {"street": "flop", "pot": -8},
    ],
)
def test_a_start_in_the_middle_that_cannot_be_is_refused(start: dict[str, object]) -> None:
    with pytest.raises(Illegal) as refused:
        Hand.resume(no_limit(1, 2), TDA, FOUR, 4, **start)  # type: ignore[arg-type]
    assert refused.value.code == "setup"


@pytest.mark.parametrize(
    "wrong",
    [
        {"limit": Limit.NO_LIMIT},
        {"limit": Limit.NO_LIMIT, "blinds": (1, 2, 3, 4)},
        {"limit": Limit.NO_LIMIT, "blinds": (-1, 2)},
        {"limit": Limit.NO_LIMIT, "blinds": (1, 2), "unit": 0},
        {"limit": Limit.NO_LIMIT, "blinds": (1, 2), "cap": 0},
        {"limit": Limit.NO_LIMIT, "blinds": (1, 2), "min_bet": 0},
        {"limit": Limit.FIXED_LIMIT, "blinds": (1, 2), "bets": (2, 2)},
        {"limit": Limit.FIXED_LIMIT, "blinds": (1, 2), "bets": (2, 2, 4, 0)},
        {"limit": Limit.SPREAD_LIMIT, "blinds": (1, 2)},
        {"limit": Limit.SPREAD_LIMIT, "blinds": (1, 2), "spread": ((5, 1),)},
        {"limit": Limit.NO_LIMIT, "blinds": (1, 2), "streets": ()},
        {"limit": Limit.NO_LIMIT, "blinds": (1, 2), "bring_in": 1},
    ],
)
def test_a_structure_that_is_no_game_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"\.$"):
        Structure(**wrong)  # type: ignore[arg-type]


def test_streets_of_any_number_and_name_are_a_game() -> None:
    structure = Structure(limit=Limit.FIXED_LIMIT, ante=1, bets=(5, 5, 10), streets=("three cards", "four", "five"))
    hand = Hand.start(structure, CASH, FOUR, 4)
    assert (hand.street, hand.next_seat, hand.pot) == ("three cards", 1, 4)
    for street, size in [("four", 5), ("five", 10)]:
        hand = played(hand, *["check"] * 4).deal(street)
        assert hand.raise_range == (size, size)
    assert played(hand, *["check"] * 4).betting_over


def test_a_hand_resumed_on_third_street_asks_for_no_bring_in() -> None:
    stud = Structure(limit=Limit.FIXED_LIMIT, bets=(5, 5, 10, 10, 10), bring_in=2, streets=STREETS["stud"])
    hand = Hand.resume(stud, CASH, FOUR, 4, street="third", pot=8, first=2)
    assert not hand.awaiting_bring_in
    assert turns(hand) == [2, 3, 4, 1]
    assert played(hand, *["check"] * 4).deal("fourth", 1).next_seat == 1


def test_in_stud_the_dealer_names_who_is_first_on_every_street() -> None:
    structure = Structure(
        limit=Limit.FIXED_LIMIT,
        bets=(10, 10, 20, 20, 20),
        streets=("third", "fourth", "fifth", "sixth", "seventh"),
    )
    hand = Hand.resume(structure, CASH, FOUR, 4, street="fourth", pot=24, first=3)
    assert turns(hand) == [3, 4, 1, 2]
    over = played(hand, *["check"] * 4)
    for first in (None, 9):
        with pytest.raises(Illegal) as refused:
            over.deal("fifth", first)
        assert refused.value.code == "not-open"
    assert over.deal("fifth", 2).next_seat == 2


def test_what_the_engine_does_not_know_is_unsupported_by_code() -> None:
    stud = Structure(limit=Limit.FIXED_LIMIT, bets=(5, 5, 10, 10, 10), bring_in=2, streets=STREETS["stud"])
    two_last = [Post(1, 1), Post(2, 2), Post(3, 4, PostKind.STRADDLE, acts_last=True), Post(4, 4, acts_last=True)]
    for structure, posts in [(stud, [Post(1, 5, PostKind.LIVE)]), (no_limit(1, 2), two_last)]:
        with pytest.raises(Illegal) as refused:
            Hand.start(structure, CASH, FOUR, 4, posts)
        assert refused.value.code == "unsupported"


def test_r180_of_two_equal_blinds_the_later_one_is_the_big_blind_that_pays_the_ante_of_the_table() -> None:
    structure = replace(no_limit(10, 10), ante=4, ante_by=AnteBy.BIG_BLIND)
    assert Hand.start(structure, TDA, {1: 100, 2: 100, 3: 100}, 3).stacks == {1: 90, 2: 86, 3: 100}
    assert Hand.start(structure, TDA, {1: 100, 2: 100}, 2).stacks == {1: 86, 2: 90}


def test_r260_only_an_all_in_hand_caps_a_pot_of_a_hand_resumed_with_uneven_chips() -> None:
    structure = no_limit(1, 2)
    hand = Hand.resume(structure, TDA, dict.fromkeys((1, 2, 3), 100), 3, street="river", pot=21, paid={1: 11, 2: 10})
    hand = played(hand, "check", "bet 10", "fold", "call")
    assert [(pot.amount, pot.seats) for pot in hand.pots] == [(41, (1, 2))]
    assert hand.stacks == {1: 90, 2: 90, 3: 100}
    hand = Hand.resume(structure, TDA, {1: 0, 2: 100, 3: 100}, 3, street="river", pot=50, paid={1: 10, 2: 20, 3: 20})
    hand = played(hand, "check", "check")
    assert [(pot.amount, pot.seats) for pot in hand.pots] == [(30, (1, 2, 3)), (20, (2, 3))]

"""Every variant of the format, played through: streets, draws, bring-ins, and who wins which half of which pot.

Where a hand names no finishing stacks, PokerKit's are the truth besides those written here.
"""

from __future__ import annotations

import pytest

from table_controller.betting import STREETS, BettingOptions, Hand, Limit, Post, PostKind, Structure
from table_controller.tools.replay import ReplayResult
from tests.unit.betting.replay_helpers import checked, replayed

HIGH, LOW, TRIPS = "As2sKdKh", "QcQdJsTh", "9c9d8c8d"


def each(verb: str, order: str) -> str:
    return ", ".join([f"p{player} {verb}" for player in order])


def dealt(*hands: str) -> str:
    return ", ".join([f"d dh p{player} {cards}" for player, cards in enumerate(hands, 1) if cards])


def ended(result: ReplayResult) -> tuple[bool, tuple[int, ...] | None, tuple[int, ...] | None]:
    assert result.error is None
    return result.ok, result.finishing_stacks, result.pots


# hold'em and Omaha


def test_short_deck_a_flush_beats_a_full_house() -> None:
    deals = dealt("AhKh", "QcQd", "9c8d")
    acts = "p3 f, p1 cbr 99, p2 cc, p1 sm AhKh, p2 sm QcQd, d db QhTh6h, d db Tc, d db 7d"
    assert ended(replayed("NS", [100, 100, 100], f"{deals}, {acts}", antes=[1, 1, 1])) == (True, (201, 0, 99), (201,))


def test_pot_limit_omaha_plays_exactly_two_cards_of_the_hand_and_pays_each_side_pot() -> None:
    deals = dealt("AsKsQsJs", "2c2d7h8h", "KcKd9h9d")
    acts = "p3 cbr 14, p1 cbr 24, p2 cc, p3 cbr 60, p2 cc, d db 2s3s4s, d db 5c, d db 6d"
    result = replayed("PO", [24, 60, 60], f"{deals}, {acts}, {each('sm -', '123')}")
    assert ended(result) == (True, (72, 72, 0), (72, 72))


def test_limit_an_all_in_of_half_a_bet_is_a_raise_and_one_of_less_is_completed() -> None:
    flop = "p3 cbr 8, p4 cc, p1 f, p2 cc, d db 2c3d4h, p2 cbr 4"
    rest = "d db 9s, p2 cbr 8, p4 f, d db Ts, p2 sm 2h2s, p3 sm AhAd"
    raised = replayed("FT", [100, 100, 15, 100], f"d dh p2 2h2s, {flop}, p3 cbr 7, p4 cbr 11, p2 cc, {rest}")
    assert ended(raised) == (True, (98, 136, 0, 81), (47, 8))
    completed = f"{flop}, p3 cbr 5, p4 cbr 8, p2 cc, {rest}"
    assert ended(replayed("FT", [100, 100, 13, 100], completed, finishing_stacks=[98, 131, 0, 84]))[2] == (41, 6)


def test_limit_a_full_bet_on_top_of_a_short_all_in_stands_as_it_was_made() -> None:
    flop = "d dh p2 2h2s, p3 cbr 8, p4 cc, p1 f, p2 cc, d db 2c3d4h, p2 cbr 4, p3 cbr 5"
    rest = "p2 cc, d db 9s, p2 cbr 8, p4 f, d db Ts, p2 sm 2h2s, p3 sm AhAd"
    assert ended(replayed("FT", [100, 100, 13, 100], f"{flop}, p4 cbr 9, {rest}")) == (True, (98, 132, 0, 83), (41, 8))
    wrong = replayed("FT", [100, 100, 13, 100], f"{flop}, p4 cbr 10, {rest}")
    assert wrong.error == "Action 9 (p4 cbr 10) is refused: Make it at most 8, not 10."


def test_antes_of_one_player_for_all_are_dead_and_a_short_stack_wins_only_what_its_own_ante_covers() -> None:
    acts = f"p3 cc, p2 cc, {checked('23', '5c6d7h', '9s', 'Js')}, p1 sm AhAd, p2 sm KhKd, p3 sm 2c2d"
    stakes = {"blinds_or_straddles": [0, 4, 0]}
    trimmed = replayed("NT", [1, 50, 50], acts, antes=[3, 3, 3], **stakes)
    assert ended(trimmed) == (True, (3, 55, 43), (3, 12))
    dead = replayed("NT", [1, 50, 50], acts, antes=[3, 3, 3], ante_trimming_status=False, **stakes)
    assert ended(dead) == (True, (7, 51, 43), (7, 8))


def test_a_live_post_out_of_position_keeps_its_option_and_moves_no_first_act() -> None:
    acts = "p3 cc, p4 cbr 8, p1 f, p2 f, p3 f"
    assert ended(replayed("NT", [50] * 4, acts, blinds_or_straddles=[2, 4, 0, -4])) == (True, (48, 46, 46, 60), (14,))


def test_a_check_against_players_who_are_all_all_in_changes_nothing() -> None:
    acts = "p1 f, p2 cc, d db 2c3d4h, d db 9s, d db Ks, p2 sm QcQd, p3 sm AcAd"
    assert ended(replayed("NT", [50, 50, 1], acts, antes=[1, 1, 1])) == (True, (47, 51, 3), (3, 4))


def test_decimals_split_to_the_smallest_unit_and_the_odd_one_goes_left_of_the_button() -> None:
    acts = f"p3 f, p1 cc, p2 cc, {checked('12', '2c3d4h', '9s', 'Ks')}, p1 sm AcAd, p2 sm AhAs"
    stakes = {"blinds_or_straddles": [0.25, 0.5, 0], "antes": [0, 0, 0.01], "min_bet": 0.5}
    result = replayed("NT", [10, 10, 10], acts, ante_trimming_status=False, **stakes)
    assert ended(result) == (True, (1001, 1000, 999), (101,))


# eight or better


def test_omaha_eight_splits_where_a_low_qualifies_with_the_odd_unit_to_the_high_half() -> None:
    acts = f"{dealt(TRIPS, HIGH, LOW)}, p3 cc, p1 f, p2 cc, {checked('23', '3c4dQh', '7h', 'Jd')}"
    result = replayed("FO/8", [50, 50, 50], f"{acts}, p2 sm {HIGH}, p3 sm {LOW}", blinds_or_straddles=[1, 4, 0])
    assert ended(result) == (True, (49, 50, 51), (9,))


def test_omaha_eight_without_a_low_goes_to_the_high_hand_whole() -> None:
    acts = f"{dealt(HIGH, LOW)}, p2 cc, p1 cc, {checked('12', '9c9dQh', '7h', 'Jd')}, p1 sm {HIGH}, p2 sm {LOW}"
    assert ended(replayed("FO/8", [50, 50], acts)) == (True, (46, 54), (8,))


def test_omaha_eight_quarters_a_pot_with_the_odd_unit_of_the_low_half_left_of_the_button() -> None:
    hands = "As2sKdKh", "Ad2dQcJh", TRIPS
    acts = f"{dealt(*hands)}, p3 cc, p1 cc, p2 cc, {checked('123', '3c4dKc', '7h', 'Js')}"
    acts += f", p1 sm {hands[0]}, p2 sm {hands[1]}, p3 sm"
    assert ended(replayed("FO/8", [50, 50, 50], acts, antes=[1, 1, 1])) == (True, (57, 48, 45), (15,))


def test_each_side_pot_asks_for_its_own_low() -> None:
    hands = "As2sTdTh", "QcQdJsTc", "KsKh9d9h"
    acts = f"{dealt(*hands)}, p3 cbr 8, p1 cc, p2 cc, d db 3c4dQh, p2 cbr 4, p3 cc, d db 7h, p2 cbr 8, p3 cc, "
    acts += f"d db Jd, p2 cbr 8, p3 cc, p2 sm {hands[1]}, p3 sm {hands[2]}, p1 sm {hands[0]}"
    result = replayed("FO/8", [8, 30, 30], acts, finishing_stacks=[12, 54, 2])
    assert ended(result) == (True, (12, 54, 2), (24, 40))


def test_stud_eight_splits_with_the_odd_unit_to_the_high_half() -> None:
    acts = f"{dealt('AsAh2c', 'KsKh7d', 'QsQh9d')}, p1 pb, p2 cc, p3 f"
    for first, second in (("3c", "8d"), ("4c", "8h"), ("6d", "Tc"), ("9h", "Kd")):
        acts += f", {dealt(first, second)}, p2 cc, p1 cc"
    acts += ", p2 sm KsKh7d8d8hTcKd, p1 sm AsAh2c3c4c6d9h"
    assert ended(replayed("F7S/8", [40, 40, 40], acts)) == (True, (40, 41, 39), (7,))


# stud and razz

DOORS = dealt("AsAh2c", "KsKh7d", "QsQh9d")


def test_stud_pays_an_all_in_hand_the_main_pot_only() -> None:
    acts = f"{DOORS}, p1 pb, p2 cbr 5, p3 cbr 10, p1 cc, p2 cc, {dealt('3c', '8d', '9h')}, p3 cbr 5, p2 cc, "
    acts += f"{dealt('4c', '9c', 'Jd')}, p3 cc, p2 cc, {dealt('6d', 'Tc', 'Js')}, p3 cbr 10, p2 cc, "
    acts += f"{dealt('8h', '2d', '2h')}, p3 cc, p2 cc, p3 sm QsQh9d9hJdJs2h, p2 sm KsKh7d8d9cTc2d, p1 sm AsAh2c3c4c6d8h"
    assert ended(replayed("F7S", [8, 40, 40], acts)) == (True, (0, 14, 74), (24, 36))


def test_the_bring_in_may_open_for_a_full_bet_at_once() -> None:
    acts = f"{DOORS}, p1 cbr 5, p2 cbr 10, p3 f, p1 f"
    assert ended(replayed("F7S", [50, 50, 50], acts)) == (True, (44, 57, 49), (13,))
    assert ended(replayed("F7S", [50, 50, 50], f"{DOORS}, p1 cbr 2, p2 f, p3 f", finishing_stacks=[52, 49, 49]))[0]


def test_the_bring_in_has_no_option_where_it_is_only_called() -> None:
    acts = f"{DOORS}, p1 pb, p2 cc, p3 cc, {dealt('3c', '8d', '9h')}, p3 cbr 5, p1 f, p2 f"
    assert ended(replayed("F7S", [50, 50, 50], acts)) == (True, (47, 47, 56), (9,))
    again = replayed("F7S", [50, 50, 50], f"{DOORS}, p1 pb, p2 cc, p3 cc, p1 cc")
    assert again.error == "Action 7 (p1 cc) is refused: The betting round is over: deal the next street."


def test_razz_with_a_bring_in_all_in_for_less() -> None:
    acts = f"{dealt('As2s3d', '4s5sTd', '7s8sKd')}, p3 pb, p1 cbr 5, p2 cc, {dealt('4d', '9d', '6c')}, p1 cbr 5, p2 cc"
    acts += f", {dealt('Kh', '7c', '2h')}, p2 cbr 10, p1 cc, {dealt('Kc', 'Jc', '3h')}, p2 cbr 10, p1 f"
    acts += f", {dealt('', 'Jd', 'Jh')}, p2 sm 4s5sTd9d7cJcJd, p3 sm 7s8sKd6c2h3hJh"
    assert ended(replayed("FR", [40, 40, 2], acts)) == (True, (19, 57, 6), (6, 38))


def test_antes_that_put_all_but_one_all_in_leave_no_bring_in() -> None:
    hands = "2c3c4c", "5c6c7c", "8d9dTd"
    later = [
        dealt(*cards) for cards in (("4d", "7d", "2h"), ("5h", "6h", "Kh"), ("9h", "Th", "Qs"), ("Jh", "Js", "Jc"))
    ]
    acts = f"{dealt(*hands)}, {each('sm -', '123')}, {', '.join(later)}, {each('sm -', '123')}"
    assert ended(replayed("F7S", [1, 1, 30], acts)) == (True, (0, 0, 32), (3,))


def test_a_round_of_four_bets_on_one_street() -> None:
    acts = f"{dealt('????Kc', '????7d')}, p2 pb, p1 cc, {dealt('3c', '4c')}, p1 cbr 5, p2 cbr 10, p1 cbr 15, p2 cbr 20"
    assert ended(replayed("F7S", [60, 60], f"{acts}, p1 f")) == (True, (42, 78), (36,))
    assert ended(replayed("F7S", [60, 60], f"{acts}, p1 cbr 25, p2 f", finishing_stacks=[83, 37]))[0]


def test_an_open_pair_on_fourth_street_may_bet_double_in_stud_high_only() -> None:
    acts = f"{dealt('????2c', '????7d')}, p1 pb, p2 cc, {dealt('3c', '7h')}, p2 cbr 10, p1 f"
    assert ended(replayed("F7S", [50, 50], acts, finishing_stacks=[47, 53]))[0]
    without = replayed("F7S", [50, 50], acts.replace("7h", "8h"), finishing_stacks=[47, 53])
    assert without.error == "Action 7 (p2 cbr 10) is refused: Make it at most 5, not 10."
    assert not replayed("F7S/8", [50, 50], acts, finishing_stacks=[47, 53]).ok


def test_stud_shares_its_last_card_where_the_deck_is_too_short() -> None:
    third = dealt("2c3c4d", "5c6c7d", "8c9cTd", "JcQcKd", "2s3s5d", "6s7s8d", "9sTsJd", "KsAs3h")
    acts = f"{third}, p8 pb, {each('cc', '1234567')}"
    for cards in ("2d2h4cKh4s5h5s6d", "6h7c7h8h8s9d9hTc", "ThJhJs4hQdQsKcAc"):
        acts += f", {dealt(*[cards[at : at + 2] for at in range(0, 16, 2)])}, {each('cc', '45678123')}"
    acts += f", d db Ah, {each('cc', '45678123')}, p4 sm JcQcKdKh8h4h, p8 sm KsAs3h6dTcAc, {each('sm', '123567')}"
    assert ended(replayed("F7S", [50] * 8, acts)) == (True, (47, 47, 47, 47, 47, 47, 47, 71), (24,))


def test_antes_may_differ_where_there_is_a_bring_in() -> None:
    stud = Structure(limit=Limit.FIXED_LIMIT, bets=(5, 5, 10, 10, 10), bring_in=2, streets=STREETS["stud"])
    posts = [Post(1, 1, PostKind.ANTE), Post(2, 3, PostKind.DEAD)]
    hand = Hand.start(stud, BettingOptions(), {1: 50, 2: 50}, 2, posts).bring_in(1)
    assert (hand.stacks, hand.pot, hand.dead_money) == ({1: 47, 2: 47}, 6, 3)


# draw


def test_single_draw_goes_on_for_all_in_players() -> None:
    acts = f"{dealt('2c3c4c5d9h', '7d8d9dTdQs', '2h3h6h7sKs')}, p3 cbr 20, p1 cbr 30, p2 cc, p1 sd, p2 sd Qs, p3 sd Ks"
    acts += ", d dh p2 Jh, d dh p3 8h, p1 sm 2c3c4c5d9h, p2 sm 7d8d9dTdJh, p3 sm 2h3h6h7s8h"
    assert ended(replayed("N2L1D", [30, 60, 20], acts)) == (True, (20, 30, 60), (60, 20))


def test_single_draw_is_bet_after_the_draw_from_the_left_of_the_button() -> None:
    acts = f"{dealt('?' * 10, '?' * 10)}, p2 cbr 10, p1 cc, p1 sd ??, p2 sd ????, d dh p1 ??, d dh p2 ????"
    assert ended(replayed("N2L1D", [99, 99], f"{acts}, p1 cbr 20, p2 cbr 60, p1 f")) == (True, (69, 129), (60,))


def test_triple_draw_splits_a_tie_and_gives_the_odd_unit_left_of_the_button() -> None:
    acts = f"{dealt('KsKhKdKcQs', '2c3c4c5d7h', '2d3d4d5s7s')}, p3 cbr 8, p1 f, p2 cc, p2 sd, p3 sd, p2 cbr 4, p3 cc, "
    acts += "p2 sd, p3 sd, p2 cbr 8, p3 cc, p2 sd, p3 sd, p2 cc, p3 cbr 8, p2 cc, p3 sm -, p2 sm -"
    result = replayed("F2L3D", [40, 40, 40], acts, blinds_or_straddles=[1, 4, 0])
    assert ended(result) == (True, (39, 41, 40), (57,))


def test_badugi_draws_unknown_cards_and_goes_on_past_an_all_in() -> None:
    acts = f"{dealt('AcKcQcJc', '2c3d4hKs', '????????')}, p3 cc, p1 cbr 8, p2 cc, p3 cc, p1 sd KcQcJc, p2 sd Ks, "
    acts += f"p3 sd ????, {dealt('2d3h9s', '9c', '????')}, p1 cbr 4, p2 cc, p3 cc, p1 sd 9s, p2 sd 9c, p3 sd ??, "
    acts += f"{dealt('4s', '5d', '??')}, p1 cbr 8, p3 f, p1 sd, p2 sd 5d, d dh p2 7s, p1 sm Ac2d3h4s, p2 sm 2c3d4h7s"
    assert ended(replayed("FB", [40, 12, 40], acts)) == (True, (64, 0, 28), (36,))


@pytest.mark.parametrize(("first", "second"), [("Ac2d3h4c", "KcQdJhTs"), ("Ac2d2h2s", "Kc5d4h4s")])
def test_a_badugi_of_more_cards_wins(first: str, second: str) -> None:
    rounds = ", ".join(["p1 sd, p2 sd, p1 cc, p2 cc"] * 3)
    acts = f"{dealt(first, second)}, p2 cc, p1 cc, {rounds}, p1 sm {first}, p2 sm {second}"
    assert ended(replayed("FB", [40, 40], acts)) == (True, (36, 44), (8,))

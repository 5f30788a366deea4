"""Cards as they are keyed and read, seals, the names of hands, and whom the cards make a winner."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from betline.cards import DECK, Card, CardError, deck, keyed, parse_cards, shown, written
from betline.settings import GameSettings
from table_controller.cards.names import hand_name
from table_controller.cards.ranking import ranking_of
from table_controller.cards.seals import Place, Secret, opens, seal_of
from table_controller.cards.showdown import Missing, Proposal, Showdown, propose


def game(streets: Any = "holdem", **more: Any) -> GameSettings:
    return GameSettings(limit="no-limit", blinds=(1, 2), streets=streets, **more)


def hands(**by_seat: str) -> dict[int, Any]:
    return {int(seat[1:]): parse_cards(cards) for seat, cards in by_seat.items()}


@pytest.mark.parametrize(
    "text", ["AsKdTc", "as kd 10c", "A S, K D; 10 C".replace(" S", "S").replace(" D", "D"), "aSkD10C"]
)
def test_two_keys_a_card_in_either_case(text: str) -> None:
    assert written(parse_cards(text.replace("10 C", "10C"))) == "AsKdTc"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("A", "A has no suit yet: type S, H, D or C."),
        ("1x", "Type T or 10 for a ten."),
        ("Zs", "Z is no rank: type 2 to 9, T, J, Q, K or A, then the suit."),
        ("Ax", "x is no suit: type S, H, D or C."),
        ("AsKdAs", "The ace of spades is there twice: a deck has one of each card."),
    ],
)
def test_what_is_no_card_is_refused_in_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(CardError) as refused:
        parse_cards(text)
    assert str(refused.value) == sentence


def test_a_deck_has_each_card_once_and_a_short_one_begins_with_the_six() -> None:
    assert (len(set(DECK)), len(deck(short=True))) == (52, 36)
    assert Card("6", "c") in deck(short=True)
    assert Card("5", "c") not in deck(short=True)
    assert all(parse_cards(written(DECK)) == DECK for _ in (0,))
    assert shown(parse_cards("ThAc")) == "10♥ A♣"
    assert keyed("a").begun == "A"


def test_a_seal_opens_with_its_salt_its_cards_and_its_place_alone() -> None:
    place, secret = Place(7, None, "flop", 0), Secret("00ff", "AsKd7c")
    seal = seal_of(place, secret)

    assert opens(place, secret, seal)
    for other in (
        replace(place, hand_no=8),
        replace(place, seat=3),
        replace(place, street="turn"),
        replace(place, board=1),
    ):
        assert not opens(other, secret, seal)
    assert not opens(place, replace(secret, salt="00fe"), seal)
    assert not opens(place, replace(secret, cards="AsKd7d"), seal)
    assert "AsKd7c" not in repr(secret)


@pytest.mark.parametrize(
    ("rules", "hole", "board", "name"),
    [
        (game(), "AsAd", "9c9d2h3h4h", "two pair, aces and nines"),
        (game(), "As2d", "3c4d5hKhKs", "a straight, five high"),
        (game(), "AsKs", "QsJsTs2d3d", "a royal flush"),
        (game(), "9s8s", "7s6s5s2d3d", "a straight flush, nine high"),
        (game(), "6s6d", "6hJsJd9d3d", "a full house, sixes full of jacks"),
        (game(), "2s2d", "2h2cJd9d3d", "four twos"),
        (game(), "KsQd", "Tc8h5d3s2c", "king high"),
        (game(), "Ah9h", "2h5hJhKsKd", "a flush, ace high"),
        (game(), "7s7d", "7hAs2d9c4h", "three sevens"),
        (game(), "TsTd", "7hAs2d9c4h", "a pair of tens"),
        (game(showdown="short-deck"), "As6d", "7c8d9hKhKs", "a straight, nine high"),
        (game("omaha"), "AsAdAhAc", "KsKdKh2c3c", "a full house, kings full of aces"),
        (game("stud", showdown="ace-to-five"), "As2d3c7d8hKhKd", "", "eight-seven-three-two-ace low"),
        (game("triple-draw"), "2s3d4c5d7h", "", "seven-five-four-three-two low"),
        (game("triple-draw"), "2s2d4c5d7h", "", "a pair of twos"),
        (game("triple-draw", showdown="badugi"), "As2d3c7h", "", "a badugi, seven-three-two-ace"),
        (game("triple-draw", showdown="badugi"), "As2s3c7c", "", "two cards, three-ace"),
        (game("draw"), "2s3d4c5d7h", "", "seven high"),
    ],
)
def test_a_hand_has_the_name_that_is_said_at_the_table(rules: GameSettings, hole: str, board: str, name: str) -> None:
    ranked = ranking_of(rules).high(parse_cards(hole), parse_cards(board))

    assert ranked is not None
    assert hand_name(ranked) == name


def test_five_card_omaha_has_five_cards_and_badugi_four() -> None:
    assert ranking_of(game("omaha", hole_cards=5)).hole_cards == 5
    assert ranking_of(game("triple-draw", showdown="badugi")).hole_cards == 4
    assert ranking_of(game("stud")).hole_cards == 7


# --- whom the cards make a winner

BOARD = parse_cards("AsKd7c2c2h")
PLAYED = Showdown(((1, 2, 3), (2, 3)), (BOARD,), hands(s1="AhJc", s2="QsQc", s3="Qd4d"))


def proposed(showdown: Showdown, rules: GameSettings | None = None, **more: Any) -> Proposal:
    found = propose(showdown, ranking_of(rules or game()), **more)
    assert isinstance(found, Proposal), found
    return found


def test_each_pot_goes_to_its_own_best_hand() -> None:
    assert proposed(PLAYED).pots == (((1,),), ((2,),))


def test_a_hand_that_is_missing_for_a_side_pot_is_missing() -> None:
    assert propose(replace(PLAYED, hands=hands(s1="AhJc", s2="QsQc")), ranking_of(game())) == Missing(seats=(3,))


def test_whoever_mucks_wins_nothing_and_leaves_its_pots_to_the_others() -> None:
    assert proposed(replace(PLAYED, hands=hands(s2="QsQc"), mucked=(1, 3))).pots == (((2,),), ((2,),))
    assert propose(replace(PLAYED, mucked=(2, 3)), ranking_of(game())) == Missing(unclaimed=1)


def test_an_alone_seat_needs_neither_hand_nor_board() -> None:
    alone = Showdown(((4, 5),), (None,), {}, mucked=(5,))

    assert proposed(alone).pots == (((4,),),)


def test_a_board_with_a_card_unknown_decides_nothing() -> None:
    assert propose(replace(PLAYED, boards=(None,)), ranking_of(game())) == Missing(boards=(0,))


def test_equal_hands_split() -> None:
    split = Showdown(((1, 2),), (BOARD,), hands(s1="Ah3c", s2="Ad3d"))

    assert proposed(split).pots == (((1, 2),),)


def test_r_264_by_suit_the_highest_card_stands_first() -> None:
    split = Showdown(((1, 2),), ((),), hands(s1="AhKc9d8d7s", s2="AsKd9c8c7d"))

    assert proposed(split, game("draw"), by_suit=True).pots == (((2, 1),),)
    assert proposed(split, game("draw")).pots == (((1, 2),),)


def test_a_low_takes_half_where_one_qualifies_and_the_high_hand_all_where_none_does() -> None:
    omaha = game("omaha", showdown="high-low")
    low = Showdown(((1, 2),), (parse_cards("2s7h8dKcKh"),), hands(s1="As3dQcQd", s2="KdKs9c9d"))
    none = replace(low, boards=(parse_cards("2sThJdKcKh"),))

    assert proposed(low, omaha).pots == (((2,), (1,)),)
    assert proposed(none, omaha).pots == (((2,),),)


def test_each_board_has_its_own_winners() -> None:
    runs = Showdown(((1, 2),), (BOARD, parse_cards("AsKd7cQh3h")), hands(s1="AhJc", s2="QsQc"))

    assert proposed(runs).pots == (((1,), (2,)),)


def test_of_several_boards_one_may_be_parted_high_and_low() -> None:
    omaha = game("omaha", showdown="high-low")
    boards = (parse_cards("2s7h8dKcKh"), parse_cards("2sThJdKcKh"))
    runs = Showdown(((1, 2),), boards, hands(s1="As3dQcQd", s2="KdKs9c9d"))

    assert proposed(runs, omaha).pots == ((((2,), (1,)), (2,)),)

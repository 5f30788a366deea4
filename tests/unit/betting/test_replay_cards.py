"""What is said of the cards of a hand history: which action, which player, which card."""

from __future__ import annotations

import pytest

from betline import phh
from table_controller.tools.replay import replay
from tests.unit.betting.replay_helpers import checked, hand_text, replayed

BOARD = checked("12", "2c3d4h", "9s", "Ks")
PAIRS = "d dh p1 AcAd, d dh p2 KcKd"
UNKNOWN_2 = "The cards of player 2, who is in the showdown, are not known."
ONE_CARD = "cannot be: a street of stud has one card for each player, or one on the board for all."
FIVE = "d dh p1 2c3c4c5d7h, d dh p2 7d8d9dTdQs, p2 cc, p1 cc"
THIRD = "d dh p1 ????Kc, d dh p2 ????7d, p2 pb, p1 cc"


@pytest.mark.parametrize(
    ("variant", "actions", "number", "error"),
    [
        ("NT", "d dh p1 AcAdKs", 1, "cannot be: player 1 has 0 cards and is owed 2 on this street, not 3."),
        ("NT", "d dh p1 AcAd, d dh p1 Ks", 2, "cannot be: player 1 has 2 cards and is owed 0 on this street, not 1."),
        ("NT", "p2 f, d dh p2 AcAd", 2, "cannot be: player 2 has folded."),
        ("NT", "p2 cc, p1 cc, d db 2c3d4h5s", 3, "cannot be: a board of 4 cards is no flop."),
        ("NT", "p2 cc, p1 cc, d db 2c3d, p1 cc", 4, "cannot be: the flop has a board of 2 cards, not 3."),
        (
            "NT",
            "p2 cc, p1 cc, d db 2c3d",
            0,
            "The file ends before its hand does: the flop has a board of 2 cards, not 3.",
        ),
        ("NT", "d dh p1 AcAd, d dh p2 KcKd, p2 cbr 50, p1 cc", 0, "The showdown has a board of 0 known cards, not 5."),
        ("NT", f"p2 cc, p1 cc, {BOARD}, p1 sm AcAd", 0, UNKNOWN_2),
        ("NT", f"p2 cc, p1 cc, {BOARD}, p1 sm AcAd, p2 sm Kh??", 0, UNKNOWN_2),
        ("NT", f"p2 cc, p1 cc, {BOARD}, p1 sm AcAdKh", 12, "cannot be: player 1 shows 3 cards and has 2."),
        (
            "PO",
            f"p2 cc, p1 cc, {BOARD}, p1 sm AcAd, p2 sm KcKd5h5s",
            0,
            "The cards of player 1, who is in the showdown, are not known.",
        ),
        (
            "F7S",
            f"{THIRD}, d dh p1 3c4c, p1 cc",
            5,
            "cannot be: player 1 has 3 cards and is owed 1 on this street, not 2.",
        ),
        ("F7S", f"{THIRD}, d dh p1 3c, d dh p2 4c", 5, "cannot be: nobody acts on the street that it begins."),
        (
            "F7S",
            f"{THIRD}, d dh p1 3c, d dh p1 4c, p1 cc",
            6,
            "is refused: The next street must wait: seat 1 is to act.",
        ),
        ("F7S", f"{THIRD}, d db 3c4c, p1 cc", 5, ONE_CARD),
        ("F7S", "d db 3c", 1, ONE_CARD),
        ("F7S", "p2 pb, p2 pb", 2, "cannot be: there is no bring-in to post here."),
        ("F7S", "p1 cc", 1, "is refused: Name the seat that brings it in first."),
        ("F7S", "d dh p1 ????Kc", 0, "The file ends before its hand does: nobody has brought it in."),
        ("N2L1D", f"{FIVE}, d db 2h", 5, "cannot be: N2L1D has no board."),
        ("N2L1D", f"{FIVE}, p1 sd 2s", 5, "cannot be: player 1 discards 2s and holds 2c3c4c5d7h."),
        ("N2L1D", f"{FIVE}, p1 sd 2c2c", 5, "cannot be: player 1 discards 2c and holds 3c4c5d7h."),
        ("N2L1D", f"{FIVE}, p1 sd ????????????", 5, "cannot be: player 1 discards 6 cards of 5."),
        ("N2L1D", f"{FIVE}, p1 sd, p1 sd", 6, "cannot be: player 1 has drawn already."),
        ("N2L1D", f"{FIVE}, p1 sd, p1 cc", 6, "cannot be: player 2 has not drawn."),
        ("N2L1D", f"{FIVE}, p1 sd", 0, "The file ends before its hand does: player 2 has not drawn."),
        ("N2L1D", f"{FIVE}, p1 sd, d dh p2 Jc", 6, "cannot be: player 2 has not discarded."),
        (
            "N2L1D",
            f"{FIVE}, p1 sd 7h, d dh p1 6s8s",
            6,
            "cannot be: player 1 has 4 cards and is owed 1 on this street, not 2.",
        ),
        ("N2L1D", f"{FIVE}, p1 sd, p2 sd, p1 cc, p2 cc, p1 sd", 9, "cannot be: the postdraw is the last street."),
        ("N2L1D", "p1 sd", 1, "is refused: The next street must wait: seat 2 is to act."),
        (
            "N2L1D",
            "p2 cbr 50, p1 cc, p1 sm 2c3c4c5d7h, p2 sm 7d8d9dTdQs",
            0,
            "The file ends before its hand does: draws are missing.",
        ),
    ],
)
def test_what_cannot_be_is_named_with_its_action_and_card(variant: str, actions: str, number: int, error: str) -> None:
    result = replayed(variant, [50, 50], actions, finishing_stacks=[50, 50])
    place = f"Action {number} ({actions.split(', ')[number - 1]}) " if number else ""
    assert (result.ok, result.finishing_stacks, result.error) == (False, None, f"{place}{error}")


def test_cards_that_the_game_does_not_have_make_no_hand() -> None:
    acts = f"p2 cc, p1 cc, {checked('12', '4c5c2d', '3d', '4d')}, p1 sm 2c3c, p2 sm AcAd"
    assert replayed("NS", [50, 50], acts, finishing_stacks=[46, 54]).error == (
        "The cards of player 1, who is in the showdown, make no hand of this game."
    )


def test_a_hand_that_has_folded_draws_no_more() -> None:
    folded = "p3 f, p1 cc, p2 cc, p3 sd"
    result = replayed("N2L1D", [50, 50, 50], folded)
    assert result.error == "Action 4 (p3 sd) cannot be: player 3 has folded."


def test_an_unknown_discard_out_of_a_known_hand_leaves_it_unknown() -> None:
    acts = f"{FIVE}, p1 sd ??, p2 sd Qs, d dh p1 8s, d dh p2 Jc, p1 cc, p2 cc"
    hidden = replayed("N2L1D", [50, 50], f"{acts}, p2 sm -", finishing_stacks=[54, 46])
    assert hidden.error == "The cards of player 1, who is in the showdown, are not known."
    assert replayed("N2L1D", [50, 50], f"{acts}, p1 sm 2c3c4c5d8s", finishing_stacks=[54, 46]).ok


def test_a_named_discard_may_be_a_card_that_was_not_known() -> None:
    acts = "d dh p1 ??3c4c5d7h, p2 cc, p1 cc, p1 sd 9h, p2 sd, d dh p1 2c, p1 cc, p2 cc, p1 sm -, p2 sm 7d8d9dTdQs"
    assert replayed("N2L1D", [50, 50], acts, finishing_stacks=[54, 46]).ok


def test_cards_that_are_dealt_and_not_named_are_unknown() -> None:
    acts = "p2 cc, p1 cc, p1 sd ????, p2 sd, p1 cc, p2 cc, p1 sm 2c3c4c5d7h, p2 sm 7d8d9dTdQs"
    assert replayed("N2L1D", [50, 50], acts, finishing_stacks=[54, 46]).ok


def test_a_hand_that_shows_some_of_its_cards_keeps_those_that_were_dealt() -> None:
    acts = f"{PAIRS}, p2 cc, p1 cc, {BOARD}, p1 sm ??Ac, p2 sm -"
    assert replayed("NT", [50, 50], acts, finishing_stacks=[46, 54]).ok


def test_the_flop_may_be_dealt_card_by_card() -> None:
    acts = f"p2 cc, p1 cc, {BOARD}, p1 sm AcAd, p2 sm QcQd".replace("d db 2c3d4h", "d db 2c, d db 3d4h")
    assert replayed("NT", [50, 50], acts).finishing_stacks == (54, 46)


@pytest.mark.parametrize(
    ("variant", "actions", "doubt"),
    [
        ("NT", f"d dh p1 AcAd, d dh p2 AcKd, p2 cc, p1 cc, {BOARD}", "action 2 has Ac, which is out already"),
        ("NT", f"{PAIRS}, p2 cc, p1 cc, {BOARD.replace('9s', 'Ad')}", "action 8 has Ad, which is out already"),
        ("NT", f"{PAIRS}, p2 cc, p1 cc, {BOARD}, p1 sm AcAh", "action 14 shows Ah, which player 1 was not dealt"),
        (
            "NT",
            f"d dh p1 AcAd, d dh p2 Kc??, p2 cc, p1 cc, {BOARD}, p2 sm KcAd",
            "action 14 has Ad, which is out already",
        ),
        ("N2L1D", f"{FIVE}, p1 sd, p2 sd Qs, d dh p2 2c, p1 cc, p2 cc", "action 7 has 2c, which is out already"),
    ],
)
def test_a_card_that_does_not_fit_is_told_where_the_stacks_differ(variant: str, actions: str, doubt: str) -> None:
    result = replayed(variant, [50, 50], actions, finishing_stacks=[50, 50])
    assert result.error is not None
    assert result.error.startswith("Finishing stacks differ: player 1 has ")
    assert result.error.endswith(f"; {doubt}.")
    agreed = phh.parse(hand_text(variant, [50, 50], actions, finishing_stacks=list(result.finishing_stacks or ())))
    assert replay(agreed).ok


def test_discards_and_folded_hands_may_be_dealt_again_in_draw_games_only() -> None:
    reshuffled = "d dh p3 QcQdQh9s9h, p3 f, " + FIVE.replace("p2 cc", "p1 cc").replace("p1 cc, p1 cc", "p1 cc, p2 cc")
    acts = f"{reshuffled}, p1 sd 7h, p2 sd Qs, d dh p1 Qc, d dh p2 7h, p1 cc, p2 cc"
    result = replayed("N2L1D", [50, 50, 50], acts, finishing_stacks=[50, 50, 50])
    assert result.error is not None
    assert "out already" not in result.error

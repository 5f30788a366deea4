"""Board and shown hands: sealed until the hand is over, no card twice, and the award that they make for one key."""

from __future__ import annotations

import json
from typing import Any

import pytest

from betline.cards import parse_cards
from betline.messages.cards import CardsView, HandMade
from betline.messages.common import Reply
from betline.messages.recall import RecalledHand
from betline.messages.table import Alert
from table_controller.accounts.read import hands
from table_controller.cards.seals import Place, Secret, opens
from table_controller.cards.showdown import Proposal
from table_controller.console.cards import board_lines
from table_controller.journal.entries import CardsOpened, Stepped
from table_controller.session import card_award
from table_controller.session.inputs import CardsRead
from tests.unit.session.desk import Desk, Pages, terms

HOLDEM = {"limit": "no-limit", "blinds": [1, 2]}
OMAHA_8 = {"limit": "pot-limit", "blinds": [1, 2], "streets": "omaha", "showdown": "high-low"}
TWO = {"1": 200, "2": 200}


def desk(
    game: dict[str, Any] = HOLDEM, seats: dict[str, int] = TWO, keeps: str = "board-and-shown", **more: Any
) -> Desk:
    """A hand before its first act; heads-up seat 1 has the button and acts first, then last."""
    found = Desk(terms(cards=keeps, rake="none", **more))
    found.begin(seats=seats, game=game, house={"profile": "home", "cards": keeps, **more})
    return found


def all_in(found: Desk) -> Desk:
    """Everybody is all-in before the flop."""
    while found.hand.next_seat is not None:
        done = found.key("act", seat=found.hand.next_seat, action="all-in")
        assert done.ok, done.sentence
    return found


def board(found: Desk, *streets: str) -> Desk:
    for street in streets:
        done = found.key("board-cards", cards=street)
        assert done.ok, done.sentence
    return found


def show(found: Desk, **hands: str) -> Desk:
    for seat, hand in hands.items():
        done = found.key("shown-cards", seat=int(seat[1:]), cards=hand)
        assert done.ok, done.sentence
    return found


def question(found: Desk) -> Any:
    asked = found.session.table_state(1, 1, "").questions
    return next((one for one in asked if one.kind == "award"), None)


def enter(found: Desk) -> Reply:
    asked = question(found)
    assert asked is not None, found.session.cards_view().missing
    return found.key("answer", question=asked.id, choice=asked.choices[0])


def public(found: Desk) -> str:
    """All that everybody may read: the state, the entries as events, messages."""
    told = [message.model_dump_json() for message in found.told]
    entries = [json.dumps(entry.data) for entry in found.entries]
    return "\n".join((found.session.table_state(1, 1, "").model_dump_json(), *told, *entries))


def test_a_house_that_keeps_no_cards_takes_none() -> None:
    found = all_in(desk(keeps="off"))

    assert found.key("board-cards", cards="AsKd7c").sentence == "Award with W: this house keeps no cards."
    assert found.session.cards_view().next_street == ""


def test_the_flop_is_dealt_by_its_cards_and_one_key_takes_both_back() -> None:
    found = all_in(desk())

    assert found.key("board-cards", cards="as kd 7c").sentence == "The flop lies there."
    assert found.hand.street == "flop"
    assert [one.cards for one in found.session.cards_view().places] == ["AsKd7c"]

    assert found.key("undo-key").sentence == "Took back: the flop; the cards of the flop."
    assert found.hand.street == "preflop"
    assert found.session.cards_view().places == ()

    assert found.key("redo").ok
    assert [one.cards for one in found.session.cards_view().places] == ["AsKd7c"]


def test_a_street_that_was_dealt_by_its_key_waits_for_its_cards() -> None:
    found = desk()
    found.key("act", seat=1, action="call")
    found.key("act", seat=2, action="check")
    found.key("deal")

    assert found.session.cards_view().next_street == "flop"
    assert found.key("board-cards", cards="AsKd7c").ok
    assert found.hand.street == "flop"
    assert found.session.cards_view().next_street == "turn"


def test_cards_before_the_betting_is_over_are_no_street() -> None:
    found = desk()

    refused = found.key("board-cards", cards="AsKd7c")

    assert not refused.ok
    assert found.hand.street == "preflop"
    assert found.session.cards_view().places == ()


@pytest.mark.parametrize(
    ("cards_keyed", "sentence"),
    [
        ("AsKd", "Key 3 cards: the flop has 3 cards, not 2."),
        ("AsKd7c8c", "Key 3 cards: the flop has 3 cards, not 4."),
    ],
)
def test_a_flop_has_three_cards(cards_keyed: str, sentence: str) -> None:
    assert all_in(desk()).key("board-cards", cards=cards_keyed).sentence == sentence


def test_a_card_lies_in_one_place_and_a_correction_frees_it() -> None:
    found = board(all_in(desk()), "AsKd7c")

    assert (
        found.key("board-cards", cards="Kd").sentence
        == "The king of diamonds lies on the flop already: key the right card."
    )

    assert found.key("board-cards", cards="AsQd7c", street="flop").ok
    board(found, "Kd", "2c")
    assert found.key("shown-cards", seat=1, cards="2cAh").sentence == (
        "The two of clubs lies on the river already: key the right card."
    )
    show(found, s1="AhAc")
    assert found.key("shown-cards", seat=2, cards="QsAc").sentence == (
        "The ace of clubs lies before seat 1 already: key the right card."
    )
    assert show(found, s1="AhJc", s2="QsAc").session.cards_view().missing == ""


def test_a_short_deck_has_no_fives() -> None:
    found = all_in(desk({**HOLDEM, "showdown": "short-deck"}))

    assert found.key("board-cards", cards="AsKd5c").sentence == (
        "Key it again: the five of clubs is not in a short deck."
    )


def test_hands_are_shown_when_the_betting_is_over() -> None:
    found = desk()

    assert found.key("shown-cards", seat=1, cards="AsKd").sentence == (
        "Finish the betting first: hands are shown when it is over (R-296)."
    )
    assert not all_in(desk(keeps="board")).key("shown-cards", seat=1, cards="AsKd").ok


def test_nothing_that_others_read_names_a_card_before_the_hand_is_over() -> None:
    found = board(all_in(desk()), "AsKd7c", "2c", "2h")
    show(found, s1="AhJc", s2="QsQc")

    seen = public(found)
    assert not [card for card in ("AsKd7c", "2c", "2h", "AhJc", "QsQc", "aces", "queens") if f'"{card}' in seen]

    enter(found)
    opened = found.session.table_state(1, 1, "").cards
    assert {(one.seat, one.street, one.cards) for one in opened} == {
        (None, "flop", "AsKd7c"), (None, "turn", "2c"), (None, "river", "2h"), (1, "", "AhJc"), (2, "", "QsQc"),
    }  # fmt: skip


def test_the_seals_are_opened_at_the_end_and_open_with_their_cards_alone() -> None:
    found = show(board(all_in(desk()), "AsKd7c", "2c", "2h"), s1="AhJc", s2="QsQc")
    assert not [entry for entry in found.entries if isinstance(entry, CardsOpened)]
    enter(found)

    (opened,) = [entry for entry in found.entries if isinstance(entry, CardsOpened)]
    sealed = {getattr(entry.step, "seal", "") for entry in found.entries if isinstance(entry, Stepped)}
    for one in opened.cards:
        place = Place(opened.hand_no, one.seat, one.street, one.board)
        assert one.seal in sealed
        assert opens(place, Secret(one.salt, one.cards), one.seal)
        assert not opens(place, Secret(one.salt, one.cards[::-1]), one.seal)


def test_the_award_is_proposed_with_the_names_of_the_hands_and_taken_by_one_key() -> None:
    found = show(board(all_in(desk()), "AsKd7c", "2c", "2h"), s1="AhJc", s2="QsQc")

    assert found.session.cards_view().proposal == ("Seat 1: two pair, aces and twos",)
    assert enter(found).ok
    assert found.hand.stacks == {1: 400, 2: 0}


def test_what_was_won_with_is_public_once_the_hand_is_over() -> None:
    found = show(board(all_in(desk()), "AsKd7c", "2c", "2h"), s1="AhJc", s2="QsQc")
    assert found.session.table_state(1, 1, "").won_with == ()

    enter(found)

    assert found.session.table_state(1, 1, "").won_with == (HandMade(seat=1, kind="two-pair", ranks=("A", "2")),)
    found.restart()
    assert found.session.table_state(1, 1, "").won_with == (HandMade(seat=1, kind="two-pair", ranks=("A", "2")),)


def test_nothing_is_awarded_by_itself() -> None:
    found = show(board(all_in(desk()), "AsKd7c", "2c", "2h"), s1="AhJc", s2="QsQc")
    found.play(8)
    found.wait(5_000)

    assert not found.hand.hand_over


def test_what_is_missing_is_said_and_nothing_proposed() -> None:
    found = board(all_in(desk()), "AsKd7c", "2c")
    assert found.session.cards_view().missing == ""
    board(found, "2h")
    assert found.session.cards_view().missing == "Seats 1, 2: show the hands, or muck."

    show(found, s1="AhJc")

    assert found.session.cards_view().missing == "Seat 2: show the hand, or muck."
    assert question(found) is None


def test_a_mucked_hand_wins_nothing_by_cards_and_the_last_one_left_needs_none() -> None:
    found = board(all_in(desk()), "AsKd7c", "2c", "2h")
    assert found.key("shown-cards", seat=2).sentence == "Seat 2 mucks unseen."

    assert found.session.cards_view().proposal == ("Seat 1, alone",)

    show(found, s2="QsQc")
    assert found.session.cards_view().proposal == ()


def test_a_question_of_other_cards_takes_no_award() -> None:
    found = show(board(all_in(desk()), "AsKd7c", "2c", "2h"), s1="AhJc", s2="QsQc")
    asked = question(found)
    show(found, s1="3h4c")

    reply = found.key("answer", question=asked.id, choice="award")

    assert reply.code == "no-question"
    assert found.session.cards_view().proposal == ("Seat 2: two pair, queens and twos",)


def test_each_run_has_a_board_of_its_own() -> None:
    found = board(all_in(desk(run_it=3)), "AsKd7c")
    assert found.key("run-it", times=2).ok
    board(found, "2c", "2h", "Qh", "3h")
    show(found, s1="AhJc", s2="QsQc")

    view = found.session.cards_view()
    assert [(one.street, one.board, one.cards) for one in view.places if one.seat is None] == [
        ("flop", 0, "AsKd7c"), ("turn", 1, "2c"), ("river", 1, "2h"), ("turn", 2, "Qh"), ("river", 2, "3h"),
    ]  # fmt: skip
    assert view.proposal == ("Board 1: seat 1, two pair, aces and twos", "Board 2: seat 2, three queens")
    assert enter(found).ok
    assert found.hand.stacks == {1: 200, 2: 200}


def test_high_and_low_share_a_pot() -> None:
    found = desk(OMAHA_8, {"1": 2, "2": 2})
    all_in(found)
    board(found, "2s7h8d", "Kc", "Kh")
    show(found, s1="As3dQcQd", s2="KdKs9c9d")

    assert found.session.cards_view().proposal == (
        "High: seat 2, four kings", "Low: seat 1, eight-seven-three-two-ace low",
    )  # fmt: skip
    enter(found)
    assert found.hand.stacks == {1: 2, 2: 2}


def test_a_misdeal_takes_the_cards_back() -> None:
    found = desk()
    found.key("act", seat=1, action="call")
    found.key("act", seat=2, action="check")
    board(found, "AsKd7c")
    done = found.key("fouled-deck")
    assert done.ok, done.sentence

    assert found.session.cards_view().places == ()
    assert found.session.secrets == {}


def test_a_restart_in_mid_hand_knows_the_cards_that_its_file_has() -> None:
    found = board(all_in(desk()), "AsKd7c", "2c", "2h")
    before = found.session.book
    found.restart()
    assert found.session.book == before

    show(found, s1="AhJc", s2="QsQc")

    assert isinstance(card_award.proposal(found.session.book, found.session.secrets), Proposal)


def test_a_restart_without_that_file_asks_for_the_board_again() -> None:
    found = show(board(all_in(desk()), "AsKd7c", "2c", "2h"), s1="AhJc", s2="QsQc")
    found.session = found.restarted()

    view = found.session.cards_view()
    assert view.places[0].cards == "??????"
    assert view.missing


def test_secrets_that_open_no_seal_are_not_taken() -> None:
    found = board(all_in(desk()), "AsKd7c")
    (seal,) = found.session.secrets
    false = {seal: Secret(found.session.secrets[seal].salt, "AhKh7h")}

    assert found.restarted().knowing(false).secrets == {}
    assert found.restarted().knowing(found.session.secrets).secrets == found.session.secrets


# --- cards with tags


def lay(found: Desk, *cards_read: str, seat: int | None = None, strange: int = 0) -> list[Alert]:
    """Cards come to an antenna one after the other; the alerts that follow."""
    told: list[Any] = []
    for card in cards_read or ("",):
        found.now_ms += 500
        read = CardsRead("reader-cards", seat, parse_cards(card), f"{int(found.now_ms):032x}", strange)
        told += found.give(read)
    return [one for one in told if isinstance(one, Alert)]


def test_cards_that_are_read_become_the_street_once_it_is_complete_and_one_key_takes_it_back() -> None:
    found = all_in(desk())

    assert lay(found, "As", "Kd") == []
    assert found.hand.street == "preflop"
    assert lay(found, "As", "7c") == []
    assert [one.cards for one in found.session.cards_view().places] == ["AsKd7c"]
    assert found.hand.street == "flop"

    assert found.key("undo-key").sentence == "Took back: the flop; the cards of the flop."
    assert found.hand.street == "preflop"


def test_a_hand_that_is_read_at_its_seat_is_shown_and_the_award_proposed() -> None:
    found = all_in(desk())
    lay(found, "As", "Kd", "7c", "2c", "2h")
    lay(found, "Ah", "Jc", seat=1)
    lay(found, "Qs", "Qc", seat=2)

    assert found.session.cards_view().proposal == ("Seat 1: two pair, aces and twos",)
    assert not [card for card in ("AsKd7c", "AhJc") if f'"{card}' in public(found)]
    assert enter(found).ok


def test_hole_cards_on_an_antenna_before_the_showdown_are_known_to_nobody() -> None:
    found = desk()
    assert lay(found, "Ah", "Jc", seat=1) == []

    assert not found.session.cards_begun.cards
    board(all_in(found), "AsKd7c", "2c", "2h")
    assert found.session.cards_view().missing == "Seats 1, 2: show the hands, or muck."


def test_r_046_a_card_on_the_board_before_the_betting_is_over_is_put_aside() -> None:
    found = desk()

    (alert,) = lay(found, "As")

    assert alert.code == "premature-street"
    assert alert.sentence.startswith("Put it aside")
    assert not found.session.cards_begun.cards
    all_in(found)
    lay(found, "Kd", "7c", "2c")
    assert [one.cards for one in found.session.cards_view().places] == ["Kd7c2c"]


def test_a_card_that_lies_elsewhere_and_a_tag_of_no_card_are_refused_in_a_sentence_without_the_card() -> None:
    found = board(all_in(desk()), "AsKd7c", "2c", "2h")

    (twice,) = lay(found, "As", seat=1)
    (strange,) = lay(found, seat=1, strange=1)

    assert twice.sentence == "Lay the right card: one before seat 1 lies elsewhere already."
    assert strange.sentence == "A tag before seat 1 is no card of the house: enrol it (betline cards)."
    assert lay(found, "As") == []


def test_cards_of_an_earlier_hand_are_forgotten() -> None:
    found = all_in(desk())
    lay(found, "As", "Kd")
    assert found.key("fouled-deck").ok

    all_in(found)
    lay(found, "7c")

    assert found.hand.street == "preflop"


def test_a_hand_that_is_recalled_has_its_board_and_the_hands_that_were_shown() -> None:
    found = show(board(all_in(desk()), "AsKd7c", "2c", "2h"), s1="AhJc", s2="QsQc")
    (going_on,) = hands(Pages(found.entries).entries())
    assert going_on.cards == ()
    enter(found)

    (over,) = hands(Pages(found.entries).entries())

    assert over.line().endswith("board A♠ K♦ 7♣, 2♣, 2♥; seat 1 A♥ J♣; seat 2 Q♠ Q♣.")
    told = RecalledHand.model_validate({**over.as_json(), "acts": ()})
    assert board_lines(CardsView(hand_no=1, places=told.cards)) == (
        "BOARD  A♠ K♦ 7♣  2♣  2♥", "SHOWN  1: A♥ J♣   2: Q♠ Q♣",
    )  # fmt: skip


@pytest.mark.parametrize("verb", ["undo-key", "reopen-award"])
def test_an_award_that_was_taken_back_is_told_with_the_cards_that_were_right(verb: str) -> None:
    found = show(board(all_in(desk()), "AsKd7c", "2c", "2h"), s1="AhJc", s2="QsQc")
    enter(found)
    assert found.key(verb).ok
    assert [one.cards for one in found.session.cards_view().places if one.seat == 1] == ["AhJc"]
    show(found, s1="Jh9c")
    enter(found)

    (over,) = hands(Pages(found.entries).entries())

    assert found.hand.stacks == {1: 0, 2: 400}
    assert [(one.seat, one.cards) for one in over.cards if one.seat] == [(1, "Jh9c"), (2, "QsQc")]
    assert len([one for one in over.cards if one.street == "flop"]) == 1

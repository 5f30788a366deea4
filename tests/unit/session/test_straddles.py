"""Chips before the cards are out: posts, straddles, sleepers to be asked about, and what is none of them (R-043)."""

from typing import Any

import pytest

from betline.messages.table import Alert, Ruling
from tests.unit.session.desk import Desk, terms

NO_LIMIT = {"limit": "no-limit", "blinds": [1, 2]}
FIVE = {str(seat): 200 for seat in range(1, 6)}


def posting(seats: dict[str, int] | None = None, game: dict[str, Any] | None = None, **house: Any) -> Desk:
    """The blinds are due and the cards not yet out; the button is before seat 1."""
    desk = Desk(terms(**house))
    rules = {"profile": "home", **house}
    desk.key("setup", game=game or NO_LIMIT, house=rules, seats=seats or FIVE, button=1)
    desk.play()
    return desk


def told(desk: Desk, code: str) -> list[str]:
    return [one.sentence for one in desk.heard(Alert) if one.code == code]


def same_after_restart(desk: Desk) -> bool:
    again = desk.restarted()
    return again.book == desk.session.book and again.sensing.durable() == desk.session.sensing.durable()


def test_r_195_the_least_straddle_in_chips_under_the_gun_is_posted_by_itself_and_undone_by_one_key() -> None:
    desk = posting()
    desk.push(4, 1, 1, 1, 1)
    desk.play()

    ruling = desk.heard(Ruling)[-1]
    assert (ruling.seat, ruling.ruling, ruling.to, ruling.source) == (4, "post", 4, "chips")
    assert desk.session.table_state(1, 1, "").seats[3].straddle == 4
    assert desk.alerts == []
    assert same_after_restart(desk)
    desk.key("cards-out")
    desk.play()
    assert (desk.hand.next_seat, desk.announced) == (
        5,
        "Seat 5: call 4, minimum raise to 6, maximum 200, 7 in the middle",
    )

    desk.key("undo")
    assert (desk.hand.bet(4), desk.hand.next_seat) == (0, 4)
    assert desk.session.table_state(1, 1, "").phase == "betting"


@pytest.mark.parametrize("size", [{}, {"to": 4}])
def test_a_straddle_that_its_chips_have_posted_is_not_posted_again_by_a_key(size: dict[str, Any]) -> None:
    """The dealer may not have seen it: nobody else's straddle is named to him."""
    desk = posting()
    desk.push(4, 1, 1, 1, 1)
    desk.play()
    reply = desk.key("straddle", seat=4, **size)

    assert not reply.ok
    assert (reply.code, reply.sentence) == ("not-open", "Go on: the straddle of seat 4 is posted already.")
    assert desk.session.table_state(1, 1, "").seats[3].straddle == 4


def test_the_chips_of_a_straddle_are_no_act_once_the_cards_are_out() -> None:
    desk = posting()
    for seat, chips in ((2, [1]), (3, [1, 1]), (4, [1, 1, 1, 1])):
        desk.push(seat, *chips)
    desk.play()
    desk.key("cards-out")
    desk.play(20)

    assert [one[1] for one in desk.rulings] == ["post"]
    desk.push(5, 1, 1, 1, 1)
    desk.play()
    assert desk.rulings[-1] == (5, "call", 4)


@pytest.mark.parametrize(
    ("seat", "chips", "why"),
    [
        (4, [1, 1, 1], "This straddle is 4, not 3"),
        (5, [1, 1, 1, 1], "This house takes straddles from seat 1, 4 in this hand"),
    ],
)
def test_what_is_no_legal_straddle_is_told_as_early_with_its_reason(seat: int, chips: list[int], why: str) -> None:
    desk = posting()
    desk.push(seat, *chips)
    desk.play()

    assert desk.rulings == []
    assert told(desk, "early-chips")[0].startswith(f"Seat {seat} put out {sum(chips)} before the cards were out")
    assert why in told(desk, "early-chips")[0]


def test_a_straddle_in_two_motions_is_posted_when_it_is_whole_and_made_more_while_nobody_acted() -> None:
    desk = posting()
    desk.push(4, 1, 1)
    desk.play()
    assert desk.rulings == []
    desk.push(4, 1, 1)
    desk.play()
    assert desk.rulings == [(4, "post", 4)]
    desk.push(4, 1, 1)
    desk.play()

    assert desk.rulings[-1] == (4, "post", 6)
    assert desk.hand.bet(4) == 6
    assert same_after_restart(desk)


def test_blinds_in_any_number_of_motions_are_no_straddle_and_a_chip_too_large_wants_change() -> None:
    desk = posting(straddle_positions="any")
    desk.push(2, 1)
    desk.push(3, 1)
    desk.play()
    desk.push(3, 1)
    desk.play()
    assert (desk.rulings, desk.alerts) == ([], [])

    desk = posting(straddle_positions="any")
    desk.push(3, 5)
    desk.play()

    assert desk.rulings == []
    assert told(desk, "change-due") == ["Seat 3 put out 5 where 2 are due: give back 3."]


def test_r_198_the_small_blind_straddles_with_what_lies_beyond_its_blind_where_the_house_lets_it() -> None:
    desk = posting(straddle_positions="any")
    desk.push(2, 1)
    desk.play()
    desk.push(2, 1, 1, 1)
    desk.play()

    assert desk.rulings == [(2, "post", 4)]
    assert desk.hand.bet(2) == 4


def test_an_ante_of_everybody_is_paid_before_anything_is_a_straddle() -> None:
    desk = posting(game={**NO_LIMIT, "ante": 1})
    desk.push(4, 1)
    desk.push(5, 1)
    desk.push(3, 1, 1, 1)
    desk.play()
    assert (desk.rulings, desk.alerts) == ([], [])

    desk.push(4, 1, 1, 1, 1)
    desk.play()

    assert desk.rulings == [(4, "post", 4)]
    assert desk.hand.stack(4) == 195


def returning(**house: Any) -> Desk:
    """Seat 4 comes back under the gun with missed blinds, which are posted in this hand."""
    desk = Desk(terms(absent_players="sit-out", **house))
    rules = {"profile": "home", "absent_players": "sit-out", **house}
    desk.key("setup", game=NO_LIMIT, house=rules, seats=FIVE, button=1)
    desk.key("sit-out", seat=4)
    desk.key("rest-folds")
    for _ in range(3):
        desk.key("next-hand")
        desk.key("cards-out")
        desk.key("rest-folds")
    desk.key("return", seat=4)
    return desk


@pytest.mark.parametrize(("missed_blinds", "dead"), [("big-live-small-dead", 1), ("single-big", 0)])
def test_r_193_missed_blinds_pushed_in_are_posts_and_never_a_straddle(missed_blinds: str, dead: int) -> None:
    desk = returning(missed_blinds=missed_blinds, straddle_positions="any")
    assert desk.session.table_state(1, 1, "").seats[3].missed == (2, 1)
    desk.key("next-hand", button=1)
    desk.play()
    assert (desk.hand.bet(4), desk.hand.stack(4)) == (2, 198 - dead)
    before = len(desk.rulings)

    desk.push(4, *[1] * (2 + dead))
    desk.play()
    assert (len(desk.rulings), desk.alerts) == (before, [])
    desk.push(4, 1, 1)
    desk.play()

    assert desk.rulings[-1] == (4, "post", 4)
    assert desk.hand.stack(4) == 196 - dead


def test_chips_of_a_seat_that_is_not_dealt_in_are_early() -> None:
    desk = posting(new_player="wait")
    desk.key("sit-down", seat=6, stack=100, post=False)
    desk.push(6, 1, 1)
    desk.play()

    assert "Seat 6 is not in the hand" in told(desk, "early-chips")[0]


def test_r_199_chips_that_a_sleeper_would_be_are_asked_about_and_the_answer_rules() -> None:
    desk = posting(sleepers=True)
    desk.push(5, 1, 1, 1, 1)
    desk.play()
    asked = desk.session.table_state(1, 1, "").questions
    assert [(one.kind, one.seat, one.choices) for one in asked] == [("straddle", 5, ("sleeper", "no-bet"))]
    assert desk.rulings == []
    assert same_after_restart(desk)

    assert desk.key("answer", question=asked[0].id, choice="sleeper").ok

    assert desk.rulings == [(5, "post", 4)]
    state = desk.session.table_state(1, 1, "")
    assert (state.seats[4].sleeper, state.questions) == (4, ())
    assert desk.key("answer", question=asked[0].id, choice="sleeper").code == "no-question"
    assert same_after_restart(desk)


def test_chips_that_may_be_a_straddle_or_a_sleeper_are_asked_about_with_both() -> None:
    desk = posting(sleepers=True, straddle_positions="any")
    desk.push(5, 1, 1, 1, 1)
    desk.play()
    asked = desk.session.table_state(1, 1, "").questions[0]
    assert asked.choices == ("mississippi", "sleeper", "no-bet")

    desk.key("answer", question=asked.id, choice="no-bet")

    assert desk.rulings == []
    assert "Give them back" in told(desk, "early-chips")[0]
    assert desk.session.table_state(1, 1, "").questions == ()


def test_a_sleeper_question_ends_when_somebody_acts() -> None:
    desk = posting(sleepers=True)
    desk.push(5, 1, 1, 1, 1)
    desk.play()
    question = desk.session.table_state(1, 1, "").questions[0].id
    desk.key("cards-out")
    assert desk.session.table_state(1, 1, "").questions != ()
    desk.key("act", seat=4, action="fold")

    assert desk.session.table_state(1, 1, "").questions == ()
    assert desk.key("answer", question=question, choice="sleeper").code == "no-question"


def test_r_195_a_straddle_on_the_button_puts_the_one_under_the_gun_aside_and_says_what_goes_back() -> None:
    desk = posting()
    desk.push(4, 1, 1, 1, 1)
    desk.play()
    desk.push(1, 1, 1, 1, 1)
    desk.play()

    assert desk.rulings == [(4, "post", 4), (1, "post", 4)]
    assert desk.hand.bet(4) == 0
    assert told(desk, "change-due") == ["Seat 4's straddle is put aside: give back 4."]


def test_keyed_the_least_straddle_is_posted_of_the_kind_that_the_seat_may() -> None:
    desk = posting()
    listed = [(one.seat, one.kind, one.least) for one in desk.session.table_state(1, 1, "").straddles]
    assert sorted(listed) == [(1, "mississippi", 4), (4, "live", 4), (4, "mississippi", 4)]

    reply = desk.key("straddle", seat=4)

    assert (reply.ok, desk.rulings) == (True, [(4, "post", 4)])
    assert "straddle" in reply.sentence
    assert desk.key("straddle", seat=5).ok
    assert desk.rulings[-1] == (5, "post", 8)
    assert desk.key("straddle", seat=1, to=16, kind="live").code == "not-open"
    assert same_after_restart(desk)


@pytest.mark.parametrize(
    ("args", "code", "fragment"),
    [
        ({"seat": 4, "to": 3}, "below-minimum", "This straddle is 4"),
        ({"seat": 4, "to": 300}, "above-maximum", "cannot straddle for 300"),
        ({"seat": 5}, "not-open", "takes straddles from seat 1, 4"),
        ({"seat": 5, "kind": "sleeper"}, "not-open", "takes no sleepers"),
        ({"seat": 4, "kind": "sleeper"}, "not-open", "sleepers"),
        ({"seat": 6}, "not-open", "Seat 6 is not in the hand"),
    ],
)
def test_a_straddle_that_is_not_open_is_refused_in_a_sentence(args: dict[str, Any], code: str, fragment: str) -> None:
    desk = posting()
    before = desk.session.book
    reply = desk.key("straddle", **args)

    assert (reply.ok, reply.code) == (False, code)
    assert fragment in reply.sentence
    assert desk.session.book == before


def test_the_rest_folds_to_a_straddle_the_big_blind_too() -> None:
    desk = posting()
    desk.key("straddle", seat=4)
    desk.key("cards-out")
    acting = desk.hand.next_seat

    assert desk.key("rest-folds").sentence.endswith(", 2, 3.")
    assert acting == 5
    assert desk.hand.hand_over
    assert desk.hand.in_hand == {4}


def test_it_is_too_late_to_straddle_when_somebody_has_acted() -> None:
    desk = posting()
    desk.key("cards-out")
    desk.key("act", seat=4, action="call")

    assert desk.key("straddle", seat=5).code == "too-late"
    state = desk.session.table_state(1, 1, "")
    assert (state.straddles, "too late" in state.closed["straddle"]) == ((), True)


def test_a_straddle_whose_chips_are_taken_away_stands_and_the_dealer_is_told() -> None:
    desk = posting()
    desk.push(4, 1, 1, 1, 1)
    desk.play()
    desk.lying["seat-4"].clear()
    desk.play(16)

    assert desk.hand.bet(4) == 4
    assert told(desk, "chips-taken-back") == [
        "Seat 4 took back 4 of its straddle, which stands: give it back, or undo it."
    ]
    desk.key("undo")
    assert desk.hand.bet(4) == 0


def test_blinds_that_are_changed_for_other_chips_are_told_of_by_nobody() -> None:
    desk = posting()
    desk.push(3, 1, 1)
    desk.play()
    desk.lying["seat-3"].clear()
    desk.play(16)

    assert (desk.rulings, desk.alerts) == ([], [])


def test_r_127_a_kill_is_on_the_seat_that_owes_it_and_no_straddle_is_open_in_its_pot() -> None:
    house = {"kill": "full", "kill_trigger": {"wins": 1}, "straddle_positions": "any"}
    desk = posting(game={"limit": "fixed-limit", "blinds": [1, 2], "bets": [2, 2, 4, 4]}, **house)
    desk.key("cards-out")
    desk.key("act", seat=4, action="raise", to=4)
    desk.key("rest-folds")
    assert desk.session.table_state(1, 1, "").seats[3].kill == 4
    desk.key("next-hand")

    state = desk.session.table_state(1, 1, "")
    assert (state.seats[3].kill, state.seats[3].bet, state.straddles) == (4, 4, ())
    assert state.closed["straddle"] == "Give it back: there is no straddle in a kill pot (R-129)."
    assert desk.key("straddle", seat=1).code == "not-open"


@pytest.mark.one_in(4)
@pytest.mark.parametrize("before_cards", [4, 3, 0])
@pytest.mark.parametrize("restarts", [False, True])
def test_a_straddle_that_is_keyed_before_its_chips_come_is_paid_once(before_cards: int, restarts: bool) -> None:
    """All its chips, some or none come before the cards; a raise after that pays nothing."""
    desk = posting()
    desk.key("straddle", seat=4, to=4)
    desk.push(2, 1)
    desk.push(3, 1, 1)
    desk.push(4, *[1] * before_cards)
    desk.play()
    if restarts:
        desk.restart()
        desk.play()
    desk.key("cards-out")
    desk.play()
    desk.push(4, *[1] * (4 - before_cards))
    desk.play()
    for seat, chips in ((5, [1, 1, 1, 1]), (1, [1, 1, 1, 1]), (2, [1, 1, 1]), (3, [1, 1]), (4, [5, 5, 1, 1])):
        desk.push(seat, *chips)
        desk.play()
    assert desk.rulings[-1] == (4, "raise", 16)

"""What chips, words and silence on the felt come to, and what is asked because of it."""

import pytest

from betline.messages.table import Alert, Announcement, Ruling
from table_controller.sensing.amounts import without
from table_controller.sensing.witness import CameraSeen, LineSeen
from table_controller.session.inputs import NO_SEAT, Present
from table_controller.session.sensors import STARTING_MS
from tests.unit.session.desk import Desk, terms


@pytest.fixture
def desk() -> Desk:
    desk = Desk()
    desk.begin()
    return desk


def test_chips_become_acts_and_the_next_player_is_told_before_acting(desk: Desk) -> None:
    assert desk.announced == "Seat 4: call 2, minimum raise to 4, maximum 8, the pot"
    desk.push(4, 5, 1)
    desk.play()
    assert desk.rulings == [(4, "raise", 6)]
    assert desk.announced == "Seat 1: call 6, minimum raise to 10, maximum 22, the pot"
    announcement = desk.heard(Announcement)[-1]
    ruling = desk.heard(Ruling)[-1]
    assert announcement.cause_ns is not None
    assert (ruling.source, ruling.act_no) == ("chips", 1)


def test_the_pot_limit_example_of_the_rule_texts_ends_at_520() -> None:
    desk = Desk()
    game = {"limit": "pot-limit", "blinds": [], "min_bet": 5, "streets": "omaha"}
    desk.key(
        "setup",
        game=game,
        seats={"1": 500, "2": 500, "3": 500, "4": 500},
        button=1,
        start={"street": "flop", "pot": 20},
    )
    desk.play()
    for seat, chips, said in (
        (2, [5], "Seat 3: call 5, minimum raise to 10, maximum 35, the pot"),
        (3, [25, 5, 5], "Seat 4: call 35, minimum raise to 65, maximum 130, the pot"),
        (4, [25, 5, 5], "Seat 1: call 35, minimum raise to 65, maximum 165, the pot"),
        (1, [100, 25, 25, 5, 5, 5], "Seat 2: call 160, minimum raise to 295, maximum 500"),
    ):
        desk.push(seat, *chips)
        desk.play()
        assert desk.announced == said
    desk.key("act", seat=2, action="fold")
    for seat in (3, 4):
        desk.push(seat, 100, 25, 5)
        desk.play()

    assert desk.rulings[-2:] == [(3, "call", 165), (4, "call", 165)]
    assert desk.hand.pot == 520


def test_three_calls_within_a_second_come_out_in_order(desk: Desk) -> None:
    desk.push(2, 1)
    desk.push(1, 1, 1)
    desk.push(4, 1, 1)
    desk.play(10)

    assert desk.rulings == [(4, "call", 2), (1, "call", 2), (2, "call", 2)]


def test_what_lay_in_a_zone_when_the_hand_began_is_no_act() -> None:
    desk = Desk()
    desk.push(4, 100)
    desk.play()
    desk.begin()
    desk.play(20)

    assert desk.rulings == []
    assert desk.hand.next_seat == 4


def test_chips_before_the_cards_are_out_that_are_no_post_are_told() -> None:
    desk = Desk(terms(straddle_positions="none"))
    desk.key("setup", game={"limit": "pot-limit", "blinds": [1, 2]}, seats={"1": 200, "2": 200, "3": 200}, button=1)
    desk.play()
    desk.push(1, 25)
    desk.play()

    assert "early-chips" in desk.alerts
    assert desk.rulings == []


def test_early_chips_in_a_house_with_straddles_say_why_they_are_none() -> None:
    desk = Desk()
    seats = {"1": 200, "2": 200, "3": 200, "4": 200}
    game = {"limit": "no-limit", "blinds": [1, 2]}
    desk.key("setup", game=game, house={"profile": "home", "straddle_positions": "utg"}, seats=seats, button=1)
    desk.play()
    desk.push(1, 5)
    desk.play()

    told = next(one for one in desk.heard(Alert) if one.code == "early-chips")
    assert told.sentence.startswith("Seat 1 put out 5 before the cards were out: it is no act. ")
    assert len(told.sentence) > len("Seat 1 put out 5 before the cards were out: it is no act. ")


def test_silent_overchip_is_a_call_and_the_change_is_due(desk: Desk) -> None:
    desk.push(4, 25)
    desk.play()

    assert desk.rulings == [(4, "call", 2)]
    seat = desk.session.table_state(1, 1, "").seats[3]
    assert (seat.bet, seat.on_felt, seat.change_due) == (2, 25, 23)

    desk.lying["seat-4"].clear()
    desk.push(4, 1, 1)
    desk.play(16)

    assert desk.session.table_state(1, 1, "").seats[3].change_due == 0
    assert desk.rulings == [(4, "call", 2)]


def test_words_first_and_their_chips_after_them_are_one_act(desk: Desk) -> None:
    desk.key("says", seat=4, text="raise to 8")
    assert desk.rulings == [(4, "raise", 8)]
    assert desk.session.table_state(1, 1, "").seats[3].owes == 8
    desk.push(4, 5, 1, 1, 1)
    desk.play()

    assert desk.rulings == [(4, "raise", 8)]
    assert desk.session.table_state(1, 1, "").seats[3].owes == 0


def test_a_debt_that_the_felt_has_paid_is_paid_for_the_rulings_too(desk: Desk) -> None:
    desk.key("says", seat=4, text="raise to 8")
    desk.push(4, 5, 1, 1)
    desk.play()
    table = desk.session.book.table
    assert table is not None
    assert table.state.owed(4) == desk.session.table_state(1, 1, "").seats[3].owes == 1

    desk.push(4, 1)
    desk.play()

    table = desk.session.book.table
    assert table is not None
    assert table.state.owed(4) == 0
    assert desk.restarted().book == desk.session.book


def test_words_keyed_while_the_chips_still_move_are_ruled_with_them(desk: Desk) -> None:
    desk.push(4, 25)
    desk.play(3)
    reply = desk.key("says", seat=4, text="raise to 8", first="says")
    assert "settled" in reply.sentence
    assert desk.rulings == []
    desk.play()

    assert desk.rulings == [(4, "raise", 8)]
    assert desk.session.table_state(1, 1, "").seats[3].change_due == 17


def test_words_keyed_after_their_chips_were_ruled_on_are_ruled_again_with_them(desk: Desk) -> None:
    desk.push(4, 25)
    desk.play()
    assert desk.rulings == [(4, "call", 2)]
    desk.key("says", seat=4, text="raise to 8", first="says")

    assert desk.rulings == [(4, "call", 2), (4, "raise", 8)]
    assert desk.hand.next_seat == 1
    assert desk.announced == "Seat 1: call 8, minimum raise to 14, maximum 28, the pot"


def test_words_that_agree_with_the_ruling_on_the_chips_ask_nothing(desk: Desk) -> None:
    desk.push(4, 1, 1)
    desk.play()
    reply = desk.key("says", seat=4, text="call")

    assert reply.ok
    assert desk.rulings == [(4, "call", 2)]
    assert desk.session.table_state(1, 1, "").questions == ()


def test_words_too_late_for_chips_that_others_have_acted_on_change_nothing(desk: Desk) -> None:
    desk.push(4, 25)
    desk.play()
    desk.push(1, 1, 1)
    desk.play()
    before = desk.session.book
    reply = desk.key("says", seat=4, text="raise to 8")

    assert reply.code == "too-late"
    assert desk.session.book == before


def test_words_that_are_not_understood_leave_the_chips_as_they_were_ruled(desk: Desk) -> None:
    desk.push(4, 25)
    desk.play()
    before = desk.session.book
    reply = desk.key("says", seat=4, text="banana")

    assert reply.code == "unsupported"
    assert "banana" in reply.sentence
    assert desk.session.book == before


def test_words_of_a_seat_whose_turn_has_come_again_are_a_new_act(desk: Desk) -> None:
    desk.push(4, 1, 1)
    desk.play()
    for seat, action in ((1, "fold"), (2, "fold")):
        desk.key("act", seat=seat, action=action)
    desk.key("act", seat=3, action="raise", to=8)
    reply = desk.key("says", seat=4, text="call")

    assert reply.ok
    assert desk.rulings[-1] == (4, "call", 8)


def test_which_came_first_is_asked_where_it_matters_and_the_answer_is_ruled_on(desk: Desk) -> None:
    desk.push(4, 25)
    desk.play()
    desk.key("says", seat=4, text="raise to 8")
    state = desk.session.table_state(1, 1, "")
    assert [(one.kind, one.choices) for one in state.questions] == [("which-first", ("says", "chips", "both"))]
    assert (state.seats[3].bet, state.to_act) == (8, 1)

    reply = desk.key("answer", question=state.questions[0].id, choice="chips")

    assert reply.ok
    assert desk.rulings[-1] == (4, "call", 2)
    assert desk.session.table_state(1, 1, "").questions == ()


def test_the_floor_is_asked_where_a_human_must_decide() -> None:
    desk = Desk()
    desk.begin(house={"profile": "cash", "undercall": "floor"})
    desk.key("act", seat=4, action="raise", to=8)
    desk.push(1, 5)
    desk.play()
    state = desk.session.table_state(1, 1, "")
    assert [one.kind for one in state.questions] == ["floor"]
    question = state.questions[0]
    assert desk.key("answer", question=question.id, choice="nonsense").code == "bad-arguments"

    assert desk.key("answer", question=question.id, choice="call").ok

    assert desk.rulings[-1] == (1, "call", 8)
    assert desk.key("answer", question=question.id, choice="call").code == "no-question"


def test_silent_seats_before_a_bet_are_asked_about_and_the_act_waits() -> None:
    desk = Desk(terms(implied_passive="ask"))
    desk.begin(house={"profile": "home", "implied_passive": "ask"})
    desk.push(2, 1, 1, 1, 1, 1)
    desk.play(60)
    state = desk.session.table_state(1, 1, "")
    assert [one.kind for one in state.questions] == ["unreported"]
    assert desk.rulings == []

    desk.key("answer", question=state.questions[0].id, choice="passive")

    assert desk.rulings == [(4, "fold", 0), (1, "fold", 0), (2, "raise", 6)]
    assert {one.source for one in desk.heard(Ruling)[:2]} == {"inferred"}
    assert desk.session.table_state(1, 1, "").questions == ()


def test_a_house_that_assumes_passive_seats_says_so() -> None:
    desk = Desk()
    desk.begin(house={"profile": "home", "implied_passive": "assume"})
    desk.push(1, 5, 1)
    desk.play(60)

    assert desk.rulings == [(4, "fold", 0), (1, "raise", 6)]
    assert "unreported" in desk.alerts


def test_a_chip_that_is_not_in_the_register_is_no_amount(desk: Desk) -> None:
    desk.lying["seat-4"] = {"E0040000FFFFFFFF": (None, desk.rounds["seat-4"] + 1)}  # type: ignore[dict-item]
    desk.push(4, 5)
    desk.play()

    assert desk.rulings == []
    assert "unknown-chip" in desk.alerts
    desk.key("act", seat=4, action="raise", to=8)
    assert desk.rulings == [(4, "raise", 8)]


def test_a_camera_that_says_what_is_wrong_is_an_alert_of_that_name_until_it_is_right_again(desk: Desk) -> None:
    said = "The camera gives the same picture again and again: unplug it, plug it in again."
    desk.give(Present("overhead", "camera", "stale", said, "camera-frozen"))
    alerts = [one for one in desk.heard(Alert) if one.code.startswith("camera-")]
    assert [(one.code, one.active) for one in alerts] == [("camera-frozen", True)]
    assert alerts[0].sentence.startswith(f"overhead: {said} Until then key folds and checks")

    desk.give(Present("overhead", "camera", "stale", "Something covers it.", "camera-covered"))
    desk.give(Present("overhead", "camera", "online"))
    alerts = [one for one in desk.heard(Alert) if one.code.startswith("camera-")]
    assert [(one.code, one.active) for one in alerts[1:]] == [
        ("camera-frozen", False),
        ("camera-covered", True),
        ("camera-covered", False),
    ]


def test_a_camera_that_still_learns_is_no_alert_until_it_takes_too_long(desk: Desk) -> None:
    def camera() -> str:
        return next(one.state for one in desk.session.table_state(1, 1, "").sensors if one.name == "overhead")

    def learns(milliseconds: int) -> None:
        for _ in range(milliseconds // 100):
            desk.wait(100)
            desk.give(CameraSeen((), desk.now.mono_ns, "overhead"))

    desk.give(Present("overhead", "camera", "starting", "Learning the felt."))
    learns(STARTING_MS - 200)
    assert camera() == "starting"
    assert "camera-down" not in desk.alerts

    desk.give(Present("overhead", "camera", "starting", "Learning the felt, but for seat 3."))
    learns(400)
    assert camera() == "stale"
    alert = desk.heard(Alert)[-1]
    assert (alert.code, alert.active) == ("camera-down", True)
    assert alert.sentence.endswith(": overhead is not ready yet. Learning the felt, but for seat 3.")

    desk.give(Present("overhead", "camera", "online"))
    alert = desk.heard(Alert)[-1]
    assert (camera(), alert.code, alert.active) == ("online", "camera-down", False)


def test_a_camera_that_falls_silent_while_it_learns_is_down_as_any_other(desk: Desk) -> None:
    desk.give(CameraSeen((), desk.now.mono_ns, "overhead"))
    desk.give(Present("overhead", "camera", "starting", "Learning the felt."))
    desk.wait(4000)

    assert [one.sentence for one in desk.heard(Alert) if one.code == "camera-down"] == [
        "Key folds and checks, and look at its cable and light: overhead is silent. Learning the felt."
    ]


def test_a_silent_reader_is_stale_then_down_and_recovers_by_itself(desk: Desk) -> None:
    def state() -> dict[str, str]:
        return {one.name: one.state for one in desk.session.table_state(1, 1, "").sensors}

    assert set(state().values()) == {"online"}
    desk.wait(2000)
    assert set(state().values()) == {"stale"}
    desk.wait(2000)
    assert set(state().values()) == {"offline"}
    assert "reader-down" in [one.code for one in desk.session.table_state(1, 1, "").alerts]

    desk.play(2)

    assert set(state().values()) == {"online"}
    assert desk.session.table_state(1, 1, "").alerts == ()
    assert desk.kinds.count("sensor") == 2 * len(desk.terms.table.readers)


def test_a_bridge_that_the_broker_says_has_gone_is_told_at_once(desk: Desk) -> None:
    desk.presence("bridge", "bridge", "online")
    desk.presence("bridge", "bridge", "offline")

    assert desk.alerts[-1] == "bridge-down"
    assert desk.session.table_state(1, 1, "").alerts[-1].sentence.endswith(": bridge is down.")


def test_what_the_camera_reports_of_the_whole_picture_is_an_alert_of_no_seat(desk: Desk) -> None:
    desk.give(LineSeen("camera_moved", NO_SEAT, desk.now.mono_ns, camera="overhead"))
    desk.give(LineSeen("splash", 3, desk.now.mono_ns, camera="overhead"))

    assert [(one.code, one.seat) for one in desk.heard(Alert)] == [("camera-moved", None), ("splash", 3)]


def test_cards_that_the_camera_sees_dealt_end_posting() -> None:
    desk = Desk()
    desk.key("setup", game={"limit": "no-limit", "blinds": [1, 2]}, seats={"1": 200, "2": 200, "3": 200}, button=1)
    desk.give(LineSeen("cards_dealt", 2, desk.now.mono_ns, camera="overhead"))

    assert desk.session.table_state(1, 1, "").phase == "betting"
    assert desk.announced == "Seat 1: call 2, minimum raise to 4, maximum 200"


def test_sensors_that_were_never_heard_of_raise_no_alert_and_the_dealer_keys_every_act() -> None:
    desk = Desk()
    desk.key("setup", game={"limit": "no-limit", "blinds": [1, 2]}, seats={"1": 100, "2": 100, "3": 100}, button=1)
    desk.key("cards-out")
    desk.wait(5000)
    desk.key("act", seat=1, action="raise", to=6)
    desk.key("act", seat=2, action="fold")
    desk.key("act", seat=3, action="call")
    state = desk.session.table_state(1, 1, "")

    assert state.alerts == ()
    assert {one.state for one in state.sensors} == {"unknown"}
    assert [one.owes for one in state.seats if one.status == "in"] == [0, 0]
    assert (state.phase, state.pot) == ("round-over", 13)


def test_an_act_in_chips_that_is_undone_can_be_keyed_right(desk: Desk) -> None:
    desk.push(4, 25)
    desk.play()
    desk.key("undo")
    assert desk.hand.next_seat == 4
    desk.play()
    assert desk.rulings == [(4, "call", 2)]
    desk.key("act", seat=4, action="raise", to=8)

    assert (desk.hand.bet(4), desk.hand.next_seat) == (8, 1)


@pytest.mark.parametrize(
    ("chips", "paid", "left"),
    [
        ((100, 25, 5), 0, (100, 25, 5)),
        ((100, 25, 5), 25, (100, 5)),
        ((5, 5, 5, 25), 15, (25,)),
        ((25, 5, 1), 6, (25,)),
        ((25,), 5, (20,)),
        ((5, 5), 10, ()),
        ((5, 5), 7, (3,)),
    ],
)
def test_chips_that_pay_a_debt_are_no_part_of_the_act(chips: tuple[int, ...], paid: int, left: tuple[int, ...]) -> None:
    assert without(chips, paid) == left

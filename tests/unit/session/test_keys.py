"""What the dealer keys: verbs, refusals, and that a command is obeyed at most once."""

from typing import Any

import pytest

from betline.steps import CommandError, read_command
from table_controller.journal.entries import Obeyed
from tests.unit.session.desk import FOUR, GAME, Desk, terms


@pytest.fixture
def desk() -> Desk:
    desk = Desk()
    desk.begin()
    return desk


def test_the_default_key_folds_facing_a_bet_and_checks_where_that_is_free(desk: Desk) -> None:
    desk.key("passive", seat=4)
    desk.key("act", seat=1, action="call")
    desk.key("act", seat=2, action="call")
    desk.key("passive", seat=3)

    assert desk.rulings[0] == (4, "fold", 0)
    assert desk.rulings[-1] == (3, "check", 2)


def test_a_hand_that_has_folded_already_is_not_told_to_take_chips_back_that_it_never_put(desk: Desk) -> None:
    desk.key("act", seat=4, action="fold")

    assert desk.key("act", seat=4, gesture="muck").sentence == "Go on: seat 4 has folded."


def test_the_default_key_that_comes_late_for_another_seat_is_refused(desk: Desk) -> None:
    desk.key("act", seat=4, action="call")
    before = desk.session.book

    reply = desk.key("passive", seat=4)

    assert (reply.ok, reply.code) == (False, "not-your-turn")
    assert "seat 1" in reply.sentence
    assert desk.session.book == before


def test_a_seat_jump_makes_those_between_passive(desk: Desk) -> None:
    reply = desk.key("jump", seat=2)

    assert reply.ok
    assert desk.rulings == [(4, "fold", 0), (1, "fold", 0)]
    assert desk.hand.next_seat == 2


@pytest.mark.parametrize("seat", [5, 1])
def test_a_jump_to_a_seat_that_cannot_act_changes_nothing(desk: Desk, seat: int) -> None:
    desk.key("act", seat=4, action="fold")
    desk.key("act", seat=1, action="fold")
    before = desk.session.book

    assert desk.key("jump", seat=seat).code == "not-open"
    assert desk.session.book == before


def test_rest_folds_leaves_the_pot_to_the_seat_that_bet_last_and_awards_it(desk: Desk) -> None:
    desk.key("act", seat=4, action="raise", to=8)
    reply = desk.key("rest-folds")

    assert reply.sentence == "Folded: 1, 2, 3."
    assert desk.session.table_state(1, 1, "").phase == "hand-over"
    over = next(entry for entry in desk.entries if entry.kind == "hand-over")
    assert over.data["winners"] == {"4": 5}
    assert desk.hand.stacks[4] == 203


def test_rest_folds_before_anybody_bet_is_refused(desk: Desk) -> None:
    for seat in (4, 1, 2):
        desk.key("act", seat=seat, action="call")
    desk.key("passive", seat=3)
    desk.key("deal")

    assert desk.key("rest-folds").code == "not-open"


def test_posting_ends_when_the_cards_are_out() -> None:
    desk = Desk()
    desk.key("setup", game=GAME, seats=FOUR, button=1)
    assert desk.session.table_state(1, 1, "").phase == "posting"
    assert desk.key("deal").code == "action-pending"

    desk.key("cards-out")

    assert desk.session.table_state(1, 1, "").phase == "betting"
    assert desk.announced == "Seat 4: call 2, minimum raise to 4, maximum 8, the pot"
    assert desk.key("cards-out").code == "not-open"


def test_the_streets_are_dealt_and_the_pot_awarded_by_name(desk: Desk) -> None:
    for seat in (4, 1, 2):
        desk.key("act", seat=seat, action="call")
    desk.key("passive", seat=3)
    for street in ("flop", "turn", "river"):
        assert desk.session.table_state(1, 1, "").phase == "round-over"
        assert desk.key("deal").ok
        assert desk.hand.street == street
        for seat in (2, 3, 4, 1):
            desk.key("passive", seat=seat)
    assert desk.session.table_state(1, 1, "").phase == "showdown"

    assert desk.key("award", pots=[[2, 3]]).ok

    assert desk.session.table_state(1, 1, "").phase == "hand-over"
    assert {seat: desk.hand.stacks[seat] for seat in (2, 3)} == {2: 202, 3: 202}


def test_the_next_hand_moves_the_button_and_a_named_button_is_put_there(desk: Desk) -> None:
    desk.key("rest-folds")
    desk.key("next-hand")
    assert desk.session.table_state(1, 1, "").button == 2

    desk.key("cards-out")
    desk.key("rest-folds")
    desk.key("next-hand", button=1)

    state = desk.session.table_state(1, 1, "")
    assert (state.button, state.hand_no, state.phase) == (1, 3, "posting")


def test_the_next_hand_waits_for_the_award(desk: Desk) -> None:
    assert desk.key("next-hand").code == "action-pending"
    assert desk.key("next-hand", button=2).code == "action-pending"


def test_players_sit_down_at_an_empty_table_and_the_first_hand_begins() -> None:
    desk = Desk()
    assert desk.key("next-hand").code == "no-table"
    assert desk.key("passive", seat=1).code == "no-table"
    desk.key("sit-down", seat=3, stack=100, player="Ada")
    assert desk.key("next-hand").code == "not-open"
    desk.key("sit-down", seat=5, stack=120)

    assert desk.key("sit-down", seat=5, stack=120).code == "not-open"
    assert desk.key("next-hand").ok

    seats = {one.seat: (one.name, one.status) for one in desk.session.table_state(1, 1, "").seats}
    assert (seats[3], seats[5], seats[1]) == (("Ada", "in"), ("", "in"), ("", "empty"))


def test_undo_takes_back_one_act_or_several(desk: Desk) -> None:
    desk.key("act", seat=4, action="raise", to=8)
    desk.key("act", seat=1, action="fold")
    desk.key("act", seat=2, action="call")

    desk.key("undo")
    assert (desk.hand.next_seat, desk.hand.bet(2)) == (2, 1)
    desk.key("undo", count=2)

    assert (desk.hand.next_seat, desk.hand.pot) == (4, 3)
    assert desk.announced == "Seat 4: call 2, minimum raise to 4, maximum 8, the pot"
    assert desk.session.book.rulings == ()


def test_undo_of_more_than_the_hand_holds_changes_nothing(desk: Desk) -> None:
    desk.key("act", seat=4, action="fold")
    before = desk.session.book

    assert desk.key("undo", count=2).code == "too-late"
    assert desk.session.book == before


def test_a_hand_that_was_won_by_folds_is_taken_back_by_undo(desk: Desk) -> None:
    desk.key("rest-folds")
    desk.key("undo")

    assert desk.session.table_state(1, 1, "").phase == "betting"
    assert desk.hand.pot == 3


def test_a_decision_that_nobody_waits_for_is_refused(desk: Desk) -> None:
    assert desk.key("floor-decision", ruling="call").code == "no-floor-pending"
    assert desk.key("answer", question="unreported-1", choice="passive").code == "no-question"


def test_a_command_is_obeyed_once_however_often_it_comes(desk: Desk) -> None:
    first = desk.key("act", command_id="a-command", seat=4, action="fold")
    entries = len(desk.entries)
    again = desk.key("act", command_id="a-command", seat=4, action="fold")

    assert again == first
    assert len(desk.entries) == entries
    assert desk.hand.next_seat == 1


def test_a_command_is_obeyed_once_across_a_restart(desk: Desk) -> None:
    desk.key("act", command_id="a-command", seat=4, action="fold")
    desk.restart()

    assert desk.key("act", command_id="a-command", seat=4, action="fold").ok
    assert desk.rulings == [(4, "fold", 0)]
    assert desk.hand.next_seat == 1


def test_a_refused_command_stays_refused_when_it_comes_again(desk: Desk) -> None:
    refused = desk.key("passive", command_id="too-early", seat=1)
    desk.key("act", seat=4, action="fold")

    assert desk.key("passive", command_id="too-early", seat=1) == refused
    assert desk.hand.next_seat == 1


def test_an_expired_command_is_refused_and_changes_nothing(desk: Desk) -> None:
    before = desk.session.book
    reply = desk.key("act", late_ms=12_000, seat=4, action="fold")

    assert (reply.ok, reply.code) == (False, "expired")
    assert desk.session.book == before


def test_an_illegal_act_is_refused_with_its_code_and_journals_nothing(desk: Desk) -> None:
    entries = len(desk.entries)
    reply = desk.key("act", seat=4, action="raise", to=500)

    assert reply.code == "above-maximum"
    assert len(desk.entries) == entries


def test_new_settings_hold_from_the_next_hand_on() -> None:
    desk = Desk()
    for seat in (1, 2, 3):
        desk.key("sit-down", seat=seat, stack=100)
    desk.key("next-hand")
    desk.key("cards-out")
    bigger = desk.terms.table.model_copy(update={"game": desk.terms.table.game.model_copy(update={"blinds": (2, 4)})})
    desk.terms = terms(bigger)
    desk.restart()
    assert desk.session.table_state(1, 1, "").game == "Pot-limit Omaha 1/2"
    desk.key("rest-folds")
    desk.key("next-hand")

    state = desk.session.table_state(1, 1, "")
    assert (state.game, state.call, state.button) == ("Pot-limit Omaha 2/4", 4, 2)


@pytest.mark.parametrize(
    ("verb", "args", "code", "fragment"),
    [
        ("pasive", {}, "unknown-verb", "did you mean passive?"),
        (
            "kills",
            {"seat": 3, "why": "exposed"},
            "unknown-verb",
            "There is no command kills; it is called kill-hand now.",
        ),
        ("kill", {"seat": 3}, "unknown-verb", "it is called kill-pot now."),
        ("gesture", {"seat": 3, "gesture": "tap"}, "unknown-verb", "it is called act now."),
        ("passive", {}, "bad-arguments", "seat"),
        ("passive", {"seat": 11}, "bad-arguments", "seat"),
        ("passive", {"seat": 3, "to": 5}, "bad-arguments", "to"),
        ("act", {"seat": 3, "action": "shove"}, "bad-arguments", "action"),
        ("act", {"seat": 3, "action": "raise", "to": 2.5}, "bad-arguments", "to"),
        ("act", {"seat": 3, "action": "raise", "to": -5}, "bad-arguments", "to"),
        ("says", {"seat": 3, "text": ""}, "bad-arguments", "text"),
        ("says", {"seat": 3, "text": "call", "first": "words"}, "bad-arguments", "first"),
        ("award", {"pots": [[]]}, "bad-arguments", "pots"),
        ("undo", {"count": 0}, "bad-arguments", "count"),
        ("setup", {"game": GAME, "seats": FOUR}, "bad-arguments", "button"),
        ("setup", {"game": GAME, "seats": {"11": 5}, "button": 1}, "bad-arguments", "seat"),
        ("setup", {"game": {"limit": "big"}, "seats": FOUR, "button": 1}, "bad-arguments", "limit"),
        ("setup", {"game": GAME, "seats": FOUR, "button": 1, "house": {"half": 1}}, "bad-arguments", "half"),
        ("setup", {}, "bad-arguments", "game"),
    ],
)
def test_a_command_that_cannot_be_read_is_refused_in_a_sentence(
    verb: str, args: dict[str, Any], code: str, fragment: str
) -> None:
    with pytest.raises(CommandError) as caught:
        read_command(verb, args)
    assert caught.value.code == code
    assert fragment in str(caught.value)
    assert str(caught.value).endswith((".", "?"))


def test_a_command_that_was_journalled_under_a_former_verb_is_still_known(desk: Desk) -> None:
    args = {"seat": 5, "stack": 9}
    desk.entries.append(Obeyed(id="of-old", verb="sits", args=args, sender="dealer", sentence="Done."))
    desk.restart()

    reply = desk.key("sit-down", command_id="of-old", seat=5, stack=9)
    assert (reply.ok, reply.verb, reply.sentence) == (True, "sits", "Done.")
    assert 5 not in desk.hand.seats

"""Who sees what: an audience gets no field that is not for it, and nothing that depends on what is kept from it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from betline.messages.table import Alert, PotView, Question, TableState
from betline.messages.views import TableView
from betline.settings import HouseRules, load_house_rules
from table_controller.announce.phrases import Turn
from table_controller.announce.turn import turn_of
from table_controller.audience import view_for
from tests.unit.session.desk import Desk
from tests.unit.session.test_between import begun, chips

PUBLIC = ("player", "board", "stream")
DEALERS = ("dealer", "floor")
NO_LIMIT = {"limit": "no-limit", "blinds": [1, 2]}
POT_LIMIT = {"limit": "pot-limit", "blinds": [1, 2]}
THREE = {"1": 200, "2": 80, "3": 300}
ASKED = {
    "stack_display": "on-request",
    "pot_announcement": "on-request",
    "announce_all_in": "on-request",
    "pot_count": "always",
}
TOLD = {"stack_display": "public", "pot_announcement": "always", "announce_all_in": "always", "pot_count": "always"}


def state_of(desk: Desk) -> TableState:
    return desk.session.table_state(1, 1, "")


def seen(desk: Desk, audience: Any, *, late: bool = False) -> TableView:
    table = desk.session.book.table
    assert table is not None
    return view_for(audience, state_of(desk), table.state.house, turn_of(table.state), late=late)


def facing_all_in(**house: Any) -> Desk:
    desk = begun(THREE, NO_LIMIT, **house)
    desk.key("act", seat=1, action="all-in")
    return desk


@pytest.mark.parametrize("audience", PUBLIC)
def test_r_160_r_247_a_house_that_tells_on_request_shows_no_stack_and_no_pot(audience: str) -> None:
    view = seen(begun(THREE, NO_LIMIT, **ASKED), audience)
    assert {seat.stack for seat in view.seats} == {None}
    assert (view.pot, view.pots, view.payouts, view.average_stack) == (None, (), (), None)
    assert [seat.bet for seat in view.seats][:3] == [0, 1, 2]
    assert view.turn is not None
    assert (view.turn.call, view.turn.min_raise_to, view.turn.max_raise_to) == (2, 4, None)


@pytest.mark.parametrize("audience", PUBLIC)
def test_r_160_r_247_a_house_that_tells_unasked_shows_stacks_and_pot(audience: str) -> None:
    view = seen(begun(THREE, NO_LIMIT, **TOLD), audience)
    assert [seat.stack for seat in view.seats][:3] == [200, 79, 298]
    assert (view.pot, view.players, view.average_stack) == (3, 3, 580 // 3)
    assert view.turn is not None
    assert view.turn.max_raise_to == 200
    assert view.turn.text.endswith("maximum 200, 3 in the middle")


@pytest.mark.parametrize("audience", DEALERS)
def test_dealer_and_floor_see_everything_in_every_house(audience: str) -> None:
    desk = facing_all_in(**ASKED)
    view = seen(desk, audience)
    assert [seat.stack for seat in view.seats] == [seat.stack for seat in state_of(desk).seats]
    assert [seat.bet for seat in view.seats] == [seat.bet for seat in state_of(desk).seats]
    assert view.pot == 203
    assert view.turn is not None
    assert view.turn.call == 79


def test_r_160_a_pot_is_told_in_no_game_in_which_it_may_not_be_counted() -> None:
    told = {**TOLD, "pot_count": "pot-limit-only"}
    assert seen(begun(THREE, NO_LIMIT, **told), "board").pot is None
    assert seen(begun(THREE, POT_LIMIT, **told), "board").pot == 3


@pytest.mark.parametrize(("audience", "most"), [("player", 7), ("board", None), ("stream", None), ("dealer", 7)])
def test_r_150_only_the_player_must_know_the_pot_bet_where_the_pot_is_told_on_request(
    audience: str, most: int | None
) -> None:
    turn = seen(begun(THREE, POT_LIMIT, **ASKED), audience).turn
    assert turn is not None
    assert (turn.max_raise_to, turn.pot_bet) == (most, most)
    assert ("maximum" in turn.text) == (most is not None)


@pytest.mark.parametrize("audience", PUBLIC)
def test_r_290_an_all_in_that_is_faced_has_no_amount_anywhere_until_somebody_with_chips_matches_it(
    audience: str,
) -> None:
    house = {**ASKED, "pot_announcement": "always"}
    desk = facing_all_in(**house)
    view = seen(desk, audience)
    assert (view.seats[0].bet, view.pot, view.pots) == (None, None, ())
    assert view.turn is not None
    assert (view.turn.call, view.turn.min_raise_to, view.turn.text) == (None, None, "Seat 2: facing an all-in")
    assert view.last_act is not None
    assert (view.last_act.text, view.last_act.to) == ("Seat 1 is all-in", None)
    desk.key("act", seat=2, action="fold")
    desk.key("act", seat=3, action="call")
    assert seen(desk, audience).seats[0].bet != view.seats[0].bet


@pytest.mark.parametrize(("audience", "call"), [("player", 79), ("board", None), ("stream", None)])
def test_r_247_who_faces_an_all_in_on_its_own_turn_is_told_what_it_costs(audience: str, call: int | None) -> None:
    turn = seen(
        facing_all_in(**{**ASKED, "stack_display": "facing-all-in", "announce_all_in": "always"}), audience
    ).turn
    assert turn is not None
    assert turn.call == call
    assert turn.text == ("Seat 2: call 79, all-in" if call else "Seat 2: all-in to call")


def test_a_stream_that_is_far_behind_shows_all_amounts_and_still_no_suspicion() -> None:
    desk = facing_all_in(**ASKED)
    late = seen(desk, "stream", late=True)
    assert (late.pot, late.seats[1].stack, late.seats[0].bet) == (203, 79, 200)
    assert (late.questions, late.alerts, late.sensors) == ((), (), ())
    assert seen(desk, "board", late=True) == seen(desk, "board")


def test_what_is_asked_of_the_dealer_and_suspected_of_somebody_is_for_dealer_and_floor() -> None:
    desk = begun(THREE, NO_LIMIT)
    state = state_of(desk).model_copy(
        update={
            "alerts": (Alert(severity="warning", code="late-bet", sentence="Seat 2 bet late."),),
            "questions": (Question(id="a", seat=1, kind="count", sentence="Count seat 1?", choices=()),),
        }
    )
    house = load_house_rules("home")
    for audience in (*PUBLIC, *DEALERS):
        view = view_for(audience, state, house)
        told = {bool(view.alerts), bool(view.questions), bool(view.sensors)}
        assert told == {audience in DEALERS}


@given(
    audience=st.sampled_from(PUBLIC),
    stacks=st.tuples(*[st.integers(1, 5_000)] * 3),
    pot=st.integers(0, 9_000),
    limit=st.sampled_from([NO_LIMIT, POT_LIMIT]),
)
def test_two_tables_that_differ_only_in_what_is_told_on_request_look_the_same(
    audience: Any, stacks: tuple[int, int, int], pot: int, limit: dict[str, Any]
) -> None:
    desk = begun(THREE, limit, **ASKED)
    state = state_of(desk)
    table = desk.session.book.table
    assert table is not None
    hidden = state.model_copy(
        update={
            "pot": pot,
            "pots": (PotView(amount=pot, seats=(1, 2)),),
            "pots_now": (PotView(amount=pot, seats=(1, 2)),),
            "max_raise_to": pot,
            "pot_bet": pot,
            "announcement": f"{pot} to call",
            "seats": tuple(
                seat.model_copy(update={"stack": stack, "can_win": pot, "on_felt": stack})
                for seat, stack in zip(state.seats[:3], stacks, strict=True)
            )
            + state.seats[3:],
        }
    )
    house = table.state.house
    assert view_for(audience, hidden, house) == view_for(audience, state, house)


@given(most=st.integers(3, 5_000), pot=st.integers(1, 9_000), audience=st.sampled_from(["board", "stream"]))
def test_a_turn_looks_the_same_whatever_stack_or_pot_bounds_it(most: int, pot: int, audience: Any) -> None:
    house: HouseRules = load_house_rules("home", ASKED)
    desk = begun(THREE, NO_LIMIT, **ASKED)

    def turn(most: int, pot: int, *, by_pot: bool) -> Turn:
        return Turn(
            seat=1, call=2, least=4, most=most + 4, wager="raise", option=False, pot_bet=most + 4 if by_pot else None,
            most_is_pot=by_pot, countable=pot, in_the_middle=None,
        )  # fmt: skip

    for by_pot in (False, True):
        one = view_for(audience, state_of(desk), house, turn(most, pot, by_pot=by_pot))
        assert one == view_for(audience, state_of(desk), house, turn(100, 3, by_pot=by_pot))


def test_the_average_stack_counts_all_chips_in_play_at_every_moment_of_a_hand() -> None:
    desk = begun(THREE, NO_LIMIT, **TOLD)
    for act in (
        {"seat": 1, "action": "raise", "to": 60},
        {"seat": 2, "action": "all-in"},
        {"seat": 3, "action": "fold"},
    ):
        view = seen(desk, "board")
        assert view.average_stack == chips(desk) // view.players
        desk.key("act", **act)
    desk.key("act", seat=1, action="call")
    for street in ("flop", "turn", "river"):
        desk.key("deal", street=street)
    desk.key("award", pots=[[1]])
    over = seen(desk, "board")
    assert (over.phase, over.winners) == ("hand-over", (1,))
    assert over.average_stack == chips(desk) // over.players

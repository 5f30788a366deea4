"""A pile that is still being counted is announced as what it surely is, and by its amount once that is known."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from betline.messages.table import Announcement
from betline.messages.views import TurnView
from betline.steps import Act
from table_controller.rulings.values.ruling import RulingKind
from table_controller.sensing.observations import Pile
from table_controller.sensing.piles import PILE_CHIPS
from table_controller.session.book import Book
from table_controller.session.certain import certain
from tests.nightly import examples
from tests.unit.rulings.tables import flop, preflop, told
from tests.unit.session.desk import Desk

NO_LIMIT = {"limit": "no-limit", "blinds": [1, 2]}
HEARD = 4
"""Rounds after which the chips of a push are believed, and its amount is not."""


@pytest.fixture
def desk() -> Desk:
    desk = Desk()
    desk.begin(game=NO_LIMIT)
    return desk


def announcements(desk: Desk) -> list[str]:
    return [one.text for one in desk.heard(Announcement)]


def test_a_pile_is_announced_as_a_raise_before_its_amount_is_known(desk: Desk) -> None:
    desk.push(4, *[5] * 20)
    desk.play(HEARD)
    assert desk.announced == "Seat 4: raise, counting"
    assert not desk.rulings
    for audience in ("board", "stream", "dealer"):
        turn = desk.session.view(audience, desk.session.table_state(1, 1, "")).turn
        assert turn == TurnView(seat=4, text="Seat 4: raise, counting")
    desk.play()
    assert desk.rulings == [(4, "raise", 100)]
    assert desk.announced == "Seat 1: call 100, minimum raise to 198, maximum 200"


def test_the_whole_stack_is_all_in_while_it_is_counted(desk: Desk) -> None:
    desk.push(4, *[5] * 40)
    desk.play(HEARD)
    assert desk.announced == "Seat 4: all-in, counting"
    desk.play()
    assert [(seat, to) for seat, _, to in desk.rulings] == [(4, 200)]


def test_a_raise_that_grows_to_the_whole_stack_is_announced_as_all_in(desk: Desk) -> None:
    desk.push(4, *[5] * 30)
    desk.play(HEARD)
    desk.push(4, *[5] * 10)
    desk.play(HEARD)
    assert announcements(desk)[-2:] == ["Seat 4: raise, counting", "Seat 4: all-in, counting"]


def test_the_seats_display_says_that_its_pile_is_counted(desk: Desk) -> None:
    desk.push(4, *[5] * 20)
    desk.play(HEARD)
    (shown,) = [one for one in desk.session.prompts() if one.active]
    assert (shown.seat, shown.text) == (4, "Seat 4: raise, counting")


def test_a_pile_that_is_taken_back_is_announced_as_nothing(desk: Desk) -> None:
    turn = desk.announced
    desk.push(4, *[5] * 20)
    desk.play(HEARD)
    desk.lying["seat-4"].clear()
    desk.play(12)
    assert desk.announced == turn
    assert not desk.rulings


def test_few_chips_are_announced_by_their_amount_only(desk: Desk) -> None:
    desk.push(4, *[5] * (PILE_CHIPS - 1))
    before = len(announcements(desk))
    desk.play(12)
    assert announcements(desk)[before:] == [desk.announced]
    assert desk.rulings == [(4, "raise", 5 * (PILE_CHIPS - 1))]


@pytest.mark.parametrize(
    ("seat", "chips", "why"),
    [
        (1, 20, "it is not its turn"),
        (4, 41, "the books know of fewer"),
    ],
)
def test_a_pile_that_proves_no_act_is_not_announced(desk: Desk, seat: int, chips: int, why: str) -> None:
    before = announcements(desk)
    desk.push(seat, *[5] * chips)
    desk.play(HEARD)
    assert announcements(desk) == before, why


def test_a_pile_that_may_be_a_call_is_not_announced() -> None:
    desk = Desk()
    desk.begin(game={"limit": "no-limit", "blinds": [50, 100]}, seats={"1": 2000, "2": 2000, "3": 2000, "4": 2000})
    before = announcements(desk)
    desk.push(4, *[5] * 20)
    desk.play(HEARD)
    assert announcements(desk) == before
    desk.play()
    assert desk.rulings == [(4, "call", 100)]


def test_a_raise_that_was_declared_is_counted(desk: Desk) -> None:
    desk.key("says", seat=4, text="raise")
    desk.push(4, *[5] * 20)
    desk.play(HEARD)
    assert desk.announced == "Seat 4: raise, counting"


def test_words_that_are_keyed_for_a_pile_decide_what_it_is(desk: Desk) -> None:
    turn = desk.announced
    desk.push(4, *[5] * 20)
    desk.play(3)
    desk.key("says", seat=4, text="call")
    desk.play(1)
    assert desk.announced == turn
    desk.play()
    assert desk.rulings[-1] == (4, "call", 2)


@pytest.mark.parametrize("chips", [20, 40])
def test_the_first_round_of_a_pile_says_what_it_is_once_the_zones_beside_were_read(desk: Desk, chips: int) -> None:
    desk.push(4, *[5] * chips)
    desk.play(1)
    assert "counting" not in desk.announced
    desk.play(1)
    assert desk.announced == f"Seat 4: {'all-in' if chips == 40 else 'raise'}, counting"
    assert not desk.rulings


@pytest.mark.parametrize("beside", [3, 5])
def test_chips_that_come_beside_may_be_overheard(desk: Desk, beside: int) -> None:
    desk.push(4, *[5] * 20)
    desk.push(beside, *[5] * 6)
    desk.play(2)
    assert "counting" not in desk.announced


@pytest.mark.parametrize("beside", [0, 1, 2])
def test_as_many_of_its_largest_chips_do_not_count_as_come_beside(desk: Desk, beside: int) -> None:
    desk.push(4, *[1] * 19, *[25] * 2)
    desk.push(5, *[25] * beside)
    desk.play(2)
    sure = sum(([1] * 19 + [25] * 2)[: 21 - beside])
    assert desk.session.sensing.pile is not None
    assert sum(desk.session.sensing.pile.pushed) == sure


def test_chips_that_another_zone_hears_too_are_nobodys_yet(desk: Desk) -> None:
    desk.push(1, *[5] * 20)
    desk.lying["seat-4"] = dict(desk.lying["seat-1"])
    desk.play(2)
    assert "counting" not in desk.announced


def test_a_zone_beside_that_is_not_read_says_nothing(desk: Desk) -> None:
    del desk.readers["seat-5"]
    desk.push(4, *[5] * 20)
    desk.play(2)
    assert "counting" not in desk.announced
    desk.play(1)
    assert desk.announced == "Seat 4: raise, counting"


def test_a_pile_is_still_counted_while_its_next_round_lasts(desk: Desk) -> None:
    desk.push(4, *[5] * 20)
    desk.play(2)
    desk.wait(2400)
    turn = desk.session.view("board", desk.session.table_state(1, 1, "")).turn
    assert turn == TurnView(seat=4, text="Seat 4: raise, counting")
    desk.wait(2400)
    assert desk.session.view("board", desk.session.table_state(1, 1, "")).turn != turn


GAMES: tuple[dict[str, Any], ...] = (
    {"limit": "no-limit", "blinds": (50, 100)},
    {"limit": "pot-limit", "blinds": (50, 100)},
    {"limit": "fixed-limit", "blinds": (50, 100), "bets": (100, 100, 200, 200)},
    {"limit": "spread-limit", "blinds": (50, 100), "spread": (100, 500)},
)
piles = st.lists(st.sampled_from((5, 25, 100, 500)), min_size=PILE_CHIPS, max_size=30)


@settings(max_examples=examples(300), deadline=None)
@given(
    game=st.sampled_from(GAMES),
    profile=st.sampled_from(("tda", "cash", "home")),
    bet=st.sampled_from((None, 0, 100, 200, 700)),
    heard=piles,
    behind=st.sampled_from((0, 25, 1000, 9000)),
    more=st.lists(st.sampled_from((5, 25, 100, 500)), max_size=20),
)
def test_more_chips_make_more_of_a_pile_but_never_something_else(
    game: dict[str, Any], profile: str, bet: int | None, heard: list[int], behind: int, more: list[int]
) -> None:
    """`bet`: before the flop by the seat that opens, or None: on the flop, with nothing bet."""
    seats = dict.fromkeys((1, 2, 3), sum(heard) + behind + (bet is not None) * 700)
    if bet is None:
        table = flop(game=game, profile=profile, seats=seats)
    else:
        table = preflop(game=game, profile=profile, seats=seats)
    if bet:
        table = told(table, {"seat": 3, "chips": [100] * (bet // 100)})
    seat = table.state.next_seat
    assert seat is not None
    assert table.state.hand is not None
    so_far = certain(Book(table=table), Pile(seat, tuple(heard)))
    if not so_far or sum(heard) + sum(more) > table.state.hand.stack(seat):
        return
    ruling = table.apply(Act(seat=seat, motions=(tuple(sorted((*heard, *more), reverse=True)),))).ruling
    assert ruling is not None
    if so_far == "all-in":
        assert ruling.all_in
    else:
        assert ruling.ruling is RulingKind(so_far)

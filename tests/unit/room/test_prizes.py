"""Entries, prizes, places and chops: money is neither made nor lost."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardroom.room import events as e
from cardroom.room import prizes
from cardroom.room.errors import RoomError
from cardroom.room.rules import WHOLE
from tests.unit.room.floor import RULES, Floor, rules


def went(floor: Floor, *knocked: tuple[str, int, str], **house: object) -> e.WentOut:
    game = floor.room.games["main"]
    return prizes.going_out(
        game, [(e.Knocked(player=who, stack=stack), at) for who, stack, at in knocked], rules(**house)
    )


def test_of_two_who_go_out_in_one_hand_the_larger_stack_is_placed_better() -> None:
    floor = Floor().opened({"t1": 9}, 5)

    assert went(floor, ("p-0", 400, "t1"), ("p-1", 900, "t1")).places == (("p-1", 4), ("p-0", 5))
    assert went(floor, ("p-0", 400, "t1"), ("p-1", 400, "t1")).places == (("p-0", 4), ("p-1", 4))
    assert went(floor, ("p-0", 400, "t1"), ("p-1", 900, "t1"), same_hand="tie").places == (("p-1", 4), ("p-0", 4))


def test_hand_for_hand_players_of_two_tables_tie_where_the_house_says_so() -> None:
    floor = Floor().opened({"t1": 9, "t2": 9}, 5)
    with pytest.raises(RoomError, match="one table at a time"):
        went(floor, ("p-0", 400, "t1"), ("p-1", 900, "t2"))
    floor.add(e.HandForHand(game="main", on=True))

    assert dict(went(floor, ("p-0", 400, "t1"), ("p-1", 900, "t2")).places) == {"p-0": 4, "p-1": 4}
    three = went(floor, ("p-0", 400, "t1"), ("p-1", 900, "t1"), ("p-2", 500, "t2"))
    assert dict(three.places) == dict.fromkeys(("p-0", "p-1", "p-2"), 3)
    by_stack = went(floor, ("p-0", 400, "t1"), ("p-1", 900, "t2"), hand_for_hand_ties=False)
    assert dict(by_stack.places) == {"p-0": 5, "p-1": 4}


def test_who_enters_later_moves_those_who_are_out_down() -> None:
    floor = Floor().opened({"t1": 9}, 3)
    floor.out("p-0")
    assert floor.room.games["main"].places == {"p-0": 3}

    floor.add(e.Entered(game="main", player="p-9", what="entry", paid=100, fee=10, chips=1000))

    assert floor.room.games["main"].places == {"p-0": 4}


def test_tda_8_late_entries_end_with_the_level_and_re_entries_are_counted() -> None:
    floor = Floor()
    floor.add(e.GameAdded(game="main", kind="tournament", stack=1000, buy_in=90, fee=10, re_entries=1, late_to_level=2))

    def refused(player: str, what: str, level: int | None) -> str:
        try:
            floor.add(prizes.entering(floor.room.games["main"], player, what, level, seated=True))  # type: ignore[arg-type]
        except RoomError as refusal:
            return refusal.code
        return ""

    assert refused("p-1", "entry", None) == ""
    assert refused("p-1", "entry", 1) == "entered"
    assert refused("p-1", "re-entry", 1) == "not-out"
    assert refused("p-2", "entry", 2) == ""
    assert refused("p-3", "entry", 3) == "closed"
    floor.add(e.WentOut(game="main", places=(("p-1", 2),)))
    assert refused("p-1", "re-entry", 2) == ""
    assert floor.room.games["main"].alive == ("p-1", "p-2")
    floor.add(e.WentOut(game="main", places=(("p-1", 2),)))
    assert refused("p-1", "re-entry", 2) == "re-entries"
    assert refused("p-2", "add-on", 2) == "add-on"
    assert (floor.room.games["main"].pool, floor.room.games["main"].fees) == (270, 30)


def test_the_guarantee_is_the_least_pool() -> None:
    floor = Floor()
    floor.add(e.GameAdded(game="main", kind="tournament", stack=1000, buy_in=100, guarantee=5000))
    floor.add(*(e.Entered(game="main", player=f"p-{one}", what="entry", paid=100, fee=0, chips=1) for one in range(9)))

    fixed = prizes.fixing(floor.room.games["main"], RULES)

    assert (fixed.pool, fixed.prizes) == (5000, (3250, 1750))


def test_ties_share_the_prizes_of_their_places_and_the_winner_has_the_first() -> None:
    floor = Floor().opened({"t1": 9}, 5)
    floor.add(e.PayoutsFixed(game="main", pool=501, prizes=(250, 150, 101)))
    floor.add(e.WentOut(game="main", places=(("p-0", 4), ("p-1", 4))))
    floor.add(e.WentOut(game="main", places=(("p-2", 2), ("p-3", 2))))

    assert prizes.payouts(floor.room.games["main"]) == {"p-2": 126, "p-3": 125, "p-4": 250}
    with pytest.raises(RoomError, match="no prize"):
        prizes.paying(floor.room.games["main"], "p-0")
    floor.add(prizes.paying(floor.room.games["main"], "p-4"))
    with pytest.raises(RoomError, match="already"):
        prizes.paying(floor.room.games["main"], "p-4")


@given(entries=st.integers(1, 1200), each=st.integers(10, 500), unit=st.sampled_from([1, 5, 10, 25]))
def test_the_prizes_are_the_whole_pool_in_falling_order(entries: int, each: int, unit: int) -> None:
    pool, parts = entries * each, prizes.shares(entries, RULES)
    try:
        found = prizes.prizes(pool, parts, unit, "first")
    except RoomError as refusal:
        assert refusal.code == "unit"  # noqa: PT017
        assert pool * parts[-1] // WHOLE < unit
        return

    assert sum(found) == pool
    assert list(found) == sorted(found, reverse=True)
    assert all(prize % unit == 0 for prize in found[1:])


STACKS = st.dictionaries(st.integers(1, 99).map(lambda one: f"p-{one}"), st.integers(1, 10**6), min_size=2, max_size=8)


@given(stacks=STACKS, prizes_left=st.lists(st.integers(0, 10**6), min_size=8, max_size=8))
def test_a_chop_shares_out_all_the_money_and_who_has_more_chips_gets_no_less(
    stacks: dict[str, int], prizes_left: list[int]
) -> None:
    left = sorted(prizes_left, reverse=True)[: len(stacks)]
    for chop in (prizes.chop_by_icm, prizes.chop_by_chips):
        amounts = chop(stacks, left)
        assert sum(amounts.values()) == sum(left)
        assert min(amounts.values()) >= left[-1] - 1
        in_order = [amounts[who] for who in sorted(stacks, key=lambda who: stacks[who])]
        assert all(one <= other + 1 for one, other in pairwise(in_order))


def test_icm_of_a_known_example() -> None:
    # 50, 30 and 20 percent of the chips and prizes of 50, 30 and 20: Malmuth-Harville by hand gives
    # first 0.5, second 0.3*0.5/0.7 + 0.2*0.5/0.8, third the rest: 25 + 10.18 + 3.21 for the first player.
    assert prizes.chop_by_icm({"a": 5000, "b": 3000, "c": 2000}, [5000, 3000, 2000]) == {
        "a": 3839,
        "b": 3275,
        "c": 2886,
    }
    assert prizes.chop_by_chips({"a": 5000, "b": 3000, "c": 2000}, [5000, 3000, 2000]) == {
        "a": 4000,
        "b": 3200,
        "c": 2800,
    }


def test_a_chop_is_agreed_by_all_who_are_left_over_all_the_money() -> None:
    floor = Floor().opened({"t1": 9}, 3)
    floor.add(e.PayoutsFixed(game="main", pool=300, prizes=(200, 100)))
    floor.out("p-0")
    game = floor.room.games["main"]
    for amounts in ({"p-1": 300}, {"p-1": 200, "p-2": 99}, {"p-1": 150, "p-2": 150, "p-0": 0}):
        with pytest.raises(RoomError):
            prizes.agreeing(game, amounts)

    floor.add(prizes.agreeing(game, {"p-1": 160, "p-2": 140}))

    assert prizes.payouts(floor.room.games["main"]) == {"p-1": 160, "p-2": 140}

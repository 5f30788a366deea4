"""Splashes, toppled stacks, protectors, phones, bets pushed in: what becomes of the chips, and what is true of it."""

from __future__ import annotations

import pytest

from betline.geometry import contains
from tests.unit.virtual_world.worlds import read, some, uids, world
from virtual_table.table.dealer_motions import deal_cards, gather
from virtual_table.table.player_motions import (
    muck,
    over_and_back,
    protect,
    push,
    push_in,
    put_phone,
    splash,
    take_phone,
    tap,
    topple,
    unprotect,
)
from virtual_table.table.things import TruthEvent, WorldError
from virtual_table.table.world import World


def of(made: World, kind: str) -> list[TruthEvent]:
    return [event for event in made.truth() if event.type == kind]


def kinds(made: World) -> list[str]:
    return [event.type for event in made.truth()]


def test_a_splash_lies_all_over_the_pot_and_is_no_bet() -> None:
    made = world()
    chips = some(made, 7, 4)
    thrown = splash(made, 7, chips, 1.0)

    assert uids(made.pot()) == uids(chips) == read(made, "pot", thrown.rest_s + 0.01)
    assert read(made, "seat-7", thrown.rest_s + 0.01) == set()
    lying = [chip for chip in made.scene(thrown.rest_s + 0.01).settled if chip.uid in uids(chips)]
    assert all(chip.z_mm == 0 and contains(made.table.pot.polygon_mm, (chip.x_mm, chip.y_mm)) for chip in lying)
    (event,) = of(made, "splash")
    assert (event.seat, event.t_first, set(event.uids)) == (7, thrown.cross_s, uids(chips))
    assert [event.judged for event in of(made, "chips_crossing")] == [False]
    assert "bet_settled" not in kinds(made)
    flying = [made.scene(event.t_first + step / 100) for step in range(60)]
    assert max(chip.z_mm for scene in flying for chip in scene.moving) > 15


def test_a_stack_topples_when_its_hand_is_away_and_its_bet_is_amended() -> None:
    made = world()
    pushed = push(made, 5, some(made, 5, 8), 0.0)
    fallen = topple(made, 5, 5, pushed.rest_s)

    assert fallen.start_s >= pushed.end_s
    before, after = (
        [chip for chip in made.scene(t).settled if chip.uid in uids(pushed.chips)]
        for t in (fallen.start_s - 0.01, fallen.end_s + 0.01)
    )
    assert max(chip.z_mm for chip in before) > max(chip.z_mm for chip in after)
    assert sum(chip.z_mm == 0 for chip in after) >= sum(chip.z_mm == 0 for chip in before) + 5
    assert uids(made.bets(5)) == uids(pushed.chips) == read(made, "seat-5", fallen.end_s + 0.01)
    (event,) = of(made, "bet_amended")
    assert (event.t_first, event.t_done, event.by_dealer) == (fallen.start_s, fallen.rest_s, False)
    with pytest.raises(WorldError, match="no pile"):
        topple(world(), 5, 5, 0.0)


def test_a_player_pushes_the_own_bet_in_and_the_dealer_has_nothing_left_to_sweep() -> None:
    made = world()
    chips = some(made, 3, 3)
    lies = push(made, 3, chips, 0.0).end_s
    pushed = push_in(made, 3, lies)

    assert uids(made.pot()) == uids(chips)
    (event,) = of(made, "bet_pushed_in")
    assert pushed.start_s < event.t_first < pushed.rest_s == event.t_done
    gather(made, pushed.end_s)
    assert "pot_swept" not in kinds(made)


def test_chips_go_over_the_line_in_a_hand_and_back_and_lie_where_they_lay() -> None:
    made = world()
    stack = uids(made.stack(9))
    carried = over_and_back(made, 9, some(made, 9, 2), 0.0)

    (event,) = of(made, "chips_over_line_in_hand")
    (entered,), (left,) = of(made, "hand_entered"), of(made, "hand_left")
    assert entered.t_first <= event.t_first < event.t_done <= left.t_first < carried.end_s
    assert uids(made.stack(9)) == stack
    assert not {"chips_crossing", "bet_settled", "chips_retracted"} & set(kinds(made))


def test_a_protector_lies_on_the_cards_until_it_is_taken_off() -> None:
    made = world()
    dealt = deal_cards(made, 0.0, [4, 5])
    on = protect(made, 4, dealt.end_s)

    assert [event.t_first for event in of(made, "protector")] == [on.rest_s]
    chip = next(one for one in made.scene(on.end_s).settled if one.uid in uids(made.protector(4)))
    x, y = made.table.seat(4).cards_mm
    assert abs(chip.x_mm - x) < 2
    assert abs(chip.y_mm - y) < 2
    for code, act, where in (("protected", protect, made), ("protected", muck, made), ("no-cards", protect, world())):
        with pytest.raises(WorldError) as refused:
            act(where, 4, on.end_s)
        assert refused.value.code == code
    off = unprotect(made, 4, on.end_s)
    assert uids(off.chips) <= uids(made.stack(4))
    muck(made, 4, off.end_s)
    assert made.hole_cards(4) == 0


@pytest.mark.parametrize(("spot", "judged"), [("zone", [True]), ("felt", [False]), ("rail", [])])
def test_a_phone_is_unknown_in_the_bet_zone_and_nobodys_business_on_the_rail(spot: str, judged: list[bool]) -> None:
    made = world()
    put = put_phone(made, 6, spot, 0.0)  # type: ignore[arg-type]
    lying = [made.scene(put.end_s + step / 4).phones for step in range(40)]

    assert all(len(phones) == 1 for phones in lying)
    (place,) = {(phones[0].x_mm, phones[0].y_mm) for phones in lying}
    assert contains(made.table.seat(6).bet_zone_mm, place) is (spot == "zone")
    assert len({phones[0].level for phones in lying}) > 1
    assert [event.judged for event in of(made, "unknown_object")] == judged
    assert ("hand_entered" in kinds(made)) is (spot == "zone")
    taken = take_phone(made, 6, put.end_s + 10.0)
    assert made.scene(taken.rest_s - 0.01).phones
    assert not made.scene(taken.end_s + 0.01).phones
    with pytest.raises(WorldError, match="no phone"):
        take_phone(made, 6, taken.end_s)


@pytest.mark.nightly
def test_a_hand_that_only_grazes_the_line_is_not_judged() -> None:
    judged = []
    for seed in range(24):
        made = world(seed=seed)
        tapped = tap(made, 5, 0.0)
        entered, left = of(made, "hand_entered"), of(made, "hand_left")
        assert len(entered) == len(left) == 1
        assert entered[0].t_first < tapped.rest_s < left[0].t_first
        judged += [event.judged for event in (*entered, *left)]
    assert set(judged) == {False, True}
    assert judged.count(True) < 20  # taps are at the line: most hands cannot be told in or out for certain
    made = world()
    deal_cards(made, 0.0, [5])
    protect(made, 5, 9.0)
    assert not of(made, "hand_entered")


def test_one_seats_bet_alone_is_gathered() -> None:
    made = world()
    ends = [push(made, seat, some(made, seat, 2), 0.0).end_s for seat in (2, 3, 4)]
    gather(made, max(ends), [3])
    assert [event.seat for event in of(made, "pot_swept")] == [3]
    assert [len(made.bets(seat)) for seat in (2, 3, 4)] == [2, 0, 2]

from __future__ import annotations

import re
import threading
from random import Random

import pytest

from betline.geometry import area_mm2, contains
from tests.unit.virtual_world.worlds import read, some, uids, world
from virtual_table.table import bank
from virtual_table.table.dealer_motions import (
    clear_cards,
    deal_board,
    deal_cards,
    exchange,
    gather,
    pay_out,
    push_pot,
    return_bet,
    take_in,
)
from virtual_table.table.layout import BurnPlace
from virtual_table.table.player_motions import muck, pull_back, push, tap
from virtual_table.table.things import Motion, WorldError
from virtual_table.table.world import World


def seats_of(made: World) -> list[int]:
    return [seat.number for seat in made.table.seats]


def everything(made: World) -> set[str]:
    """The UIDs of all chips that lie in a place, each counted once."""
    found: list[str] = [chip.uid for chip in (*made.pot(), *made.tray())]
    for seat in seats_of(made):
        found += [chip.uid for chip in (*made.stack(seat), *made.bets(seat))]
    assert len(found) == len(set(found))
    return set(found)


MOTIONS = (
    "push",
    "push",
    "groups",
    "pull_back",
    "tap",
    "gather",
    "exchange",
    "return_bet",
    "push_pot",
    "pay_out",
    "take_in",
)


def random_motion(made: World, rng: Random, at_s: float, kinds: tuple[str, ...] = MOTIONS) -> Motion | None:
    """Some motion that is possible now, or none."""
    seat = rng.choice(seats_of(made))
    stack, bets, pot = made.stack(seat), made.bets(seat), made.pot()
    kind = rng.choice(kinds)
    if kind == "push" and stack:
        return push(made, seat, rng.sample(stack, min(len(stack), rng.randint(1, 40))), at_s)
    if kind == "groups" and len(stack) >= 6:
        chosen = rng.sample(stack, 6)
        return push(made, seat, [chosen[:1], chosen[1:3], chosen[3:]], at_s)
    if kind == "pull_back" and bets:
        return pull_back(made, seat, rng.sample(bets, rng.randint(1, len(bets))), at_s)
    if kind == "tap":
        return tap(made, seat, at_s)
    if kind == "gather":
        return gather(made, at_s)
    if kind == "exchange" and bets:
        take = rng.choice(bets)
        counts = bank.fewest_counts(take.value, made.chip_set)
        assert counts is not None
        return exchange(made, seat, made.from_tray(counts, at_s), [take], at_s)
    if kind == "return_bet" and bets:
        return return_bet(made, seat, rng.sample(bets, rng.randint(1, len(bets))), at_s)
    if kind == "push_pot" and pot:
        return push_pot(made, seat, rng.sample(pot, rng.randint(1, len(pot))), at_s)
    if kind == "pay_out":
        return pay_out(made, seat, made.from_tray(bank.breakdown(200, made.chip_set), at_s), at_s)
    if kind == "take_in" and stack:
        return take_in(made, seat, at_s)
    return None


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", ["casino-oval", "home-six"])
@pytest.mark.parametrize("seed", range(6))
def test_chips_are_conserved_whatever_moves(name: str, seed: int) -> None:
    made, rng, now = world(name, seed), Random(seed), 0.0
    made.stock_cage(300)
    all_of_them = uids(made.chips())
    worth = made.value(made.chips())
    for _ in range(60):
        motion = random_motion(made, rng, now)
        if motion is not None:
            assert motion.start_s >= now
            assert motion.start_s <= motion.cross_s <= motion.rest_s <= motion.end_s
        now += rng.uniform(0.0, 2.0)
    assert uids(made.chips()) == all_of_them
    assert made.value(made.chips()) == worth
    scene = made.scene(now + 600.0)
    assert {chip.uid for chip in scene.settled} == everything(made)
    assert scene.moving == ()
    assert scene.arms == ()


@pytest.mark.parametrize("seed", range(4))
def test_at_every_moment_each_chip_is_in_one_place(seed: int) -> None:
    made, rng, now = world(seed=seed), Random(seed), 0.0
    there = everything(made)
    for _ in range(12):
        random_motion(made, rng, now, ("push", "groups", "pull_back", "return_bet"))
        now += 0.4
    moved = 0
    for t in range(700):
        scene = made.scene(t / 50)
        seen = [chip.uid for chip in (*scene.settled, *scene.moving)]
        assert len(seen) == len(set(seen))
        assert set(seen) == there
        moved += len(scene.moving)
    assert moved > 0


def test_uids_are_iso_15693_and_unique() -> None:
    made = world()
    chips = made.chips()
    assert len({chip.uid for chip in chips}) == len(chips)
    assert all(re.fullmatch(r"E004[0-9A-F]{12}", chip.uid) for chip in chips)


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["casino-oval", "home-six"])
def test_forty_chips_fit_into_every_bet_zone(name: str) -> None:
    made = world(name, stack=2000)
    for seat in made.table.seats:
        chips = some(made, seat.number, 40)
        assert len(chips) == 40
        motion = push(made, seat.number, chips, 0.0)
        zone = seat.bet_zone_mm
        lying = [chip for chip in made.scene(motion.end_s).settled if chip.uid in uids(chips)]
        assert all(contains(zone, (chip.x_mm, chip.y_mm)) for chip in lying)
        assert max(chip.z_mm for chip in lying) <= 19 * made.chip_set.thickness_mm + 0.01
        assert area_mm2(zone) > 15_000


def test_a_pushed_bet_is_read_after_it_lies_and_not_before_it_crosses() -> None:
    made = world()
    chips = some(made, 3, 4)
    motion = push(made, 3, chips, 10.0)
    assert read(made, "seat-3", motion.start_s) == set()
    assert read(made, "seat-3", motion.cross_s - 0.01) == set()
    assert read(made, "seat-3", motion.rest_s) == uids(chips)
    assert read(made, "seat-3", motion.end_s + 60.0) == uids(chips)
    assert read(made, "seat-4", motion.rest_s) == set()
    assert uids(made.bets(3)) == uids(chips)


def test_a_chip_that_is_carried_high_is_not_read() -> None:
    made = world()
    chips = some(made, 5, 2)
    motion = push(made, 5, chips, 0.0)
    times = [motion.start_s + i * 0.005 for i in range(round((motion.rest_s - motion.start_s) / 0.005))]
    high = [t for t in times for chip in made.scene(t).moving if chip.z_mm > 25.0]
    assert high
    assert all(read(made, "seat-5", t) == set() for t in high if min(c.z_mm for c in made.scene(t).moving) > 25.0)


def test_coupling_is_strongest_in_the_middle_of_a_zone() -> None:
    made = world(stack=2000)
    push(made, 6, some(made, 6, 40), 0.0)
    signals = {tag.uid: tag.signal for tag in made.in_field("seat-6", 60.0)}
    assert len(signals) == 40
    assert all(0.5 <= signal <= 1.0 for signal in signals.values())
    assert max(signals.values()) - min(signals.values()) > 0.05


def test_each_group_of_a_push_is_a_stroke_with_the_hand_behind_the_line_between_them() -> None:
    made = world()
    a, b = some(made, 2, 2), made.stack(2)[:3]
    motion = push(made, 2, [a, b], 0.0)
    first, second = motion.strokes
    assert (uids(first.chips), uids(second.chips)) == (uids(a), uids(b))
    assert first.cross_s < first.rest_s < first.back_s < second.cross_s < second.rest_s
    assert (motion.cross_s, motion.rest_s) == (first.cross_s, second.rest_s)
    assert read(made, "seat-2", first.back_s) == uids(a)
    kinds = [event.type for event in made.truth()]
    assert kinds.count("hand_entered") == 2
    assert kinds.count("string_suspect") == 1


def test_two_pushes_of_a_seat_lie_beside_each_other_and_the_second_waits_for_the_arm() -> None:
    made = world()
    one = push(made, 1, some(made, 1, 2), 0.0)
    two = push(made, 1, some(made, 1, 2), 0.1)
    assert two.start_s == one.end_s
    spots = {chip.uid: chip for chip in made.scene(two.end_s).settled}
    for a in one.chips:
        for b in two.chips:
            away = (spots[a.uid].x_mm - spots[b.uid].x_mm, spots[a.uid].y_mm - spots[b.uid].y_mm)
            assert away[0] ** 2 + away[1] ** 2 > 38.0**2


def test_what_is_pulled_back_is_in_the_stack_again() -> None:
    made = world()
    chips = some(made, 7, 3)
    push(made, 7, chips, 0.0)
    back = pull_back(made, 7, chips[:2], 5.0)
    assert read(made, "seat-7", back.rest_s) == uids(chips[2:])
    assert uids(chips[:2]) <= uids(made.stack(7))
    assert ("chips_retracted", 7) in [(event.type, event.seat) for event in made.truth()]


@pytest.mark.parametrize("name", ["casino-oval", "home-six"])
def test_a_gathering_brings_every_bet_to_the_pot_within_four_seconds(name: str) -> None:
    made = world(name)
    for seat in seats_of(made):
        push(made, seat, some(made, seat, 3), 0.0)
    bets = {chip.uid for seat in seats_of(made) for chip in made.bets(seat)}
    motion = gather(made, 5.0)
    assert motion.rest_s - motion.start_s < 4.0
    assert uids(made.pot()) == bets
    assert read(made, "pot", motion.rest_s) == bets
    assert all(read(made, f"seat-{seat}", motion.rest_s) == set() for seat in seats_of(made))
    swept = [event for event in made.truth() if event.type == "pot_swept"]
    assert sorted(event.seat for event in swept) == seats_of(made)
    assert {uid for event in swept for uid in event.uids} == bets
    assert all(motion.start_s < event.t_first < event.t_done <= motion.rest_s for event in swept)


def test_an_exchange_gives_change_in_one_visit() -> None:
    made = world()
    big = next(chip for chip in made.stack(4) if chip.value == 100)
    push(made, 4, [big], 0.0)
    give = made.from_tray({"green-25": 1, "red-5": 1})
    change = made.from_tray({"blue-10": 7})
    motion = exchange(made, 4, give, [big], 3.0, change=change)
    assert uids(made.bets(4)) == uids(give)
    assert read(made, "seat-4", motion.rest_s) == uids(give)
    assert uids(change) <= uids(made.stack(4))
    assert big in made.tray()
    assert len([arm for arm in made.scene(motion.cross_s).arms if arm.owner == "dealer"]) == 1


def test_an_exchange_of_a_stack_colours_it_without_touching_the_bets() -> None:
    made = world()
    stack = made.stack(8)
    take = bank.pick_exact(stack, 100)
    assert take is not None
    give = made.from_tray({"blue-10": 10})
    exchange(made, 8, give, take, 0.0)
    assert made.value(made.stack(8)) == 1000
    assert uids(give) <= uids(made.stack(8))
    assert made.bets(8) == ()


def test_bought_chips_come_out_of_the_tray_and_cashed_ones_go_back_into_it() -> None:
    made = world()
    float_of_tray, worth = made.value(made.tray()), made.value(made.chips())
    bought = made.from_tray(bank.breakdown(500, made.chip_set), 0.0)
    motion = pay_out(made, 6, bought, 0.0)
    assert motion.actor == "dealer"
    assert uids(bought) <= uids(made.stack(6))
    assert made.value(made.stack(6)) == 1500
    assert read(made, "seat-6", motion.rest_s) == set()
    assert made.value(made.tray()) == float_of_tray

    take_in(made, 6, motion.end_s)
    assert made.stack(6) == ()
    assert made.value(made.tray()) == float_of_tray
    assert made.value(made.chips()) >= worth
    with pytest.raises(WorldError, match="at least one chip"):
        take_in(made, 6, motion.end_s + 10.0)
    with pytest.raises(WorldError, match="is not in tray"):
        pay_out(made, 6, made.stack(5)[:1], motion.end_s + 20.0)


def test_a_returned_bet_and_a_pushed_pot_end_in_the_stack() -> None:
    made = world()
    chips = some(made, 9, 4)
    push(made, 9, chips, 0.0)
    return_bet(made, 9, chips[:1], 4.0)
    assert uids(made.bets(9)) == uids(chips[1:])
    gather(made, 8.0)
    motion = push_pot(made, 1, made.pot(), 12.0)
    assert made.pot() == ()
    assert uids(chips[1:]) <= uids(made.stack(1))
    assert read(made, "pot", motion.rest_s) == set()
    assert made.value(made.stack(1)) == 1000 + made.value(chips[1:])


def test_a_tap_and_a_muck_move_no_chips_but_are_true_events() -> None:
    made = world()
    deal_cards(made, 0.0, seats_of(made))
    before = everything(made)
    tap(made, 3, 10.0)
    muck(made, 4, 10.0)
    assert everything(made) == before
    assert made.hole_cards(4) == 0
    assert made.hole_cards(3) == 2
    assert {("tap_suspect", 3), ("cards_mucked", 4)} <= {(event.type, event.seat) for event in made.truth()}


def test_a_hand_of_cards_from_deal_to_clearing() -> None:
    made = world("home-six")
    dealt = deal_cards(made, 0.0, seats_of(made), 4)
    assert len(made.scene(dealt.rest_s + 0.01).cards_lying) == 24
    board = deal_board(made, ["Ah", "Td", "7s"], dealt.end_s)
    faces = [card.face for card in made.scene(board.end_s).cards_lying if card.face]
    assert faces == ["Ah", "Td", "7s"]
    mucked = muck(made, 2, board.end_s)
    table = made.table
    thrown_away = [
        card
        for card in made.scene(mucked.rest_s + 0.01).cards_lying
        if abs(card.x_mm - table.muck_mm[0]) < 20 and abs(card.y_mm - table.muck_mm[1]) < 20
    ]
    assert len(thrown_away) == 4
    cleared = clear_cards(made, mucked.end_s)
    assert made.scene(cleared.end_s).cards_lying == ()
    assert deal_cards(made, cleared.end_s, [1]).start_s >= cleared.end_s


@pytest.mark.parametrize("where", ["beside", "below", "muck"])
def test_a_burn_card_lies_face_down_apart_from_the_board_until_the_cards_are_cleared(where: BurnPlace) -> None:
    made = world()
    flop = deal_board(made, ["Ah", "Td", "7s"], 0.0, where)
    turn = deal_board(made, ["2c"], flop.end_s, where)
    lying = made.scene(turn.end_s).cards_lying
    burnt, board = ([card for card in lying if (card.face is None) is hidden] for hidden in (True, False))

    assert (len(burnt), len(board)) == (2, 4)
    assert all(abs(a.x_mm - b.x_mm) > 60 or abs(a.y_mm - b.y_mm) > 80 for a in burnt for b in board)
    assert made.scene(clear_cards(made, turn.end_s).end_s).cards_lying == ()


def test_clearing_brings_the_tray_to_its_float() -> None:
    made = world()
    made.from_tray({"black-100": 60})
    assert sum(chip.key == "black-100" for chip in made.tray()) == 60
    cleared = clear_cards(made, 5.0)
    assert sum(chip.key == "black-100" for chip in made.tray()) == 20
    assert read(made, "tray", cleared.end_s) == uids(made.tray())


@pytest.mark.one_in(10)
@pytest.mark.parametrize(
    ("code", "act"),
    [
        ("unknown-seat", lambda made: push(made, 11, made.stack(1)[:1], 0.0)),
        ("no-chips", lambda made: push(made, 1, [], 0.0)),
        ("chip-elsewhere", lambda made: push(made, 1, made.stack(2)[:1], 0.0)),
        ("chip-twice", lambda made: push(made, 1, [made.stack(1)[0], made.stack(1)[0]], 0.0)),
        ("chip-elsewhere", lambda made: pull_back(made, 1, made.stack(1)[:1], 0.0)),
        ("no-cards", lambda made: muck(made, 1, 0.0)),
        ("no-room", lambda made: deal_board(made, 6, 0.0)),
        ("uneven", lambda made: exchange(made, 1, made.from_tray({"red-5": 1}), made.stack(1)[:1], 0.0)),
        ("unknown-zone", lambda made: made.in_field("seat-11", 0.0)),
        ("unknown-chip-type", lambda made: made.from_tray({"pink-7": 1})),
    ],
)
def test_the_impossible_is_refused_with_its_code_and_changes_nothing(code: str, act: object) -> None:
    made, same = world(), world()
    with pytest.raises(WorldError) as refused:
        act(made)  # type: ignore[operator]
    assert refused.value.code == code
    assert str(refused.value).endswith(".")
    assert made.scene(100.0) == same.scene(100.0)
    assert made.truth() == ()
    assert push(made, 2, some(made, 2, 2), 0.0) == push(same, 2, some(same, 2, 2), 0.0)


@pytest.mark.nightly
def test_the_same_seed_and_calls_make_the_same_world_and_another_seed_another() -> None:
    def played(seed: int) -> tuple[object, ...]:
        made, rng = world(seed=seed), Random(5)
        motions = tuple(random_motion(made, rng, t * 0.7) for t in range(25))
        scenes = tuple(made.scene(20.0 + t / 30) for t in range(30))
        return motions, scenes, made.truth()

    assert played(1) == played(1)
    assert played(1) != played(2)


def test_times_since_the_last_gathering_but_one_can_be_asked_again() -> None:
    made = world()
    chips = some(made, 3, 2)
    gather(made, 0.0)
    pushed = push(made, 3, chips, 1.0)
    before = made.scene(pushed.cross_s)
    gather(made, 10.0)
    assert made.scene(pushed.cross_s) == before
    assert read(made, "seat-3", 9.0) == uids(chips)


def test_the_scene_keeps_its_objects_while_nothing_changes() -> None:
    made = world()
    pushed = push(made, 3, some(made, 3, 2), 1.0)
    assert made.scene(0.1).settled is made.scene(0.9).settled
    resting = made.scene(pushed.rest_s + 0.1)
    assert resting.settled is made.scene(pushed.end_s + 5.0).settled
    assert resting.settled != made.scene(0.5).settled


def test_a_motion_waits_while_another_thread_is_inside_the_world() -> None:
    made, done = world(), threading.Event()

    def bet() -> None:
        push(made, 3, some(made, 3, 1), 0.0)
        done.set()

    with made.lock:
        other = threading.Thread(target=bet)
        other.start()
        assert not done.wait(0.2)
        assert made.bets(3) == ()
    other.join()
    assert len(made.bets(3)) == 1


def test_truth_of_a_push_is_noted_in_order_with_its_times() -> None:
    made = world()
    motion = push(made, 6, some(made, 6, 2), 2.0)
    events = made.truth()
    assert [event.type for event in events] == ["hand_entered", "chips_crossing", "bet_settled", "hand_left"]
    crossing = events[1]
    assert crossing.t_first == motion.cross_s
    assert set(crossing.uids) == uids(motion.chips)
    assert events[0].t_first <= crossing.t_first <= events[3].t_first
    assert made.truth(motion.cross_s + 0.001) == events[3:]

from __future__ import annotations

import math
from itertools import pairwise
from random import Random

import pytest

from tests.unit.virtual_world.worlds import some, world
from virtual_table.camera.arms import ArmArtist
from virtual_table.camera.optics import View
from virtual_table.table.motion import Carry, PathBuilder, Slide, first_time, min_jerk
from virtual_table.table.people import fingertips
from virtual_table.table.player_motions import push


def test_minimum_jerk_begins_and_ends_slowly_and_is_symmetric() -> None:
    assert (min_jerk(-1.0), min_jerk(0.0), min_jerk(1.0), min_jerk(2.0)) == (0.0, 0.0, 1.0, 1.0)
    assert min_jerk(0.5) == pytest.approx(0.5)
    assert min_jerk(0.1) < 0.01
    assert min_jerk(0.3) == pytest.approx(1.0 - min_jerk(0.7))


@pytest.mark.parametrize("seed", range(20))
def test_a_reach_takes_300_to_900_ms_and_arrives_where_it_should(seed: int) -> None:
    rng = Random(seed)
    builder = PathBuilder(5.0, (0.0, 0.0, 40.0), rng)
    target = (rng.uniform(-900, 900), rng.uniform(-400, 400), 0.0)
    arrived = builder.reach(target)
    path = builder.build()
    assert 0.3 <= arrived - 5.0 <= 0.9
    assert math.dist(path.at(arrived), target) < 1.5
    assert math.dist(path.at(4.0)[:2], (0.0, 0.0)) < 1.5


def test_a_hand_never_jumps() -> None:
    builder = PathBuilder(0.0, (0.0, 0.0, 40.0), Random(3))
    builder.reach((200.0, 300.0, 0.0))
    builder.wait(0.1)
    builder.reach((100.0, 350.0, 0.0))
    path = builder.build()
    times = [i / 500 for i in range(round(path.end_s * 500) + 50)]
    steps = [math.dist(path.at(a), path.at(b)) for a, b in pairwise(times)]
    assert max(steps) < 8.0
    assert max(steps) > 1.0


def test_what_is_carried_begins_and_ends_where_it_lies_and_is_lifted_in_between() -> None:
    builder = PathBuilder(0.0, (0.0, 0.0, 40.0), Random(3))
    grasp = builder.reach((200.0, 0.0, 0.0))
    release = builder.reach((200.0, 200.0, 0.0))
    carry = Carry(grasp, release, builder.build(), (190.0, 10.0, 6.6), (220.0, 190.0, 0.0), 40.0, 0.1, 0.0, 1.0)
    assert carry.at(grasp) == pytest.approx((190.0, 10.0, 6.6, 0.0))
    assert carry.at(release) == pytest.approx((220.0, 190.0, 0.0, 1.0))
    assert carry.at((grasp + release) / 2)[2] > 40.0


def test_a_card_slides_fast_first_and_stops_at_its_place() -> None:
    slide = Slide(1.0, 2.0, (0.0, 0.0), (100.0, 0.0), 0.0, 2.0)
    assert slide.at(1.0) == (0.0, 0.0, 0.0)
    assert slide.at(1.5)[0] == pytest.approx(75.0)
    assert slide.at(3.0) == (100.0, 0.0, 2.0)


def test_the_first_time_of_a_condition_is_found_to_half_a_millisecond() -> None:
    assert first_time(lambda t: t >= 0.73456, 0.0, 1.0) == pytest.approx(0.73456, abs=0.0005)
    assert first_time(lambda t: False, 0.0, 1.0) is None
    assert first_time(lambda t: True, 0.25, 1.0) == 0.25


def test_fingertips_are_where_the_artist_draws_them() -> None:
    made = world()
    artist = ArmArtist(View(made.table.cameras[0].pinhole()), ((0.0, 0.0),))
    motion = push(made, 8, some(made, 8, 2), 0.0)
    for t in (motion.cross_s, motion.rest_s + 0.2):
        arm = made.scene(t).arms[0]
        drawn = [limb.b for limb in artist.limbs(arm)]
        for tip in fingertips(arm):
            assert min(math.dist(tip[:3], end) for end in drawn) < 0.01
    closed, opened = made.scene(motion.cross_s).arms[0], made.scene(motion.rest_s + 0.2).arms[0]
    assert (closed.grip_closed, opened.grip_closed) == (1.0, 0.35)

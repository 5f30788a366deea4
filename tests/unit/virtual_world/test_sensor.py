"""What light, shutter and sensor do to a picture: noise, colour temperature, fast hands, glints, late frames."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import cv2
import numpy as np
import pytest

from betline.settings import Camera
from tests.unit.virtual_world.worlds import some, world
from virtual_table.camera import Light, Renderer, Room
from virtual_table.camera.optics import Image, View
from virtual_table.camera.sensor import WHITE_K, NoisePool, tint
from virtual_table.camera.shutter import Shutter
from virtual_table.films.film import Film
from virtual_table.films.film_script import script_of
from virtual_table.films.truth import Shot
from virtual_table.table.player_motions import push, tap
from virtual_table.table.things import Looks, SeenArm
from virtual_table.table.world import World


def renderer(made: World, light: Light | None = None, room: Room | None = None) -> Renderer:
    return Renderer(made.table, made.chip_set, made.table.cameras[0], 1, light, room)


def camera(made: World) -> Camera:
    return made.table.cameras[0]


@pytest.mark.parametrize("level", [5, 40, 100, 200])
def test_noise_grows_with_brightness_as_a_sensors_does(level: int) -> None:
    pool = NoisePool(320, 240, np.random.default_rng(1))
    even: Image = np.full((240, 320, 3), level, np.uint8)
    frames = np.stack([pool.add(even, pool.strength(even)) for _ in range(12)]).astype(float)
    assert frames.std(axis=0).mean() == pytest.approx((1.2 + 0.05 * level) ** 0.5, rel=0.12)
    assert abs(frames.mean() - level) < 0.1


def test_edges_tremble_more_than_even_felt() -> None:
    pool = NoisePool(320, 240, np.random.default_rng(1))
    half: Image = np.full((240, 320, 3), 60, np.uint8)
    half[:, 160:] = 190
    frames = np.stack([pool.add(half, pool.strength(half)) for _ in range(30)]).astype(float)
    sd = frames.std(axis=0).mean(axis=(0, 2))
    assert 5.0 < sd[159:161].mean() < 6.0
    assert sd[20:140].mean() < 2.2


@pytest.mark.nightly
def test_a_moving_arm_brings_its_own_noise_and_leaves_none_behind() -> None:
    made = world()
    tapped = tap(made, 5, 1.0)
    picture_of = renderer(made)
    for t in (0.0, tapped.rest_s, tapped.end_s + 0.1):
        clean = picture_of.clean_frame(made.scene(t)).copy()
        noise = picture_of.noisy(clean).astype(float) - clean
        assert 1.2 < noise.std() < 3.0
        assert abs(noise.mean()) < 0.1


def test_warm_light_is_red_and_cold_light_blue() -> None:
    assert tint(WHITE_K) == pytest.approx((1.0, 1.0, 1.0))
    warm, cold = tint(2700.0), tint(5600.0)
    assert warm[0] < warm[1] < warm[2] <= 1.151
    assert cold[0] > cold[1] > cold[2]
    for colour in (warm, cold):
        assert 0.85 < 0.114 * colour[0] + 0.587 * colour[1] + 0.299 * colour[2] <= 1.001


@pytest.mark.nightly
def test_the_room_has_the_colour_of_its_lamps_and_changes_with_them() -> None:
    made = world()
    scene = made.scene(0.0)
    usual, warm = (
        renderer(made, None, Room(kelvin=kelvin)).clean_frame(scene).reshape(-1, 3).mean(axis=0)
        for kelvin in (WHITE_K, 2700.0)
    )
    assert warm / usual == pytest.approx(tint(2700.0), rel=0.03)
    light = Light().changed(5.0, 6.0, 1.0, WHITE_K, 2700.0)
    turned = renderer(made, light, Room(kelvin=2700.0))
    assert turned.clean_frame(scene).reshape(-1, 3).mean(axis=0) == pytest.approx(warm)
    later = turned.clean_frame(replace(scene, t_s=9.0)).reshape(-1, 3).mean(axis=0)
    assert later == pytest.approx(usual, rel=0.03)


def test_light_drifts_around_its_middle() -> None:
    light = Light.drifting(0.04, 3000.0, 200.0)
    gains = [light.gain(t / 7) for t in range(7 * 600)]
    kelvins = [light.kelvin(t / 7) for t in range(7 * 600)]
    assert (min(gains), max(gains)) == pytest.approx((0.96, 1.04), abs=0.003)
    assert (min(kelvins), max(kelvins)) == pytest.approx((2800.0, 3200.0), abs=15.0)
    assert max(abs(b - a) for a, b in pairwise(gains)) < 0.002
    assert Light.drifting(0.0, 3000.0, 0.0) == Light()
    both = light.changed(20.0, 21.0, 0.7, None, 3000.0)
    assert (both.gain(30.0), both.kelvin(30.0)) == (0.7, light.kelvin(30.0))


def hand_of(picture: Image, empty: Image) -> np.ndarray:
    """Where something differs clearly from the empty table."""
    return np.abs(picture.astype(int) - empty).max(axis=2) > 25


@pytest.mark.nightly
def test_a_fast_hand_is_smeared_and_a_slow_one_is_not() -> None:
    made = world()
    picture_of = renderer(made)
    empty = picture_of.clean_frame(made.scene(0.0)).copy()
    tapped = tap(made, 5, 1.0)
    shutter = Shutter(exposure_s=1 / 60)
    fast_s, slow_s = tapped.start_s + 0.3, tapped.end_s - 0.02

    def softened(t: float) -> float:
        """By how much the exposure differs from a moment, where the arm is."""
        scene = made.scene(t)
        sharp = picture_of.clean_frame(scene).copy()
        smeared = picture_of.clean_frame(scene, shutter.exposed(made.scene, t)).copy()
        at = hand_of(sharp, empty) | hand_of(smeared, empty)
        return float(np.abs(sharp.astype(int) - smeared)[at].mean())

    assert softened(fast_s) > 4 * softened(slow_s)
    assert np.array_equal(picture_of.clean_frame(made.scene(9.0), shutter.exposed(made.scene, 9.0)), empty)


def test_a_fast_hand_leans_as_rows_are_read_later() -> None:
    made = world()
    motion = push(made, 5, some(made, 5, 1), 1.0)
    t = motion.cross_s
    view = View(camera(made).pinhole())
    readout = Shutter(readout_s=0.03).exposed(made.scene, t)
    assert readout is not None
    picture_of = renderer(made)
    (moment,) = readout.moments(view, made.scene(t), picture_of.poses)
    (seen,) = moment.chips
    row = float(view.project((seen.x_mm, seen.y_mm, 0.0))[1])
    when = t + 0.03 * (row / view.height_px - 0.5)
    (there,) = made.scene(when).moving
    (middle,) = made.scene(t).moving
    away = np.hypot(there.x_mm - seen.x_mm, there.y_mm - seen.y_mm)
    assert away < 0.25 * np.hypot(there.x_mm - middle.x_mm, there.y_mm - middle.y_mm)
    (arm,) = moment.arms
    (still,) = picture_of.poses(made.scene(t)).values()
    shift = np.abs(arm.ends - still.ends).max(axis=2)
    assert shift.max() > 1.0
    assert shift.min() < 0.5 * shift.max()


@pytest.mark.nightly
def test_a_watch_flashes_as_the_hand_turns_and_a_ring_shines() -> None:
    made = world()
    plain = Looks("#7d4f30", "#161719", 260.0, 1.0)
    picture_of = renderer(made)
    shown = []
    for metal in (None, "#8d8f94"):
        brightest = []
        for step in range(24):
            angle = step * np.pi / 12
            shoulder = (400 * np.cos(angle), 400 * np.sin(angle))
            arm = SeenArm("x", shoulder, (0.0, 0.0, 20.0), 0.35, True, replace(plain, ring=metal, watch=metal))
            scene = replace(made.scene(0.0), arms=(arm,))
            picture = cv2.GaussianBlur(picture_of.clean_frame(scene), (0, 0), 1.0)
            x, y = np.rint(View(camera(made).pinhole()).project((0.0, 0.0, 20.0))).astype(int)
            brightest.append(int(picture[y - 110 : y + 110, x - 110 : x + 110].min(axis=2).max()))
        shown.append(brightest)
    bare, adorned = shown
    assert max(adorned) > 200 > max(bare)
    assert max(adorned) > min(adorned) + 40


def played(head: str) -> list[Shot]:
    film = Film(script_of(f"{head}end_pause: 3.0\nacts:\n  - {{ act: wait, pause: 0 }}\n", "test"))
    return list(film.shots())


@pytest.mark.nightly
def test_frames_come_late_or_never() -> None:
    punctual = played("")
    assert [shot.number for shot in punctual] == list(range(len(punctual)))
    assert all(shot.stamp_s == pytest.approx(shot.t_s, abs=1e-6) for shot in punctual)
    late = played("camera: { jitter_ms: 5, lost: 0.1 }\n")
    assert 0.8 * len(punctual) < len(late) < len(punctual)
    assert all(shot.t_s == pytest.approx(shot.number / 30) for shot in late)
    off = [shot.stamp_s - shot.t_s for shot in late]
    assert 0.0035 < np.std(off) < 0.0065
    assert all(b.stamp_s > a.stamp_s for a, b in pairwise(late))

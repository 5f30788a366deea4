"""Hands that are cut out of photos: the truth of the lines has the outline that the picture shows."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from betline.geometry import Point, centroid
from tests.unit.virtual_world.worlds import some, world
from virtual_table.camera.arms import ArmArtist
from virtual_table.camera.canvas import Canvas
from virtual_table.camera.cutouts import ArmPhoto, cutouts
from virtual_table.camera.optics import View
from virtual_table.films.film import Film
from virtual_table.films.film_script import script_of
from virtual_table.table.people import cut_out_hand, seat_heading
from virtual_table.table.player_motions import fake, push


def pointing() -> ArmPhoto:
    """A fist with one finger stretched, beside the middle and beyond the point that the photo names as its front."""
    picture = np.zeros((120, 300, 4), np.uint8)
    cv2.rectangle(picture, (40, 20), (299, 110), (255, 255, 255, 255), -1)
    cv2.rectangle(picture, (6, 25), (60, 40), (255, 255, 255, 255), -1)
    return ArmPhoto(picture, np.array((20.0, 70.0)), np.array((299.0, 65.0)))


@pytest.mark.parametrize("photo", [pointing(), cutouts("training").arm, cutouts("held_out").arm])
@pytest.mark.parametrize("seat", [3, 8])
def test_the_outline_of_the_truth_is_the_one_that_is_drawn_whatever_its_shape(photo: ArmPhoto, seat: int) -> None:
    made = world()
    made.show_hands_as(photo.hand_mm())
    arm = made.scene(push(made, seat, some(made, seat, 2), 0.0).cross_s).arms[0]
    view = View(made.table.cameras[0].pinhole())
    posed = ArmArtist(view, ((0.0, 0.0),), photo).pose(arm)
    assert posed.photo is not None
    assert posed.photo_points is not None
    assert posed.photo_at is not None
    opaque = np.where(posed.photo[..., 3:] >= 128, np.uint8(255), np.uint8(0)).repeat(4, axis=2)
    canvas = Canvas(np.zeros((view.height_px, view.width_px, 3), np.uint8))
    canvas.photo(opaque, posed.photo_points, posed.photo_at)

    drawn = np.argwhere(canvas.image[..., 0] > 127)[:, ::-1]
    corners = view.project(np.array(cut_out_hand(arm)))
    ahead = posed.photo_at[0] - posed.photo_at[1]
    ahead /= np.linalg.norm(ahead)
    assert (drawn @ ahead).max() == pytest.approx((corners @ ahead).max(), abs=1.5)
    hull = cv2.convexHull(drawn.astype(np.float32))
    assert all(cv2.pointPolygonTest(hull, (float(x), float(y)), True) > -1.5 for x, y in corners)


def test_a_fist_that_ends_before_the_line_is_not_past_it_where_drawn_fingers_would_be() -> None:
    def noted(hand_mm: tuple[Point, ...] | None) -> list[str]:
        made = world()
        if hand_mm is not None:
            made.show_hands_as(hand_mm)
        fake(made, 5, 0.0)
        return [event.type for event in made.truth() if event.judged]

    assert noted(None) == ["hand_entered", "hand_left"]
    assert noted(((60.0, -30.0), (60.0, 30.0), (80.0, 0.0))) == []


def test_a_film_with_cut_outs_has_the_truth_of_their_outlines() -> None:
    film = Film(script_of("room: { photos: held_out }\nacts:\n  - { act: fake, seat: 5, pause: 0 }\n", "test"))
    assert film.world.hand_of(5).looks.hand_mm == cutouts("held_out").arm.hand_mm()
    assert film.world.dealer_hand(5).looks.hand_mm == cutouts("held_out").arm.hand_mm()


@pytest.mark.parametrize(("high_mm", "judged"), [(0.0, True), (60.0, False)])
def test_a_hand_high_over_the_line_that_the_camera_sees_before_it_may_be_reported_or_not(
    high_mm: float, judged: bool
) -> None:
    """Both turn back 34 mm beyond the line; from the camera the high one looks 14 mm short of it."""
    made = world()
    made.show_hands_as(((0.0, 0.0), (30.0, -20.0), (30.0, 20.0)))
    place = made.table.seat(8)
    visit = made.start_visit(made.hand_of(8), 0.0)
    visit.builder.reach((*seat_heading(made.table, 8).offset(centroid(place.line_mm), 34.0, 0.0), high_mm))
    made.line_truth.note_hand(8, visit.finish())
    assert [(event.type, event.judged) for event in made.truth()] == [("hand_entered", judged), ("hand_left", judged)]

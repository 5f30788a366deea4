"""What lies at a place of the felt: things that only a shadow joins are things of their own."""

import numpy as np

from tests.unit.vision.scene import Chip, Painter, Scene
from vision.frame.reference import QUIET_FRAMES
from vision.places.card_eye import PlaceEye
from vision.places.card_places import middle_of_felt
from vision.tuning.thresholds import Thresholds


def test_a_flop_that_a_shadow_joins_to_the_pots_chips_is_cards_and_these_are_chips() -> None:
    painter, thresholds = Painter(), Thresholds()
    eye, gain = PlaceEye(middle_of_felt(painter.table, painter.calibration), thresholds), np.ones(3)
    for _ in range(QUIET_FRAMES):
        eye.collect(painter.paint(Scene()), quiet=True, gain=gain)
    chips = [Chip((x, -10.0)) for x in (-20.0, 20.0)]
    shade = [(-15.0, 0.0), (15.0, 0.0), (15.0, -60.0), (-15.0, -60.0)]
    flop = [(x, -100.0) for x in (-65.0, 0.0, 65.0)]
    picture = painter.lay_cards(painter.paint(Scene(chips=chips, shade=shade)), flop, face_up=True)

    things = sorted(eye.look(picture, gain, shadows=False).fresh, key=lambda thing: thing.area_mm2)

    assert [(thing.kind, thing.chips) for thing in things] == [("chips", 2), ("cards", 0)]
    pot, cards = (painter.calibration.to_mm([thing.at_px])[0] for thing in things)
    assert np.hypot(*(pot - (0.0, -10.0))) < 15
    assert np.hypot(*(cards - (0.0, -100.0))) < 15
    assert abs(things[1].area_mm2 / thresholds.card_mm2 - 3) < 0.3

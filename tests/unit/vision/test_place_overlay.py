"""What is believed of the card spots and the middle of the felt: its snapshot, its words, and where they stand."""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from betline.geometry import Point
from betline.messages.devices import SeatEventType
from tests.unit.vision.scene import FRAME_NS, Chip, Painter, Scene
from vision.calibration.annotate import VIOLET, YELLOW
from vision.detect.detector import Detector, make_detector
from vision.detect.snapshot import SeatSnapshot, Snapshot
from vision.display import captions
from vision.display.captions import captioned, inwards, outwards
from vision.display.overlay import Overlay, place_of
from vision.display.place_overlay import DIM, spot_colour
from vision.frame.events import CameraEvent
from vision.places.card_watch import Presence, SpotState, Throw
from vision.places.pot_watch import MiddleFound, MiddleSeen, MiddleState
from vision.places.snapshot import MiddleSnapshot, SpotSnapshot, found_words, middle_explained, spot_explained
from vision.tuning.thresholds import Thresholds

PAINTER = Painter()
THRESHOLDS = Thresholds()
MS = 1_000_000


class Table:
    """A detector that sees painted scenes one after the other."""

    def __init__(self) -> None:
        self.detector: Detector = make_detector(PAINTER.table)
        self.number = 0
        self.told: list[CameraEvent] = []

    def see(self, frames: int, scene: Scene, cards: Sequence[Point] = ()) -> Snapshot:
        for _ in range(frames):
            picture = PAINTER.lay_cards(PAINTER.paint(replace(scene, arms=[])), cards)
            if scene.arms:
                picture = PAINTER.paint(scene)
            told = self.detector.process(picture, self.number * FRAME_NS, self.number)
            self.told += [one for one in told if one.seat is not None]
            self.number += 1
        return self.detector.snapshot()


def spot_of(snapshot: Snapshot, seat: int) -> SpotSnapshot:
    return next(spot for spot in snapshot.spots if spot.seat == seat)


@pytest.mark.nightly
def test_a_spot_is_learnt_then_empty_then_open_then_holds_cards() -> None:
    table, cards = Table(), PAINTER.card_places(6)

    learning = table.see(3, Scene())
    assert {(spot.phase, spot.reason) for spot in learning.spots} == {("learning", "waits for stillness")}
    assert learning.middle.phase == "learning"

    empty = spot_of(table.see(27, Scene()), 6)
    assert (empty.phase, empty.holds, empty.reason, empty.lying.any()) == ("rest", "", "", False)
    moves = spot_of(table.see(1, Scene(), cards[:1]), 6)
    assert (moves.phase, moves.holds, moves.reason) == ("open", "", "something moves")
    waits = spot_of(table.see(4, Scene(), cards[:1]), 6)
    assert (waits.phase, waits.reason) == ("open", "still for less than 270 ms")
    one = spot_of(table.see(25, Scene(), cards[:1]), 6)
    assert (one.phase, one.holds) == ("rest", "1 card")
    both = table.see(30, Scene(), cards)
    assert (spot_of(both, 6).phase, spot_of(both, 6).holds) == ("rest", "cards")
    assert {spot.seat for spot in both.spots if spot.holds} == {6}
    x, y = PAINTER.calibration.to_px([PAINTER.table.seat(6).cards_mm])[0].round().astype(int)
    assert spot_of(both, 6).lying[y - spot_of(both, 6).place.y0, x - spot_of(both, 6).place.x0] > 0


@pytest.mark.nightly
def test_the_middle_tells_what_it_found_and_when() -> None:
    table = Table()
    before = table.see(30, Scene()).middle
    assert (before.phase, before.reason, before.found, before.found_ns) == ("rest", "", "", None)

    after = table.see(30, Scene(chips=[Chip((0.0, 0.0)), Chip((70.0, 20.0))])).middle
    assert after.found.startswith("2 new chips, ")
    assert after.found_ns is not None
    assert 30 * FRAME_NS + 270 * MS <= after.found_ns < 60 * FRAME_NS
    assert after.lying.any()
    assert cv2.countNonZero(after.muck) > 0
    assert cv2.countNonZero(after.pot) > 0


@pytest.mark.nightly
def test_after_an_interruption_a_place_is_unknown_until_it_was_looked_at() -> None:
    table, cards = Table(), PAINTER.card_places(6)
    table.see(60, Scene(), cards)

    frozen = table.see(2, Scene(light=0.6), cards)
    assert {spot.phase for spot in frozen.spots} == {frozen.middle.phase} == {"frozen"}
    while table.detector.frozen is not None:
        table.see(1, Scene(light=0.6), cards)
    assert spot_of(table.detector.snapshot(), 6).phase in ("unknown", "open")
    known = table.see(300, Scene(light=0.6), cards)
    assert (spot_of(known, 6).phase, spot_of(known, 6).holds) == ("rest", "cards")
    assert [one.kind for one in table.told] == []


def presence(*, moving: bool = False, own: bool = False, dealer: bool = False, other: bool = False) -> Presence:
    return Presence(0, 0, moving, own, False, dealer, other)


OPEN = SpotState(open=True, loud_ns=0)


@pytest.mark.parametrize(
    ("state", "seen", "t_ns", "said"),
    [
        (SpotState(), None, 0, ("rest", "")),
        (SpotState(held=True), None, 0, ("rest", "in the player's hand")),
        (OPEN, presence(own=True, dealer=True), 0, ("open", "the player's arm, the dealer's arm")),
        (OPEN, presence(other=True), 0, ("open", "another's arm")),
        (OPEN, presence(moving=True), 0, ("open", "something moves")),
        (OPEN, presence(), 269 * MS, ("open", "still for less than 270 ms")),
        (OPEN, presence(), 270 * MS, ("open", "waits to be looked at")),
        (SpotState(throw=Throw(0, 0, True, 1.0, 2)), None, 0, ("open", "gone, to the muck?")),
    ],
)
def test_a_spot_says_what_it_waits_for(
    state: SpotState, seen: Presence | None, t_ns: int, said: tuple[str, str]
) -> None:
    assert spot_explained(state, seen, t_ns, THRESHOLDS) == said


@pytest.mark.nightly
def test_what_a_spot_holds_in_words(dealt: Snapshot) -> None:
    def holds(state: SpotState) -> str:
        return replace(spot_of(dealt, 6), state=state).holds

    assert holds(SpotState()) == ""
    assert holds(SpotState(cards=1, protected=True)) == "1 card"
    assert holds(SpotState(cards=2, protected=True, protector=True)) == "cards, protector seen"
    assert holds(SpotState(cards=2, strange=True)) == "cards, strange thing"
    assert holds(SpotState(strange=True)) == "strange thing"


def in_middle(*players: int, dealer: bool = False) -> MiddleSeen:
    return MiddleSeen(
        0, 0, True, dealer or bool(players), dealer, dealer, False, frozenset(players), frozenset(), {}, {}
    )


SPLASH = CameraEvent(kind="splash", seat=4, t_first_ns=0, t_confirm_ns=0, frame=0, conf=0.85)


@pytest.mark.parametrize(
    ("state", "seen", "said"),
    [
        (MiddleState(), None, ("rest", "")),
        (MiddleState(open=True), in_middle(7, 3), ("open", "arm of seat 3, arm of seat 7")),
        (MiddleState(open=True), in_middle(3, dealer=True), ("open", "the dealer's arm, arm of seat 3")),
        (MiddleState(open=True), in_middle(), ("open", "something moves")),
        (MiddleState(taken=(0, 0, 1.0)), None, ("open", "chips taken, whose stacks?")),
        (MiddleState(splash=SPLASH), None, ("open", "chips of seat 4: thrown, or its bet")),
    ],
)
def test_the_middle_says_what_it_waits_for(state: MiddleState, seen: MiddleSeen | None, said: tuple[str, str]) -> None:
    assert middle_explained(state, seen, 0, THRESHOLDS) == said


def test_a_look_at_the_middle_in_words() -> None:
    assert found_words(MiddleFound(0, 0.0, 0.0, 0.0)) == "nothing new"
    assert found_words(MiddleFound(1, 1190.4, 0.0, 1190.4)) == "1 new chip, 1190 mm2"
    much = MiddleFound(0, 0.0, 5000.0, 0.0, in_muck=True, strange=(7, 9000.0))
    assert found_words(much) == "pot lost 5000 mm2; cards in the muck; strange thing by seat 7"


# --- where it is drawn -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def dealt() -> Snapshot:
    """Two cards at seat 6 and chips in the middle, at rest."""
    table = Table()
    table.see(30, Scene())
    return table.see(60, Scene(chips=[Chip((0.0, 0.0))]), PAINTER.card_places(6))


BLACK = np.zeros((PAINTER.calibration.height_px, PAINTER.calibration.width_px, 3), np.uint8)


def told(seat: int, event: SeatEventType, at_ns: int = 0) -> CameraEvent:
    return CameraEvent(kind=event, seat=seat, t_first_ns=at_ns, t_confirm_ns=at_ns, frame=0, conf=0.9)


def drawn_by(event: CameraEvent, snapshot: Snapshot) -> tuple[float, float]:
    """The middle of what an event adds to the drawing, in the picture."""
    overlay = Overlay(PAINTER.table, PAINTER.calibration)
    added = (overlay.draw(BLACK, snapshot, [event]) != overlay.draw(BLACK, snapshot)).any(axis=2)
    rows, columns = np.nonzero(added)
    assert len(rows) > 0
    return float(columns.mean()), float(rows.mean())


def distance_px(at: tuple[float, float], place_mm: Point) -> float:
    return float(np.hypot(*(PAINTER.calibration.to_px([place_mm])[0] - at)))


@pytest.mark.nightly
@pytest.mark.parametrize("seat", [1, 3, 6, 9])
def test_events_of_cards_stand_behind_the_spot_and_those_of_bets_before_the_zone(seat: int, dealt: Snapshot) -> None:
    cards, bet = drawn_by(told(seat, "cards_dealt"), dealt), drawn_by(told(seat, "bet_settled"), dealt)
    spot_mm, zone_mm = PAINTER.table.seat(seat).cards_mm, PAINTER.place(seat, 0, 75)

    assert distance_px(cards, spot_mm) < 150
    assert distance_px(cards, spot_mm) < distance_px(cards, zone_mm)
    assert distance_px(bet, zone_mm) < 150
    assert distance_px(bet, (0.0, 0.0)) < distance_px(cards, (0.0, 0.0))


def test_events_of_the_pot_stand_beside_it_and_name_their_seat(dealt: Snapshot) -> None:
    for event in ("splash", "pot_pushed"):
        one, ten = (drawn_by(told(seat, event), dealt) for seat in (1, 10))
        assert distance_px(one, (0.0, 0.0)) < 250
        assert distance_px(ten, one_mm(one)) < 15


def one_mm(at_px: tuple[float, float]) -> Point:
    x, y = PAINTER.calibration.to_mm([at_px])[0]
    return float(x), float(y)


def with_slab(snapshot: Snapshot, number: int) -> Snapshot:
    """The same with a phone in a seat's bet zone."""

    def there(seat: SeatSnapshot) -> SeatSnapshot:
        settled = replace(seat.state.settled, slab=seat.zones.seat == number)
        return replace(seat, state=replace(seat.state, settled=settled))

    return replace(snapshot, seats=tuple(there(seat) for seat in snapshot.seats))


def test_a_strange_thing_is_told_where_it_lies(dealt: Snapshot) -> None:
    strange = told(6, "unknown_object")
    spots = tuple(replace(one, state=replace(one.state, strange=one.seat == 6)) for one in dealt.spots)

    assert place_of(strange, dealt) == "middle"
    assert place_of(strange, replace(dealt, spots=spots)) == "spot"
    assert place_of(strange, replace(with_slab(dealt, 6), spots=spots)) == "zone"
    assert place_of(told(6, "bet_settled"), replace(dealt, spots=spots)) == "zone"


def test_a_zone_with_a_strange_thing_says_that_it_is_no_bet(dealt: Snapshot) -> None:
    overlay = Overlay(PAINTER.table, PAINTER.calibration)

    assert (overlay.draw(BLACK, dealt) != overlay.draw(BLACK, with_slab(dealt, 3))).any()


def test_a_spots_outline_tells_what_is_believed_of_it(dealt: Snapshot) -> None:
    with_cards, empty = spot_of(dealt, 6), spot_of(dealt, 3)
    assert (spot_colour(with_cards), spot_colour(empty)) == (VIOLET, DIM)
    assert spot_colour(replace(with_cards, phase="open")) == YELLOW

    drawn = Overlay(PAINTER.table, PAINTER.calibration).draw(BLACK, dealt)
    for spot, colour in ((with_cards, VIOLET), (empty, DIM)):
        edge = cv2.morphologyEx(spot.place.mask, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
        assert (spot.place.crop(drawn)[edge > 0] == colour).all(axis=1).mean() > 0.3
    without = replace(dealt, spots=tuple(replace(one, state=SpotState()) for one in dealt.spots))
    assert (Overlay(PAINTER.table, PAINTER.calibration).draw(BLACK, without) != drawn).any()


def test_the_middle_shows_what_was_found_for_a_while_only(dealt: Snapshot) -> None:
    overlay = Overlay(PAINTER.table, PAINTER.calibration)

    def drawn(middle: MiddleSnapshot, seconds: float) -> bool:
        """Whether the last find is written so long after it."""
        at_ns = (middle.found_ns or 0) + round(seconds * 1e9)
        shown = overlay.draw(BLACK, replace(dealt, t_ns=at_ns, middle=middle))
        return bool((shown != overlay.draw(BLACK, replace(dealt, middle=replace(middle, found_ns=None)))).any())

    assert drawn(dealt.middle, 1.0)
    assert not drawn(dealt.middle, 11.0)


# --- captions --------------------------------------------------------------------------------------------------------


def box(x: float, y: float) -> "np.ndarray[tuple[int, ...], np.dtype[np.float64]]":
    return np.array([[x - 20, y - 10], [x + 20, y - 10], [x + 20, y + 10], [x - 20, y + 10]])


@pytest.mark.parametrize(
    ("at", "side", "opposite"),
    [
        ((200, 30), "below", "above"),
        ((200, 170), "above", "below"),
        ((20, 110), "right", "left"),
        ((380, 90), "left", "right"),
    ],
)
def test_words_stand_towards_the_table_or_towards_the_rail(at: Point, side: str, opposite: str) -> None:
    middle = np.array([200.0, 100.0])

    assert inwards(box(*at), middle) == side
    assert outwards(box(*at), middle) == opposite


def written(side: captions.Side, at: Point, words: Sequence[str]) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of what is written beside a box."""
    picture = np.zeros((200, 400, 3), np.uint8)
    captioned(picture, [(one, (255, 255, 255)) for one in words], box(*at), side)
    rows, columns = np.nonzero(picture.any(axis=2))
    return int(columns.min()), int(rows.min()), int(columns.max()), int(rows.max())


def test_a_caption_keeps_clear_of_its_place() -> None:
    words = ["first", "and second"]

    assert written("below", (200, 100), words)[1] > 110
    assert written("above", (200, 100), words)[3] < 90
    assert written("right", (200, 100), words)[0] > 220
    assert written("left", (200, 100), words)[2] < 180


@pytest.mark.parametrize("side", ["above", "below", "left", "right"])
@pytest.mark.parametrize("at", [(0, 0), (400, 0), (0, 200), (400, 200)])
def test_a_caption_stays_within_the_picture(side: captions.Side, at: Point) -> None:
    left, top, right, bottom = written(side, at, ["many words", "in", "some lines"])

    assert left >= 3
    assert top >= 3
    assert right <= 397
    assert bottom <= 199


def test_an_empty_line_takes_no_room() -> None:
    assert written("below", (200, 100), ["", "words", ""]) == written("below", (200, 100), ["words"])

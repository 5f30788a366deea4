"""The middle of the felt: the state machine by hand, slabs in a zone, and painted chips before the detector."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

import cv2
import numpy as np
import pytest

from betline.geometry import Point
from betline.messages.devices import SeatEventType
from tests.unit.vision.scene import FRAME_NS, Chip, Painter, Scene, Step, film
from vision.detect.detector import Seen, make_detector
from vision.frame.zones import SeatZones, seat_zones
from vision.imaging.pictures import Mask, Picture
from vision.places.card_bets import Bets, BetSeen, strange_mm2
from vision.places.pot_watch import MiddleFound, MiddleSeen, MiddleState, arrive, due, judge, thrown, trace
from vision.seats.state import SeatEvent
from vision.tuning.thresholds import Thresholds

LIMITS = Thresholds()
CHIP = LIMITS.chip_mm2
AWAY_MM = {3: 1300.0, 6: 1100.0, 9: 900.0}
NOTHING = MiddleFound(0, 0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Span:
    """So many frames in which the middle moves or not, and who is where; a look at rest shows ``found``."""

    frames: int
    moving: bool = True
    dealer: bool = False
    players: tuple[int, ...] = ()
    seats: tuple[int, ...] = ()
    reached: Mapping[int, int] = field(default_factory=dict)
    found: MiddleFound = NOTHING


REST = Span(15, moving=False)


def play(
    spans: Iterable[Span], lost: Mapping[int, int] | None = None, limits: Thresholds = LIMITS
) -> tuple[MiddleState, list[tuple[int, SeatEvent]]]:
    state, told, frame = MiddleState(), list[tuple[int, SeatEvent]](), 0
    for span in spans:
        for _ in range(span.frames):
            frame += 1
            seen = MiddleSeen(
                frame * FRAME_NS,
                frame,
                span.moving,
                dealer=span.dealer,
                dealer_at_pot=span.dealer,
                dealer_at_muck=False,
                players=frozenset(span.players),
                seats=frozenset(span.seats),
                reached=span.reached,
                away_mm=AWAY_MM,
            )
            state = trace(state, seen, limits)
            if due(state, seen.t_ns, limits):
                judged = judge(state, span.found, seen.t_ns, frame, limits)
                state, told = judged.state, told + list(judged.events)
            arrived = arrive(state, seen, limits)
            flown = thrown(arrived.state, lost or {}, seen.t_ns, limits)
            state, told = flown.state, [*told, *arrived.events, *flown.events]
    return state, told


def names(told: Sequence[tuple[int, SeatEvent]]) -> list[tuple[int, str]]:
    return [(seat, event.event) for seat, event in told]


CHIPS = MiddleFound(3, 3 * CHIP, 0.0, 3 * CHIP)
TAKEN = MiddleFound(0, 0.0, 9 * CHIP, 0.0, pot_ns=4 * FRAME_NS)


def at_rest(found: MiddleFound, frames: int = 15) -> Span:
    return Span(frames, moving=False, found=found)


def test_chips_that_one_seat_threw_are_its_splash_when_its_zone_had_time_to_speak() -> None:
    hand = Span(6, moving=False, seats=(6,))
    thrown_at = Span(10, seats=(6,), players=(6,))

    assert play([hand, thrown_at, at_rest(CHIPS)])[1] == []
    assert names(play([hand, thrown_at, at_rest(CHIPS)], limits=replace(LIMITS, splash_wait_ms=0))[1]) == [
        (6, "splash")
    ]
    state, told = play([hand, thrown_at, at_rest(CHIPS), Span(50, moving=False)])
    assert names(told) == [(6, "splash")]
    event = told[0][1]
    assert (event.footprints, event.t_first_ns, event.conf) == (3, FRAME_NS, 0.85)
    assert state.splash is None


def test_a_bet_that_its_player_pushed_in_is_no_splash() -> None:
    spans = [Span(10, seats=(6,), players=(6,)), at_rest(CHIPS), Span(50, moving=False)]

    assert play(spans, lost={6: 30 * FRAME_NS})[1] == []
    assert names(play(spans, lost={3: 30 * FRAME_NS})[1]) == [(6, "splash")]


def test_chips_that_the_dealer_brought_are_no_splash() -> None:
    spans = [Span(10, dealer=True, seats=(6,)), at_rest(CHIPS), Span(50, moving=False)]

    assert play(spans)[1] == []


def test_chips_that_nobody_threw_are_nobodys() -> None:
    assert play([Span(10), at_rest(CHIPS), Span(50, moving=False)])[1] == []
    long_ago = [Span(5, moving=False, seats=(6,)), Span(60, moving=False), Span(10), at_rest(CHIPS)]
    assert play([*long_ago, Span(50, moving=False)])[1] == []
    came_back = [
        Span(5, moving=False, seats=(6,)),
        Span(40),
        Span(5, seats=(6,)),
        at_rest(CHIPS),
        Span(50, moving=False),
    ]
    begun = [play(came_back, limits=replace(LIMITS, splash_visit_ms=ms))[1][0][1].t_first_ns for ms in (1500, 500)]
    assert begun == [FRAME_NS, 46 * FRAME_NS]


def test_of_two_hands_over_their_lines_the_splash_is_a_guess() -> None:
    both = Span(10, seats=(3, 6), players=(3,))
    told = play([both, at_rest(CHIPS), Span(50, moving=False)])[1]

    assert names(told) == [(3, "splash")]
    assert told[0][1].conf == 0.5


def test_chips_belong_to_the_hand_that_was_there_just_before_they_lay() -> None:
    lay = MiddleFound(3, 3 * CHIP, 0.0, 3 * CHIP, pot_ns=55 * FRAME_NS)
    spans = [Span(10, seats=(3,)), Span(38), Span(5, seats=(6,)), Span(12, seats=(9,)), at_rest(lay)]

    told = play([*spans, Span(50, moving=False)])[1]
    assert names(told) == [(6, "splash")]
    alone = [spans[0], Span(60), at_rest(lay), Span(50, moving=False)]
    assert play(alone)[1] == []
    assert names(play(alone, limits=replace(LIMITS, splash_flight_ms=2000))[1]) == [(3, "splash")]


def test_the_pot_that_the_dealer_takes_to_a_seats_stacks_is_pushed_there() -> None:
    take = Span(10, dealer=True)
    give = Span(8, moving=False, reached={6: 30})

    _, told = play([take, at_rest(TAKEN), give, REST])
    assert names(told) == [(6, "pot_pushed")]
    assert (told[0][1].t_first_ns, told[0][1].area_mm2, told[0][1].conf) == (4 * FRAME_NS, 9 * CHIP, 0.9)


def test_the_pot_goes_to_the_far_seat_when_the_arm_lies_over_nearer_stacks_too() -> None:
    over_both = Span(12, dealer=True, reached={9: 80, 3: 12})

    told = play([over_both, at_rest(TAKEN), REST])[1]
    assert names(told) == [(3, "pot_pushed")]
    assert told[0][1].conf < 0.9


def test_a_pot_that_goes_to_nobody_is_not_pushed() -> None:
    assert play([Span(10, dealer=True), at_rest(TAKEN), Span(150, moving=False)])[1] == []
    late = [Span(10, dealer=True), at_rest(TAKEN), Span(150, moving=False), Span(9, moving=False, reached={6: 30})]
    assert play([*late, REST])[1] == []
    assert names(play([*late, REST], limits=replace(LIMITS, push_wait_ms=6000))[1]) == [(6, "pot_pushed")]


def test_an_arm_at_the_stacks_without_a_pot_that_shrank_pushes_nothing() -> None:
    assert play([Span(10, dealer=True, reached={6: 40}), at_rest(NOTHING), REST])[1] == []
    grew = MiddleFound(0, 0.0, 2 * CHIP, 4 * CHIP)
    assert play([Span(10, dealer=True, reached={6: 40}), at_rest(grew), REST])[1] == []


def test_what_comes_to_rest_in_the_muck_is_told_with_its_span_unless_the_dealer_brought_it() -> None:
    in_muck = MiddleFound(0, 0.0, 0.0, 0.0, in_muck=True)
    state = trace(MiddleState(), seen_once(1, moving=True), LIMITS)

    assert judge(state, in_muck, 9, 9, LIMITS).mucked == (1, 1)
    by_dealer = trace(MiddleState(), seen_once(1, moving=True, dealer_at_muck=True), LIMITS)
    assert judge(by_dealer, in_muck, 9, 9, LIMITS).mucked is None


def seen_once(t_ns: int, *, moving: bool, dealer_at_muck: bool = False) -> MiddleSeen:
    return MiddleSeen(t_ns, 0, moving, dealer_at_muck, False, dealer_at_muck, frozenset(), frozenset(), {}, AWAY_MM)


# --- a slab in a bet zone --------------------------------------------------------------------------------------------


@cache
def painter() -> Painter:
    return Painter()


@cache
def zones() -> SeatZones:
    return seat_zones(painter().table, painter().calibration, LIMITS)[4]


def slab(wide_mm: float, long_mm: float, *, speckled: bool, speckle: int = 230) -> tuple[BetSeen, Picture]:
    """A rectangle in seat 5's zone: the picture, and its mask as wide as the seat's eye has it."""
    x, y = painter().place(5, 0, 75)
    corners = [(x + i * long_mm / 2, y + j * wide_mm / 2) for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    px = np.round(painter().calibration.to_px(corners)).astype(np.int32)
    picture, mask = painter().paint(Scene()), np.zeros((720, 1280), np.uint8)
    cv2.fillConvexPoly(picture, px, (30, 30, 30))
    if speckled:
        for at in range(int(px[:, 0].min()), int(px[:, 0].max()), 9):
            cv2.circle(picture, (at, int(px[:, 1].mean())), 4, (speckle, speckle, speckle), cv2.FILLED)
    cv2.fillConvexPoly(mask, px, 255)
    wide: Mask = np.asarray(cv2.dilate(mask, np.ones((9, 9), np.uint8)), dtype=np.uint8)
    told = SeatEvent("bet_settled", 5, 9, 1, 0.95)
    return BetSeen(zones(), told, zones().bets.of(zones().crop(wide))), picture


def test_a_smooth_slab_in_a_zone_is_strange_and_no_bet_until_it_has_gone() -> None:
    bets = Bets()
    bet, picture = slab(74, 150, speckled=False)

    assert [(seat, event.event) for seat, event in bets.see([bet], picture, LIMITS)] == [(5, "unknown_object")]
    assert bets.strange == {5}
    assert bets.see([bet], picture, LIMITS) == ()
    gone = BetSeen(bet.zones, SeatEvent("chips_retracted", 5, 9, 1, 0.9), np.zeros_like(bet.lying))
    assert bets.see([gone], picture, LIMITS) == ()
    assert bets.strange == set()
    assert bets.lost_ns == {5: 9}


@pytest.mark.parametrize(("wide_mm", "long_mm", "speckled"), [(80, 160, True), (63, 88, False), (40, 150, False)])
def test_stacks_cards_and_rows_are_no_slabs(wide_mm: float, long_mm: float, speckled: bool) -> None:
    assert strange_mm2(*slab(wide_mm, long_mm, speckled=speckled), LIMITS) == 0.0


def test_what_a_phone_is_like_is_told_by_the_numbers() -> None:
    cards = slab(63, 88, speckled=False)
    phone = slab(74, 150, speckled=False)

    assert strange_mm2(*phone, LIMITS) > 0
    assert strange_mm2(*cards, replace(LIMITS, slab_least_long_mm=80.0)) > 0
    for other in ({"slab_least_wide_mm": 90.0}, {"slab_most_wide_mm": 60.0}, {"slab_most_long_mm": 130.0}):
        assert strange_mm2(*phone, replace(LIMITS, **other)) == 0.0
    dull = slab(80, 160, speckled=True, speckle=70)
    assert strange_mm2(*dull, LIMITS) == 0.0
    assert strange_mm2(*dull, replace(LIMITS, slab_levels=40.0)) > 0


def test_a_phone_is_known_for_one_when_it_is_told_to_cross() -> None:
    bet, picture = slab(74, 150, speckled=False)
    crossing = BetSeen(bet.zones, SeatEvent("chips_crossing", 5, 9, 1, 0.95), bet.lying)

    assert [(seat, event.event) for seat, event in Bets().see([crossing], picture, LIMITS)] == [(5, "unknown_object")]


def test_a_hand_alone_tells_nothing_of_a_bet() -> None:
    bet, picture = slab(74, 150, speckled=False)
    names: tuple[SeatEventType, ...] = ("hand_entered", "hand_left", "zone_occluded")

    for name in names:
        assert Bets().see([BetSeen(bet.zones, SeatEvent(name, 5, 9, 1, 0.9), bet.lying)], picture, LIMITS) == ()


# --- painted chips before the detector -------------------------------------------------------------------------------


def told_of(steps: Sequence[Step]) -> list[tuple[int, str]]:
    detector = make_detector(painter().table)
    told: list[tuple[int, str]] = []
    for t_ns, scene in film(steps):
        seen = detector.process(painter().paint(scene), t_ns, t_ns // FRAME_NS)
        told += [(one.seat, one.event.event) for one in seen if isinstance(one, Seen)]
    return [one for one in told if not one[1].startswith("hand")]


def flight(seat: int, share: float, places: Sequence[Point]) -> list[Chip]:
    x, y = painter().place(seat, 0, 40)
    return [Chip((x + (at[0] - x) * share, y + (at[1] - y) * share)) for at in places]


PLACES = [(-60.0, 20.0), (10.0, 40.0), (70.0, 0.0)]


def test_the_detector_sees_painted_chips_that_a_seat_throws_into_the_pot() -> None:
    lying = [Chip(at) for at in PLACES]

    told = told_of(
        [
            (1.0, lambda _: Scene()),
            (0.3, lambda share: Scene(arms=[painter().reach(5, 60 * share)])),
            (0.3, lambda share: Scene(chips=flight(5, share, PLACES), arms=[painter().reach(5, 60 - 300 * share)])),
            (2.5, lambda _: Scene(chips=lying)),
        ]
    )

    assert [one for one in told if one[1] != "chips_crossing"] == [(5, "splash")]


def test_a_few_cells_that_flicker_with_noise_do_not_keep_the_middle_from_being_looked_at() -> None:
    detector = make_detector(painter().table)
    told: list[str] = []
    steps: list[Step] = [
        (1.2, lambda _: Scene()),
        (0.3, lambda share: Scene(arms=[painter().reach(5, 60 * share)])),
        (0.3, lambda share: Scene(chips=flight(5, share, PLACES), arms=[painter().reach(5, 60 - 300 * share)])),
        (2.5, lambda _: Scene(chips=[Chip(at) for at in PLACES])),
    ]
    for t_ns, scene in film(steps):
        picture = painter().paint(scene)
        left = 640 if t_ns // FRAME_NS % 2 else 560
        picture[300:308, left : left + 8] += 12
        seen = detector.process(picture, t_ns, t_ns // FRAME_NS)
        told += [one.event.event for one in seen if isinstance(one, Seen)]

    assert "splash" in told

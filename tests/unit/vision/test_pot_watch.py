"""The middle of the felt: the state machine by hand, and painted chips before the detector."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

import pytest

from betline.geometry import Point
from tests.unit.vision.scene import FRAME_NS, Chip, Painter, Scene, Step, film
from vision.detect.detector import make_detector
from vision.frame.events import CameraEvent
from vision.places.pot_watch import MiddleFound, MiddleSeen, MiddleState, arrive, due, judge, thrown, trace
from vision.tuning.thresholds import Thresholds

THRESHOLDS = Thresholds()
CHIP = THRESHOLDS.chip_mm2
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
    arms: bool | None = None
    """Whether an arm is over the middle; None where dealer and players tell."""
    found: MiddleFound = NOTHING


REST = Span(15, moving=False)


def play(
    spans: Iterable[Span],
    lost: Mapping[int, int] | None = None,
    thresholds: Thresholds = THRESHOLDS,
    swept: Mapping[int, tuple[int, int]] | None = None,
) -> tuple[MiddleState, list[CameraEvent]]:
    state, told, frame = MiddleState(), list[CameraEvent](), 0
    for span in spans:
        for _ in range(span.frames):
            frame += 1
            seen = MiddleSeen(
                frame * FRAME_NS,
                frame,
                span.moving,
                arms_over=span.dealer or bool(span.players) if span.arms is None else span.arms,
                dealer=span.dealer,
                dealer_at_pot=span.dealer,
                dealer_at_muck=False,
                players=frozenset(span.players),
                seats=frozenset(span.seats),
                reached=span.reached,
                away_mm=AWAY_MM,
            )
            state = trace(state, seen, thresholds)
            if due(state, seen.t_ns, thresholds):
                judged = judge(state, span.found, seen.t_ns, frame, thresholds, swept or {}, AWAY_MM)
                state, told = judged.state, told + list(judged.events)
            arrived = arrive(state, seen, thresholds)
            flown = thrown(arrived.state, lost or {}, seen.t_ns, thresholds)
            state, told = flown.state, [*told, *arrived.events, *flown.events]
    return state, told


def names(told: Sequence[CameraEvent]) -> list[tuple[int | None, str]]:
    return [(event.seat, event.kind) for event in told]


CHIPS = MiddleFound(3, 3 * CHIP, 0.0, 3 * CHIP)
TAKEN = MiddleFound(0, 0.0, 9 * CHIP, 0.0, pot_ns=4 * FRAME_NS)


def at_rest(found: MiddleFound, frames: int = 15) -> Span:
    return Span(frames, moving=False, found=found)


def test_chips_that_one_seat_threw_are_its_splash_when_its_zone_had_time_to_speak() -> None:
    hand = Span(6, moving=False, seats=(6,))
    thrown_at = Span(10, seats=(6,), players=(6,))

    assert play([hand, thrown_at, at_rest(CHIPS)])[1] == []
    assert names(play([hand, thrown_at, at_rest(CHIPS)], thresholds=replace(THRESHOLDS, splash_wait_ms=0))[1]) == [
        (6, "splash")
    ]
    state, told = play([hand, thrown_at, at_rest(CHIPS), Span(50, moving=False)])
    assert names(told) == [(6, "splash")]
    event = told[0]
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
    begun = [play(came_back, thresholds=replace(THRESHOLDS, splash_visit_ms=ms))[1][0].t_first_ns for ms in (1500, 500)]
    assert begun == [FRAME_NS, 46 * FRAME_NS]


def test_of_two_hands_over_their_lines_the_splash_is_a_guess() -> None:
    both = Span(10, seats=(3, 6), players=(3,))
    told = play([both, at_rest(CHIPS), Span(50, moving=False)])[1]

    assert names(told) == [(3, "splash")]
    assert told[0].conf == 0.5


def test_chips_belong_to_the_hand_that_was_there_just_before_they_lay() -> None:
    lay = MiddleFound(3, 3 * CHIP, 0.0, 3 * CHIP, pot_ns=55 * FRAME_NS)
    spans = [Span(10, seats=(3,)), Span(38), Span(5, seats=(6,)), Span(12, seats=(9,)), at_rest(lay)]

    told = play([*spans, Span(50, moving=False)])[1]
    assert names(told) == [(6, "splash")]
    alone = [spans[0], Span(60), at_rest(lay), Span(50, moving=False)]
    assert play(alone)[1] == []
    assert names(play(alone, thresholds=replace(THRESHOLDS, splash_flight_ms=2000))[1]) == [(3, "splash")]


def test_the_pot_that_the_dealer_takes_to_a_seats_stacks_is_pushed_there() -> None:
    take = Span(10, dealer=True)
    give = Span(8, moving=False, reached={6: 30})

    _, told = play([take, at_rest(TAKEN), give, REST])
    assert names(told) == [(6, "pot_pushed")]
    assert (told[0].t_first_ns, told[0].area_mm2, told[0].conf) == (4 * FRAME_NS, 9 * CHIP, 0.9)


def test_the_pot_goes_to_the_far_seat_when_the_arm_lies_over_nearer_stacks_too() -> None:
    over_both = Span(12, dealer=True, reached={9: 80, 3: 12})

    told = play([over_both, at_rest(TAKEN), REST])[1]
    assert names(told) == [(3, "pot_pushed")]
    assert told[0].conf < 0.9


def test_a_pot_that_goes_to_nobody_is_not_pushed() -> None:
    assert play([Span(10, dealer=True), at_rest(TAKEN), Span(150, moving=False)])[1] == []
    late = [Span(10, dealer=True), at_rest(TAKEN), Span(150, moving=False), Span(9, moving=False, reached={6: 30})]
    assert play([*late, REST])[1] == []
    assert names(play([*late, REST], thresholds=replace(THRESHOLDS, push_wait_ms=6000))[1]) == [(6, "pot_pushed")]


def test_an_arm_at_the_stacks_without_a_pot_that_shrank_pushes_nothing() -> None:
    assert play([Span(10, dealer=True, reached={6: 40}), at_rest(NOTHING), REST])[1] == []
    grew = MiddleFound(0, 0.0, 2 * CHIP, 4 * CHIP)
    assert play([Span(10, dealer=True, reached={6: 40}), at_rest(grew), REST])[1] == []


SWEPT_AND_PUSHED = [Span(10, dealer=True), Span(8, arms=True, reached={9: 30, 3: 12}), REST]
"""The dealer's arm brings bets to the pot and goes on to the stacks of seat 3, over those of seat 9, without a rest."""


def swept_in(first: int, told: int) -> tuple[int, int]:
    """The frames in which a sweep began and was told."""
    return first * FRAME_NS, told * FRAME_NS


def test_a_pot_that_is_pushed_on_before_it_came_to_rest_is_told_by_the_bets_of_others_that_are_gone() -> None:
    told = play(SWEPT_AND_PUSHED, swept={6: swept_in(2, 9), 3: swept_in(2, 9)})[1]

    assert names(told) == [(3, "pot_pushed")]
    assert (told[0].t_first_ns, told[0].conf) == (10 * FRAME_NS, 0.75)


def test_a_bet_that_goes_back_to_its_own_player_is_no_pot() -> None:
    assert play(SWEPT_AND_PUSHED, swept={3: swept_in(2, 9)})[1] == []
    before = [Span(10), at_rest(NOTHING, frames=30), *SWEPT_AND_PUSHED]
    assert play(before, swept={6: swept_in(2, 9)})[1] == []


def test_an_arm_over_near_stacks_on_its_way_to_a_far_bet_and_back_pushes_no_pot() -> None:
    at_pot, over_near = Span(4, dealer=True), Span(20, arms=True, reached={9: 30})
    swept = {6: swept_in(15, 30)}

    assert play([at_pot, over_near, REST], swept=swept)[1] == []
    assert play([at_pot, over_near, at_pot, REST], swept=swept)[1] == []
    then_pushed = play([at_pot, over_near, at_pot, over_near, REST], swept=swept)[1]
    assert names(then_pushed) == [(9, "pot_pushed")]
    assert then_pushed[0].t_first_ns == 28 * FRAME_NS


def test_the_bet_that_is_swept_last_lies_in_the_pot_before_it_is_pushed() -> None:
    spans = [Span(4, dealer=True), Span(8, arms=True, reached={9: 30}), REST]

    assert play(spans, swept={6: swept_in(2, 9)})[1] != []
    assert play(spans, swept={6: swept_in(2, 9), 3: swept_in(7, 12)})[1] == []
    assert play(spans, swept={6: swept_in(2, 9), 9: swept_in(7, 12)})[1] != []


def test_bets_that_lie_in_the_pot_were_pushed_to_nobody() -> None:
    lies = MiddleFound(0, 0.0, 0.0, 4 * CHIP, pot_ns=9 * FRAME_NS)

    assert play([*SWEPT_AND_PUSHED[:-1], at_rest(lies), REST], swept={6: swept_in(2, 9)})[1] == []


def test_the_middle_is_at_rest_though_what_an_arm_left_there_is_still_taken_for_the_arms() -> None:
    """Streets that are dealt one after the other would come to rest only after the last of them."""
    left = Span(15, moving=False, dealer=True, arms=False, found=CHIPS)

    assert play([Span(10, dealer=True), Span(12, moving=False, dealer=True)])[0].open
    assert not play([Span(10, dealer=True), left])[0].open


def test_what_comes_to_rest_in_the_muck_is_told_with_its_span_unless_the_dealer_brought_it() -> None:
    in_muck = MiddleFound(0, 0.0, 0.0, 0.0, in_muck=True)
    state = trace(MiddleState(), seen_once(1, moving=True), THRESHOLDS)

    assert judge(state, in_muck, 9, 9, THRESHOLDS).mucked == (1, 1)
    by_dealer = trace(MiddleState(), seen_once(1, moving=True, dealer_at_muck=True), THRESHOLDS)
    assert judge(by_dealer, in_muck, 9, 9, THRESHOLDS).mucked is None


def seen_once(t_ns: int, *, moving: bool, dealer_at_muck: bool = False) -> MiddleSeen:
    return MiddleSeen(
        t_ns, 0, moving, dealer_at_muck, dealer_at_muck, False, dealer_at_muck, frozenset(), frozenset(), {}, AWAY_MM
    )


@cache
def painter() -> Painter:
    return Painter()


# --- painted chips before the detector -------------------------------------------------------------------------------


def told_of(steps: Sequence[Step]) -> list[tuple[int | None, str]]:
    detector = make_detector(painter().table)
    told: list[tuple[int | None, str]] = []
    for t_ns, scene in film(steps):
        seen = detector.process(painter().paint(scene), t_ns, t_ns // FRAME_NS)
        told += [(one.seat, one.kind) for one in seen if one.seat is not None]
    return [one for one in told if not one[1].startswith("hand")]


def flight(seat: int, share: float, places: Sequence[Point]) -> list[Chip]:
    x, y = painter().place(seat, 0, 40)
    return [Chip((x + (at[0] - x) * share, y + (at[1] - y) * share)) for at in places]


PLACES = [(-60.0, 20.0), (10.0, 40.0), (70.0, 0.0)]


@pytest.mark.nightly
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


@pytest.mark.nightly
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
        told += [one.kind for one in seen if one.seat is not None]

    assert "splash" in told

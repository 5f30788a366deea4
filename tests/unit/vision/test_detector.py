"""The whole detector on painted pictures: what it says of hands and chips, and when it says nothing."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from betline.geometry import Point
from tests.unit.vision.scene import BLACK, FELT, FRAME_NS, SKIN, Arm, Chip, Painter, Scene, Step, film
from vision.detect.detector import Detector, make_detector
from vision.frame.events import CameraEvent
from vision.seats.phases import Phase
from vision.tuning.thresholds import Thresholds


@cache
def painter() -> Painter:
    return Painter()


def watch(
    steps: Sequence[Step], detector: Detector | None = None, start_ns: int = 0
) -> tuple[Detector, list[CameraEvent]]:
    detector = detector or make_detector(painter().table)
    seen: list[CameraEvent] = []
    for t_ns, scene in film(steps, start_ns):
        seen += detector.process(painter().paint(scene), t_ns, t_ns // FRAME_NS)
    return detector, seen


def told(seen: Sequence[CameraEvent]) -> list[tuple[int | None, str]]:
    return [(one.seat, one.kind) for one in seen]


def rest(chips: Sequence[Chip] = (), light: float = 1.0) -> Step:
    return (1.0, lambda _: Scene(chips=list(chips), light=light))


def push(seat: int, chips: Sequence[Chip]) -> Step:
    """Chips carried from behind the line to their places by the seat's hand."""

    def scene(share: float) -> Scene:
        behind_mm = 240 * (1 - share)
        rail, towards = painter().place(seat, 0, -240), painter().place(seat, 0, 0)
        dx, dy = (rail[0] - towards[0]) / 240 * behind_mm, (rail[1] - towards[1]) / 240 * behind_mm
        carried = [Chip((chip.at[0] + dx, chip.at[1] + dy), chip.colour) for chip in chips]
        return Scene(chips=carried, arms=[painter().reach(seat, 40 - behind_mm)])

    return (0.5, scene)


def withdraw(seat: int, chips: Sequence[Chip]) -> Step:
    return (0.4, lambda share: Scene(chips=list(chips), arms=[painter().reach(seat, 40 - 300 * share)]))


def fetch(seat: int) -> Step:
    return (0.4, lambda share: Scene(arms=[painter().reach(seat, 40 - 300 * share)]))


def reach(seat: int, chips: Sequence[Chip]) -> Step:
    return (0.4, lambda share: Scene(chips=list(chips), arms=[painter().reach(seat, 40 - 300 * (1 - share))]))


def bet_at(seat: int) -> list[Chip]:
    return [Chip(painter().place(seat, 0, 75)), Chip(painter().place(seat, 42, 75), BLACK)]


def test_a_push_is_told_at_its_seat_only() -> None:
    for seat in (2, 5, 8, 10):
        chips = bet_at(seat)
        detector, seen = watch([rest(), push(seat, chips), withdraw(seat, chips), rest(chips)])

        assert told(seen) == [(seat, name) for name in ("hand_entered", "hand_left", "chips_crossing", "bet_settled")]
        view = {one.seat: one for one in detector.view()}
        assert (view[seat].occupied, view[seat].footprints) == (True, 2)
        assert not any(one.occupied for number, one in view.items() if number != seat)


def test_the_push_is_dated_within_100_ms() -> None:
    _, seen = watch([rest(), push(5, bet_at(5)), withdraw(5, bet_at(5)), rest(bet_at(5))])

    entered = seen[0]
    # The fingertips (22 mm ahead of the arm's tip) cross the line after 0.5 s x 178 / 240 from the start at 1 s.
    assert abs(entered.t_first_ns / 1e9 - 1.371) < 0.1


def test_chips_taken_back_are_retracted() -> None:
    chips = bet_at(5)
    _, seen = watch([rest(chips), reach(5, chips), fetch(5), rest()])

    assert told(seen) == [(5, "hand_entered"), (5, "hand_left"), (5, "chips_retracted")]


def sweep(seat: int, chips: Sequence[Chip]) -> list[Step]:
    target = painter().place(seat, 0, 60)
    pot = (0.0, 20.0)

    def at(share: float) -> Arm:
        return painter().dealer_reach((pot[0] + (target[0] - pot[0]) * share, pot[1] + (target[1] - pot[1]) * share))

    return [
        (0.4, lambda share: Scene(chips=list(chips), arms=[at(share)])),
        (0.4, lambda share: Scene(arms=[at(1 - share)])),
    ]


@pytest.mark.nightly
def test_the_dealers_sweep_is_no_retraction_at_any_seat() -> None:
    for seat in (1, 3, 5, 10):
        chips = bet_at(seat)
        detector, seen = watch([rest(chips), *sweep(seat, chips), rest()])

        assert told(seen) == [(seat, "pot_swept")]
        assert seen[0].conf > 0.9
        assert not any(one.occupied for one in detector.view())


@pytest.mark.nightly
def test_a_bet_that_the_dealer_pushes_back_to_the_stacks_is_amended_and_not_swept() -> None:
    for seat in (4, 7):
        chips, zone, stacks = bet_at(seat), painter().place(seat, 0, 60), painter().place(seat, 0, -180)

        def at(share: float, ends: tuple[Point, Point]) -> Arm:
            (from_x, from_y), (to_x, to_y) = ends
            return painter().dealer_reach((from_x + (to_x - from_x) * share, from_y + (to_y - from_y) * share))

        reaches, gives = ((0.0, 20.0), zone), (zone, stacks)
        steps: list[Step] = [
            rest(chips),
            (0.4, lambda share, chips=chips, ends=reaches: Scene(chips=list(chips), arms=[at(share, ends)])),
            (0.2, lambda share, ends=gives: Scene(arms=[at(share, ends)])),
            (0.2, lambda share, ends=gives: Scene(arms=[at(1 - share, ends)])),
            (0.4, lambda share, ends=reaches: Scene(arms=[at(1 - share, ends)])),
            rest(),
        ]
        detector, seen = watch(steps)

        assert told(seen) == [(seat, "bet_amended")]
        assert not any(one.occupied for one in detector.view())


@pytest.mark.nightly
@pytest.mark.parametrize("seat", [10, 1])
def test_a_bet_given_back_beside_the_dealer_is_amended_where_the_stacks_lie_on_the_arms_way(seat: int) -> None:
    chips, zone, stacks = bet_at(seat), painter().place(seat, 0, 60), painter().place(seat, 0, -180)
    x, y = painter().table.dealer_mm
    home = (x, y + 80)

    def moves(start: Point, end: Point, seconds: float, lying: Sequence[Chip] = ()) -> Step:
        def scene(share: float) -> Scene:
            tip = (start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share)
            return Scene(chips=list(lying), arms=[painter().dealer_reach(tip)])

        return (seconds, scene)

    gives = [moves(home, zone, 0.4, chips), moves(zone, stacks, 0.2), moves(stacks, stacks, 0.1)]
    detector, seen = watch([rest(chips), *gives, moves(stacks, home, 0.2), rest()])

    assert told(seen) == [(seat, "bet_amended")]
    assert not any(one.occupied for one in detector.view())


@pytest.mark.nightly
def test_a_bet_is_given_back_by_an_arm_that_came_in_over_another_seats_rail_too() -> None:
    seat, chips = 9, bet_at(9)
    zone, stacks, root = painter().place(seat, 0, 60), painter().place(seat, 0, -180), painter().reach(10, 0).root

    def moves(start: Point, end: Point, seconds: float, lying: Sequence[Chip] = ()) -> Step:
        def scene(share: float) -> Scene:
            tip = (start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share)
            return Scene(chips=list(lying), arms=[Arm(root, tip)])

        return (seconds, scene)

    gives = [moves(root, zone, 0.5, chips), moves(zone, stacks, 0.14), moves(stacks, stacks, 0.3)]
    _, seen = watch([rest(chips), *gives, moves(stacks, root, 0.4), rest()])

    assert [kind for number, kind in told(seen) if number == seat] == ["bet_amended"]


@pytest.mark.nightly
def test_a_sweep_by_an_arm_that_came_in_over_the_players_rail_is_no_bet_that_was_pushed_in() -> None:
    seat, chips, pot = 10, bet_at(10), (100.0, 60.0)
    zone, root = painter().place(seat, 0, 60), painter().reach(seat, 0).root
    dealer_x, dealer_y = painter().table.dealer_mm
    dealers = (dealer_x + 60, dealer_y - 300)

    def between(a: Point, b: Point, share: float) -> Point:
        return (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share)

    def first(share: float) -> Arm:
        return Arm((dealer_x - 100, dealer_y - 300), (dealer_x - 150, dealer_y + 100 + 60 * share))

    def comes(share: float) -> Scene:
        return Scene(chips=chips, arms=[first(share), Arm(root, between(root, zone, share))])

    def sweeps(share: float) -> Scene:
        return Scene(arms=[first(1 - share), Arm(between(root, dealers, share), between(zone, pot, share))])

    def holds(share: float) -> Scene:
        return Scene(arms=[first(share), Arm(dealers, pot)])

    def goes(share: float) -> Scene:
        return Scene(arms=[Arm(dealers, between(pot, dealers, share))])

    steps: list[Step] = [rest(chips), (0.4, comes), (0.4, sweeps), (0.3, holds), (0.4, goes), rest()]
    _, seen = watch(steps)

    assert [kind for number, kind in told(seen) if number == seat] == ["hand_entered", "hand_left", "pot_swept"]


def test_a_neighbours_arm_over_a_zone_is_nobodys_bet() -> None:
    chips = bet_at(5)
    target, root = painter().place(5, -20, 60), painter().reach(4, -240).root

    def across(share: float) -> Scene:
        start = painter().place(4, 0, -200)
        x, y = (start[0] + (target[0] - start[0]) * share, start[1] + (target[1] - start[1]) * share)
        return Scene(chips=chips, arms=[Arm(root, (x, y), 70)])

    _, seen = watch([rest(chips), (0.6, across), (0.6, lambda share: across(1 - share)), rest(chips)])

    assert [one for one in told(seen) if one[0] == 5] == []


def test_chips_that_lie_there_at_start_up_are_known_and_their_sweep_is_seen() -> None:
    chips = bet_at(6)
    detector, seen = watch([rest(chips)])

    view = {one.seat: one for one in detector.view()}
    assert (view[6].occupied, view[6].footprints) == (True, 2)
    assert seen == []
    assert [one.seat for one in detector.view() if one.occupied] == [6]


@pytest.mark.nightly
def test_a_zone_that_is_covered_at_start_up_is_left_out_until_it_is_seen() -> None:
    newspaper = [
        Chip(painter().place(6, x, y), (200, 200, 200)) for x in range(-120, 121, 20) for y in range(0, 150, 20)
    ]
    detector, _ = watch([rest(newspaper)])

    assert [one.seat for one in detector.view()] == [1, 2, 3, 4, 5, 7, 8, 9, 10]

    watch([fetch(6), rest(), rest()], detector, start_ns=1_000_000_000)
    assert [one.seat for one in detector.view()] == list(range(1, 11))


@pytest.mark.nightly
def test_a_slow_change_of_light_is_no_event() -> None:
    chips = bet_at(5)
    dimming: Step = (6.0, lambda share: Scene(chips=chips, light=1.0 - 0.2 * share))

    assert told(watch([rest(chips), dimming])[1]) == []


def test_a_lamp_that_goes_off_freezes_betting_events_and_says_so() -> None:
    chips = bet_at(5)
    detector, seen = watch([rest(chips), rest(chips, light=0.6), rest(chips, light=0.6)])

    assert told(seen) == [(None, "light_changed")]
    assert detector.frozen is None
    assert [one.seat for one in detector.view() if one.occupied] == [5]


@pytest.mark.nightly
def test_stillness_looks_at_no_seat() -> None:
    detector, seen = watch([rest()] * 4)

    assert seen == []
    assert detector.counters.seats_looked_at == 0


@pytest.mark.nightly
def test_a_knock_at_the_camera_is_told_within_a_tenth_of_a_second_and_makes_no_hands() -> None:
    chips = bet_at(5)
    detector, _ = watch([rest(chips)])
    seen: list[CameraEvent] = []
    start_ns = 40 * FRAME_NS
    for frame, (t_ns, scene) in enumerate(film([rest(chips)], start_ns)):
        picture = painter().paint(scene)
        shifted = np.roll(picture, (5, -7), (0, 1)) if frame >= 3 else picture
        seen += detector.process(np.ascontiguousarray(shifted), t_ns, t_ns // FRAME_NS)

    assert told(seen) == [(None, "camera_moved")]
    assert seen[0].t_confirm_ns - (start_ns + 3 * FRAME_NS) <= 100_000_000


@pytest.mark.nightly
def test_a_camera_that_is_put_back_is_right_again_while_hands_are_busy_on_the_table() -> None:
    detector, _ = watch([rest()])

    def busy(share: float) -> Scene:
        return Scene(arms=[painter().reach(4, -60 + 30 * (round(share * 180) % 2))])

    for frame, (t_ns, scene) in enumerate(film([(6.0, busy)], 40 * FRAME_NS)):
        picture = painter().paint(scene)
        shoved = 30 <= frame < 80
        shown = np.ascontiguousarray(np.roll(picture, (5, -7), (0, 1))) if shoved else picture
        detector.process(shown, t_ns, t_ns // FRAME_NS)
        if frame == 70:
            assert detector.frozen == "camera_moved"

    assert detector.frozen is None


@pytest.mark.nightly
@pytest.mark.parametrize(("share", "noticed"), [(0.5, True), (1.0, False)])
def test_how_many_seats_must_jolt_for_a_knock_is_a_threshold(share: float, noticed: bool) -> None:
    detector, _ = watch([rest()])
    detector.tune(replace(detector.thresholds, jolt_share=share))
    seen: list[CameraEvent] = []
    for frame, (t_ns, scene) in enumerate(film([(0.3, lambda _: Scene())], 40 * FRAME_NS)):
        picture = painter().paint(scene)
        shifted = picture.copy()
        shifted[:, :900] = np.roll(picture, (5, -7), (0, 1))[:, :900]  # the seats at one end stay as they are
        seen += detector.process(shifted if frame >= 3 else picture, t_ns, t_ns // FRAME_NS)

    assert ((None, "camera_moved") in told(seen)) == noticed


@pytest.mark.nightly
def test_hands_all_over_the_table_are_no_knock() -> None:
    def busy(share: float) -> Scene:
        return Scene(arms=[painter().reach(seat, -40 - 200 * (1 - share)) for seat in range(1, 11)])

    detector, seen = watch([rest(), (0.5, busy)])

    assert detector.frozen is None
    assert (None, "camera_moved") not in told(seen)


@pytest.mark.nightly
def test_after_the_light_has_changed_hands_are_still_their_players() -> None:
    chips = bet_at(3)
    detector, _ = watch([rest(), (1.5, lambda _: Scene(light=0.7))])

    def dimmed(step: Step) -> Step:
        seconds, scene = step
        return seconds, lambda share: replace(scene(share), light=0.7)

    _, seen = watch(
        [dimmed(step) for step in (push(3, chips), withdraw(3, chips), rest(chips))], detector, 90 * FRAME_NS
    )

    assert told(seen) == [(3, name) for name in ("hand_entered", "hand_left", "chips_crossing", "bet_settled")]


@pytest.mark.nightly
def test_a_thing_that_glides_over_a_zone_without_an_arm_is_no_hand() -> None:
    def gliding(share: float) -> Scene:
        middle = painter().place(6, -140 + 280 * share, 70)
        return Scene(arms=[Arm((middle[0] - 50, middle[1]), (middle[0] + 50, middle[1]))])

    _, seen = watch([rest(), (0.6, gliding), rest()])

    assert not [name for _, name in told(seen) if name.startswith("hand")]


@pytest.mark.nightly
def test_a_zone_in_the_shadow_of_an_arm_beside_it_is_not_taken_for_the_empty_felt() -> None:
    over, beside = painter().place(4, 0, 60), painter().place(4, 0, 260)
    corners = [painter().place(4, x, y) for x, y in ((-60, 25), (60, 25), (60, 110), (-60, 110))]

    def at(place: Point) -> Step:
        shaded = [] if place == over else corners
        return (0.7, lambda _: Scene(arms=[painter().dealer_reach(place)], shade=shaded))

    detector, seen = watch([rest(), at(over), at(beside), at(over), rest()])

    assert told(seen) == []
    assert not any(one.occupied for one in detector.view())


@pytest.mark.nightly
def test_a_hand_that_pushes_its_bet_far_on_has_left_when_it_is_back_behind_the_line() -> None:
    chips = bet_at(5)
    line, pot = painter().place(5, 0, 60), (-450.0, 150.0)
    root = painter().reach(5, 0).root

    def pushing(share: float) -> Scene:
        dx, dy = ((pot[0] - line[0]) * share, (pot[1] - line[1]) * share)
        moved = [Chip((chip.at[0] + dx, chip.at[1] + dy), chip.colour) for chip in chips]
        leaning = (root[0] + 1.5 * dx, root[1])
        return Scene(chips=moved, arms=[Arm(leaning, (line[0] + dx, line[1] + dy))])

    lies = Scene(chips=pushing(1.0).chips)
    slowly: Step = (1.0, lambda share: pushing(0.9 + 0.1 * share))
    _, seen = watch([rest(chips), reach(5, chips), (0.5, lambda share: pushing(0.9 * share)), slowly, rest(lies.chips)])

    left = next(one for one in seen if one.kind == "hand_left")
    assert abs(left.t_first_ns / 1e9 - 2.9) < 0.1
    assert (5, "bet_pushed_in") in told(seen)


def in_felt_sleeve(arm: Arm) -> Arm:
    """The same arm in a sleeve of the felt's colour: from the rail on only its hand is seen."""
    return replace(arm, sleeve=FELT)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("seconds", [0.8, 3.5])
def test_a_hand_that_rests_on_its_bet_is_a_hand_until_it_leaves(seconds: float) -> None:
    seat, chips = 5, [Chip(painter().place(5, 0, 75))]
    resting = in_felt_sleeve(replace(painter().reach(seat, 70), width_mm=120))

    def comes(share: float) -> Scene:
        arm = in_felt_sleeve(replace(painter().reach(seat, 70 - 320 * (1 - share)), width_mm=120))
        return Scene(chips=list(chips) if share > 0.9 else [], arms=[arm])

    def leaves(share: float) -> Scene:
        arm = in_felt_sleeve(replace(painter().reach(seat, 70 - 320 * share), width_mm=120))
        return Scene(chips=list(chips), arms=[arm])

    _, seen = watch(
        [rest(), (0.5, comes), (seconds, lambda _: Scene(chips=chips, arms=[resting])), (0.5, leaves), rest(chips)]
    )

    assert told(seen) == [(seat, name) for name in ("hand_entered", "hand_left", "chips_crossing", "bet_settled")]
    assert seen[1].t_first_ns > (1.5 + seconds) * 1e9


@pytest.mark.nightly
def test_a_slender_hand_that_rests_on_its_bet_is_a_hand_while_nothing_moves() -> None:
    seat, chips = 5, [Chip(painter().place(5, 0, 60))]

    def bare(beyond_mm: float) -> Arm:
        """A forearm bare to behind the line; the sleeve has the colour of the felt."""
        return Arm(painter().place(seat, 0, beyond_mm - 190), painter().place(seat, 0, beyond_mm), 40, SKIN)

    def comes(share: float) -> Scene:
        return Scene(chips=list(chips) if share > 0.9 else [], arms=[bare(55 - 320 * (1 - share))])

    def leaves(share: float) -> Scene:
        return Scene(chips=list(chips), arms=[bare(55 - 320 * share)])

    rests: Step = (2.0, lambda _: Scene(chips=chips, arms=[bare(55)]))
    _, seen = watch([rest(), (0.5, comes), rests, (0.5, leaves), rest(chips)])

    assert told(seen) == [(seat, name) for name in ("hand_entered", "hand_left", "chips_crossing", "bet_settled")]
    assert seen[1].t_first_ns > 3.5e9


@pytest.mark.nightly
def test_fingers_beyond_the_drawn_line_belong_to_an_arm_that_looks_like_the_lines_shadow() -> None:
    seat, like_a_shadow = 5, (123, 147, 151)

    def reaches(beyond_mm: float) -> Scene:
        arm = Arm(painter().place(seat, 0, -400), painter().place(seat, 0, beyond_mm), 24, like_a_shadow)
        return Scene(arms=[arm])

    detector, _ = watch([rest(), (0.5, lambda share: reaches(75 - 320 * (1 - share))), (0.2, lambda _: reaches(75))])

    seen = detector.snapshot().seats[seat - 1].observation
    assert seen is not None
    assert seen.own_in_zone
    assert seen.own_mm2 > 2 * Thresholds().chip_mm2


def beside_cards(
    seat: int,
    steps: Sequence[tuple[float, bool, Sequence[Chip], Arm | None]],
    detector: Detector | None = None,
    *,
    face_up: bool = False,
) -> list[CameraEvent]:
    """What is told of a seat with cards in its zone or not, chips over their corner and an arm, each for so long."""
    x, y = painter().place(seat, 0, 75)
    places = [(x - 12, y), (x + 12, y)]
    detector, frame = detector or make_detector(painter().table), 0
    seen: list[CameraEvent] = []
    for seconds, cards, chips, arm in steps:
        for _ in range(round(seconds * 30)):
            bare = painter().paint(Scene())
            over = painter().paint(Scene(chips=list(chips), arms=[arm] if arm else []))
            picture = painter().lay_cards(bare.copy(), places, face_up=face_up) if cards else bare.copy()
            blue, green, red = cv2.split(cv2.absdiff(over, bare))
            cv2.copyTo(over, cv2.threshold(cv2.max(cv2.max(blue, green), red), 30, 255, cv2.THRESH_BINARY)[1], picture)
            seen += detector.process(picture, frame * FRAME_NS, frame)
            frame += 1
    return [one for one in seen if one.seat == seat and one.kind not in ("hand_entered", "hand_left")]


def over_cards(seat: int, aside: Point) -> Chip:
    x, y = painter().place(seat, 0, 75)
    return Chip((x + aside[0], y + aside[1]))


@pytest.mark.nightly
@pytest.mark.parametrize("aside", [(40, 0), (30, 20), (40, 36)])
def test_cards_that_a_chip_hides_a_corner_of_are_no_chips(aside: Point) -> None:
    seat = 5
    chips = [over_cards(seat, aside)]
    steps = [(1.5, False, chips, None), (0.6, False, chips, painter().reach(seat, 70)), (1.5, True, chips, None)]

    assert beside_cards(seat, steps) == []


@pytest.mark.nightly
@pytest.mark.parametrize(("aside", "face_up"), [((40, 36), False), ((20, 0), True), ((0, 30), True)])
def test_a_sweep_of_a_chip_from_cards_leaves_no_chips_there(aside: Point, face_up: bool) -> None:
    seat, chips = 5, [over_cards(5, aside)]
    told_now = beside_cards(
        seat,
        [
            (1.5, False, chips, None),
            (0.6, False, chips, painter().reach(seat, 70)),
            (1.5, True, chips, None),
            (0.5, True, chips, painter().dealer_reach(chips[0].at)),
            (1.5, True, [], None),
        ],
        face_up=face_up,
    )

    assert [one.kind for one in told_now] == ["pot_swept"]


@pytest.mark.nightly
def test_what_looked_like_cards_over_chips_for_a_moment_leaves_the_chips() -> None:
    seat, detector = 5, make_detector(painter().table)
    chips = [over_cards(seat, (0, 0))]

    beside_cards(seat, [(1.5, False, chips, None), (0.5, True, [], None), (0.5, False, chips, None)], detector)

    assert detector.snapshot().seats[seat - 1].lying.any()


@pytest.mark.nightly
def test_the_ghost_of_an_arm_that_lay_there_at_the_start_is_no_hand_after_three_seconds() -> None:
    arm = painter().reach(5, -50)
    detector, _ = watch([(1.0, lambda _: Scene(arms=[arm]))])

    _, seen = watch([(4.5, lambda _: Scene())], detector, 40 * FRAME_NS)
    _, later = watch(
        [push(5, bet_at(5)), withdraw(5, bet_at(5)), rest(bet_at(5))], detector, 40 * FRAME_NS + 4_500_000_000
    )

    assert {kind for _, kind in told(seen)}.isdisjoint(
        {"chips_crossing", "bet_settled", "chips_retracted", "pot_swept"}
    )
    assert told(later)[-2:] == [(5, "chips_crossing"), (5, "bet_settled")]


@pytest.mark.nightly
def test_still_chips_that_touch_the_sectors_side_are_chips() -> None:
    seat = 5
    lie = [Chip(painter().place(seat, side, 70)) for side in (68, 104, 140, 176)]

    def flying(share: float) -> Scene:
        return Scene(chips=[Chip((x, y + (1 - share) * 60)) for x, y in (chip.at for chip in lie)])

    detector, _ = watch([rest(), (0.3, flying), rest(lie), rest(lie)])

    assert [one.seat for one in detector.view() if one.occupied] == [seat]
    assert detector.snapshot().seats[seat - 1].phase is Phase.REST


@pytest.mark.nightly
def test_a_soft_shadow_over_a_zone_is_no_bet() -> None:
    middle = painter().place(5, 0, 75)

    def shaded(share: float) -> Scene:
        around = 130 * min(1.0, 4 * share, 4 * (1 - share))
        corners = [(middle[0] + x * around, middle[1] + y * around) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        return Scene(shade=corners)

    assert told(watch([rest(), (3.0, shaded), rest(), rest()])[1]) == []

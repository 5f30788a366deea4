"""Card spots: the state machine by hand, shapes drawn as masks, and painted cards before the whole detector."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from betline.geometry import Point
from tests.unit.vision.scene import CARD_MM, FRAME_NS, Chip, Painter, Picture, Scene, film
from vision.detect.detector import Detector, make_detector
from vision.frame.events import CameraEvent
from vision.frame.shapes import Kind, shape_of
from vision.places.card_eye import Look, Thing
from vision.places.card_watch import Presence, SpotMoment, SpotState, due, judge, muck_found, trace
from vision.tuning.thresholds import Thresholds

THRESHOLDS = Thresholds()
MM_PER_PX = 2.05

Visit = tuple[float, str, Look]
"""Seconds, who is over it meanwhile ("own", "own over the line", "dealer", or nobody), and what lies there then."""


def thing(kind: Kind, cards: float = 1.0, *, chips: int = 0, on_top: float = 0.0, cut: bool = False) -> Thing:
    return Thing(kind, chips, cards * THRESHOLDS.card_mm2, (0.0, 0.0), on_top, cut)


def look(lying: Sequence[Thing] = (), fresh: Sequence[Thing] = (), gone: float = 0.0) -> Look:
    return Look(tuple(lying), tuple(fresh), np.zeros((1, 1), np.uint8), gone * THRESHOLDS.card_mm2, covered=False)


EMPTY = look(gone=1.5)
ONE = look([thing("card")], [thing("card")])
BOTH = look([thing("cards", 1.6)], [thing("chips", 0.6, chips=1, on_top=0.2)])
PAIR = look([thing("cards", 1.6)], [thing("cards", 1.6)])
UNTOUCHED = look([thing("cards", 1.6)])


def play(
    visits: Iterable[Visit], state: SpotState | None = None, thresholds: Thresholds = THRESHOLDS
) -> tuple[SpotState, list[CameraEvent]]:
    """Each visit moves for its time, then the spot rests until it is looked at."""
    state, events, frame = state or SpotState(), list[CameraEvent](), 0
    for seconds, who, found in visits:
        began = (frame + 1) * FRAME_NS
        for moving in [True] * round(seconds * 30) + [False] * 12:
            frame += 1
            here = who if moving else ""
            over_line = here == "own over the line"
            seen = Presence(
                frame * FRAME_NS, frame, moving, here.startswith("own"), over_line, here == "dealer", here == "other"
            )
            state = trace(state, seen)
            if due(state, seen.t_ns, thresholds):
                judged = judge(state, found, began, SpotMoment(6, seen.t_ns, frame), thresholds)
                state, events = judged.state, events + list(judged.events)
    return state, events


def dealt() -> SpotState:
    return play([(0.3, "", ONE), (0.3, "", BOTH)])[0]


def names(events: Sequence[CameraEvent]) -> list[str]:
    return [event.kind for event in events]


def test_two_cards_one_after_the_other_are_dealt_and_dated_by_the_first() -> None:
    state, events = play([(0.3, "", ONE), (0.3, "", BOTH)])

    assert names(events) == ["cards_dealt"]
    assert (events[0].t_first_ns, events[0].footprints) == (FRAME_NS, 2)
    assert events[0].conf > 0.9
    assert state.at_rest


def test_two_cards_at_once_by_the_dealers_hand_are_dealt_a_little_less_certainly() -> None:
    _, events = play([(0.6, "dealer", PAIR)])

    assert names(events) == ["cards_dealt"]
    assert 0.7 < events[0].conf < 0.9


def test_one_card_is_not_yet_a_hand() -> None:
    assert play([(0.3, "", ONE)])[1] == []


def test_cards_that_the_own_hand_lays_down_are_not_dealt() -> None:
    assert play([(0.6, "own", PAIR)])[1] == []


def test_chips_beside_the_cards_are_no_further_card() -> None:
    chips = look([thing("cards", 1.6), thing("chips", 0.5, chips=2)], [thing("chips", 0.5, chips=2)])

    assert play([(0.5, "own", chips)], dealt())[1] == []


def test_a_bet_that_passes_over_the_cards_changes_nothing() -> None:
    state, events = play([(0.8, "own over the line", UNTOUCHED)], dealt())

    assert events == []
    assert state.cards == 2


def after(state: SpotState, seconds: float, arrivals: tuple[tuple[int, int], ...] = ()) -> list[CameraEvent]:
    """What is told of a throw when so much time has gone by."""
    assert state.throw is not None
    return list(
        muck_found(state, arrivals, SpotMoment(6, state.throw.gone_ns + round(seconds * 1e9), 99), THRESHOLDS).events
    )


def test_cards_that_go_over_the_line_and_come_to_rest_in_the_muck_are_mucked() -> None:
    state, _ = play([(0.8, "own over the line", EMPTY)], dealt())
    assert state.throw is not None
    arrival = (state.throw.t_first_ns, state.throw.gone_ns + 400_000_000)

    assert after(state, 0.5) == []
    told = after(state, 0.5, (arrival,))
    assert names(told) == ["cards_mucked"]
    assert told[0].conf > 0.9
    assert told[0].t_first_ns == state.throw.t_first_ns


def test_cards_that_went_over_the_line_and_were_not_seen_in_the_muck_are_a_guess() -> None:
    state, _ = play([(0.8, "own over the line", EMPTY)], dealt())

    assert [event.conf for event in after(state, 3.0)] == [0.5]


def test_a_resting_hand_that_looked_like_cards_and_goes_over_the_line_is_no_muck() -> None:
    state, _ = play([(0.8, "own", PAIR), (0.8, "own over the line", EMPTY)])

    assert (state.cards, state.throw) == (0, None)


def test_how_much_of_a_card_counts_is_told_by_the_numbers() -> None:
    little = look([thing("card", 0.5)], [thing("card", 0.5)])

    assert play([(0.3, "", little)])[0].cards == 0
    assert play([(0.3, "", little)], thresholds=replace(THRESHOLDS, lying_cards=0.4, gone_cards=0.3))[0].cards == 1
    assert play([(0.3, "", PAIR)], thresholds=replace(THRESHOLDS, pair_cards=1.8))[0].cards == 1
    assert play([(0.3, "", ONE), (0.3, "", BOTH)], thresholds=replace(THRESHOLDS, more_cards=0.7))[1] == []


def test_cards_are_looked_for_in_the_muck_as_long_as_is_said() -> None:
    state, _ = play([(0.8, "own over the line", EMPTY)], dealt())
    assert state.throw is not None
    at_ns = state.throw.gone_ns + 3_000_000_000
    patient = replace(THRESHOLDS, muck_wait_ms=5000)

    assert muck_found(state, (), SpotMoment(6, at_ns, 99), patient).events == ()
    arrival = ((at_ns - 100_000_000, at_ns),)
    assert [event.conf for event in muck_found(state, arrival, SpotMoment(6, at_ns, 99), patient).events] == [0.95]
    assert [event.conf for event in muck_found(state, arrival, SpotMoment(6, at_ns, 99), THRESHOLDS).events] == [0.5]


def test_cards_that_the_player_takes_up_are_not_mucked() -> None:
    state, _ = play([(0.8, "own", EMPTY)], dealt())

    assert after(state, 3.0) == []


def test_cards_that_are_laid_back_end_the_doubt() -> None:
    state, events = play([(0.8, "own", EMPTY), (0.8, "own", PAIR)], dealt())

    assert events == []
    assert (state.cards, state.throw) == (2, None)


@pytest.mark.parametrize("who", ["dealer", ""])
def test_cards_that_others_collect_are_not_mucked(who: str) -> None:
    state, events = play([(0.8, who, EMPTY)], dealt())

    assert events == []
    assert (state.cards, state.throw) == (0, None)


def test_after_the_cards_have_gone_the_next_are_dealt_again() -> None:
    _, events = play([(0.8, "", EMPTY), (0.3, "", ONE), (0.3, "", BOTH)], dealt())

    assert names(events) == ["cards_dealt"]


def test_a_chip_on_the_cards_is_a_protector_once() -> None:
    chip = thing("chips", 0.2, chips=1, on_top=0.95)
    placed = look([thing("cards", 1.6)], [chip])

    state, told = play([(0.5, "own", placed), (0.5, "own", placed)], dealt())
    assert names(told) == ["protector"]
    assert state.protector
    assert not play([(0.5, "dealer", EMPTY)], state)[0].protector
    strict = replace(THRESHOLDS, protector_share=0.95, protector_chips=1.0)
    assert play([(0.5, "own", replace(placed, fresh=(replace(chip, on_top=0.9),)))], dealt(), strict)[1] == []
    assert play([(0.5, "own", replace(placed, fresh=(replace(chip, on_top=0.1),)))], dealt())[1] == []
    assert play([(0.5, "own", placed)])[1] == []


def test_cards_with_a_chip_that_for_once_look_like_chips_have_not_gone_and_come() -> None:
    misread = look([thing("chips", 1.6, chips=7)])

    state, events = play([(0.3, "", misread), (0.3, "", UNTOUCHED)], dealt())
    assert events == []
    assert state.cards == 2


def test_a_slab_beside_the_cards_is_strange_once() -> None:
    slab = thing("unknown", 1.9)
    there = look([thing("cards", 1.6), slab], [slab])

    assert names(play([(0.5, "own", there), (0.5, "own", there)], dealt())[1]) == ["unknown_object"]
    assert play([(0.5, "own", look([slab], [replace(slab, cut=True)]))], dealt())[1] == []


def test_an_arm_that_rests_over_the_cards_is_waited_for() -> None:
    covered = replace(look([thing("ragged", 5.0, cut=True)]), covered=True)
    state, events = play([(0.5, "own", covered)], dealt())

    assert events == []
    assert not state.at_rest
    assert state.cards == 2


# --- shapes --------------------------------------------------------------------------------------------------------


def drawn(draw: Callable[[Picture], None]) -> Picture:
    """A shape as the eye's mask has it: 1 px larger all around than it is."""
    canvas = np.zeros((160, 160), np.uint8)
    draw(canvas)
    return np.asarray(cv2.dilate(canvas, np.ones((3, 3), np.uint8)), dtype=np.uint8)


def box(canvas: Picture, wide_mm: float, long_mm: float, turn: float, at_mm: Point = (160, 160)) -> None:
    rect = ((at_mm[0] / MM_PER_PX, at_mm[1] / MM_PER_PX), (wide_mm / MM_PER_PX, long_mm / MM_PER_PX), turn)
    cv2.fillConvexPoly(canvas, np.round(cv2.boxPoints(rect)).astype(np.int32), 255)


def disc(canvas: Picture, radius_mm: float, at_mm: Point) -> None:
    at = (round(at_mm[0] / MM_PER_PX), round(at_mm[1] / MM_PER_PX))
    cv2.circle(canvas, at, round(radius_mm / MM_PER_PX), 255, cv2.FILLED)


@pytest.mark.parametrize("turn", [0, 20, 45, 77])
def test_cards_a_phone_and_a_cup_are_told_by_their_sides(turn: int) -> None:
    aside = (40 * math.cos(math.radians(turn)), 40 * math.sin(math.radians(turn)))

    def pair(canvas: Picture) -> None:
        box(canvas, *CARD_MM, turn, (140, 140))
        box(canvas, *CARD_MM, turn + 6, (140 + aside[0], 140 + aside[1]))

    def kind(draw: Callable[[Picture], None]) -> Kind:
        return shape_of(drawn(draw), MM_PER_PX, THRESHOLDS).kind

    assert kind(lambda canvas: box(canvas, *CARD_MM, turn)) == "card"
    assert kind(pair) == "cards"
    assert kind(lambda canvas: box(canvas, 72, 148, turn)) == "unknown"
    assert kind(lambda canvas: disc(canvas, 37, (160, 160))) == "unknown"


def test_cards_of_another_size_and_phones_are_told_by_the_sizes_that_are_given() -> None:
    def kind(wide_mm: float, long_mm: float, thresholds: Thresholds) -> Kind:
        return shape_of(drawn(lambda canvas: box(canvas, wide_mm, long_mm, 20)), MM_PER_PX, thresholds).kind

    small = replace(THRESHOLDS, card_width_mm=50.0, card_length_mm=76.0)
    assert kind(48, 72, THRESHOLDS) != "card"
    assert kind(48, 72, small) == "card"
    assert kind(57, 88, THRESHOLDS) == "card"
    assert kind(57, 88, replace(THRESHOLDS, card_tolerance_mm=3.0)) != "card"
    assert kind(72, 148, replace(THRESHOLDS, strange_longest_mm=120.0)) == "ragged"


def test_chips_are_counted_alone_and_touching() -> None:
    def ring(count: int) -> Callable[[Picture], None]:
        def draw(canvas: Picture) -> None:
            for at in ((150, 150), (192, 150), (171, 186))[:count]:
                disc(canvas, 19.5, at)

        return draw

    found = [shape_of(drawn(ring(count)), MM_PER_PX, THRESHOLDS) for count in (1, 2, 3)]
    assert [(one.kind, one.chips) for one in found] == [("chips", 1), ("chips", 2), ("chips", 3)]


# --- painted cards before the detector ------------------------------------------------------------------------------


@cache
def painter() -> Painter:
    return Painter()


def watch(
    steps: Sequence[tuple[float, Sequence[Point], Callable[[float], Scene]]], detector: Detector
) -> list[CameraEvent]:
    seen: list[CameraEvent] = []
    start_ns = 0
    for seconds, cards, scene_at in steps:
        for t_ns, scene in film([(seconds, scene_at)], start_ns):
            picture = painter().paint(replace(scene, arms=[]))
            picture = painter().lay_cards(picture, cards) if not scene.arms else painter().paint(scene)
            told = detector.process(picture, t_ns, t_ns // FRAME_NS)
            seen += [one for one in told if one.seat is not None]
        start_ns += round(seconds * 30) * FRAME_NS
    return seen


def still(_: float) -> Scene:
    return Scene()


@pytest.mark.nightly
def test_the_detector_sees_painted_cards_dealt_to_a_seat_and_collected() -> None:
    first, second = painter().card_places(6)
    seen = watch(
        [(1.0, [], still), (0.8, [first], still), (0.8, [first, second], still), (1.0, [], still)],
        make_detector(painter().table),
    )

    assert [(one.seat, one.kind) for one in seen] == [(6, "cards_dealt")]
    assert abs(seen[0].t_first_ns / 1e9 - 1.0) < 0.1


@pytest.mark.nightly
def test_the_detector_sees_painted_cards_mucked_over_the_line() -> None:
    first, second = painter().card_places(6)
    muck = [painter().table.muck_mm]
    seen = watch(
        [
            (1.0, [], still),
            (0.8, [first], still),
            (0.8, [first, second], still),
            (0.5, [], lambda share: Scene(arms=[painter().reach(6, 60 * math.sin(math.pi * share) - 10)])),
            (1.5, muck, still),
        ],
        make_detector(painter().table),
    )

    told = {one.kind: one for one in seen if one.kind.startswith("cards")}
    assert list(told) == ["cards_dealt", "cards_mucked"]
    assert told["cards_mucked"].seat == 6
    assert told["cards_mucked"].conf > 0.9


def test_stillness_with_cards_tells_nothing() -> None:
    lying = [*painter().card_places(6), *painter().card_places(9)]
    chips = [Chip(painter().place(5, 0, 75))]

    assert watch([(2.0, lying, lambda _: Scene(chips=chips))], make_detector(painter().table)) == []


def test_cards_that_lie_in_the_players_own_bet_zone_are_shown_and_not_mucked() -> None:
    state, _ = play([(0.8, "own over the line", EMPTY)], dealt())
    assert state.throw is not None
    later = SpotMoment(6, state.throw.gone_ns + 3_000_000_000, 99)
    judged = muck_found(state, (), later, THRESHOLDS, shown_ns=state.throw.gone_ns + 500_000_000)
    before = muck_found(state, (), later, THRESHOLDS, shown_ns=state.throw.t_first_ns - 1)

    assert judged.events == ()
    assert judged.state.throw is None
    assert judged.state.held
    assert names(before.events) == ["cards_mucked"]

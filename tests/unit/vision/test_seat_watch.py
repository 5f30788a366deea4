"""The seat's state machine alone, frame by frame, with observations written by hand."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import pytest

from vision.frame.events import CameraEvent
from vision.seats.phases import Phase
from vision.seats.state import ChipsSeen, Observation, SeatState, Settled, Stranger
from vision.seats.under_arm import Beneath
from vision.seats.watch import was_dealers, watch
from vision.tuning.thresholds import Thresholds

THRESHOLDS = Thresholds()
CHIP = THRESHOLDS.chip_mm2
FRAME_NS = 33_333_333
QUIET = 20
SEAT = 4


def lying(chips: float, changed: float = 0.0) -> ChipsSeen:
    return ChipsSeen(chips * CHIP, changed * CHIP, round(chips), steady=True)


def observed(
    *, own: bool, stranger: Stranger, moving: bool, chips: ChipsSeen | None, own_mm2: float = 0.0
) -> Observation:
    return Observation(
        seat=SEAT,
        t_ns=0,
        frame=0,
        own_in_zone=own,
        own_near=own,
        stranger=stranger,
        moving=moving,
        chips=chips,
        own_mm2=own_mm2,
    )


def lay(area_mm2: float) -> SeatState:
    """A seat at rest where chips lie."""
    return SeatState(settled=Settled(area_mm2=area_mm2))


def still(chips: float, changed: float = 0.0) -> Observation:
    return observed(own=False, stranger=Stranger.NOBODY, moving=False, chips=lying(chips, changed))


def own_hand() -> Observation:
    return observed(own=True, stranger=Stranger.NOBODY, moving=True, chips=None, own_mm2=4 * CHIP)


def dealers_hand() -> Observation:
    return observed(own=False, stranger=Stranger.DEALER, moving=True, chips=None)


def play(
    frames: Iterable[Observation],
    state: SeatState | None = None,
    *,
    slab: float = 0.0,
    search: Callable[[], float] | None = None,
    first: int = 0,
) -> tuple[SeatState, list[CameraEvent]]:
    """Runs observations at 30 frames a second; a settled picture resets what counts as changed."""
    state = state or SeatState()
    events: list[CameraEvent] = []
    adopted = 0.0
    for frame, seen in enumerate(frames, first):
        chips = seen.chips and replace(seen.chips, changed_mm2=max(0.0, seen.chips.changed_mm2 - adopted))
        now = replace(seen, t_ns=(frame + 1) * FRAME_NS, frame=frame, chips=chips)
        step = watch(state, now, THRESHOLDS, search or (lambda: slab))
        if step.adopt and seen.chips is not None:
            adopted = seen.chips.changed_mm2
        state = step.state
        events += step.events
    return state, events


def names(events: Sequence[CameraEvent]) -> list[str]:
    return [event.kind for event in events]


def test_a_push_is_a_hand_chips_crossing_and_a_bet_dated_back_to_the_hand() -> None:
    state, events = play([still(0)] * 5 + [own_hand()] * 12 + [still(2, 2)] * QUIET)

    assert names(events) == ["hand_entered", "hand_left", "chips_crossing", "bet_settled"]
    bet = events[-1]
    assert bet.t_first_ns == events[0].t_first_ns == 6 * FRAME_NS
    assert (bet.motions, bet.footprints, bet.area_mm2) == (1, 2, pytest.approx(2 * CHIP))
    assert state.phase is Phase.REST


def test_a_bet_settles_within_350_ms_after_the_hand_has_left() -> None:
    _, events = play([still(0)] * 5 + [own_hand()] * 12 + [still(2, 2)] * QUIET)

    left = next(event for event in events if event.kind == "hand_left")
    assert events[-1].t_confirm_ns - left.t_first_ns <= 410_000_000
    assert events[-1].t_confirm_ns - left.t_confirm_ns <= 350_000_000


def test_a_hand_in_one_frame_only_is_nobody() -> None:
    assert play([still(0)] * 5 + [own_hand()] + [still(0)] * QUIET)[1] == []


def test_a_hand_that_flickers_for_a_frame_stays() -> None:
    _, events = play([still(0)] * 3 + [own_hand()] * 6 + [still(0)] + [own_hand()] * 6 + [still(0)] * QUIET)

    assert names(events) == ["hand_entered", "hand_left"]


def test_a_hand_that_brings_nothing_bets_nothing() -> None:
    state, events = play([still(1)] * 5 + [own_hand()] * 9 + [still(1)] * QUIET, lay(CHIP))

    assert names(events) == ["hand_entered", "hand_left"]
    assert state.phase is Phase.REST


def test_a_hand_that_hovers_behind_the_margin_does_not_settle_a_bet() -> None:
    near = replace(own_hand(), own_in_zone=False)
    _, events = play([still(0)] * 3 + [own_hand()] * 8 + [near] * 40)

    assert names(events) == ["hand_entered"]


def test_two_withdrawals_with_chips_each_are_two_motions_and_a_string_is_suspected() -> None:
    once = [own_hand()] * 10 + [still(1, 1)] * QUIET
    again = [own_hand()] * 10 + [still(2, 2)] * QUIET

    _, events = play([still(0)] * 3 + once + again)

    assert names(events).count("chips_crossing") == 2
    assert names(events)[-2:] == ["string_suspect", "bet_settled"]
    assert [event.motions for event in events if event.kind == "bet_settled"] == [1, 2]


def test_two_motions_without_a_pause_between_are_counted_too() -> None:
    _, events = play([still(0)] * 3 + [own_hand()] * 9 + [still(1, 1)] * 5 + [own_hand()] * 9 + [still(3, 3)] * QUIET)

    assert [event.motions for event in events if event.kind == "chips_crossing"] == [1, 2]
    assert names(events).count("bet_settled") == 1
    assert events[-1].motions == 2


def test_bets_far_apart_are_acts_of_their_own() -> None:
    pause = [still(1, 1)] * 120

    _, events = play([still(0)] * 3 + [own_hand()] * 9 + pause + [own_hand()] * 9 + [still(2, 2)] * QUIET)

    assert [event.motions for event in events if event.kind == "bet_settled"] == [1, 1]


def test_chips_on_top_of_a_bet_are_seen_by_the_changed_picture() -> None:
    _, events = play([still(1)] * 3 + [own_hand()] * 9 + [still(1, 0.9)] * QUIET, lay(CHIP))

    assert names(events)[-1] == "bet_settled"
    assert events[-1].conf < 0.8


def test_chips_that_the_own_hand_takes_are_retracted_when_it_leaves() -> None:
    _, events = play([still(2)] * 3 + [own_hand()] * 9 + [still(0, 2)] * QUIET, lay(2 * CHIP))

    assert names(events) == ["hand_entered", "hand_left", "chips_retracted"]
    assert events[2].t_first_ns == events[1].t_first_ns


def test_what_the_dealer_takes_is_the_pot_swept_and_no_retraction() -> None:
    state, events = play([still(2)] * 3 + [dealers_hand()] * 9 + [still(0, 2)] * QUIET, lay(2 * CHIP))

    assert names(events) == ["pot_swept"]
    assert state.settled.area_mm2 == 0


def test_the_dealers_passing_arm_is_no_event() -> None:
    assert play([still(2)] * 3 + [dealers_hand()] * 9 + [still(2)] * QUIET, lay(2 * CHIP))[1] == []


def test_change_that_the_dealer_lays_down_amends_the_bet() -> None:
    _, events = play([still(1)] * 3 + [dealers_hand()] * 9 + [still(3, 2)] * QUIET, lay(CHIP))

    assert names(events) == ["bet_amended"]


def test_a_stack_that_topples_soon_after_settling_is_the_same_bet() -> None:
    _, events = play([still(0)] * 3 + [own_hand()] * 9 + [still(1, 1)] * QUIET + [still(3, 3)] * QUIET)

    assert names(events)[-2:] == ["bet_settled", "bet_amended"]


def test_a_small_change_that_nobody_made_is_noise() -> None:
    assert play([still(1)] * 3 + [still(1, 0.6)] * 60, lay(CHIP))[1] == []


def test_a_stack_that_changed_and_shrank_was_taken_from() -> None:
    lower = still(0.95, 0.9)
    _, events = play([still(1)] * 3 + [own_hand()] * 9 + [lower] * QUIET, lay(CHIP))

    assert names(events) == ["hand_entered", "hand_left", "chips_retracted"]


def test_an_area_that_wavers_while_the_picture_stays_is_no_event() -> None:
    assert play([still(4)] * 3 + [still(3.4)] * 60, lay(4 * CHIP))[1] == []


def test_a_zone_that_is_covered_for_five_seconds_says_so_once() -> None:
    _, events = play([still(0)] * 3 + [own_hand()] * 200)

    assert names(events) == ["hand_entered", "zone_occluded"]
    assert events[1].t_confirm_ns - events[1].t_first_ns >= 5_000_000_000


def test_moving_chips_are_not_settled() -> None:
    rolling = replace(still(1, 1), moving=True)
    _, events = play([still(0)] * 3 + [own_hand()] * 9 + [rolling] * 40)

    assert "bet_settled" not in names(events)


def beside(hand: Observation, kept: float, altered: float, bare: float = 0.0) -> Observation:
    """A hand beside which so many chip areas are as they were, altered, and of these the bare felt."""
    return replace(hand, beneath=Beneath(kept * CHIP, altered * CHIP, bare * CHIP))


def settled(chips: float) -> SeatState:
    return play([still(chips)] * QUIET, lay(chips * CHIP))[0]


def test_a_bet_whose_place_the_dealers_arm_leaves_for_the_stacks_is_given_back_and_not_swept() -> None:
    reaching, lifted = [beside(dealers_hand(), 1.5, 0)] * 6, [beside(dealers_hand(), 0, 2, 2)] * 8
    frames = [still(2)] * 3 + reaching + lifted + [still(0, 2)] * QUIET
    lifted_frame = 9

    def told(frame: int) -> list[str]:
        return names(play([replace(seen, onward_ns=frame * FRAME_NS) for seen in frames], settled(2))[1])

    assert told(lifted_frame - 4) == told(lifted_frame + 6) == ["bet_amended"]
    assert told(lifted_frame - 15) == ["pot_swept"]  # before, with something else
    assert told(lifted_frame + 18) == ["pot_swept"]  # with the pot


def test_a_bet_given_back_below_an_arm_that_hides_the_zone_all_the_while_is_dated_by_when_it_came_to_the_stacks() -> (
    None
):
    reaching, lifted = [beside(dealers_hand(), 1.5, 0)] * 20, [beside(dealers_hand(), 0, 2, 2)] * 8
    frames = [still(2)] * 3 + reaching + lifted + [still(0, 2)] * QUIET
    onward_ns, gone_frame = 8 * FRAME_NS, 23

    def given(hid_ns: int) -> list[CameraEvent]:
        return play([replace(seen, onward_ns=onward_ns, hid_ns=hid_ns) for seen in frames], settled(2))[1]

    (event,) = given(gone_frame * FRAME_NS)
    assert (event.kind, event.t_first_ns) == ("bet_amended", onward_ns)
    assert names(given(onward_ns)) == ["pot_swept"]


def test_a_sweep_is_dated_between_the_last_sight_of_the_chips_and_the_first_of_the_felt() -> None:
    reaching, lifted = [beside(dealers_hand(), 1.5, 0)] * 6, [beside(dealers_hand(), 0, 2, 2)] * 8
    _, events = play([still(2)] * 3 + reaching + lifted + [still(0, 2)] * QUIET, settled(2))

    assert names(events) == ["pot_swept"]
    assert events[0].t_first_ns == (3 + 6) * FRAME_NS + FRAME_NS // 2


def test_a_sweep_under_an_arm_that_hides_all_is_dated_between_its_coming_and_the_sight_of_the_felt() -> None:
    hidden, bare = [beside(dealers_hand(), 0, 0)] * 30, [beside(dealers_hand(), 0, 2, 2)] * 2
    _, events = play([still(2)] * 3 + hidden + bare + [still(0, 2)] * QUIET, settled(2))

    assert events[0].kind == "pot_swept"
    assert events[0].t_first_ns == (4 + 34) * FRAME_NS // 2


def test_chips_that_the_dealer_brings_came_with_the_arm() -> None:
    _, events = play([still(2)] * 3 + [beside(dealers_hand(), 2, 0)] * 20 + [still(3, 1)] * QUIET, settled(2))

    assert [(event.kind, event.t_first_ns) for event in events] == [("bet_amended", 4 * FRAME_NS)]


def test_chips_covered_again_and_seen_whole_were_not_taken() -> None:
    frames = [beside(dealers_hand(), 1, 1)] * 2 + [beside(dealers_hand(), 2, 0)] * 2 + [still(2)] * QUIET
    assert play([still(2)] * 3 + frames, settled(2))[1] == []


def test_a_bet_that_the_dealer_reaches_for_at_once_is_told_before_the_sweep() -> None:
    took = [beside(dealers_hand(), 0, 2, 2)] * 9
    _, events = play([still(0)] * 5 + [own_hand()] * 12 + [still(2, 2)] * 7 + took + [still(0, 2)] * QUIET)

    assert names(events) == ["hand_entered", "hand_left", "chips_crossing", "bet_settled", "pot_swept"]
    assert (events[3].motions, events[3].footprints) == (1, 2)


def test_an_own_bet_that_goes_to_the_pot_was_pushed_in_and_not_taken_back() -> None:
    away = [beside(own_hand(), 0, 2, 2)] * 10
    reached = [replace(seen, own_to_pot=True) for seen in away]

    assert names(play([still(2)] * 3 + away + [still(0, 2)] * QUIET, settled(2))[1])[-1] == "chips_retracted"
    assert names(play([still(2)] * 3 + reached + [still(0, 2)] * QUIET, settled(2))[1])[-1] == "bet_pushed_in"


@pytest.mark.parametrize(("rise", "told"), [(0.04, "bet_settled"), (-0.04, "chips_retracted")])
def test_one_chip_more_or_less_on_a_stack_shows_in_the_mean_of_noisy_frames(rise: float, told: str) -> None:
    noise = [0.03, -0.03, 0.02, -0.02, 0.03, -0.03] * 4
    before = [still(1.4 + off) for off in noise]
    after = [still(1.4 + rise + off, 0.8) for off in noise]
    state, _ = play(before, lay(1.43 * CHIP))
    _, events = play(
        [*before, *[own_hand()] * 9, *after], replace(state, settled=replace(state.settled, mean=state.sight.before))
    )

    assert names(events)[-1] == told


def test_a_hand_that_knocks_stays_one_hand_and_is_told_as_a_tap() -> None:
    areas = [0.4, 0.5, 0.5, 0.3, 0.0, 0.0, 0.0, 0.4, 0.5, 0.5, 0.3]
    hands = [replace(own_hand() if area else still(0), own_mm2=area * CHIP) for area in areas]
    _, events = play([still(0)] * 3 + hands + [still(0)] * QUIET)

    assert names(events) == ["hand_entered", "hand_left", "tap_suspect"]
    assert events[-1].conf == 0.6


def test_who_takes_from_another_s_bet_is_known_for_the_dealer() -> None:
    stranger = replace(dealers_hand(), stranger=Stranger.OTHER)

    assert not play([still(2)] * 3 + [beside(stranger, 1, 0.5)] * 3, settled(2))[0].under.takes
    assert play([still(2)] * 3 + [beside(stranger, 1, 0.5, 0.5)] * 3, settled(2))[0].under.takes


def test_a_sleeve_of_a_chips_colour_does_not_keep_the_chip_there() -> None:
    sleeve, bare = [beside(dealers_hand(), 0.13, 0)] * 10, [beside(dealers_hand(), 0, 2, 2)] * 2
    _, events = play([still(2)] * 3 + sleeve + bare + [still(0, 2)] * QUIET, settled(2))

    assert events[0].t_first_ns == (4 + 14) * FRAME_NS // 2


def test_a_change_under_an_arm_is_dated_by_its_first_sign() -> None:
    sign = [beside(dealers_hand(), 1.5, 0)] * 3 + [beside(dealers_hand(), 1.2, 0.1)] * 10
    hidden, open_ = [beside(dealers_hand(), 0, 0)] * 2, [beside(dealers_hand(), 1.5, 0.5)] * 2
    _, events = play([still(2)] * 3 + sign + hidden + open_ + [still(1.6, 0.5)] * QUIET, settled(2))
    assert [(event.kind, event.t_first_ns) for event in events] == [("bet_amended", 7 * FRAME_NS)]

    gone = sign[:5] + [beside(dealers_hand(), 2.0, 0)] * 8
    _, events = play([still(2)] * 3 + gone + hidden + open_ + [still(1.6, 0.5)] * QUIET, settled(2))
    assert events[0].t_first_ns > 16 * FRAME_NS


def test_where_the_dealer_took_more_than_he_brought_the_change_began_with_the_arm_too() -> None:
    under = [beside(dealers_hand(), 2, 0)] * 18 + [beside(dealers_hand(), 1, 1, 1)] * 2
    taken = still(1.6, 1)
    brought = [replace(taken, chips=replace(lying(1.6, 1), new_mm2=0.9 * CHIP))] * QUIET

    assert play([still(2)] * 3 + under + brought, settled(2))[1][0].t_first_ns == 4 * FRAME_NS
    assert play([still(2)] * 3 + under + [taken] * QUIET, settled(2))[1][0].t_first_ns > 20 * FRAME_NS


def test_a_stack_that_looks_otherwise_and_is_hardly_smaller_is_a_guess() -> None:
    before = settled(1.4)
    before = replace(before, settled=replace(before.settled, mean=before.sight.before))
    for now, told in ((1.395, ("chips_retracted", 0.4)), (1.405, ("bet_settled", 0.4))):
        _, events = play([still(1.4)] * 3 + [own_hand()] * 9 + [still(now, 0.8)] * QUIET, before)
        assert (events[-1].kind, events[-1].conf) == told


def test_a_crossing_needs_a_change_and_not_only_an_area_that_wavers() -> None:
    resting = [own_hand()] * 12
    wavers = [still(1.0, 0.0)] * 2 + [still(1.9, 0.0)] * QUIET

    _, events = play([still(1.0)] * 5 + resting + wavers, lay(CHIP))

    assert [event.kind for event in events] == ["hand_entered", "hand_left"]


def test_chips_that_left_after_the_hand_had_been_at_the_pot_were_taken_back() -> None:
    over = replace(own_hand(), own_to_pot=True, beneath=Beneath(2 * CHIP, 0.0, 0.0))
    covers = replace(own_hand(), beneath=Beneath(2 * CHIP, 0.0, 0.0))
    bare = replace(own_hand(), beneath=Beneath(0.0, 2 * CHIP, 2 * CHIP))
    frames = [over] * 6 + [covers] * 6 + [bare] * 6 + [still(0.0, 2.0)] * QUIET

    _, events = play([still(2.0)] * 5 + frames, lay(2 * CHIP))

    assert [event.kind for event in events] == ["hand_entered", "hand_left", "chips_retracted"]


def test_chips_that_left_before_the_hand_was_at_the_pot_were_pushed_in() -> None:
    covers = replace(own_hand(), beneath=Beneath(2 * CHIP, 0.0, 0.0))
    bare = replace(own_hand(), own_to_pot=True, beneath=Beneath(0.0, 2 * CHIP, 2 * CHIP))

    _, events = play([still(2.0)] * 5 + [covers] * 6 + [bare] * 8 + [still(0.0, 2.0)] * QUIET, lay(2 * CHIP))

    assert [event.kind for event in events] == ["hand_entered", "hand_left", "bet_pushed_in"]


def test_chips_that_an_arm_took_that_proved_to_be_the_dealers_were_swept_and_not_pushed_in() -> None:
    covers = replace(own_hand(), beneath=Beneath(2 * CHIP, 0.0, 0.0))
    bare = replace(own_hand(), own_to_pot=True, beneath=Beneath(0.0, 2 * CHIP, 2 * CHIP))
    frames = [still(2.0)] * 5 + [covers] * 6 + [bare] * 8
    state, _ = play(frames, lay(2 * CHIP))
    state = was_dealers(state, len(frames) * FRAME_NS)
    _, events = play([still(0.0, 2.0)] * QUIET, state, first=len(frames))

    assert [event.kind for event in events] == ["hand_left", "pot_swept"]
    assert events[1].t_first_ns == pytest.approx(11.5 * FRAME_NS, abs=1)


def test_a_seat_where_no_hand_was_has_nothing_to_hand_over_to_the_dealer() -> None:
    state = lay(2 * CHIP)

    assert was_dealers(state, FRAME_NS) == state


def about(seen: Observation) -> Observation:
    return replace(seen, own_about=True)


def test_tossed_chips_cross_and_are_a_bet_of_the_player_whose_arm_was_there() -> None:
    frames = [about(still(0.0))] * 5 + [about(still(2.0, 2.0))] * 3 + [still(2.0, 2.0)] * QUIET

    _, events = play(frames)

    assert [(event.kind, event.motions) for event in events] == [("chips_crossing", 1), ("bet_settled", 1)]
    assert {event.conf for event in events} == {0.8}
    assert {event.t_first_ns for event in events} == {6 * FRAME_NS}


def test_two_tosses_in_a_row_may_be_a_string() -> None:
    first = [about(still(0.0))] * 5 + [still(1.0, 1.0)] * QUIET
    flying = replace(about(still(2.0, 2.0)), moving=True)
    second = [about(still(1.0, 1.0))] * 20 + [flying] * 2 + [still(2.0, 2.0)] * QUIET

    _, events = play([*first, *second])

    assert [(event.kind, event.motions) for event in events][2:] == [
        ("chips_crossing", 2),
        ("string_suspect", 2),
        ("bet_settled", 2),
    ]


@pytest.mark.parametrize(("out", "withdraws", "left"), [(2, False, False), (2, True, True), (1, True, False)])
def test_a_hand_has_left_after_two_frames_in_which_only_its_arm_still_moves(
    out: int, withdraws: bool, left: bool
) -> None:
    _, events = play([still(0)] * 3 + [own_hand()] * 9 + [replace(still(1, 1), withdraws=withdraws)] * out)

    assert ("hand_left" in names(events)) is left


@pytest.mark.parametrize(("arm_frames", "told"), [(12, "bet_amended"), (30, "bet_settled")])
def test_a_stack_that_topples_when_the_arm_has_been_away_for_longer_than_chips_fly_is_no_toss(
    arm_frames: int, told: str
) -> None:
    lies = [about(still(1, 1))] * arm_frames + [still(1, 1)] * (36 - arm_frames)
    falls = [replace(still(3, 3), moving=True)] * 2

    _, events = play([still(0)] * 3 + [own_hand()] * 9 + lies + falls + [still(3, 3)] * QUIET)

    assert names(events)[-1] == told
    assert ("string_suspect" in names(events)) is (told == "bet_settled")


@pytest.mark.parametrize("chips", [13.0, 27.0])
def test_more_than_a_dozen_chips_neither_come_nor_go_without_a_hand(chips: float) -> None:
    state, events = play([still(0.0)] * 5 + [still(chips, chips)] * QUIET + [still(chips, chips)] * 90)
    _, gone = play([still(0.0, 2 * chips)] * 90, state)

    assert events == []
    assert gone == []


def test_a_place_that_is_only_darker_or_brighter_is_no_change_that_nobody_made() -> None:
    shade = replace(still(0.0), chips=replace(lying(4.0, 4.0), solid_mm2=0.2 * CHIP))

    state, events = play([still(0.0)] * 5 + [shade] * 30)

    assert events == []
    assert state.phase is Phase.REST


def test_the_area_of_a_shadow_is_not_taken_for_what_lay_there() -> None:
    shadow = replace(still(6, 6), chips=replace(lying(6, 6), solid_mm2=0.0))
    _, events = play([still(0)] * 5 + [shadow] * 60 + [still(0)] * 5 + [own_hand()] * 12 + [still(2, 2)] * QUIET)

    assert names(events) == ["hand_entered", "hand_left", "chips_crossing", "bet_settled"]


@pytest.mark.parametrize(("frames", "believed"), [(2, False), (3, True)])
def test_what_looks_like_a_hand_for_two_frames_may_be_tossed_chips(frames: int, believed: bool) -> None:
    tossed = [replace(own_hand(), own_mm2=CHIP)] * frames
    _, events = play([still(0)] * 5 + tossed + [replace(still(2, 2), own_about=True)] * QUIET)

    assert ("hand_entered" in names(events)) is believed
    assert "bet_settled" in names(events)


@pytest.mark.parametrize(("narrow", "broad", "believed"), [(5, 0, False), (6, 0, True), (2, 1, True)])
def test_what_is_no_broader_than_chips_is_a_hand_only_if_it_stays(narrow: int, broad: int, believed: bool) -> None:
    tips = [replace(own_hand(), own_broad=False)] * narrow + [own_hand()] * broad
    _, events = play([still(0)] * 5 + tips + [replace(still(2, 2), own_about=True)] * QUIET)

    assert ("hand_entered" in names(events)) is believed
    assert "bet_settled" in names(events)


@pytest.mark.parametrize(
    ("rise", "rim", "told"),
    [
        (0.03, 0.1, ["chips_crossing", "bet_settled"]),
        (-0.03, 0.1, ["chips_retracted"]),
        (0.01, 0.1, []),
        (-0.03, 0.0, []),
    ],
)
def test_a_stack_of_one_colour_that_is_a_chip_higher_or_lower_looks_different_at_its_rim_alone(
    rise: float, rim: float, told: list[str]
) -> None:
    state, _ = play([still(1.4)] * 20, lay(1.4 * CHIP))
    known = replace(state, settled=replace(state.settled, mean=state.sight.before))
    _, events = play([still(1.4)] * 3 + [own_hand()] * 9 + [still(1.4 + rise, rim)] * QUIET, known)

    assert names(events) == ["hand_entered", "hand_left", *told]


def test_cards_that_a_hand_puts_against_chips_hide_their_rim_and_take_none_away() -> None:
    state, _ = play([still(1.4)] * 20, lay(1.4 * CHIP))
    known = replace(state, settled=replace(state.settled, mean=state.sight.before))
    after = still(1.37, 0.1)
    assert after.chips is not None
    beside = replace(after, chips=replace(after.chips, against_cards=True))
    _, events = play([still(1.4)] * 3 + [own_hand()] * 9 + [beside] * QUIET, known)

    assert names(events) == ["hand_entered", "hand_left"]


def test_the_shadow_that_chips_throw_is_left_out_of_both_areas_that_are_compared() -> None:
    def stack(chips: float, shadow: float, changed: float) -> Observation:
        seen = ChipsSeen((chips + shadow) * CHIP, changed * CHIP, 1, steady=True, firm_mm2=chips * CHIP)
        return replace(still(1), chips=seen)

    state, _ = play([stack(1.4, 0.3, 0.0)] * 20, lay(1.7 * CHIP))
    known = replace(state, settled=replace(state.settled, mean=state.sight.before))
    _, events = play([stack(1.4, 0.3, 0.0)] * 3 + [own_hand()] * 9 + [stack(1.5, 0.0, 0.8)] * QUIET, known)

    assert names(events) == ["hand_entered", "hand_left", "chips_crossing", "bet_settled"]


@pytest.mark.parametrize(("frames", "believed"), [(1, False), (2, True)])
@pytest.mark.parametrize("broad", [True, False])
def test_what_hangs_together_with_its_own_rail_is_a_hand_after_two_frames(
    broad: bool, frames: int, believed: bool
) -> None:
    rooted = replace(own_hand(), own_rooted=True, own_broad=broad)
    _, events = play([still(0)] * QUIET + [rooted] * frames + [still(0)] * QUIET)
    assert [event.kind for event in events[:1]] == (["hand_entered"] if believed else [])


def test_a_rooted_hand_that_is_seen_in_every_second_frame_is_not_believed_so_soon() -> None:
    rooted = replace(own_hand(), own_rooted=True, own_broad=False)
    _, events = play([still(0)] * QUIET + [rooted, still(0)] * 2 + [still(0)] * QUIET)
    assert events == []

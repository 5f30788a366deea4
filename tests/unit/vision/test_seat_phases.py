"""The phases of a seat: the table of ways between them, what is known in each, and the diagram in the documents."""

import itertools
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from betline.machine import UnknownTransitionError
from tests.unit.vision.test_seat_watch import CHIP, FRAME_NS, SEAT, THRESHOLDS, dealers_hand, own_hand, play, still
from vision.seats.phases import MACHINE, Phase, Trigger
from vision.seats.state import ChipsSeen, Observation, Open, OwnHand, SeatState, Stranger, Visit
from vision.seats.watch import watch

PAGE = Path(__file__).parents[3] / "hardware_docs" / "vision.md"


def test_the_diagram_in_the_documents_is_drawn_from_the_table() -> None:
    assert f"```mermaid\n{MACHINE.mermaid()}\n```" in PAGE.read_text(encoding="utf-8"), (
        "put the output of `python -m vision.seats.phases` into hardware_docs/vision.md"
    )


def test_every_phase_can_be_reached_from_rest_and_left() -> None:
    reached = {Phase.REST}
    for _ in Phase:
        reached |= {after for phase in reached for after in MACHINE.transitions[phase].values()}

    assert reached == set(Phase) == set(MACHINE.transitions)
    assert all(any(after is not phase for after in MACHINE.transitions[phase].values()) for phase in Phase)


@pytest.mark.parametrize(
    ("phase", "trigger"),
    [pair for pair in itertools.product(Phase, Trigger) if pair[1] not in MACHINE.transitions[pair[0]]],
)
def test_a_trigger_that_a_phase_does_not_know_raises_and_changes_nothing(phase: Phase, trigger: Trigger) -> None:
    own = OwnHand(Visit(1, 0.0, 0.0)) if phase in (Phase.HAND_IN, Phase.HAND_GONE) else None
    state = SeatState(phase=phase, open=None if phase is Phase.REST else Open(), own=own)
    before = replace(state)

    with pytest.raises(UnknownTransitionError, match=f'"{trigger.value}" cannot happen in the state "{phase.value}"'):
        state.after(trigger, open=Open(), own=None)
    assert state == before


@pytest.mark.parametrize(
    ("phase", "open_", "own"),
    [
        (Phase.REST, Open(), None),
        (Phase.DISTURBED, None, None),
        (Phase.DISTURBED, Open(), OwnHand(None)),
        (Phase.HAND_IN, Open(), None),
        (Phase.OTHERS_ARM, Open(), OwnHand(None)),
    ],
)
def test_a_phase_knows_what_belongs_to_it_and_nothing_else(
    phase: Phase, open_: Open | None, own: OwnHand | None
) -> None:
    with pytest.raises(ValueError, match=phase.value):
        SeatState(phase=phase, open=open_, own=own)


def test_a_push_goes_through_the_phases_of_the_own_hand() -> None:
    state, phases = SeatState(), [Phase.REST]
    frames = [still(0)] * 3 + [own_hand()] * 8 + [still(1, 1)] * 9
    for number, seen in enumerate(frames):
        state = watch(state, replace(seen, t_ns=(number + 1) * FRAME_NS), THRESHOLDS).state
        phases.append(state.phase)

    assert [phase for phase, _ in itertools.groupby(phases)] == [
        Phase.REST,
        Phase.DISTURBED,
        Phase.HAND_IN,
        Phase.HAND_GONE,
    ]
    assert play([*frames, *[still(1, 1)] * 20])[0].phase is Phase.REST


def test_a_passing_arm_and_a_hand_in_one_frame_come_back_to_rest() -> None:
    assert play([still(0)] * 3 + [dealers_hand()] * 3)[0].phase is Phase.OTHERS_ARM
    assert play([still(0)] * 3 + [own_hand()])[0].phase is Phase.DISTURBED
    assert play([still(0)] * 3 + [own_hand()] + [still(0)] * 5)[0].phase is Phase.REST


CHIPS = st.builds(
    ChipsSeen,
    area_mm2=st.sampled_from([0.0, 0.5 * CHIP, CHIP, 1.02 * CHIP, 2 * CHIP]),
    changed_mm2=st.sampled_from([0.0, 0.3 * CHIP, CHIP, 2 * CHIP]),
    footprints=st.integers(0, 3),
    steady=st.booleans(),
)
FRAMES = st.lists(
    st.builds(
        Observation,
        seat=st.just(SEAT),
        t_ns=st.just(0),
        frame=st.just(0),
        own_in_zone=st.booleans(),
        own_near=st.booleans(),
        stranger=st.sampled_from(Stranger),
        moving=st.booleans(),
        chips=st.none() | CHIPS,
        own_mm2=st.sampled_from([0.0, 0.4 * CHIP, 4 * CHIP]),
        own_to_pot=st.booleans(),
    ),
    max_size=12,
)


@given(FRAMES)
def test_whatever_the_frames_show_the_machine_finds_a_way_in_its_table(frames: list[Observation]) -> None:
    state = SeatState()
    for number, seen in enumerate(seen for seen in frames for _ in range(3)):
        step = watch(state, replace(seen, t_ns=(number + 1) * 3 * FRAME_NS, frame=number), THRESHOLDS)
        settled = step.adopt is not None
        assert not settled or step.state.phase in (Phase.REST, Phase.OTHERS_ARM, Phase.DISTURBED)
        assert all(event.t_first_ns <= event.t_confirm_ns == (number + 1) * 3 * FRAME_NS for event in step.events)
        state = step.state


def test_the_phase_after_a_trigger_is_that_of_the_table() -> None:
    assert MACHINE.after(Phase.HAND_GONE, Trigger.SETTLED) is Phase.REST

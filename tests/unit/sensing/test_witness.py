"""What the camera tells: hands and their visits, in events and in pictures, in any order."""

import pytest

from table_controller.sensing.witness import CameraSeen, LineSeen, SeatSeen, Witness

MS = 1_000_000


def line(witness: Witness, kind: str, at_ms: int, motions: int = 0) -> Witness:
    return witness.line(LineSeen(kind, 4, at_ms * MS, motions), (at_ms + 120) * MS)


def test_a_hand_is_there_from_its_entering_to_its_leaving() -> None:
    entered = line(Witness(), "hand_entered", 100)
    left = line(entered, "hand_left", 700)

    assert entered.seat(4).hand
    assert not left.seat(4).hand
    assert left.seat(4).visits == ((100 * MS, 700 * MS),)
    assert not left.seat(5).hand


def test_an_entering_that_arrives_after_its_leaving_does_not_bring_the_hand_back() -> None:
    late = line(line(Witness(), "hand_left", 700), "hand_entered", 100)

    assert not late.seat(4).hand


def test_a_picture_tells_of_hands_whose_events_were_lost() -> None:
    with_hand = Witness().camera(CameraSeen((SeatSeen(4, False, True),), 100 * MS), 100 * MS)
    without = with_hand.camera(CameraSeen((SeatSeen(4, True, False),), 700 * MS), 700 * MS)

    assert with_hand.seat(4).hand
    assert without.seat(4).visits == ((100 * MS, 700 * MS),)
    assert without.seat(4).occupied


def test_a_picture_that_an_event_overtook_on_the_bus_makes_no_second_visit() -> None:
    entered = line(Witness(), "hand_entered", 10_000)
    overtaken = entered.camera(CameraSeen((SeatSeen(4, False, False),), 10_030 * MS), 10_140 * MS)

    assert overtaken.seat(4).hand
    assert line(overtaken, "hand_left", 11_100).seat(4).visits == ((10_000 * MS, 11_100 * MS),)


def test_a_hand_that_is_back_at_once_never_left() -> None:
    """R-051: nobody takes chips from behind the line in a quarter of a second; a flicker is no second motion."""
    witness = Witness()
    for kind, at_ms in (("hand_entered", 100), ("hand_left", 400), ("hand_entered", 640), ("hand_left", 1000)):
        witness = line(witness, kind, at_ms)

    assert witness.seat(4).visits == ((100 * MS, 1000 * MS),)


def test_a_picture_older_than_an_event_changes_nothing() -> None:
    left = line(line(Witness(), "hand_entered", 100), "hand_left", 700)

    assert not left.camera(CameraSeen((SeatSeen(4, False, True),), 650 * MS), 800 * MS).seat(4).hand


@pytest.mark.parametrize(
    ("heard_ms", "visit"), [(50, None), (150, (100, 400)), (880, (100, 400)), (950, (700, 1000)), (1600, (700, 1000))]
)
def test_a_chip_is_that_visits_after_which_a_reader_could_first_hear_it(
    heard_ms: int, visit: tuple[int, int] | None
) -> None:
    witness = Witness()
    for kind, at_ms in (("hand_entered", 100), ("hand_left", 400), ("hand_entered", 700), ("hand_left", 1000)):
        witness = line(witness, kind, at_ms)

    assert witness.seat(4).brought(heard_ms * MS) == (visit and (visit[0] * MS, visit[1] * MS))


def test_a_camera_is_live_as_long_as_it_gives_signs_of_life() -> None:
    seen = line(Witness(), "tap_suspect", 100)

    assert seen.live(1720 * MS, 1500)
    assert not seen.live(1721 * MS, 1500)
    assert not line(seen, "view_lost", 200).live(330 * MS, 1500)
    assert not seen.camera(None, 300 * MS).live(300 * MS, 1500)
    assert not Witness().live(0, 1500)

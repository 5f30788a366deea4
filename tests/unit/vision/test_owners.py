"""Whose arm it is: the first place at the rail, handed on from frame to frame, and no further."""

from collections import deque
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise

import cv2
import numpy as np
import pytest

from betline.geometry import Point
from betline.settings import load_table
from tests.unit.vision.scene import Painter
from vision.frame.gate import SCALE
from vision.frame.owners import Owners
from vision.frame.rail import DEALER, NOBODY
from vision.imaging.pictures import Mask, Picture
from vision.tuning.thresholds import Thresholds

SIZE = (1280 // SCALE, 720 // SCALE)
GAIN = np.ones(3)
Bar = tuple[tuple[float, float], tuple[float, float]]


@cache
def painter(name: str = "casino-oval") -> Painter:
    return Painter(load_table(name))


def picture(*bars: Bar, wide: int = 9, table: str = "casino-oval") -> Picture:
    """The gate's picture of grey felt with bright bars between points of the felt in mm, so many cells wide."""
    drawn = np.full((SIZE[1], SIZE[0], 3), 60, np.uint8)
    for bar in bars:
        ends = np.round(painter(table).calibration.to_px(list(bar)) / SCALE).astype(int)
        cv2.line(drawn, tuple(map(int, ends[0])), tuple(map(int, ends[1])), (200, 200, 200), wide)
    return drawn


def followed(*frames: Picture, table: str = "casino-oval") -> Owners:
    return deque(each(*frames, table=table), maxlen=1).pop()


def each(*frames: Picture, table: str = "casino-oval") -> Iterator[Owners]:
    """The same owners after every frame, the empty table first."""
    owners = Owners(painter(table).table, painter(table).calibration, SIZE, SCALE, Thresholds())
    before = picture()
    for frame in (before, *frames):
        moving: Mask = np.where(cv2.absdiff(frame, before).max(axis=2) > 0, np.uint8(255), np.uint8(0))
        owners.see(frame, moving, GAIN)
        before = frame
        yield owners


def owner_at(owners: Owners, at: tuple[float, float], table: str = "casino-oval") -> int:
    x, y = painter(table).calibration.to_px([at])[0]
    return int(owners.cells[int(y) // SCALE, int(x) // SCALE])


def behind(seat: int, by_mm: float, aside_mm: float = 0.0) -> tuple[float, float]:
    """A point of a seat's rail, or behind it, on the lower side of the table where the dealer sits too."""
    x, y = painter().table.seat(seat).rail_mm
    return (x + aside_mm, y - by_mm)


def test_an_arm_keeps_the_owner_that_it_had_at_the_rail() -> None:
    dealer_x, dealer_y = painter().table.dealer_mm
    start, seat = (dealer_x, dealer_y - 100), behind(10, 60, -60)
    zone = painter().place(10, 0, 60)
    owners = followed(picture((start, (dealer_x, dealer_y + 100))), picture((start, zone)), picture((seat, zone)))

    assert owner_at(owners, zone) == DEALER


@pytest.mark.parametrize(("left", "owner"), [(2, 10), (9, DEALER)])
def test_what_is_left_of_an_arm_that_goes_hands_nothing_on_to_the_next(left: int, owner: int) -> None:
    dealer_x, dealer_y = painter().table.dealer_mm
    start, zone = (dealer_x, dealer_y - 100), painter().place(10, 0, 60)
    seat, edge = behind(10, 60), behind(10, 40)
    going = [picture((start, (dealer_x, dealer_y + 100))), picture((start, zone)), picture((seat, zone))]
    remains = picture((seat, edge), wide=left)
    assert owner_at(followed(*going, remains), seat) == DEALER

    assert owner_at(followed(*going, remains, picture((seat, zone))), zone) == owner


def test_arms_over_the_middle_are_counted_by_owner_without_what_lies_there() -> None:
    seat, pot = behind(10, 100), (300.0, 0.0)
    lies: Bar = ((-40.0, 0.0), (40.0, 0.0))
    within: Mask = np.full((SIZE[1], SIZE[0]), 255, np.uint8)
    reaching = picture((seat, behind(10, -60))), picture((seat, pot))

    assert followed(*reaching).arms_over(within)[10] > 60
    assert followed(*reaching, picture(lies)).arms_over(within)[10] == 0


def test_a_hand_over_the_middle_whose_sleeve_is_not_seen_is_counted_while_the_arm_is_over_the_rail() -> None:
    start, end, pot = behind(10, 100), behind(10, -60), (300.0, 0.0)
    hand: Bar = ((150.0, 0.0), pot)
    chip: Bar = ((300.0, 0.0), (301.0, 0.0))
    within: Mask = np.full((SIZE[1], SIZE[0]), 255, np.uint8)
    within[: SIZE[1] // 3] = within[-SIZE[1] // 3 :] = 0
    whole = [picture((start, end)), picture((start, pot))]

    assert followed(*whole, picture((start, end), hand)).arms_over(within)[10] > 90
    assert followed(*whole, picture((start, end), chip)).arms_over(within)[10] == 0
    assert followed(*whole, picture(hand)).arms_over(within)[10] == 0


def test_cards_that_came_away_from_a_hand_that_is_seen_whole_are_no_hand_though_the_arm_withdraws() -> None:
    start, away, pot = behind(10, 100), behind(10, -60), (300.0, 0.0)
    holding, throwing = behind(10, -400), behind(10, -300)
    cards: Bar = ((270.0, -10.0), pot)
    within: Mask = np.full((SIZE[1], SIZE[0]), 255, np.uint8)
    within[: SIZE[1] // 3] = within[-SIZE[1] // 3 :] = 0
    whole = [picture((start, holding)), picture((start, pot))]
    thrown = [*whole, picture((start, throwing), cards, wide=14), picture((start, away), cards, wide=14)]

    assert followed(*thrown[:2]).arms_over(within)[10] > 90
    assert followed(*thrown[:3]).arms_over(within)[10] == 0
    assert followed(*thrown).arms_over(within)[10] == 0


BESIDE_THE_DEALER = [("home-six", 1), ("home-six", 6), ("casino-oval", 1), ("casino-oval", 10)]


def centre(polygon_mm: Sequence[Point]) -> Point:
    x, y = np.mean(polygon_mm, axis=0)
    return float(x), float(y)


def over_rail(table: str, seat: int, towards_dealer: float) -> tuple[float, float]:
    """Behind the rail between a seat, at 0, and the dealer, at 1."""
    settings = painter(table).table
    (x, y), (dealer_x, dealer_y) = settings.seat(seat).rail_mm, settings.dealer_mm
    return x + (dealer_x - x) * towards_dealer, y + (dealer_y - y) * towards_dealer - 100


def leaning(table: str, seat: int, *, alone: bool = False, late: int = 0) -> list[Picture]:
    """An arm over the seat's zone whose root moves to the dealer's piece, frame by frame, and on the other side the
    dealer's first arm, so many frames earlier.
    """
    other = next(number for name, number in BESIDE_THE_DEALER if name == table and number != seat)
    zone = painter(table).place(seat, 0, 60)
    first: Bar = (over_rail(table, other, 0.9), painter(table).place(other, 0, 60))
    steps = (0.1, 0.3, 0.5, 0.6, 0.7, 0.8, 0.8, 0.8, 0.8)
    both = [((over_rail(table, seat, step), zone), *(() if alone else (first,))) for step in steps]
    return [picture(first, table=table)] * late + [picture(*bars, table=table) for bars in both]


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("table", "seat"), BESIDE_THE_DEALER)
def test_the_dealers_second_arm_that_came_over_a_seats_rail_is_the_dealers_once_it_leans_on_the_dealers_piece(
    table: str, seat: int
) -> None:
    zone, frames = painter(table).place(seat, 0, 60), leaning(table, seat)
    proved = [followed(*frames[:end], table=table).turned_out_dealers for end in range(len(frames) + 1)]

    assert owner_at(followed(*frames[:2], table=table), zone, table) == seat
    assert owner_at(followed(*frames, table=table), zone, table) == DEALER
    assert proved.count(frozenset({seat})) == 1
    assert set().union(*proved) == {seat}


@pytest.mark.parametrize(("table", "seat"), BESIDE_THE_DEALER)
@pytest.mark.parametrize(("alone", "late"), [(True, 0), (False, 9)])
def test_a_player_who_leans_across_the_dealers_place_keeps_the_arm(
    table: str, seat: int, alone: bool, late: int
) -> None:
    owners = followed(*leaning(table, seat, alone=alone, late=late), table=table)

    assert owner_at(owners, painter(table).place(seat, 0, 60), table) == seat


def beside(table: str, seat: int, away_from: int | None = None) -> int:
    """The neighbour that does not sit across the dealer, or of a seat further round the next one."""
    count = len(painter(table).table.seats)
    clockwise = seat < count / 2 if away_from is None else away_from < count / 2
    return seat + 1 if clockwise else seat - 1


def towards(start: Point, end: Point) -> list[Bar]:
    """An arm that is longer from frame to frame, from a point behind the rail to another."""
    (x, y), (to_x, to_y) = start, end
    return [(start, (x + (to_x - x) * share, y + (to_y - y) * share)) for share in np.linspace(0.2, 1.0, 9)]


def reaching(table: str, reach: Sequence[Bar]) -> list[Picture]:
    """The frames of it, and three more in which it has arrived."""
    return [picture(bar, table=table) for bar in [*reach, *[reach[-1]] * 3]]


@pytest.mark.nightly
@pytest.mark.parametrize("to", ["pot", "tray", "neighbour"])
@pytest.mark.parametrize(("table", "seat"), BESIDE_THE_DEALER)
def test_a_players_arm_stays_the_players_wherever_players_reach(table: str, seat: int, to: str) -> None:
    settings = painter(table).table
    ends = {
        "pot": centre(settings.pot.polygon_mm),
        "tray": centre(settings.tray.polygon_mm),
        "neighbour": painter(table).place(beside(table, seat), 0, 60),
    }
    reach = towards(over_rail(table, seat, 0.0), ends[to])
    owners = followed(*reaching(table, reach), table=table)

    assert owner_at(owners, reach[4][1], table) == seat
    assert not (owners.cells == DEALER).any()


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("table", "seat"), BESIDE_THE_DEALER)
def test_an_arm_that_reaches_past_the_neighbours_is_the_dealers_who_leans_over_the_seat_beside(
    table: str, seat: int
) -> None:
    """It sweeps both sides of the table with both arms; none of them has been over the dealer's own rail yet."""
    past = beside(table, beside(table, seat), away_from=seat)
    reach = towards(over_rail(table, seat, 0.1), painter(table).place(past, 0, 60))
    frames = reaching(table, reach)
    at, seen, proved = reach[2][1], list[int](), set[int]()
    for owners in each(*frames, table=table):
        seen.append(owner_at(owners, at, table))
        proved |= owners.turned_out_dealers

    assert (seen[5], seen[-1]) == (seat, DEALER)
    assert proved == {seat}


def test_what_a_player_threw_past_the_neighbours_takes_no_arm_from_the_player() -> None:
    (x, y), past = painter().place(1, 0, 60), painter().place(3, 0, 60)
    arm: Bar = (over_rail("casino-oval", 1, 0.0), (x, y))
    way = [(x + (past[0] - x) * share, y + (past[1] - y) * share) for share in np.linspace(0.0, 1.0, 14)]
    flies = [picture(arm, bar) for bar in pairwise(way)]
    thrown = followed(*[picture(arm)] * 3, *flies, *[flies[-1]] * 3)

    assert owner_at(thrown, past) == 1
    assert owner_at(thrown, (x, y)) == 1
    assert thrown.turned_out_dealers == frozenset()


@pytest.mark.parametrize("seat", [1, 10])
def test_the_dealers_arm_beside_a_players_takes_nothing_from_the_player(seat: int) -> None:
    zone = painter().place(seat, 0, 60)
    own: Bar = (over_rail("casino-oval", seat, 0.0), zone)
    dealers: Bar = (over_rail("casino-oval", seat, 1.0), zone)
    frames = [picture(own)] * 2 + [picture(own, dealers)] * 6 + [picture(own)]
    proved = [followed(*frames[:end]).turned_out_dealers for end in range(2, len(frames) + 1)]

    assert set().union(*proved) == set()
    assert owner_at(followed(*frames), own[0]) == seat


def test_an_arm_that_rested_until_it_became_the_background_leaves_no_arm_behind_for_the_dealers_to_become() -> None:
    seat = 1
    zone, rail = painter().place(seat, 0, 60), over_rail("casino-oval", seat, 0.0)
    long = Thresholds().arm_still_frames + 5
    rests, dealers = picture((rail, zone)), picture((over_rail("casino-oval", seat, 1.0), zone))
    gone = followed(*[rests] * long, *[picture()] * 3)
    then = followed(*[rests] * long, *[picture()] * 3, *[dealers] * 3)

    assert owner_at(gone, zone) == NOBODY
    assert owner_at(then, zone) == DEALER


def test_an_arm_that_comes_back_to_where_it_rested_is_followed_again() -> None:
    seat = 10
    zone, rail = painter().place(seat, 0, 60), over_rail("casino-oval", seat, 0.0)
    rests = picture((rail, zone))
    long = Thresholds().arm_still_frames + 5
    owners = followed(*[rests] * long, *[picture()] * long, *[rests] * 3)

    assert owner_at(owners, zone) == seat


def test_of_neighbours_who_fold_at_once_each_keeps_the_own_arm_though_one_is_only_a_hand_yet() -> None:
    """Their sleeves touch behind the rail before the second hand is a quarter of the first arm."""
    (x4, y4), (x5, y5) = (painter().table.seat(seat).rail_mm for seat in (4, 5))
    first: Bar = ((x4, y4 + 120), (x4, y4 - 480))
    sleeves: Bar = ((x4, y4 + 100), (x5, y5 + 100))
    hand: Bar = ((x5, y5 + 120), (x5, y5 + 10))
    reaching = [picture(first, ((x5, y5 + 120), (x5, y5 - by)), sleeves) for by in (80.0, 160.0, 240.0)]
    coming = [picture(((x4, y4 + 120), (x4, y4 - by))) for by in (0.0, 240.0, 480.0)]
    owners = followed(*coming, picture(first, hand, wide=11), picture(first, hand, sleeves, wide=11), *reaching)
    assert owner_at(owners, (x4, y4 - 300)) == 4
    assert owner_at(owners, (x5, y5 + 20)) == 5
    assert owner_at(owners, (x5, y5 - 225)) == 5


def test_fingers_that_come_over_the_own_rail_while_a_neighbours_hand_goes_are_not_the_neighbours() -> None:
    """Both sleeves look like the rail: the hands join behind it for a moment, and part."""
    (x4, y4), (x5, y5) = (painter().table.seat(seat).rail_mm for seat in (4, 5))
    going, fingers = picture(((x4, y4 + 120), (x4, y4 + 20))), picture(((x5, y5 + 130), (x5, y5 + 90)), wide=3)
    sleeves = picture(((x4, y4 + 120), (x5, y5 + 110)), wide=3)
    coming = [picture(((x5, y5 + 130), (x5, y5 - by))) for by in (0.0, 100.0, 200.0)]
    owners = followed(going, going, going | fingers, going | fingers | sleeves, *coming)

    assert owner_at(owners, (x5, y5 - 150)) == 5


def test_fingers_far_from_what_was_known_of_a_hand_are_not_those_of_the_larger_arm_that_it_touches() -> None:
    """The dealer picks cards up beside a player's arm; both elbows touch behind the rail."""
    seat = 1
    zone, tip = painter().place(seat, 0, 60), over_rail("casino-oval", seat, 0.9)
    own: Bar = (over_rail("casino-oval", seat, 0.0), zone)
    short: Bar = (tip, (tip[0], tip[1] + 150))
    long: Bar = (tip, (tip[0], tip[1] + 330))
    elbows: Bar = (own[0], tip)
    owners = followed(*[picture(own)] * 2, picture(own, short), picture(own, long, elbows))

    assert owner_at(owners, (tip[0], tip[1] + 320)) == DEALER
    assert owner_at(owners, zone) == seat


def test_the_dealers_arm_that_touches_a_players_as_it_comes_is_the_dealers_from_its_first_frame() -> None:
    seat = 1
    zone, tip = painter().place(seat, 0, 60), over_rail("casino-oval", seat, 0.9)
    own: Bar = (over_rail("casino-oval", seat, 0.0), zone)
    elbows: Bar = (own[0], tip)
    reaching: list[Bar] = [(tip, (tip[0], tip[1] + by)) for by in (100.0, 200.0, 300.0)]
    owners = followed(*[picture(own)] * 2, *[picture(own, arm, elbows) for arm in reaching])

    assert owner_at(followed(*[picture(own)] * 2, picture(own, reaching[0], elbows)), (tip[0], tip[1] + 90)) == DEALER
    assert owner_at(owners, (tip[0], tip[1] + 290)) == DEALER
    assert owner_at(owners, zone) == seat


SKY = (200, 120, 60)


def pair(seats: Sequence[int], shares: Sequence[float], colours: Sequence[tuple[int, int, int]]) -> list[Picture]:
    """Arms that come in over the edges of the dealer's piece at once, longer from frame to frame."""
    frames = []
    for step in np.linspace(0.3, 1.0, 4):
        drawn = picture()
        for seat, share, colour in zip(seats, shares, colours, strict=True):
            (x, y), (to_x, to_y) = over_rail("casino-oval", seat, share), painter().place(seat, 0, 60)
            arm = picture(((x, y), (x + (to_x - x) * step, y + (to_y - y) * step)))
            drawn[(arm == 200).all(axis=2)] = colour
        frames.append(drawn)
    return frames


AT_EDGE, AT_SEAT = 0.3, 0.0


@pytest.mark.parametrize(
    ("shares", "colours", "owners"),
    [
        ((AT_EDGE, AT_EDGE), ((200, 200, 200), (200, 200, 200)), (DEALER, DEALER)),
        ((AT_EDGE, AT_EDGE), ((200, 200, 200), SKY), (1, 10)),
        ((AT_SEAT, AT_EDGE), ((200, 200, 200), (200, 200, 200)), (1, 10)),
    ],
)
def test_two_arms_are_the_dealers_that_come_over_both_edges_at_once_and_look_the_same(
    shares: Sequence[float], colours: Sequence[tuple[int, int, int]], owners: tuple[int, int]
) -> None:
    frames = pair((1, 10), shares, colours)
    ends = [painter().place(seat, 0, 60) for seat in (1, 10)]
    seen = followed(*frames)

    assert tuple(owner_at(seen, end) for end in ends) == owners

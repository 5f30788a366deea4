"""Dealers, chips, figures and the clock."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from betline.messages.table import LevelState
from betline.settings import load_table
from betline.steps.commands import Clock
from cardroom.room import clock, dealers
from cardroom.room import events as e
from cardroom.room.errors import RoomError
from cardroom.room.stock import counting, lines
from table_controller.levels.clock import MINUTE_MS, periods_of
from tests.unit.room.floor import RULES, Floor

PERIODS = periods_of(load_table("tournament").levels)


def rotation(tables: int, staff: int) -> Floor:
    floor = Floor()
    floor.add(dealers.setting(floor.room.strings, "s", tuple(f"t{one}" for one in range(tables))))
    for one in range(staff):
        floor.add(dealers.coming(floor.room.strings, f"d{one}", "s"))
    return floor


def test_dealers_go_one_table_on_and_rest_after_the_last_one() -> None:
    floor = rotation(2, 3)
    seen = []
    for _ in range(4):
        floor.add(dealers.pushing(floor.room.strings, "s"))
        string = floor.room.strings.named("s")
        seen.append((string.at["t0"], string.at["t1"], *string.resting))

    assert seen == [("d0", "d1", "d2"), ("d2", "d0", "d1"), ("d1", "d2", "d0"), ("d0", "d1", "d2")]
    assert string.due_ms(RULES) == floor.now_ms + 30 * 60_000


@given(tables=st.integers(1, 6), more=st.integers(0, 4), pushes=st.integers(1, 12))
def test_no_push_loses_a_dealer_or_leaves_a_table_without_one(tables: int, more: int, pushes: int) -> None:
    floor = rotation(tables, tables + more)
    for _ in range(pushes):
        floor.add(dealers.pushing(floor.room.strings, "s"))
        string = floor.room.strings.named("s")
        assert sorted(string.dealers) == sorted(f"d{one}" for one in range(tables + more))
        assert set(string.at) == set(string.tables)


def test_who_has_rested_longest_takes_the_first_table() -> None:
    floor = rotation(2, 4)
    for _ in range(2):
        floor.add(dealers.pushing(floor.room.strings, "s"))

    string = floor.room.strings.named("s")
    assert (string.at["t0"], string.at["t1"], *string.resting) == ("d2", "d0", "d3", "d1")


def test_too_few_dealers_are_told_and_one_works_on_one_string_only() -> None:
    floor = rotation(2, 1)
    with pytest.raises(RoomError, match="1 dealers for 2 tables"):
        dealers.pushing(floor.room.strings, "s")
    with pytest.raises(RoomError, match="already"):
        dealers.coming(floor.room.strings, "d0", "s")


TYPES = ("red", "green")
NUMBERS = st.fixed_dictionaries({one: st.integers(0, 50) for one in TYPES})


@given(felt=NUMBERS, tray=NUMBERS, cage=NUMBERS, off=NUMBERS, retired=NUMBERS)
def test_every_registered_chip_is_in_one_column(
    felt: dict[str, int], tray: dict[str, int], cage: dict[str, int], off: dict[str, int], retired: dict[str, int]
) -> None:
    house = {one: felt[one] + tray[one] + cage[one] + off[one] + retired[one] for one in TYPES}
    floor = Floor()
    floor.add(e.Counted(place="cage", shift="day", counts=cage, people=("a", "b")))
    floor.add(e.StockTaken(registered=house, retired=retired, seen={"felt": felt, "tray": tray}, unknown=0))

    for line in lines(floor.room.stock):
        assert line.off_felt == off[line.chip_type]
        assert line.registered == line.retired + line.felt + line.tray + line.counted + line.off_felt


def test_the_drift_is_what_has_left_since_the_stock_before() -> None:
    floor = Floor()
    for on_felt in (40, 33):
        floor.add(e.StockTaken(registered={"red": 100}, retired={}, seen={"felt": {"red": on_felt}}, unknown=0))

    assert [(line.off_felt, line.drift) for line in lines(floor.room.stock)] == [(67, 7)]


def test_a_count_holds_when_a_second_person_has_the_same_result() -> None:
    floor = Floor()

    def counts(person: str, red: int) -> str:
        floor.add(counting(floor.room.stock, "cage", "day", {"red": red, "green": 0}, person))
        return type(floor.happened[-1].event).__name__

    assert counts("ann", 10) == "CountBegun"
    with pytest.raises(RoomError, match="second person"):
        counts("ann", 10)
    assert counts("bob", 11) == "CountsDiffer"
    assert counts("bob", 11) == "CountBegun"
    assert counts("ann", 11) == "Counted"
    assert floor.room.stock.counts["cage"].people == ("bob", "ann")
    assert "10" not in str(floor.happened[0].event)  # the first count cannot be looked up


def test_hands_and_rake_by_the_hour_of_one_journal() -> None:
    floor = Floor()
    for minute, hand_no, rake in ((0, 10, 100), (30, 25, 160)):
        floor.now_ms = minute * 60_000
        floor.add(e.Sampled(table="t1", journal="j", hand_no=hand_no, rake=rake))

    rate = floor.room.samples.rate("t1")
    assert rate is not None
    assert (rate.hands, rate.rake) == (30.0, 120.0)
    floor.add(e.Sampled(table="t1", journal="another", hand_no=1, rake=0))
    assert floor.room.samples.rate("t1") is None


class Timed(Floor):
    """A tournament with a clock."""

    def sets(self, action: clock.ClockAction, level: int | None = None, left_ms: int | None = None) -> "Timed":
        game = self.room.games["main"]
        self.add(clock.setting(game, PERIODS, self.now_ms, action, level, left_ms))
        return self


def a_clock() -> Timed:
    floor = Timed()
    floor.opened({"t1": 9, "t2": 9}, 4)
    return floor.sets("start")


def there(floor: Timed, level: int, left_ms: int, *, runs: bool = True) -> LevelState:
    ends_ms = floor.now_ms + left_ms if runs else None
    return LevelState(
        number=level, stakes="", next_number=None, started=True, ends_ms=ends_ms, left_ms=None if runs else left_ms
    )


def test_one_clock_leads_and_a_table_is_told_what_differs_only() -> None:
    floor = a_clock()
    floor.now_ms += 5 * MINUTE_MS
    game, whole_ms = floor.room.games["main"], PERIODS[0].length_ms
    left_ms = whole_ms - 5 * MINUTE_MS

    def told(state: LevelState) -> tuple[Clock, ...]:
        return clock.commands_for(game, PERIODS, floor.now_ms, state)

    assert told(there(floor, 1, left_ms)) == ()
    assert told(there(floor, 1, left_ms - 9000)) == (Clock(action="set", left_s=left_ms // 1000),)
    assert told(there(floor, 2, left_ms)) == (Clock(action="set", level=1, left_s=left_ms // 1000),)
    assert told(there(floor, 1, left_ms, runs=False)) == (Clock(action="resume"),)
    with pytest.raises(RoomError, match="no levels"):
        clock.commands_for(game, PERIODS, floor.now_ms, None)


def test_a_table_that_knows_of_no_clock_is_told_one_that_stands_a_second_after_it_was_started() -> None:
    floor = a_clock()
    floor.now_ms += 1_000
    floor.sets("pause")
    game, whole_ms = floor.room.games["main"], PERIODS[0].length_ms
    fresh = there(floor, 1, whole_ms, runs=False).model_copy(update={"started": False})

    told = clock.commands_for(game, PERIODS, floor.now_ms, fresh)
    assert told == (Clock(action="set", left_s=whole_ms // 1000 - 1),)
    assert clock.commands_for(game, PERIODS, floor.now_ms, there(floor, 1, whole_ms, runs=False)) == ()


def test_hand_for_hand_the_clock_stands_and_each_hand_of_all_takes_its_time_off() -> None:
    floor = a_clock()
    floor.add(*clock.hand_for_hand(floor.room.games["main"], PERIODS, floor.now_ms, on=True))
    left_ms = PERIODS[0].length_ms
    floor.now_ms += MINUTE_MS

    def reading() -> tuple[int, bool]:
        now = clock.clock_of(floor.room.games["main"], PERIODS, floor.now_ms).at(floor.now_ms)
        return now.left_ms, now.running

    def ends(table: str) -> None:
        floor.add(*clock.hand_ended(floor.room, floor.room.games["main"], table, PERIODS, RULES, floor.now_ms))

    ends("t1")
    assert reading() == (left_ms, False)
    with pytest.raises(RoomError, match="waits for t2"):
        ends("t1")
    ends("t2")
    assert reading() == (left_ms - 120_000, False)
    assert floor.room.games["main"].waits == frozenset()
    floor.add(*clock.hand_for_hand(floor.room.games["main"], PERIODS, floor.now_ms, on=False))
    assert reading() == (left_ms - 120_000, True)


BREAK = next(number for number, period in enumerate(PERIODS) if period.is_break)


def hand_for_hand(floor: Timed, *, on: bool = True) -> None:
    floor.add(*clock.hand_for_hand(floor.room.games["main"], PERIODS, floor.now_ms, on=on))


def a_hand_of_all(floor: Timed) -> None:
    for table in ("t1", "t2"):
        floor.add(*clock.hand_ended(floor.room, floor.room.games["main"], table, PERIODS, RULES, floor.now_ms))


def reading_of(floor: Timed) -> tuple[int, bool, int]:
    """Period, running, left."""
    now = clock.clock_of(floor.room.games["main"], PERIODS, floor.now_ms).at(floor.now_ms)
    return now.period, now.running, now.left_ms


def test_a_hand_whose_time_reaches_a_break_begins_the_break_which_no_hand_shortens() -> None:
    floor = a_clock()
    floor.sets("set", PERIODS[BREAK - 1].level, MINUTE_MS)
    hand_for_hand(floor)
    a_hand_of_all(floor)
    whole_ms = PERIODS[BREAK].length_ms
    assert reading_of(floor) == (BREAK, True, whole_ms)
    floor.now_ms += MINUTE_MS
    a_hand_of_all(floor)
    assert reading_of(floor) == (BREAK, True, whole_ms - MINUTE_MS)

    # what follows the break stands at its beginning, until a hand takes its time off it
    floor.now_ms += whole_ms
    following_ms = PERIODS[BREAK + 1].length_ms
    assert reading_of(floor) == (BREAK + 1, False, following_ms)
    a_hand_of_all(floor)
    assert reading_of(floor) == (BREAK + 1, False, following_ms - 120_000)


def test_a_table_is_set_into_the_break_in_which_the_room_is() -> None:
    floor = a_clock()
    floor.add(e.ClockSet(game="main", period=BREAK, left_ms=90_500, since_ms=floor.now_ms))
    level = PERIODS[BREAK].level
    told = clock.commands_for(floor.room.games["main"], PERIODS, floor.now_ms, there(floor, level, MINUTE_MS))
    assert told == (Clock(action="set", level=level, left_s=91, in_break=True),)


def test_two_clocks_on_both_sides_of_a_levels_end_are_the_same_one() -> None:
    floor = a_clock()
    floor.now_ms += PERIODS[0].length_ms + 1_000
    game = floor.room.games["main"]
    behind, ahead = there(floor, 1, 500), there(floor, 2, PERIODS[1].length_ms - 2_500)
    for state in (behind, ahead):
        assert clock.commands_for(game, PERIODS, floor.now_ms, state) == ()
    assert clock.commands_for(game, PERIODS, floor.now_ms, there(floor, 1, 5_000)) != ()


def test_hand_for_hand_the_clock_is_not_started_and_goes_on_afterwards_only_where_it_ran() -> None:
    floor = a_clock()
    floor.sets("pause")
    hand_for_hand(floor)
    with pytest.raises(RoomError, match="hand-for-hand off"):
        floor.sets("start")
    hand_for_hand(floor, on=False)
    assert not reading_of(floor)[1]

    floor.sets("start")
    hand_for_hand(floor)
    hand_for_hand(floor, on=False)
    assert reading_of(floor)[1]


def test_a_clock_that_was_started_in_an_older_journal_hand_for_hand_loses_the_time_of_its_hands_alone() -> None:
    floor = a_clock()
    hand_for_hand(floor)
    floor.add(e.ClockSet(game="main", period=0, left_ms=900_000, since_ms=floor.now_ms))
    floor.now_ms += 5 * MINUTE_MS
    a_hand_of_all(floor)
    a_hand_of_all(floor)
    assert reading_of(floor) == (0, False, 900_000 - 2 * 120_000)


def test_a_break_that_the_floor_has_paused_is_not_shortened_by_hands_either() -> None:
    floor = a_clock()
    floor.add(e.ClockSet(game="main", period=BREAK, left_ms=600_000, since_ms=None))
    hand_for_hand(floor)
    a_hand_of_all(floor)
    assert reading_of(floor) == (BREAK, False, 600_000)


def test_a_table_that_is_to_stand_is_stopped_before_it_is_set_and_not_set_to_nothing_left() -> None:
    floor = a_clock()
    floor.add(e.ClockSet(game="main", period=2, left_ms=500, since_ms=None))
    told = clock.commands_for(floor.room.games["main"], PERIODS, floor.now_ms, there(floor, 1, MINUTE_MS))
    assert told == (Clock(action="pause"), Clock(action="set", level=3, left_s=1))

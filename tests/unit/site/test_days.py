"""The day of an entry is the site's date, over the change of clocks too."""

from datetime import UTC, date, datetime

import pytest

from cardroom.record.days import UNDATED, Days, milliseconds
from cardroom.record.errors import RecordError

HOUR_MS = 3_600_000
NOW_MS = milliseconds(datetime(2026, 11, 28, tzinfo=UTC))


@pytest.mark.parametrize(
    ("day", "hours"),
    [(date(2026, 3, 29), 23), (date(2026, 10, 25), 25), (date(2026, 10, 26), 24)],
)
def test_a_day_has_the_hours_that_its_clocks_have(day, hours):
    days = Days("Europe/Vienna")
    begins = days.begins_ms(day)

    found = [days.day_of(begins + hour * HOUR_MS, NOW_MS) for hour in range(-1, hours + 1)]

    assert [one == day for one in found] == [False, *[True] * hours, False]


def test_the_hour_that_comes_twice_belongs_to_its_day_both_times():
    days = Days("Europe/Vienna")
    first = milliseconds(datetime(2026, 10, 25, 0, 30, tzinfo=UTC))  # 02:30 in summer time

    assert days.day_of(first, NOW_MS) == days.day_of(first + HOUR_MS, NOW_MS) == date(2026, 10, 25)


@pytest.mark.parametrize("at_ms", [0, -5, 3_000, 10**18, NOW_MS + 3 * 24 * HOUR_MS])
def test_a_time_that_cannot_be_right_has_no_day(at_ms):
    assert Days("UTC").day_of(at_ms, NOW_MS) == UNDATED


def test_a_zone_that_there_is_not_is_named():
    with pytest.raises(RecordError, match=r"Europe/Vindobona.*Europe/Vienna"):
        Days("Europe/Vindobona")

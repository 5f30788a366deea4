"""The day of an entry: the date at the site when it was written. Said here and nowhere else.

A day has 23 hours when clocks go forward and 25 when they go back; the time zone knows. Rows keep their time in
milliseconds as the table wrote it, so no zone is ever part of what is proven.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from cardroom.record.errors import RecordError

UNDATED: Final = date(1970, 1, 1)
"""The day of entries whose table had no idea of the time: before 2000, or days ahead of the site."""
_FIRST_MS: Final = 946_684_800_000
_AHEAD_MS: Final = 2 * 86_400_000
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


class Days:
    """Days in one time zone; the last one that was found is remembered, since most entries are of it."""

    def __init__(self, zone: str) -> None:
        """Raises RecordError (``no-zone``) for a zone that this machine does not know."""
        try:
            self._zone = ZoneInfo(zone)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            raise RecordError(
                "no-zone", f"There is no time zone {zone}: write it as Europe/Vienna, and see that tzdata is installed."
            ) from None
        self._first_ms, self._next_ms, self._day = 0, 0, UNDATED

    def day_of(self, at_ms: int, now_ms: int) -> date:
        """The date of a time at the site; UNDATED for one that cannot be right."""
        if self._first_ms <= at_ms < self._next_ms:
            return self._day
        if not _FIRST_MS <= at_ms <= now_ms + _AHEAD_MS:
            return UNDATED
        self._day = moment(at_ms).astimezone(self._zone).date()
        self._first_ms, self._next_ms = self.begins_ms(self._day), self.begins_ms(self._day + timedelta(days=1))
        return self._day

    def begins_ms(self, day: date) -> int:
        """When a day begins at the site."""
        return milliseconds(datetime.combine(day, time(), self._zone))


def moment(at_ms: int) -> datetime:
    """A time in milliseconds since 1970 as one with its zone, exactly; raises OverflowError far outside."""
    return _EPOCH + timedelta(milliseconds=at_ms)


def milliseconds(at: datetime) -> int:
    """The other way round."""
    return (at.astimezone(UTC) - _EPOCH) // timedelta(milliseconds=1)


def zone_here() -> str:
    """The time zone of this machine by name; UTC where it has none."""
    try:
        name = str(Path("/etc/localtime").resolve()).partition("/zoneinfo/")[2]
        return name if name and ZoneInfo(name) else "UTC"
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return "UTC"

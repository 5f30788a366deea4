"""The writing of the journal as people must know of it: that it fails, that it works again, that its disk is slow.

While it fails nothing counts. It is tried again by writing that it works again, and at every command. Where it fails
again soon after (a disk with room for a word and no more), the next trial comes later.
"""

from __future__ import annotations

from collections import deque
from pathlib import Path
from typing import Final, Protocol

from table_controller.journal.entries import Alerted, Entry
from table_controller.journal.errors import JournalError
from table_controller.service.notices import Notices

FAILED_CODE: Final = "journal-failed"
SLOW_CODE: Final = "journal-slow"
ANCHORS_CODE: Final = "journal-anchors"
AGAIN: Final = "The journal is written again."
TRY_AGAIN_S: Final = 0.5
LONGEST_TRY_S: Final = 30.0
RELAPSE_S: Final = 10.0
"""What fails within this time after it worked again has not really worked."""
CALM_S: Final = 1.0
"""After a failure: sensors are heard again before any of them is held to be silent."""
SLOW_MS: Final = 500.0
"""One write that takes so long holds a ruling up for everybody to see."""
SLUGGISH_MS: Final = 100.0
RECENT: Final = 8
"""So many writes decide: half of them sluggish is slow, none of them is not slow any more."""


class WrittenJournal(Protocol):
    """What is to be known of a journal that is written."""

    @property
    def path(self) -> Path: ...

    @property
    def anchor_failures(self) -> int: ...


class Writing:
    """How the writing goes; what people must know of it stands in `notices`. Times are seconds of a monotonic clock."""

    def __init__(self, journal: WrittenJournal, notices: Notices) -> None:
        self._journal = journal
        self._notices = notices
        self._took_ms: deque[float] = deque(maxlen=RECENT)
        self._try_s = 0.0
        self._pause_s = TRY_AGAIN_S
        self._worked_s: float | None = None
        """When it last worked again."""
        self._calm_s = 0.0
        self.fails = False
        """Nothing can be journalled now, so nothing may count."""

    def failed(self, error: JournalError, now_s: float) -> None:
        """An entry could not be written."""
        relapse = not self.fails and self._worked_s is not None and now_s - self._worked_s < RELAPSE_S
        if not self.fails:
            self._pause_s = min(2 * self._pause_s, LONGEST_TRY_S) if relapse else TRY_AGAIN_S
        self.fails = True
        self._try_s = now_s + self._pause_s
        self._notices.stands(FAILED_CODE, f"Play stops: {error}", "error")

    def worked(self, took_ms: float, now_s: float) -> None:
        """Entries were written, in that time."""
        if self.fails:
            self.fails = False
            self._calm_s, self._worked_s = now_s + CALM_S, now_s
            self._notices.passed(FAILED_CODE, AGAIN)
        self._took_ms.append(took_ms)
        sluggish = sum(one >= SLUGGISH_MS for one in self._took_ms)
        if took_ms >= SLOW_MS or 2 * sluggish > RECENT:
            self._notices.stands(
                SLOW_CODE,
                f"The disk of the journal is slow: it took {took_ms / 1_000:.1f} s to write one step, and every ruling "
                f"waits for it. Stop what else writes to the disk of {self._journal.path}, or move the journal to "
                "another disk after this hand (--journal).",
            )
        elif not sluggish and len(self._took_ms) == RECENT:
            self._notices.passed(SLOW_CODE, "The disk of the journal is fast enough again.")
        if self._journal.anchor_failures:
            self._notices.stands(
                ANCHORS_CODE,
                f"The anchors beside {self._journal.path} cannot be written: entries lost at its end would not show. "
                "Make room or make the file writable, then start the controller again.",
            )

    def is_calm(self, now_s: float) -> bool:
        """Whether time may be judged: not while the writing fails, and not just after."""
        return not self.fails and now_s >= self._calm_s

    def is_due(self, now_s: float) -> bool:
        """Whether to try again now."""
        return self.fails and now_s >= self._try_s

    @property
    def trial(self) -> tuple[Entry, ...]:
        """What is written to try again."""
        return (Alerted(severity="info", code=FAILED_CODE, seat=None, sentence=AGAIN, active=False),)

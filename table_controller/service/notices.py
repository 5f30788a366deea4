"""What the controller tells people of the bus itself: raised once, in the state while it lasts, then passed."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final, Literal

from betline.messages.table import Alert
from betline.units import NS_PER_S

Severity = Literal["info", "warning", "error"]
PASSES_NS: Final = 60 * NS_PER_S
"""A notice passes when what it is about was not seen for so long."""
_SENTENCES: Final[Mapping[str, str]] = {
    "strangers": "Devices that the table file does not name are on the bus and ignored: name them there, or stop them.",
    "forged-sender": "{who} speaks for a device that is not its own: ignored. Find out what that program is.",
    "second-life": "Two programs call themselves {who}: the one that came second is ignored. Stop it.",
    "replayed": "{who} sent a command that came before: it is not done again. Find out what that program is.",
    "forged": "{who} sent a command with a false signature: refused. Find out what that program is.",
    "overrun": "{who} sends more than can be read: the rest is dropped. Stop it, or start it again.",
    "malformed": "Messages on the bus cannot be read and are dropped. Check that all programs have the same version.",
    "program-fault": "The controller has a fault and dropped a message. Report the line of its log; the table goes on.",
    "bridge-fault": "The readers' program has a fault: key what it misses, and report the line of its log.",
    "camera-fault": "The camera's program has a fault: key what it misses, and report the line of its log.",
    "voice-fault": "The voice has a fault and may leave out a sentence: read it aloud, and report the line of its log.",
    "console-fault": "A console has a fault and may not show all: start it again, and report the line of its log.",
    "world-fault": "The virtual table has a fault: report the line of its log.",
}  # fmt: skip


class Notices:
    """The notices that stand now; `tell` publishes an alert."""

    def __init__(self, tell: Callable[[Alert], None]) -> None:
        self._tell = tell
        self._standing: dict[str, Alert] = {}
        self._seen: dict[str, tuple[int, int]] = {}
        """By kind how often it had been counted, and when that last grew."""

    @property
    def alerts(self) -> tuple[Alert, ...]:
        """What stands now."""
        return tuple(self._standing.values())

    def counted(self, counts: Mapping[str, int], who: Mapping[str, str], now_ns: int) -> None:
        """Raises a notice for what has grown since the last time, and takes back what has not for long."""
        for kind, sentence in _SENTENCES.items():
            count, (before, since_ns) = counts.get(kind, 0), self._seen.get(kind, (0, 0))
            if count > before:
                self._seen[kind] = (count, now_ns)
                self.stands(kind, sentence.format(who=who.get(kind, "A program")))
            elif kind in self._standing and now_ns - since_ns >= PASSES_NS:
                self.passed(kind)

    def stands(self, code: str, sentence: str, severity: Severity = "warning") -> None:
        """Raises a notice, where it does not stand already."""
        if code not in self._standing:
            self._standing[code] = Alert(severity=severity, code=code, sentence=sentence)
            self._tell(self._standing[code])

    def passed(self, code: str, sentence: str = "It has passed.") -> None:
        """Takes a notice back, where it stands."""
        alert = self._standing.pop(code, None)
        if alert is not None:
            self._tell(alert.model_copy(update={"severity": "info", "sentence": sentence, "active": False}))


def counter_name(text: str) -> str:
    """A sender or topic as part of a counter's name."""
    return re.sub(r"[^a-z0-9]+", "_", text.lower())[:40].strip("_")

"""Holding a replay against the recording: the first ruling, announcement, entry, answer or state that differs."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from betline.messages.common import Body, Reply
from betline.messages.table import Announcement, Ruling
from betline.table_recording.damage import Trouble
from betline.table_recording.reading import Recording
from betline.table_recording.writing import CONTROLLER
from betline.units import NS_PER_S
from table_controller.journal.entries import Entry, Recorded
from table_controller.service.taken import Began, Shown, Turn
from table_controller.session import Session, Terms, Tick
from table_controller.table_replay.evidence import (
    Evidence,
    Said,
    body_part,
    canonical,
    digest,
    gathered,
    recorded_state,
    state_part,
)
from table_controller.table_replay.player import Moment, Player, played, turn_of

_MISSING: Final = "(nothing)"


@dataclass(frozen=True, slots=True)
class Difference:
    """Where a replay comes to something else than was recorded."""

    at_ns: int
    """On the controller's monotonic clock."""
    seconds: float
    """Since the recording began."""
    hand_no: int
    what: str
    """Of what kind: entry, ruling, announcement, reply, state, fault."""
    which: str
    """The first key that differs."""
    recorded: object
    replayed: object

    @property
    def sentence(self) -> str:
        """All of it for people."""
        minutes, seconds = divmod(self.seconds, 60)
        where = f"{int(minutes)}:{seconds:06.3f}, hand {self.hand_no}"
        of = f", {self.which}" if self.which else ""
        return f"{where}, {self.what}{of}: recorded {_short(self.recorded)}, replayed {_short(self.replayed)}."

    def as_json(self) -> dict[str, Any]:
        """The difference as data."""
        return {
            "seconds": round(self.seconds, 3), "hand": self.hand_no, "what": self.what, "which": self.which,
            "recorded": self.recorded, "replayed": self.replayed,
        }  # fmt: skip


@dataclass(slots=True)
class Verdict:
    """What a replay came to."""

    inputs: int = 0
    ticks: int = 0
    starts: int = 0
    compared: dict[str, int] = field(default_factory=dict)
    """How many of each kind were recorded and replayed alike."""
    unheard: int = 0
    """What the replay tells and the recorder did not hear: it was away from the broker, or began later."""
    missing: int = 0
    """Inputs that were not noted: from the first of them on nothing can be expected to agree."""
    difference: Difference | None = None
    hash: str = ""
    """Of all that the replay came to: the same recording and the same program give the same hash."""
    seconds: float = 0.0
    """How long was recorded."""
    secrets: bool = False
    """It begins in the middle of a hand with cards under seals: what opens them was said before."""
    trouble: Trouble | None = None
    """What is wrong with the file."""

    @property
    def damaged(self) -> bool:
        """Whether a part of the recording cannot be read, so that the rest of it was not replayed."""
        return self.trouble is not None and self.trouble.damaged

    @property
    def ok(self) -> bool:
        """Whether nothing differs, nothing was left out, and something was compared."""
        return self.difference is None and not self.damaged and self.starts > 0

    @property
    def remarks(self) -> tuple[str, ...]:
        """What a person should know of the recording."""
        missing = f"{self.missing} inputs could not be noted when it was recorded: what follows them may differ."
        unheard = f"{self.unheard} messages were not heard by the recorder, so they were not compared."
        secrets = "The recording begins in the middle of a hand with sealed cards: what opens them is not in it."
        trouble = self.trouble.sentence if self.trouble else ""
        told = ((self.missing, missing), (self.unheard, unheard), (self.secrets, secrets), (self.trouble, trouble))
        return tuple([sentence for holds, sentence in told if holds])

    def as_json(self) -> dict[str, Any]:
        """The verdict as data."""
        return {
            "ok": self.ok, "inputs": self.inputs, "ticks": self.ticks, "starts": self.starts,
            "compared": self.compared, "unheard": self.unheard, "missing": self.missing,
            "cut": self.trouble is not None and not self.damaged,
            "damaged": self.trouble.as_json() if self.trouble is not None and self.damaged else None,
            "seconds": round(self.seconds, 3), "hash": self.hash,
            "difference": None if self.difference is None else self.difference.as_json(),
        }  # fmt: skip


def turns_of(recording: Recording, count_missing: Callable[[int], None] = lambda _: None) -> Iterator[Turn]:
    """The inputs of a recording in their order; `count_missing` gets how many are not there, where they are not."""
    for message in recording.messages(CONTROLLER):
        turn = turn_of(line := message.line)
        if turn is None:
            count_missing(int(line.get("count", 0)))
        else:
            yield turn


Look: TypeAlias = Callable[[int, Moment, "Difference | None"], None]
"""Gets each moment with the number of its turn, and how it differs from the recording where it does."""


def verified(recording: Recording, terms: Terms, look: Look | None = None, *, goes_on: bool = False) -> Verdict:
    """Replays a whole recording and compares. It ends at the first difference, unless it `goes_on`.

    Raises UserError for a recording that cannot be replayed.
    """
    evidence = gathered(recording)
    comparing = _Comparing(recording, evidence)
    turns = turns_of(recording, comparing.lacks)
    for number, moments in played(Player.new(terms), turns, evidence.history):
        for moment in moments:
            difference = comparing.take(moment)
            if look is not None:
                look(number, moment, difference)
        if comparing.verdict.difference is not None and not goes_on:
            break
    else:
        comparing.end()
    verdict = comparing.verdict
    verdict.hash, verdict.trouble = comparing.hash, recording.trouble
    return verdict


class _Comparing:
    """Compares moment by moment."""

    def __init__(self, recording: Recording, evidence: Evidence) -> None:
        self._recording = recording
        self._evidence = evidence
        self._hash = hashlib.sha256()
        self._began_ns: int | None = None
        self._now_ns = 0
        self._hand_no = 0
        self._newest: Difference | None = None
        self.verdict = Verdict()

    @property
    def hash(self) -> str:
        return self._hash.hexdigest()

    def lacks(self, count: int) -> None:
        """So many inputs are not there."""
        self.verdict.missing += count

    def take(self, moment: Moment) -> Difference | None:
        """Compares one moment; returns how it differs."""
        self._newest = None
        if self._began_ns is None:
            self._began_ns = moment.now.mono_ns
        if moment.now.mono_ns > self._now_ns:
            self._nothing_left(moment.now.mono_ns)
            self._now_ns = moment.now.mono_ns
        self._hand_no = moment.session.book.hand_no
        self.verdict.seconds = (self._now_ns - self._began_ns) / NS_PER_S
        self._count(moment)
        if moment.began is not None:
            self._compare_start(moment, moment.began)
        elif moment.shown is not None:
            self._compare_state(moment, moment.shown)
        elif moment.fault or moment.stumbled:
            self._compare_fault(moment)
        else:
            self._compare_entries(moment.entries, self._evidence.entries.get(moment.now.mono_ns))
            for message in sorted(moment.messages, key=_order):
                self._compare_message(message)
        return self._newest

    def end(self) -> None:
        """Nothing may be left that was recorded before the last input."""
        self._nothing_left(self._now_ns)

    def _count(self, moment: Moment) -> None:
        verdict = self.verdict
        ticks = isinstance(moment.given, Tick)
        verdict.ticks += ticks
        verdict.inputs += moment.given is not None and not ticks
        if moment.began is not None:
            verdict.starts += 1
            verdict.secrets = verdict.secrets or (moment.began.secrets and not moment.session.secrets)

    def _compare_start(self, moment: Moment, began: Began) -> None:
        self._compare_entries(moment.entries, self._evidence.starts.get(began.life))

    def _compare_entries(self, entries: tuple[Entry, ...], recorded: Any) -> None:
        for entry in entries:
            made = {"kind": entry.kind, "data": json.loads(json.dumps(entry.data))}
            self._hash.update(canonical(made))
            if not recorded:
                if self._is_past_the_end():
                    continue
                self._differs("entry", entry.kind, _MISSING, made["data"])
                return
            was: Recorded = recorded.popleft()
            self._same("entry", {"kind": was.kind, "data": was.data}, made)

    def _compare_message(self, message: Body) -> None:
        body = message.model_dump(mode="json")
        self._hash.update(canonical(body))
        if isinstance(message, Reply):
            answers = self._evidence.replies.get(message.command_id)
            if not answers:
                self.verdict.unheard += 1
            elif body not in answers:
                self._same("reply", answers[0], body)
            else:
                self._alike("reply")
        elif isinstance(message, Ruling | Announcement):
            kind = type(message).__name__.lower()
            said = self._evidence.said[kind]
            if not said or self._is_unheard(said[0], body):
                self.verdict.unheard += 1
            elif said[0].mono_ns < self._now_ns:
                was = said.popleft()
                self._differs(kind, "", _told(was), _MISSING)
            else:
                self._same(kind, said.popleft().body, body)

    def _is_unheard(self, said: Said, body: Mapping[str, Any]) -> bool:
        """Whether the next that was heard is another one, and this one may be among those that were not."""
        return said.body != body and self._evidence.is_gap_between(self._now_ns, said.mono_ns)

    def _compare_state(self, moment: Moment, shown: Shown) -> None:
        made = state_part(state_of(moment.session, shown).model_dump(mode="json"))
        self._hash.update(canonical(made))
        was = self._evidence.states.get((moment.life, shown.version))
        if was is None:
            self.verdict.unheard += 1
        elif was == digest(made):
            self._alike("state")
        else:
            self._same("state", recorded_state(self._recording, moment.life, shown.version), made)

    def _compare_fault(self, moment: Moment) -> None:
        if bool(moment.fault) != moment.stumbled:
            was = "a fault of the program" if moment.stumbled else "none"
            self._differs("fault", type(moment.given).__name__, was, moment.fault or "none")

    def _nothing_left(self, before_ns: int) -> None:
        """What was journalled at the last time and did not come again."""
        left = self._evidence.entries.get(self._now_ns) if self._now_ns < before_ns else None
        if left:
            was = left.popleft()
            self._differs("entry", was.kind, was.data, _MISSING)

    def _is_past_the_end(self) -> bool:
        """Whether the journal in the recording ends before now, or in the midst of it where the file is not whole."""
        history = self._evidence.history
        if not history or history[-1].mono_ns < self._now_ns:
            return True
        return self._recording.trouble is not None and history[-1].mono_ns == self._now_ns

    def _same(self, what: str, recorded: Mapping[str, Any], replayed: Mapping[str, Any]) -> None:
        found = first_difference(recorded, replayed)
        if found is None:
            self._alike(what)
        else:
            self._differs(what, *found)

    def _alike(self, what: str) -> None:
        self.verdict.compared[what] = self.verdict.compared.get(what, 0) + 1

    def _differs(self, what: str, which: str, recorded: object, replayed: object) -> None:
        found = Difference(self._now_ns, self.verdict.seconds, self._hand_no, what, which, recorded, replayed)
        self._newest = self._newest or found
        self.verdict.difference = self.verdict.difference or found


def state_of(session: Session, shown: Shown) -> Body:
    """The state as it was published then, by a replay."""
    return session.table_state(shown.version, shown.seq, "")


def first_difference(recorded: object, replayed: object, path: str = "") -> tuple[str, object, object] | None:
    """The first key that differs, and both values; None where all is the same."""
    if isinstance(recorded, Mapping) and isinstance(replayed, Mapping):
        for key in (*recorded, *(key for key in replayed if key not in recorded)):
            here = f"{path}.{key}" if path else str(key)
            found = first_difference(recorded.get(key, _MISSING), replayed.get(key, _MISSING), here)
            if found is not None:
                return found
        return None
    if isinstance(recorded, list) and isinstance(replayed, list) and len(recorded) == len(replayed):
        pairs = enumerate(zip(recorded, replayed, strict=True))
        return next(filter(None, (first_difference(was, now, f"{path}[{n}]") for n, (was, now) in pairs)), None)
    return None if recorded == replayed else (path, recorded, replayed)


def _order(message: Body) -> int:
    """As the service sends them: what a player waits for goes out first."""
    return 0 if isinstance(message, Announcement) else 1


def _told(said: Said) -> object:
    return said.body.get("sentence") or said.body.get("text") or body_part(said.body)


def _short(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 200 else f"{text[:200]}..."

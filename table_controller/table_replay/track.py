"""A replay that one can look at: what happened and when, and the session at any turn, forwards and backwards.

Sessions are frozen values that share what has not changed, so some of them are kept; going back is going on from the
one that was kept before.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from betline.messages.common import Reply
from betline.messages.table import Alert, Announcement, Ruling, TableState
from betline.steps import command_args
from betline.table_recording.reading import Recording
from betline.table_recording.writing import CONTROLLER
from betline.units import NS_PER_S
from table_controller.journal.entries import HandBegan, Recorded
from table_controller.session import Keyed, Terms
from table_controller.table_replay.evidence import gathered
from table_controller.table_replay.player import Moment, Player, turn_of
from table_controller.table_replay.verify import Difference, Verdict, verified

KEPT_EACH: Final = 200
"""Of so many turns one is kept besides those at which something happened."""
Kind = Literal["command", "refusal", "ruling", "announcement", "alert", "hand", "start", "difference"]


@dataclass(frozen=True, slots=True)
class Mark:
    """Something that happened: at which turn, how many seconds after the beginning, and in words."""

    turn: int
    seconds: float
    kind: Kind
    text: str
    hand_no: int
    act_no: int = 0

    @property
    def clock(self) -> str:
        """Minutes and seconds since the beginning."""
        minutes, seconds = divmod(self.seconds, 60)
        return f"{int(minutes)}:{seconds:06.3f}"


@dataclass(slots=True)
class Track:
    """A recording as it is replayed. `read` it whole, on another thread if need be; what is read can be looked at."""

    recording: Recording
    terms: Terms
    marks: list[Mark] = field(default_factory=list)
    turns: int = 0
    """How many have been read."""
    seconds: float = 0.0
    verdict: Verdict | None = None
    """What the comparison came to, when all is read."""
    _kept: list[tuple[int, Player]] = field(default_factory=list)
    _seconds_at: list[float] = field(default_factory=list)
    _lines: Sequence[bytes] = ()
    _history: Sequence[Recorded] = ()
    _began_ns: int | None = None
    _last: tuple[int, Moment] | None = None

    def read(self) -> Verdict:
        """Replays all of it and holds it against the recording; raises UserError where it cannot be replayed."""
        lines = [message.data for message in self.recording.messages(CONTROLLER)]
        self._lines = [data for data in lines if b'"is":' in data]
        self._history = gathered(self.recording).history
        self._kept.append((0, Player.new(self.terms)))
        self.verdict = verified(self.recording, self.terms, self._look, goes_on=True)
        return self.verdict

    def at(self, turn: int) -> Player:
        """The session after a turn that has been read."""
        turn = max(0, min(turn, self.turns))
        number, player = self._kept[bisect_right([one for one, _ in self._kept], turn) - 1]
        for data in self._lines[number:turn]:
            found = turn_of(json.loads(data))
            assert found is not None
            player, _ = player.after(found, self._history)
        return player

    def state(self, player: Player) -> TableState:
        """The state as dealer and floor see it."""
        return player.session.table_state(1, 0, "")

    def seconds_of(self, turn: int) -> float:
        """When a turn was, since the beginning."""
        return self._seconds_at[min(turn, len(self._seconds_at)) - 1] if turn and self._seconds_at else 0.0

    def turn_at(self, seconds: float) -> int:
        """The last turn up to a time."""
        return bisect_right(self._seconds_at, seconds)

    def turn_of_hand(self, hand: int) -> int | None:
        """The turn at which a hand began; None where it is not there."""
        return next((one.turn for one in self.marks if one.kind == "hand" and one.hand_no == hand), None)

    def _look(self, turn: int, moment: Moment, difference: Difference | None) -> None:
        if self._began_ns is None:
            self._began_ns = moment.now.mono_ns
        self.seconds = (moment.now.mono_ns - self._began_ns) / NS_PER_S
        self._keep(turn)
        found = self._marks(turn, moment)
        if difference is not None:
            found.append(Mark(turn, self.seconds, "difference", difference.sentence, moment.session.book.hand_no))
        self.marks += found
        if turn > len(self._seconds_at):
            self._seconds_at.append(self.seconds)
        self._seconds_at[-1] = self.seconds
        self._last = (turn, moment)
        self.turns = turn

    def _keep(self, turn: int) -> None:
        """Keeps the session after the turn before, if it is far from the last one or something happened at it."""
        if self._last is None or self._last[0] == turn:
            return
        number, moment = self._last
        happened = bool(self.marks) and self.marks[-1].turn == number
        if happened or number - self._kept[-1][0] >= KEPT_EACH:
            self._kept.append((number, Player.at(self.terms, moment)))

    def _marks(self, turn: int, moment: Moment) -> list[Mark]:
        found: list[Mark] = []
        hand_no = moment.session.book.hand_no

        def mark(kind: Kind, text: str, act_no: int = 0) -> None:
            found.append(Mark(turn, self.seconds, kind, text, hand_no, act_no))

        if moment.began is not None:
            mark("start", f"The controller begins, journal up to entry {moment.began.head}.")
        if isinstance(moment.given, Keyed) and not moment.given.repeated:
            args = command_args(moment.given.asks)
            mark("command", " ".join([moment.given.verb, *(f"{key}={value}" for key, value in args.items())]))
        for entry in moment.entries:
            if isinstance(entry, HandBegan):
                mark("hand", f"Hand {entry.hand_no}: {entry.game}")
        for message in moment.messages:
            match message:
                case Ruling():
                    mark("ruling", message.sentence, message.act_no)
                case Announcement():
                    mark("announcement", message.text)
                case Alert():
                    mark("alert", message.sentence)
                case Reply(ok=False):
                    mark("refusal", message.sentence)
        return found

"""The host's side of the talk with one BB..7E module.

A round is a multiple poll that is stopped when the module only repeats itself. A single poll won't do: it ends without
a word once it has heard a tag, so its end would have to be guessed from silence. The answer to the stop command ends a
round for certain. The number of polls is bounded: a module whose host died falls silent by itself.

The module repeats itself when, since the last tag that was new, it has sent as many notices and empty polls as there
are known tags, and `_MARGIN` more: each tag had another chance, and an empty field was polled that often. A frame that
was lost may have been a tag that was new, so the count begins again after it, and goes on for a whole poll more: the
order of the tags changes from poll to poll. On a line that loses so much that the count never ends, the round ends
after `_PATIENCE` times as many notices, and carries the warning `damaged`.

A module that refuses the multiple poll, or answers neither it nor its stop, is read by single polls, until some of them
reported nothing new; the multiple poll is tried again `_SINGLE_ROUNDS` rounds later.

A power that was asked for is set behind each stop that begins a round: before the first, and after each failure, for
the module may have lost its supply. Who asked for less power wants no neighbour's chips: without it there is no round.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from enum import Enum, auto
from typing import Final

from firmware_bridge.protocols.bb.commands import (
    COMMAND_ERROR,
    NO_TAG,
    meaning,
    multiple_poll,
    set_power,
    single_poll,
    stop,
)
from firmware_bridge.protocols.bb.frames import Command, Frame, FrameType, TagNotice, is_notice, reply_decoder
from firmware_bridge.protocols.doubt import Doubt
from firmware_bridge.protocols.family import (
    Ask,
    Inventory,
    LineCounters,
    Listen,
    Refused,
    Step,
    TagKind,
    TagRead,
)

POLLS: Final = 100
FIRST_NOTICE_MS: Final = 1000.0
"""A module reports nothing of a poll before its end; it may have to find a free channel first."""
MAX_ROUND_MS: Final = 4000.0
STOP_TIMEOUT_MS: Final = 300.0
SINGLE_POLL_MS: Final = 400.0
SINGLE_POLL_QUIET_MS: Final = 120.0
"""A single poll that reported a tag is over when nothing more came for this long."""
_MARGIN: Final = 3
_PATIENCE: Final = 4
_POLLS_TRIED: Final = 2
_STOPS_TRIED: Final = 3
_STOPS_WHILE_IT_TALKS: Final = 10
"""A module that still sends notices is alive, and its line is only behind."""
_BARREN_SINGLES: Final = 3
_SINGLES_TRIED: Final = 2
_SINGLE_ROUNDS: Final = 64
NO_CODE: Final = 0x00
"""For an error that does not say which."""


class _Phase(Enum):
    IDLE = auto()
    SILENCING = auto()
    """The module may still poll for whoever was here before: stop it, and only then begin."""
    POWERING = auto()
    POLLING = auto()
    STOPPING = auto()
    SINGLE = auto()


class BbDialogue:
    """Implements `family.Dialogue`."""

    def __init__(self, power_centi_dbm: int | None = None) -> None:
        """None: the module keeps the power that it has."""
        self._power_centi_dbm = power_centi_dbm
        self._is_powered = power_centi_dbm is None
        self._then: Callable[[], Ask] = self._poll
        self._decoder = reply_decoder()
        self._phase = _Phase.IDLE
        self._in_step = False
        self._best: dict[str, int] = {}
        self._told = self._repeats = 0
        self._polls = self._stops = 0
        self._single_rounds = 0
        self._barren = self._unanswered = 0
        self._warning: Doubt | None = None
        self._late = 0
        self._round_began = self._first_stop = self._asked = LineCounters()

    @property
    def counters(self) -> LineCounters:
        return replace(self._decoder.counters, late_replies=self._late)

    @property
    def damaged(self) -> bool:
        return self._decoder.counters.crc_errors > self._asked.crc_errors

    def inventory(self, antenna: int | None) -> Step:
        """Begin a round; these modules have one antenna."""
        self._late += len(self._decoder.end_of_request())
        if antenna not in (None, 1):
            return Refused("antenna", f"a module of this family has one antenna, not {antenna}: correct the table")
        self._polls = self._stops = 0
        if self._single_rounds:
            self._single_rounds -= 1
            return self._begin_singles()
        return self._poll() if self._in_step else self._stop(_Phase.SILENCING)

    def feed(self, data: bytes, now_ms: float) -> Step | None:
        lost_before = self._decoder.counters.dropped_bytes
        frames = self._decoder.feed(data, now_ms)
        if self._decoder.counters.dropped_bytes > lost_before:
            self._repeats = -len(self._best)
        return self._hear(frames)

    def silence(self) -> Step | None:
        step = self._hear(self._decoder.end_of_request())
        if step is not None:
            return step
        if self._phase is _Phase.POLLING and self._told:
            return self._enough(Doubt.UNFINISHED)
        if self._phase is _Phase.POLLING and self._polls < _POLLS_TRIED:
            self._stops = 0
            return self._stop(_Phase.SILENCING)
        if self._phase in (_Phase.SILENCING, _Phase.STOPPING):
            talks = self._decoder.counters.frames > self._first_stop.frames
            if self._stops < (_STOPS_WHILE_IT_TALKS if talks else _STOPS_TRIED):
                return self._stop(self._phase)
            if self._phase is _Phase.SILENCING and not talks:
                return self._powered(self._begin_singles)
        if self._phase is _Phase.POWERING and self._in_step:
            return self._unpowered("does not answer")
        if self._phase is _Phase.SINGLE:
            if self._told:
                return self._on_single_over()
            self._unanswered += 1
            if self._unanswered < _SINGLES_TRIED:
                return self._single()
            self._single_rounds = 0
        self._give_up()
        return None

    def _hear(self, frames: list[Frame]) -> Step | None:
        step: Step | None = None
        for frame in frames:
            said = self._on(frame)
            step = step if said is None else said
        return step

    def _on(self, frame: Frame) -> Step | None:
        if self._phase in (_Phase.POLLING, _Phase.STOPPING, _Phase.SINGLE) and is_notice(frame):
            return self._on_notice(TagNotice.from_frame(frame))
        if self._phase in (_Phase.SILENCING, _Phase.STOPPING) and _is_response(frame, Command.STOP):
            return self._on_stopped()
        if self._phase is _Phase.POWERING and _is_response(frame, Command.SET_POWER):
            self._is_powered = True
            return self._then()
        if _is_response(frame, Command.ERROR) and self._concerns(frame):
            return self._on_error(frame)
        self._late += 1
        if is_notice(frame):
            self._in_step = False
        return None

    def _concerns(self, error: Frame) -> bool:
        """Before the first stop is answered, errors of an earlier host's polls are late; only a refused stop is not."""
        if self._phase is _Phase.SILENCING:
            return error.parameters == bytes((COMMAND_ERROR,))
        if self._phase is _Phase.POWERING:
            return error.parameters != bytes((NO_TAG,))
        return self._phase is not _Phase.IDLE

    def _on_notice(self, notice: TagNotice) -> Step | None:
        uid = notice.epc.hex().upper()
        known = self._best.get(uid)
        self._best[uid] = notice.rssi if known is None else max(known, notice.rssi)
        self._repeats = min(0, self._repeats) if known is None else self._repeats + 1
        if self._phase is _Phase.SINGLE:
            self._barren = -1 if known is None else self._barren
            self._told += 1
            return Listen(SINGLE_POLL_QUIET_MS) if self._told == 1 else None
        return self._on_poll()

    def _on_error(self, frame: Frame) -> Step | None:
        code = frame.parameters[0] if frame.parameters else NO_CODE
        if self._phase is _Phase.SINGLE and code == NO_TAG:
            return self._on_single_over()
        if code == NO_TAG:
            self._repeats += 1
            return self._on_poll()
        if self._phase is _Phase.POWERING:
            return self._unpowered(f"answered {code:02X}, {meaning(code)}")
        if code == COMMAND_ERROR and self._phase in (_Phase.SILENCING, _Phase.POLLING):
            return self._powered(self._begin_singles)
        self._give_up()
        return Refused(f"error_{code:02x}", f"the reader answered {code:02X}, {meaning(code)}")

    def _on_poll(self) -> Step | None:
        """A poll reported something: listen on, or stop if it is enough."""
        if self._phase is not _Phase.POLLING:
            return None
        self._told += 1
        needed = len(self._best) + _MARGIN
        if self._repeats >= needed:
            return self._enough(None)
        lost = self._decoder.counters.dropped_bytes > self._round_began.dropped_bytes
        if lost and self._told >= _PATIENCE * needed:
            return self._enough(Doubt.DAMAGED)
        return Listen(MAX_ROUND_MS) if self._told == 1 else None

    def _enough(self, warning: Doubt | None) -> Ask:
        self._warning = warning
        self._stops = 0
        return self._stop(_Phase.STOPPING)

    def _on_stopped(self) -> Step:
        self._in_step = True
        if self._phase is _Phase.SILENCING:
            return self._powered(self._poll)
        self._phase = _Phase.IDLE
        tags = tuple(TagRead(uid, TagKind.EPC, rssi=rssi) for uid, rssi in self._best.items())
        return Inventory(tags, () if self._warning is None else (self._warning,))

    def _powered(self, then: Callable[[], Ask]) -> Ask:
        """Go on with `then` once the module has the power that was asked for."""
        if self._is_powered:
            return then()
        self._phase, self._then = _Phase.POWERING, then
        return self._ask(set_power(self._power_centi_dbm or 0), STOP_TIMEOUT_MS)

    def _unpowered(self, what: str) -> Refused:
        self._give_up()
        return Refused(
            "power", f"the reader {what} when its power is set: correct power_dbm in its settings, or take it out"
        )

    def _begin_singles(self) -> Ask:
        self._best, self._barren, self._unanswered = {}, 0, 0
        return self._single()

    def _single(self) -> Ask:
        self._phase = _Phase.SINGLE
        self._told = 0
        return self._ask(single_poll(), SINGLE_POLL_MS)

    def _on_single_over(self) -> Step:
        """A single poll reported all that it will: poll again until some reported nothing new."""
        self._unanswered = 0
        self._barren += 1
        if self._barren < _BARREN_SINGLES:
            return self._single()
        self._single_rounds = self._single_rounds or _SINGLE_ROUNDS
        self._give_up()
        return Inventory(tuple(TagRead(uid, TagKind.EPC, rssi=rssi) for uid, rssi in self._best.items()))

    def _poll(self) -> Ask:
        self._phase = _Phase.POLLING
        self._polls += 1
        self._best, self._told, self._repeats = {}, 0, 0
        self._round_began = self._decoder.counters
        return self._ask(multiple_poll(POLLS), FIRST_NOTICE_MS)

    def _stop(self, phase: _Phase) -> Ask:
        self._phase = phase
        if phase is _Phase.SILENCING:
            self._is_powered = self._power_centi_dbm is None
        if not self._stops:
            self._first_stop = self._decoder.counters
        self._stops += 1
        return self._ask(stop(), STOP_TIMEOUT_MS)

    def _ask(self, command: Frame, timeout_ms: float) -> Ask:
        self._asked = self._decoder.counters
        return Ask(command.to_bytes(), timeout_ms)

    def _give_up(self) -> None:
        self._phase = _Phase.IDLE
        self._in_step = False


def _is_response(frame: Frame, command: Command) -> bool:
    return frame.type == FrameType.RESPONSE and frame.command == command

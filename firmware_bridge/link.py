"""The driver's logic for one reader, as a pure state machine: what to ask next, time-outs, retries, reconnection.

    CLOSED --(back-off over)--> OPENING --opened--> RESTING --(a zone is due)--> ASKING --round over--> RESTING
       ^                           |                   |                           |
       +------- open failed -------+------ lost -------+----- lost, or silent ------+

A reader that pushes may begin a round of its own while the machine rests, or tell a whole one.

The shell (`driver.py`) tells it what happened and when, and carries out the effects that it returns. Times are
`time.monotonic_ns()` of the shell; the machine itself reads no clock.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import Enum, auto
from typing import Final

from betline.units import NS_PER_MS
from firmware_bridge.adaptive_timeout import AdaptiveTimeout
from firmware_bridge.effects import (
    ClosePort,
    Effect,
    LinkHealth,
    OpenPort,
    RoundOver,
    Send,
    Trouble,
)
from firmware_bridge.protocols.family import (
    Ask,
    Delivery,
    Dialogue,
    Family,
    Inventory,
    LineCounters,
    Listen,
    Refused,
    SharesField,
    Step,
    TellsOfItself,
)
from firmware_bridge.schedule import Channel, Need, Pace, next_poll
from firmware_bridge.seating import Seating

NEVER_MS: Final = 1e12
QUIET_MS: Final = 60.0
"""After a damaged frame and this much silence the answer will not come any more."""
MAX_REPLY_MS: Final = 2000.0
"""An answer that is still coming in at the deadline may go on for this long; noise may not go on for ever."""
GAP_TICK_MS: Final = 20.0
FULL_TRAY_MS: Final = 2000.0
SILENT_ROUNDS_BEFORE_REOPENING: Final = 3
DEAF_MS: Final = 3000.0
"""A port is given this long to answer before it is opened again: a board that the opening resets needs some of it."""
REOPEN_FIRST_MS: Final = 200.0
REOPEN_MOST_MS: Final = 2000.0
RETRY_FIRST_MS: Final = 20.0
RETRY_MOST_MS: Final = 1000.0


class _State(Enum):
    CLOSED = auto()
    OPENING = auto()
    RESTING = auto()
    ASKING = auto()


class ReaderLink:
    """One reader behind one port, serving one or more antenna zones."""

    def __init__(
        self,
        family: Family,
        channels: Sequence[Channel],
        pace: Pace | None = None,
        *,
        shares_field: bool = False,
        seating: Seating | None = None,
    ) -> None:
        """`shares_field`: the field is off between rounds, where the family can do that. None: any seat is right."""
        if not channels:
            raise ValueError("a reader needs at least one antenna zone")
        self._family = family
        self._seating = seating
        self._channels = tuple(channels)
        self._pace = pace or Pace()
        self._acting: frozenset[str] = frozenset()
        self._state = _State.CLOSED
        self._shares_field = shares_field
        self._dialogue = self._fresh_dialogue()
        self._begun_ms: dict[Channel, float] = {}
        self._channel = self._channels[0]
        self._wake_ms = 0.0
        self._deadline_ms = 0.0
        self._latest_ms = 0.0
        self._asked_ms = 0.0
        self._opened_ms = 0.0
        self._round_began_ms = 0.0
        self._listening = False
        self._unasked = False
        self._silent_until_ms: float | None = None
        self._last_byte_ns = 0
        self._heard_in_answer = False
        self._heard_ns: int | None = None
        self._round_ns: int | None = None
        self._slowest_ms = 0.0
        self._usual_ms = 0.0
        self._patience = AdaptiveTimeout()
        self._failed_opens = 0
        self._failed_rounds = 0
        self._silent_rounds = 0
        self._ever_open = False
        self._counted = LinkHealth()
        self._line_before = LineCounters()

    @property
    def wake_ns(self) -> int:
        """When `tick` has something to do, if nothing else happens before."""
        return int(self._wake_ms * NS_PER_MS)

    @property
    def heard_ns(self) -> int | None:
        """When the reader last answered with an undamaged frame; None if it never did."""
        return self._heard_ns

    @property
    def round_ns(self) -> int | None:
        """When the last complete round ended; None if there was none."""
        return self._round_ns

    @property
    def usual_ms(self) -> float:
        """How long silence means nothing: as long as the last complete round took, be it of many quick answers.

        Where nobody waits for any of its zones, as long as an answer about a full tray may take.
        """
        slow = all(channel.need is Need.SLOW for channel in self._channels)
        return max(self._usual_ms, FULL_TRAY_MS) if slow else self._usual_ms

    @property
    def is_open(self) -> bool:
        return self._state in (_State.RESTING, _State.ASKING)

    @property
    def health(self) -> LinkHealth:
        line = self._line_before + self._dialogue.counters
        return replace(
            self._counted,
            crc_errors=line.crc_errors,
            resyncs=line.resyncs,
            dropped_bytes=line.dropped_bytes,
            late_replies=line.late_replies,
            reboots=line.reboots,
        )

    @property
    def own_counters(self) -> Mapping[str, float]:
        """What the reader last said of itself; empty where it is away, or says nothing of that."""
        dialogue = self._dialogue
        return dialogue.own_counters if isinstance(dialogue, TellsOfItself) and self.is_open else {}

    @property
    def in_round(self) -> bool:
        """Whether the reader is being read now, so that its field is in use."""
        return self._state is _State.ASKING

    @property
    def is_resting(self) -> bool:
        """Whether the next tick may begin a round."""
        return self._state is _State.RESTING

    def attend(self, acting: frozenset[str], now_ns: int) -> None:
        """From now on an act is awaited in these zones; call `tick` after it."""
        self._acting = acting
        if self._state is _State.RESTING:
            self._wake_ms = now_ns / NS_PER_MS

    def tick(self, now_ns: int) -> list[Effect]:
        """Time passes."""
        now_ms = now_ns / NS_PER_MS
        if now_ms < self._wake_ms:
            return []
        if self._state is _State.CLOSED:
            self._state = _State.OPENING
            self._wake_ms = NEVER_MS
            return [OpenPort()]
        if self._state is _State.RESTING:
            return self._rest(now_ms)
        if self._state is _State.ASKING:
            return self._wait(now_ms)
        return []

    def opened(self, now_ns: int) -> list[Effect]:
        """The port is open."""
        self._keep_line_counters()
        self._dialogue = self._fresh_dialogue()
        self._silent_rounds = self._failed_rounds = 0
        self._patience = AdaptiveTimeout()
        self._unasked = self._heard_in_answer = False
        self._silent_until_ms = None
        if self._ever_open:
            self._counted = replace(self._counted, reconnects=self._counted.reconnects + 1)
        self._ever_open = True
        self._state = _State.RESTING
        self._opened_ms = self._wake_ms = now_ns / NS_PER_MS
        return []

    def open_failed(self, now_ns: int, code: str, sentence: str) -> list[Effect]:
        """The port could not be opened."""
        self._back_off(now_ns / NS_PER_MS)
        return [Trouble(code, sentence)]

    def lost(self, now_ns: int, sentence: str) -> list[Effect]:
        """The open port failed: unplugged, or taken away."""
        self._back_off(now_ns / NS_PER_MS)
        return [ClosePort(), Trouble("unplugged", sentence)]

    def received(self, now_ns: int, data: bytes) -> list[Effect]:
        """`data` came in at `now_ns`."""
        if not self.is_open:
            return []
        now_ms = now_ns / NS_PER_MS
        if self._state is _State.RESTING and not self._unasked:
            self._unasked, self._slowest_ms = True, 0.0
            self._round_began_ms = self._asked_ms = now_ms
        self._last_byte_ns = now_ns
        self._heard_in_answer = True
        frames_before = self._dialogue.counters.frames
        step = self._dialogue.feed(data, now_ms)
        if self._dialogue.counters.frames > frames_before:
            self._heard_ns = now_ns
            self._failed_opens = 0
        if step is not None:
            return self._carry_out(step, now_ms)
        if self._state is _State.ASKING:
            self._wake_ms = min(self._deadline_ms, now_ms + GAP_TICK_MS)
        elif self._family.traits.delivery is Delivery.PUSHED:
            self._silent_until_ms = now_ms + GAP_TICK_MS
            self._wake_ms = min(self._wake_ms, self._silent_until_ms)
        return []

    def _fresh_dialogue(self) -> Dialogue:
        dialogue = self._family.dialogue()
        if self._shares_field and isinstance(dialogue, SharesField):
            dialogue.share_field()
        return dialogue

    def _rest(self, now_ms: float) -> list[Effect]:
        if self._silent_until_ms is not None and now_ms >= self._silent_until_ms:
            self._silent_until_ms = None
            step = self._dialogue.feed(b"", now_ms)
            if step is not None:
                return self._carry_out(step, now_ms)
        poll = next_poll(self._channels, self._begun_ms, self._acting, now_ms, self._pace)
        if poll.at_ms > now_ms:
            self._wake_ms = min(poll.at_ms, self._silent_until_ms or poll.at_ms)
            return []
        self._channel = poll.channel
        self._unasked, self._silent_until_ms = False, None
        self._begun_ms[poll.channel] = self._round_began_ms = now_ms
        self._slowest_ms = 0.0
        self._heard_in_answer = False
        return self._carry_out(self._dialogue.inventory(poll.channel.antenna), now_ms)

    def _wait(self, now_ms: float) -> list[Effect]:
        """No byte came until now: a gap ends what noise began, a damaged answer or the deadline ends the request."""
        step = self._dialogue.feed(b"", now_ms)
        if step is not None:
            self._heard_ns = self._last_byte_ns
            return self._carry_out(step, now_ms)
        damaged = self._heard_in_answer and self._dialogue.damaged
        until_ms = self._deadline_ms
        if self._heard_in_answer and not self._listening:
            quiet_ms = self._last_byte_ns / NS_PER_MS + QUIET_MS
            until_ms = quiet_ms if damaged else max(until_ms, quiet_ms)
        until_ms = min(until_ms, self._latest_ms)
        if now_ms < until_ms:
            self._wake_ms = until_ms
            return []
        return self._give_up(now_ms, damaged)

    def _give_up(self, now_ms: float, damaged: bool) -> list[Effect]:
        step = self._dialogue.silence()
        if not damaged and not (self._listening and step is not None):
            self._counted = replace(self._counted, timeouts=self._counted.timeouts + 1)
            self._patience = self._patience.doubled()
        if step is not None:
            return self._carry_out(step, now_ms)
        if damaged:
            return self._round_failed(now_ms, Trouble("damaged", "the reader's answer came in damaged; asking again"))
        self._silent_rounds += 1
        trouble = Trouble("silent", "the reader does not answer: check its supply, its cable and the baud rate")
        deaf_ms = now_ms - self._opened_ms
        may_boot = deaf_ms < max(DEAF_MS, self._family.traits.boots_ms)
        if self._silent_rounds < SILENT_ROUNDS_BEFORE_REOPENING or may_boot:
            return self._round_failed(now_ms, trouble)
        self._back_off(now_ms)
        return [ClosePort(), trouble]

    def _carry_out(self, step: Step, now_ms: float) -> list[Effect]:
        if self._heard_in_answer:
            self._slowest_ms = max(self._slowest_ms, now_ms - self._asked_ms)
        if isinstance(step, Inventory) and self._seating is not None:
            step = self._seating.misplaced(self._dialogue) or step
        if isinstance(step, Inventory):
            return self._round_done(step, now_ms)
        if isinstance(step, Refused):
            self._counted = replace(self._counted, refusals=self._counted.refusals + 1)
            return self._round_failed(now_ms, Trouble(step.code, step.sentence))
        self._state = _State.ASKING
        self._asked_ms = now_ms
        self._heard_in_answer = False
        self._listening = isinstance(step, Listen)
        # A pot may have grown by a hundred chips since its last round, and nobody waits for it.
        in_a_hurry = self._channel.need is not Need.SLOW and not self._listening
        timeout_ms = self._patience.within(step.timeout_ms) if in_a_hurry else step.timeout_ms
        self._deadline_ms = self._wake_ms = now_ms + timeout_ms
        self._latest_ms = self._deadline_ms + MAX_REPLY_MS
        return [Send(step.data)] if isinstance(step, Ask) else []

    def _round_done(self, round_: Inventory, now_ms: float) -> list[Effect]:
        self._patience = self._patience.after_round(self._slowest_ms)
        self._silent_rounds = self._failed_rounds = 0
        end_ms = self._last_byte_ns / NS_PER_MS
        if end_ms < self._round_began_ms:  # a reader that pushes says nothing where nothing lies
            end_ms = now_ms
        self._round_ns = round(end_ms * NS_PER_MS)
        cycle_ms = self._usual_ms = end_ms - self._round_began_ms
        self._counted = replace(self._counted, cycles=self._counted.cycles + 1, cycle_ms=cycle_ms)
        if self._unasked:
            self._begun_ms[self._channel] = self._round_began_ms
        self._state, self._wake_ms, self._unasked = _State.RESTING, now_ms, False
        return [RoundOver(self._channel, round_.tags, round_.warnings, cycle_ms, self._round_ns)]

    def _round_failed(self, now_ms: float, trouble: Trouble) -> list[Effect]:
        pause = min(RETRY_FIRST_MS * 2 ** min(self._failed_rounds, 8), RETRY_MOST_MS)
        self._failed_rounds += 1
        self._state = _State.RESTING
        self._wake_ms = now_ms + pause
        return [trouble]

    def _back_off(self, now_ms: float) -> None:
        pause = min(REOPEN_FIRST_MS * 1.5 ** min(self._failed_opens, 8), REOPEN_MOST_MS)
        self._failed_opens += 1
        self._state = _State.CLOSED
        self._wake_ms = now_ms + pause

    def _keep_line_counters(self) -> None:
        self._line_before += self._dialogue.counters

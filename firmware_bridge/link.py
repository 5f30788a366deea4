"""The driver's logic for one reader, as a pure state machine: what to ask next, time-outs, retries, reconnection.

Its states and what leads from one to the next stand in `link_states.py`; the shell (`driver.py`) says what happened and
when, and carries out the effects that come back. Times are `time.monotonic_ns()` of the shell; the machine itself
reads no clock.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
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
from firmware_bridge.introduction import Introduced
from firmware_bridge.link_states import MACHINE, LinkEvent, LinkState
from firmware_bridge.protocols.family import (
    Ask,
    AsksWhetherBusy,
    Delivery,
    Dialogue,
    Family,
    Identity,
    Inventory,
    LineCounters,
    Listen,
    LooksAgain,
    Refused,
    SharesField,
    Step,
    TellsIdentity,
    TellsOfItself,
)
from firmware_bridge.schedule import Channel, Need, Pace, next_poll
from firmware_bridge.seating import Seating
from firmware_bridge.second_look import Looks, Search, is_worth_it

NEVER_MS: Final = 1e12
QUIET_MS: Final = 60.0
"""After a damaged frame and this much silence the answer will not come any more."""
MAX_REPLY_MS: Final = 2000.0
"""An answer that is still coming in at the deadline may go on for this long; noise may not go on for ever."""
ASKED_MORE_SELDOM: Final = 8
"""A reader that has been silent for so long is asked again after an eighth of that: its questions must not pile up."""
GAP_TICK_MS: Final = 20.0
FULL_TRAY_MS: Final = 2000.0
SILENT_ROUNDS_BEFORE_REOPENING: Final = 3
DEAF_MS: Final = 3000.0
"""A port is given this long to answer before it is opened again: a board that the opening resets needs some of it."""
REOPEN_FIRST_MS: Final = 200.0
REOPEN_MAX_MS: Final = 2000.0
RETRY_FIRST_MS: Final = 20.0
RETRY_MAX_MS: Final = 1000.0


CROWDED_MS: Final = 3200.0
"""Longer than a round of 300 chips takes at the ideal rate."""
LATE: Final = Trouble(
    "late", "the reader has not answered yet: it reads many chips, or check its supply, its cable and the baud rate"
)
CROWDED: Final = Trouble(
    "crowded",
    "the reader has not answered for more than 3 s: too many chips lie on one antenna, take some away or count them "
    "by hand; if there are few, check its supply and its cable",
)
_OPEN: Final = frozenset({LinkState.RESTING, LinkState.HEARING, LinkState.ASKING, LinkState.LISTENING})
_IN_ROUND: Final = frozenset({LinkState.ASKING, LinkState.LISTENING})
_BETWEEN_ROUNDS: Final = frozenset({LinkState.RESTING, LinkState.HEARING})


@dataclass(frozen=True, slots=True)
class _Round:
    """The round under way, or the last one."""

    channel: Channel
    began_ms: float = 0.0
    pushed: bool = False
    """The reader began it by itself."""
    slowest_ms: float = 0.0
    """The longest that an answer of it took."""


@dataclass(frozen=True, slots=True)
class _Request:
    """What was asked or is listened for, and until when."""

    asked_ms: float = 0.0
    deadline_ms: float = 0.0
    latest_ms: float = 0.0
    """An answer that still comes in at the deadline is awaited until here."""
    limit_ms: float = 0.0
    """Until when the family awaits an answer; the deadline may be earlier, as learned."""
    answering: bool = False
    """Bytes have come since."""
    late: bool = False
    """The answer did not come as soon as of late, and it is waited for."""
    questions: int = 0
    """How often the reader was asked since whether it is busy."""


@dataclass(frozen=True, slots=True)
class _Heard:
    """When the reader was heard, on the monotonic clock."""

    frame_ns: int | None = None
    """The last undamaged frame."""
    round_ns: int | None = None
    """The end of the last complete round."""
    usual_ms: float = 0.0
    """How long that round took."""


@dataclass(frozen=True, slots=True)
class _Failures:
    """What failed in a row; each success starts its count anew."""

    opens: int = 0
    rounds: int = 0
    silent_rounds: int = 0


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
        introduces: bool = False,
        looks_again: bool = True,
    ) -> None:
        """`shares_field`: the field is off between rounds, where the family can do that. None: any seat is right.

        `introduces`: after its first round the reader is asked which one it is. `looks_again`: a round is followed by
        a second look where that is worth it and the family can do it.
        """
        if not channels:
            raise ValueError("a reader needs at least one antenna zone")
        self._family = family
        self._seating = seating
        self._channels = tuple(channels)
        self._pace = pace or Pace()
        self._shares_field = shares_field
        self._introduces = introduces
        self._looks_again = looks_again
        self._state = MACHINE.start
        self._wake_ms = 0.0
        self._acting: frozenset[str] = frozenset()
        self._urgent: frozenset[str] = frozenset()
        self._begun_ms: dict[Channel, float] = {}
        self._dialogue = self._fresh_dialogue()
        self._round = _Round(self._channels[0])
        self._request = _Request()
        self._gap_ms: float | None = None
        """When a gap in what a reader pushes is long enough to end it; None where nothing comes."""
        self._heard = _Heard()
        self._byte_ns = 0
        """When the last byte came in, whatever it was; apart from `_heard`, since it changes with every read."""
        self._failures = _Failures()
        self._timeout = AdaptiveTimeout()
        self._looks = Looks()
        self._searches: dict[Channel, Search] = {}
        self._opened_ms: float | None = None
        """When the port was opened last; None before the first time."""
        self._counted = LinkHealth()
        self._line_before = LineCounters()

    @property
    def wake_ns(self) -> int:
        """When `tick` has something to do, if nothing else happens before."""
        return int(self._wake_ms * NS_PER_MS)

    @property
    def heard_ns(self) -> int | None:
        """When the reader last answered with an undamaged frame; None if it never did."""
        return self._heard.frame_ns

    @property
    def round_ns(self) -> int | None:
        """When the last complete round ended; None if there was none."""
        return self._heard.round_ns

    @property
    def usual_ms(self) -> float:
        """How long silence means nothing: as long as the last complete round took, be it of many quick answers.

        Where nobody waits for any of its zones, as long as an answer about a full tray may take.
        """
        slow = all(channel.need is Need.SLOW for channel in self._channels)
        return max(self._heard.usual_ms, FULL_TRAY_MS) if slow else self._heard.usual_ms

    @property
    def is_open(self) -> bool:
        return self._state in _OPEN

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
    def identity(self) -> Identity | None:
        """Which reader it is, in its own words; None where it is away, or was not asked yet."""
        dialogue = self._dialogue
        return dialogue.identity if isinstance(dialogue, TellsIdentity) and self.is_open else None

    @property
    def in_round(self) -> bool:
        """Whether the reader is being read now, so that its field is in use."""
        return self._state in _IN_ROUND

    @property
    def is_resting(self) -> bool:
        """Whether the next tick may begin a round."""
        return self._state in _BETWEEN_ROUNDS

    def attend(self, acting: frozenset[str], now_ns: int, urgent: frozenset[str] = frozenset()) -> None:
        """From now on an act is awaited in the zones `acting`, and chips move in those that are `urgent` too; call
        `tick` after it.
        """
        self._acting, self._urgent = acting, urgent
        if self.is_resting:
            self._wake_ms = now_ns / NS_PER_MS

    def tick(self, now_ns: int) -> list[Effect]:
        """Time passes."""
        now_ms = now_ns / NS_PER_MS
        if now_ms < self._wake_ms:
            return []
        if self._state is LinkState.CLOSED:
            self._happens(LinkEvent.BACK_OFF_OVER)
            self._wake_ms = NEVER_MS
            return [OpenPort()]
        if self.is_resting:
            return self._rest(now_ms)
        return self._wait(now_ms) if self.in_round else []

    def opened(self, now_ns: int) -> list[Effect]:
        """The port is open."""
        self._happens(LinkEvent.OPENED)
        self._line_before += self._dialogue.counters
        self._dialogue = self._fresh_dialogue()
        self._failures = _Failures(opens=self._failures.opens)
        self._timeout = AdaptiveTimeout()
        self._looks, self._searches = Looks(), {}
        self._request, self._gap_ms = _Request(), None
        if self._opened_ms is not None:
            self._counted = replace(self._counted, reconnects=self._counted.reconnects + 1)
        self._opened_ms = self._wake_ms = now_ns / NS_PER_MS
        return []

    def open_failed(self, now_ns: int, code: str, sentence: str) -> list[Effect]:
        """The port could not be opened."""
        self._back_off(LinkEvent.OPEN_FAILED, now_ns / NS_PER_MS)
        return [Trouble(code, sentence)]

    def lost(self, now_ns: int, sentence: str) -> list[Effect]:
        """The open port failed: unplugged, or taken away."""
        self._back_off(LinkEvent.LOST, now_ns / NS_PER_MS)
        return [ClosePort(), Trouble("unplugged", sentence)]

    def received(self, now_ns: int, data: bytes) -> list[Effect]:
        """`data` came in at `now_ns`."""
        if not self.is_open:
            return []
        now_ms = now_ns / NS_PER_MS
        if self._state is LinkState.RESTING:
            self._happens(LinkEvent.UNASKED_BYTES)
            self._round = _Round(self._round.channel, now_ms, pushed=True)
            self._request = _Request(asked_ms=now_ms)
        self._byte_ns = now_ns
        if not self._request.answering:
            self._request = replace(self._request, answering=True)
        frames_before = self._dialogue.counters.frames
        step = self._dialogue.feed(data, now_ms)
        if self._dialogue.counters.frames > frames_before:
            self._heard = replace(self._heard, frame_ns=now_ns)
            if self._failures.opens:
                self._failures = replace(self._failures, opens=0)
        if step is not None:
            return self._carry_out(step, now_ms)
        if self.in_round:
            self._wake_ms = min(self._request.deadline_ms, now_ms + GAP_TICK_MS)
        elif self._family.traits.delivery is Delivery.PUSHED:
            self._gap_ms = now_ms + GAP_TICK_MS
            self._wake_ms = min(self._wake_ms, self._gap_ms)
        return []

    def _happens(self, event: LinkEvent) -> None:
        self._state = MACHINE.after(self._state, event)

    def _fresh_dialogue(self) -> Dialogue:
        dialogue = self._family.dialogue()
        if self._shares_field and isinstance(dialogue, SharesField):
            dialogue.share_field()
        return Introduced(dialogue, self._family.questions) if self._introduces else dialogue

    def _rest(self, now_ms: float) -> list[Effect]:
        if self._gap_ms is not None and now_ms >= self._gap_ms:
            self._gap_ms = None
            step = self._dialogue.feed(b"", now_ms)
            if step is not None:
                return self._carry_out(step, now_ms)
        poll = next_poll(self._channels, self._begun_ms, self._acting, now_ms, self._pace, self._urgent)
        if poll.at_ms > now_ms:
            self._wake_ms = min(poll.at_ms, self._gap_ms or poll.at_ms)
            return []
        self._round = _Round(poll.channel, now_ms)
        self._request, self._gap_ms = _Request(), None
        self._begun_ms[poll.channel] = now_ms
        return self._carry_out(self._dialogue.inventory(poll.channel.antenna), now_ms)

    def _wait(self, now_ms: float) -> list[Effect]:
        """No byte came until now: a gap ends what noise began, a damaged answer or the deadline ends the request."""
        step = self._dialogue.feed(b"", now_ms)
        if step is not None:
            self._heard = replace(self._heard, frame_ns=self._byte_ns)
            return self._carry_out(step, now_ms)
        damaged = self._request.answering and self._dialogue.damaged
        until_ms = self._request.deadline_ms
        if self._request.answering and self._state is LinkState.ASKING:
            quiet_ms = self._byte_ns / NS_PER_MS + QUIET_MS
            until_ms = quiet_ms if damaged else max(until_ms, quiet_ms)
        until_ms = min(until_ms, self._request.latest_ms)
        if now_ms < until_ms:
            self._wake_ms = until_ms
            return []
        busy = None if damaged else self._ask_whether_busy(now_ms)
        return self._give_up(now_ms, damaged) if busy is None else busy

    def _ask_whether_busy(self, now_ms: float) -> list[Effect] | None:
        """Nothing came for longer than a round took of late, and less than one of many tags takes: the reader is asked,
        or waited for. None where that is no use any more.
        """
        request, dialogue = self._request, self._dialogue
        may = self._state is LinkState.ASKING and now_ms < request.limit_ms and isinstance(dialogue, AsksWhetherBusy)
        ask = dialogue.ask_whether_busy() if may and isinstance(dialogue, AsksWhetherBusy) else None
        if ask is None:
            return None
        waits_ms = now_ms - request.asked_ms
        self._wake_ms = min(now_ms + max(ask.timeout_ms, waits_ms / ASKED_MORE_SELDOM), request.limit_ms)
        asked = [Send(ask.data)] if isinstance(ask, Ask) else []
        self._request = replace(
            request,
            deadline_ms=self._wake_ms,
            latest_ms=self._wake_ms + MAX_REPLY_MS,
            late=True,
            questions=request.questions + len(asked),
        )
        told = [CROWDED if waits_ms > CROWDED_MS else LATE] if request.late else []
        return [*asked, *told]

    def _give_up(self, now_ms: float, damaged: bool) -> list[Effect]:
        step = self._dialogue.silence()
        if not damaged and not (self._state is LinkState.LISTENING and step is not None):
            self._counted = replace(self._counted, timeouts=self._counted.timeouts + 1)
            self._timeout = self._timeout.doubled()
        if step is not None:
            return self._carry_out(step, now_ms)
        if damaged:
            return self._round_failed(now_ms, Trouble("damaged", "the reader's answer came in damaged; asking again"))
        silent_rounds = self._failures.silent_rounds + 1
        if self._request.questions:
            silent_rounds = max(silent_rounds, SILENT_ROUNDS_BEFORE_REOPENING)
        self._failures = replace(self._failures, silent_rounds=silent_rounds)
        trouble = Trouble("silent", "the reader does not answer: check its supply, its cable and the baud rate")
        deaf_ms = now_ms - (self._opened_ms or 0.0)
        may_boot = deaf_ms < max(DEAF_MS, self._family.traits.boots_ms)
        if self._failures.silent_rounds < SILENT_ROUNDS_BEFORE_REOPENING or may_boot:
            return self._round_failed(now_ms, trouble)
        self._back_off(LinkEvent.DEAF, now_ms)
        return [ClosePort(), trouble]

    def _carry_out(self, step: Step, now_ms: float) -> list[Effect]:
        took_ms = now_ms - self._request.asked_ms
        if self._request.answering and took_ms > self._round.slowest_ms:
            self._round = replace(self._round, slowest_ms=took_ms)
        if isinstance(step, Inventory) and self._seating is not None:
            step = self._seating.misplaced(self._dialogue) or step
        if isinstance(step, Inventory):
            return self._round_done(step, now_ms)
        if isinstance(step, Refused) and self._request.questions:
            self._counted = replace(self._counted, timeouts=self._counted.timeouts + 1)
            return self._round_failed(now_ms, Trouble(step.code, step.sentence))
        if isinstance(step, Refused):
            self._counted = replace(self._counted, refusals=self._counted.refusals + 1)
            return self._round_failed(now_ms, Trouble(step.code, step.sentence))
        listens = isinstance(step, Listen)
        self._happens(LinkEvent.MORE_AWAITED if listens else LinkEvent.REQUEST_SENT)
        # A pot may have grown by a hundred chips since its last round, and nobody waits for it.
        in_a_hurry = self._round.channel.need is not Need.SLOW and not listens
        on_air_ms = step.on_air_ms if isinstance(step, Ask) else 0.0
        timeout_ms = self._timeout.within(step.timeout_ms, on_air_ms) if in_a_hurry else step.timeout_ms
        self._wake_ms = now_ms + timeout_ms
        self._request = _Request(now_ms, self._wake_ms, self._wake_ms + MAX_REPLY_MS, now_ms + step.timeout_ms)
        return [Send(step.data)] if isinstance(step, Ask) else []

    def _round_done(self, inventory: Inventory, now_ms: float) -> list[Effect]:
        self._happens(LinkEvent.ROUND_OVER)
        is_look = self._looks.under_way
        self._looks, quiet = self._looks.over(inventory.tags)
        self._failures = _Failures(opens=self._failures.opens)
        channel, began_ms = self._round.channel, self._round.began_ms
        end_ns = self._byte_ns
        if end_ns / NS_PER_MS < began_ms:  # a reader that pushes says nothing where nothing lies
            end_ns = round(now_ms * NS_PER_MS)
        cycle_ms = end_ns / NS_PER_MS - began_ms
        self._heard = replace(self._heard, round_ns=end_ns)
        self._counted = replace(self._counted, cycles=self._counted.cycles + 1)
        if not is_look:
            self._timeout = self._timeout.after_round(self._round.slowest_ms)
            self._heard = replace(self._heard, usual_ms=cycle_ms)
            self._counted = replace(self._counted, cycle_ms=cycle_ms)
        if self._round.pushed:
            self._begun_ms[channel] = began_ms
        self._wake_ms = now_ms
        over = RoundOver(channel, inventory.tags, inventory.warnings, cycle_ms, end_ns, quiet)
        return [over, *self._look_again(over, now_ms, is_look)]

    def _look_again(self, over: RoundOver, now_ms: float, is_look: bool) -> list[Effect]:
        dialogue = self._dialogue
        worth = self._is_worth_a_look(over) and (bool(over.quiet) or not is_look)
        if not (self._looks_again and worth and self._looks.may_begin) or over.warnings or self._round.pushed:
            return []
        step = dialogue.look_again() if isinstance(dialogue, LooksAgain) else None
        if step is None:
            return []
        self._looks = self._looks.begun(over.tags, over.quiet)
        self._round, self._request = _Round(over.channel, now_ms), _Request()
        return self._carry_out(step, now_ms)

    def _is_worth_a_look(self, over: RoundOver) -> bool:
        channel = over.channel
        if channel.need is not Need.SLOW:
            return not over.quiet and is_worth_it(channel, self._acting, over.cycle_ms, len(over.tags), self._pace)
        search = self._searches.get(channel, Search()).after(over.tags, look=bool(over.quiet))
        self._searches[channel] = search
        return bool(over.tags or over.quiet) and search.goes_on

    def _round_failed(self, now_ms: float, trouble: Trouble) -> list[Effect]:
        self._happens(LinkEvent.ROUND_FAILED)
        self._looks = self._looks.broken_off()
        self._wake_ms = now_ms + min(RETRY_FIRST_MS * 2 ** min(self._failures.rounds, 8), RETRY_MAX_MS)
        self._failures = replace(self._failures, rounds=self._failures.rounds + 1)
        return [trouble]

    def _back_off(self, event: LinkEvent, now_ms: float) -> None:
        self._happens(event)
        self._wake_ms = now_ms + min(REOPEN_FIRST_MS * 1.5 ** min(self._failures.opens, 8), REOPEN_MAX_MS)
        self._failures = replace(self._failures, opens=self._failures.opens + 1)

"""What is asked of one reader over its open port, and what is awaited from it: rounds, requests, answers, time-outs.

Pure: `link.py` opens and closes the port, and says what came in and when. Times are `time.monotonic_ns()` of the shell,
or milliseconds of the same clock.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from betline.units import NS_PER_MS
from firmware_bridge.adaptive_timeout import AdaptiveTimeout
from firmware_bridge.effects import ClosePort, Effect, LinkHealth, RoundOver, Send, Trouble
from firmware_bridge.introduction import Introduced
from firmware_bridge.link_states import LinkEvent, LinkStanding, LinkState
from firmware_bridge.protocols.doubt import is_partial
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
from firmware_bridge.second_look import Looks, Searches

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
    """Rounds that failed in a row; each success starts its count anew."""

    rounds: int = 0
    silent_rounds: int = 0


class Polling:
    """The rounds of one reader, which serves one or more antenna zones."""

    def __init__(
        self,
        family: Family,
        channels: Sequence[Channel],
        pace: Pace,
        standing: LinkStanding,
        *,
        shares_field: bool,
        seating: Seating | None,
        introduces: bool,
        looks_again: bool,
    ) -> None:
        """The options are those of `link.ReaderLink`; `standing` is the link's."""
        self._family = family
        self._seating = seating
        self._channels = tuple(channels)
        self._pace = pace
        self._shares_field = shares_field
        self._introduces = introduces
        self._looks_again = looks_again
        self._standing = standing
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
        self._searches = Searches()
        self._opened_ms = 0.0
        self._counted = LinkHealth()
        self._line_before = LineCounters()

    @property
    def wake_ms(self) -> float:
        """When `tick` has something to do while the port is open, if nothing else happens before."""
        return self._wake_ms

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
    def health(self) -> LinkHealth:
        """What was counted since the beginning; of the port's life it knows nothing."""
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
        """What the reader said of itself since its port was opened; empty where it says nothing of that."""
        return self._dialogue.own_counters if isinstance(self._dialogue, TellsOfItself) else {}

    @property
    def identity(self) -> Identity | None:
        """Which reader it is, in its own words; None where it was not asked since its port was opened."""
        return self._dialogue.identity if isinstance(self._dialogue, TellsIdentity) else None

    def attend(self, acting: frozenset[str], urgent: frozenset[str], now_ms: float) -> None:
        """From now on an act is awaited in the zones `acting`, and chips move in those that are `urgent` too."""
        self._acting, self._urgent = acting, urgent
        if self._standing.is_resting:
            self._wake_ms = now_ms

    def begin_anew(self, now_ms: float) -> None:
        """The port was opened: whatever was awaited before will not come any more."""
        self._line_before += self._dialogue.counters
        self._dialogue = self._fresh_dialogue()
        self._failures = _Failures()
        self._timeout = AdaptiveTimeout()
        self._looks, self._searches = Looks(), Searches()
        self._request, self._gap_ms = _Request(), None
        self._opened_ms = self._wake_ms = now_ms

    def tick(self, now_ms: float) -> list[Effect]:
        """Time passes, and the port is open."""
        if now_ms < self._wake_ms:
            return []
        return self._rest(now_ms) if self._standing.is_resting else self._wait(now_ms)

    def received(self, now_ns: int, data: bytes) -> list[Effect]:
        """`data` came in at `now_ns` through the open port."""
        now_ms = now_ns / NS_PER_MS
        if self._standing.state is LinkState.RESTING:
            self._standing.happens(LinkEvent.UNASKED_BYTES)
            self._round = _Round(self._round.channel, now_ms, pushed=True)
            self._request = _Request(asked_ms=now_ms)
        self._byte_ns = now_ns
        if not self._request.answering:
            self._request = replace(self._request, answering=True)
        frames_before = self._dialogue.counters.frames
        step = self._dialogue.feed(data, now_ms)
        if self._dialogue.counters.frames > frames_before:
            self._heard = replace(self._heard, frame_ns=now_ns)
        if step is not None:
            return self._carry_out(step, now_ms)
        if self._standing.in_round:
            self._wake_ms = min(self._request.deadline_ms, now_ms + GAP_TICK_MS)
        elif self._family.traits.delivery is Delivery.PUSHED:
            self._gap_ms = now_ms + GAP_TICK_MS
            self._wake_ms = min(self._wake_ms, self._gap_ms)
        return []

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
        if self._request.answering and self._standing.state is LinkState.ASKING:
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
        may = self._standing.state is LinkState.ASKING and now_ms < request.limit_ms
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
        if not damaged and not (self._standing.state is LinkState.LISTENING and step is not None):
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
        deaf_ms = now_ms - self._opened_ms
        may_boot = deaf_ms < max(DEAF_MS, self._family.traits.boots_ms)
        if self._failures.silent_rounds < SILENT_ROUNDS_BEFORE_REOPENING or may_boot:
            return self._round_failed(now_ms, trouble)
        self._standing.happens(LinkEvent.DEAF)
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
        self._standing.happens(LinkEvent.MORE_AWAITED if listens else LinkEvent.REQUEST_SENT)
        # A pot may have grown by a hundred chips since its last round, and nobody waits for it.
        in_a_hurry = self._round.channel.need is not Need.SLOW and not listens
        on_air_ms = step.on_air_ms if isinstance(step, Ask) else 0.0
        timeout_ms = self._timeout.within(step.timeout_ms, on_air_ms) if in_a_hurry else step.timeout_ms
        self._wake_ms = now_ms + timeout_ms
        self._request = _Request(now_ms, self._wake_ms, self._wake_ms + MAX_REPLY_MS, now_ms + step.timeout_ms)
        return [Send(step.data)] if isinstance(step, Ask) else []

    def _round_done(self, inventory: Inventory, now_ms: float) -> list[Effect]:
        self._standing.happens(LinkEvent.ROUND_OVER)
        is_look = self._looks.under_way
        self._looks, quiet = self._looks.over(inventory.tags)
        self._failures = _Failures()
        channel, began_ms = self._round.channel, self._round.began_ms
        end_ns = self._byte_ns
        if end_ns / NS_PER_MS < began_ms:  # a reader that pushes says nothing where nothing lies
            end_ns = round(now_ms * NS_PER_MS)
        cycle_ms = end_ns / NS_PER_MS - began_ms
        self._heard = replace(self._heard, round_ns=end_ns)
        part = is_partial(inventory.warnings)
        self._counted = replace(
            self._counted,
            cycles=self._counted.cycles + 1,
            partial_rounds=self._counted.partial_rounds + part,
            warned_rounds=self._counted.warned_rounds + (bool(inventory.warnings) and not part),
        )
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
        wanted = self._searches.want_a_look(
            over.channel, over.tags, over.quiet, over.cycle_ms, self._acting, self._pace
        )
        worth = wanted and (bool(over.quiet) or not is_look)
        if not (self._looks_again and worth and self._looks.may_begin) or over.warnings or self._round.pushed:
            return []
        step = dialogue.look_again() if isinstance(dialogue, LooksAgain) else None
        if step is None:
            return []
        self._looks = self._looks.begun(over.tags, over.quiet)
        self._round, self._request = _Round(over.channel, now_ms), _Request()
        return self._carry_out(step, now_ms)

    def _round_failed(self, now_ms: float, trouble: Trouble) -> list[Effect]:
        self._standing.happens(LinkEvent.ROUND_FAILED)
        self._looks = self._looks.broken_off()
        self._wake_ms = now_ms + min(RETRY_FIRST_MS * 2 ** min(self._failures.rounds, 8), RETRY_MAX_MS)
        self._failures = replace(self._failures, rounds=self._failures.rounds + 1)
        return [trouble]

"""The link to one reader, as a pure state machine: the life of its port, which is opened, lost and opened again.

What is asked over the open port is `polling.py`'s. Their states and what leads from one to the next stand in
`link_states.py`; the shell (`driver.py`) says what happened and when, and carries out the effects that come back. Times
are `time.monotonic_ns()` of the shell; the machine itself reads no clock.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from betline.units import NS_PER_MS
from firmware_bridge.effects import ClosePort, Effect, LinkHealth, OpenPort, Trouble
from firmware_bridge.link_states import LinkEvent, LinkStanding, LinkState
from firmware_bridge.polling import Polling
from firmware_bridge.protocols.family import Family, Identity
from firmware_bridge.schedule import Channel, Pace
from firmware_bridge.seating import Seating

NEVER_MS: Final = 1e12
REOPEN_FIRST_MS: Final = 200.0
REOPEN_MAX_MS: Final = 2000.0


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
        self._standing = LinkStanding()
        self._polling = Polling(
            family,
            channels,
            pace or Pace(),
            self._standing,
            shares_field=shares_field,
            seating=seating,
            introduces=introduces,
            looks_again=looks_again,
        )
        self._reopen_ms = 0.0
        """When a closed port is to be opened."""
        self._failed_opens = 0
        """How often in a row the port failed before the reader was heard."""
        self._was_open = False
        self._reconnects = 0

    @property
    def wake_ns(self) -> int:
        """When `tick` has something to do, if nothing else happens before."""
        return int((self._polling.wake_ms if self.is_open else self._reopen_ms) * NS_PER_MS)

    @property
    def heard_ns(self) -> int | None:
        """When the reader last answered with an undamaged frame; None if it never did."""
        return self._polling.heard_ns

    @property
    def round_ns(self) -> int | None:
        """When the last complete round ended; None if there was none."""
        return self._polling.round_ns

    @property
    def usual_ms(self) -> float:
        """How long silence means nothing (`Polling.usual_ms`)."""
        return self._polling.usual_ms

    @property
    def is_open(self) -> bool:
        return self._standing.is_open

    @property
    def health(self) -> LinkHealth:
        return replace(self._polling.health, reconnects=self._reconnects)

    @property
    def own_counters(self) -> Mapping[str, float]:
        """What the reader last said of itself; empty where it is away, or says nothing of that."""
        return self._polling.own_counters if self.is_open else {}

    @property
    def identity(self) -> Identity | None:
        """Which reader it is, in its own words; None where it is away, or was not asked yet."""
        return self._polling.identity if self.is_open else None

    @property
    def in_round(self) -> bool:
        """Whether the reader is being read now, so that its field is in use."""
        return self._standing.in_round

    @property
    def is_resting(self) -> bool:
        """Whether the next tick may begin a round."""
        return self._standing.is_resting

    def attend(self, acting: frozenset[str], now_ns: int, urgent: frozenset[str] = frozenset()) -> None:
        """From now on an act is awaited in the zones `acting`, and chips move in those that are `urgent` too; call
        `tick` after it.
        """
        self._polling.attend(acting, urgent, now_ns / NS_PER_MS)

    def tick(self, now_ns: int) -> list[Effect]:
        """Time passes."""
        now_ms = now_ns / NS_PER_MS
        if self.is_open:
            effects = self._polling.tick(now_ms)
            if self._standing.state is LinkState.CLOSED:  # it found the reader deaf
                self._back_off(now_ms)
            return effects
        if self._standing.state is not LinkState.CLOSED or now_ms < self._reopen_ms:
            return []
        self._standing.happens(LinkEvent.BACK_OFF_OVER)
        self._reopen_ms = NEVER_MS
        return [OpenPort()]

    def opened(self, now_ns: int) -> list[Effect]:
        """The port is open."""
        self._standing.happens(LinkEvent.OPENED)
        self._polling.begin_anew(now_ns / NS_PER_MS)
        self._reconnects += self._was_open
        self._was_open = True
        return []

    def open_failed(self, now_ns: int, code: str, sentence: str) -> list[Effect]:
        """The port could not be opened."""
        self._standing.happens(LinkEvent.OPEN_FAILED)
        self._back_off(now_ns / NS_PER_MS)
        return [Trouble(code, sentence)]

    def lost(self, now_ns: int, sentence: str) -> list[Effect]:
        """The open port failed: unplugged, or taken away."""
        self._standing.happens(LinkEvent.LOST)
        self._back_off(now_ns / NS_PER_MS)
        return [ClosePort(), Trouble("unplugged", sentence)]

    def received(self, now_ns: int, data: bytes) -> list[Effect]:
        """`data` came in at `now_ns`."""
        if not self.is_open:
            return []
        effects = self._polling.received(now_ns, data)
        if self._polling.heard_ns == now_ns:
            self._failed_opens = 0
        return effects

    def _back_off(self, now_ms: float) -> None:
        self._reopen_ms = now_ms + min(REOPEN_FIRST_MS * 1.5 ** min(self._failed_opens, 8), REOPEN_MAX_MS)
        self._failed_opens += 1

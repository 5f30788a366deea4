"""The imperative shell of one reader: a thread that owns the port, feeds the machine and carries out its effects.

The thread blocks in `select` until bytes come in, the machine's next moment is there, or another thread wakes it
(`attend`, `stop`). Nothing else touches the port or the machine.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from betline.units import NS_PER_S
from firmware_bridge.effects import ClosePort, Effect, LinkHealth, OpenPort, RoundOver, Send, Trouble
from firmware_bridge.link import ReaderLink
from firmware_bridge.protocols.doubt import Doubt
from firmware_bridge.protocols.family import Identity, LineSettings
from firmware_bridge.rf_arbiter import RfArbiter
from firmware_bridge.said_of_late import SaidOfLate
from firmware_bridge.serial_line import LineError, SerialLine
from firmware_bridge.waker import Waker

MAX_WAIT_S = 0.5


@dataclass(frozen=True, slots=True)
class DriverStatus:
    """How a reader does, as seen from outside its thread."""

    is_open: bool
    heard_ns: int | None
    """When it last answered, on the monotonic clock; None if it never did."""
    round_ns: int | None
    """When its last complete round ended, on the monotonic clock; None if there was none."""
    usual_ms: float
    """How long it usually takes over a round; a tray full of chips takes two seconds."""
    trouble: Trouble | None
    doubt: Doubt | None
    """What it said of its last rounds."""
    parity_refused: bool
    health: LinkHealth
    own_counters: Mapping[str, float]
    """What the reader last said of itself."""
    identity: Identity | None
    """Which reader it is, in its own words; None while that is not known."""


class ReaderDriver:
    """One reader on one port.

    `find_port` gives the port's URL each time that it is opened, since a reader may come back under another name; it
    may raise LineError. `on_round` is called in the driver's thread; it must be quick. With `turns` the reader waits
    until no neighbour reads. `open_line` opens the port; a recording listens in there. A fault of the program itself
    closes the port, is reported as trouble, and the port is opened again after the usual pause: one reader's fault must
    not take the others', or its own next round, with it.
    """

    def __init__(
        self,
        name: str,
        find_port: Callable[[], str],
        line: LineSettings,
        link: ReaderLink,
        on_round: Callable[[RoundOver], None],
        turns: RfArbiter | None = None,
        open_line: Callable[[str, LineSettings, Waker], SerialLine] = SerialLine,
    ) -> None:
        self.name = name
        self._find_port = find_port
        self._line_settings = line
        self._link = link
        self._on_round = on_round
        self._turns = turns
        self._open_line = open_line
        self._line: SerialLine | None = None
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._attend: tuple[frozenset[str], frozenset[str]] | None = None
        self._waker = Waker()
        self._waits_for_turn = False
        self._said = SaidOfLate()
        self._status = self._status_now(None)
        self._thread = threading.Thread(target=self._run, name=f"reader-{name}", daemon=True)

    def start(self) -> None:
        """Open the port, and read until `stop`."""
        self._thread.start()

    def attend(self, acting: frozenset[str], urgent: frozenset[str] = frozenset()) -> None:
        """From now on an act is awaited in the zones `acting`, and chips move in those that are `urgent` too."""
        with self._lock:
            self._attend = acting, urgent
        self._waker.wake()

    def stop(self, timeout_s: float = 2.0) -> None:
        """Close the port and end the thread."""
        self._stop.set()
        self._waker.wake()
        if self._thread.is_alive():
            self._thread.join(timeout_s)

    @property
    def lives(self) -> bool:
        """Whether its thread runs."""
        return self._thread.is_alive()

    @property
    def status(self) -> DriverStatus:
        """The newest status; it is replaced as a whole, so that any thread may read it."""
        return self._status

    def _run(self) -> None:
        trouble: Trouble | None = None
        while not self._stop.is_set():
            try:
                trouble = self._obey(self._next_effects(), trouble)
            except Exception as error:
                sentence = f"the bridge failed within ({type(error).__name__}: {error}): report it; it tries again"
                self._obey(self._link.lost(time.monotonic_ns(), sentence), None)
                trouble = Trouble("fault", sentence)
            if self._turns is not None and not self._link.in_round and not self._waits_for_turn:
                self._turns.end(self.name)
            self._status = self._status_now(trouble)
        self._close()
        if self._turns is not None:
            self._turns.end(self.name)
        self._waker.close()

    def _status_now(self, trouble: Trouble | None) -> DriverStatus:
        link, line = self._link, self._line
        parity_refused = line is not None and line.parity_refused
        return DriverStatus(
            link.is_open,
            link.heard_ns,
            link.round_ns,
            link.usual_ms,
            trouble,
            self._said.doubt,
            parity_refused,
            link.health,
            link.own_counters,
            link.identity,
        )

    def _next_effects(self) -> list[Effect]:
        """Wait for what happens next, and feed it to the machine."""
        with self._lock:
            attend, self._attend = self._attend, None
        now = time.monotonic_ns()
        if attend is not None:
            self._link.attend(attend[0], now, attend[1])
        self._waits_for_turn = False
        if now >= self._link.wake_ns:
            if self._may_tick():
                return self._link.tick(now)
            self._waits_for_turn = True
        wait_s = MAX_WAIT_S if self._waits_for_turn else min((self._link.wake_ns - now) / NS_PER_S, MAX_WAIT_S)
        if self._line is None:
            self._waker.wait(wait_s)
            return []
        try:
            data = self._line.read(wait_s)
        except LineError as error:
            return self._link.lost(time.monotonic_ns(), str(error))
        return self._link.received(time.monotonic_ns(), data) if data else []

    def _may_tick(self) -> bool:
        """Whether no neighbour's field is in the way, should the tick begin a round."""
        if self._turns is None or not self._link.is_resting:
            return True
        return self._turns.begin(self.name, self._waker.wake)

    def _obey(self, effects: list[Effect], trouble: Trouble | None) -> Trouble | None:
        """Carry out `effects` and what follows from them; the trouble that stands afterwards."""
        waiting = list(effects)
        while waiting:
            effect = waiting.pop(0)
            if isinstance(effect, OpenPort):
                waiting += self._open()
            elif isinstance(effect, ClosePort):
                self._close()
            elif isinstance(effect, Send):
                waiting += self._send(effect.data)
            elif isinstance(effect, RoundOver):
                trouble = None
                self._said = self._said.after(effect.warnings, effect.last_byte_ns)
                self._on_round(effect)
            else:
                trouble = effect
        return trouble

    def _open(self) -> list[Effect]:
        try:
            self._line = self._open_line(self._find_port(), self._line_settings, self._waker)
        except LineError as error:
            return self._link.open_failed(time.monotonic_ns(), error.code, str(error))
        return self._link.opened(time.monotonic_ns())

    def _send(self, data: bytes) -> list[Effect]:
        if self._line is None:
            return []
        try:
            self._line.write(data)
        except LineError as error:
            return self._link.lost(time.monotonic_ns(), str(error))
        return []

    def _close(self) -> None:
        line, self._line = self._line, None
        if line is not None:
            line.close()

"""The line between the virtual table and the controller: what the people at the table hear, and what the dealer keys.

Only the bus is used, as the console uses it: the controller cannot tell the virtual dealer from a real one.
"""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from betline import topics
from betline.bus import Bus, Received
from betline.messages.common import Command as CommandMessage
from betline.messages.common import Presence, Reply
from betline.messages.table import Alert, Announcement, Ruling, TableState
from betline.steps import Command, command_args, verb_of
from betline.topics import topic
from virtual_table.play.clock import Clock, Stopped

RETRY_S = 1.0
EXPIRY_S = 30.0
UNWRITTEN = "journal-failed"
"""The code of the alert, and of refusals, while the controller cannot write its journal."""
PATIENCE_S = 60.0
"""How long the dealer keys a command again and again, and waits for a controller that is away where nothing else is
said."""


KEPT = 300
"""So many rulings, announcements and alerts are kept at least, far more than those of a hand."""


class ControllerSilent(Exception):
    """The controller did not answer in time."""


@dataclass(frozen=True, slots=True)
class Heard:
    """A message with times on our monotonic clock: when it was sent, and when what it reports was caused."""

    body: Any
    sent_ns: int
    cause_ns: int | None


_Act = tuple[int, int, int | None, str, int]
_Standing = tuple[str, int | None, str, str]


def _act(ruling: Ruling) -> _Act:
    return ruling.hand_no, ruling.act_no, ruling.seat, ruling.ruling, ruling.to


def _standing(alert: Alert) -> _Standing:
    return alert.code, alert.seat, alert.zone, alert.uid


def _silence(verb: str, silent_s: float, away_s: float) -> str:
    """What is said of a command that was not answered."""
    if away_s > silent_s:
        return f"The controller was away for {away_s:.0f} of {away_s + silent_s:.0f} s and did not answer {verb}."
    return f"The controller did not answer {verb} within {silent_s + away_s:.0f} s."


def new_command() -> str:
    """An id that no other command has."""
    return uuid.uuid4().hex


class _Newest:
    """What was heard, numbered from 0; of a long evening the newest are kept."""

    def __init__(self) -> None:
        self._heard: list[Heard] = []
        self._dropped = 0

    def append(self, heard: Heard) -> None:
        self._heard.append(heard)
        if len(self._heard) >= 2 * KEPT:
            del self._heard[:KEPT]
            self._dropped += KEPT

    def since(self, start: int) -> list[Heard]:
        """Those from number ``start`` on that are kept."""
        return self._heard[max(0, start - self._dropped) :]

    def __len__(self) -> int:
        return self._dropped + len(self._heard)


class ControllerLink:
    """What the controller last said, and commands that are repeated until they are answered.

    A command keeps its id over repetitions, so that a controller which is killed and started again obeys it once.
    Rulings and alerts that were said while this side or the controller had no broker are taken from the state, which
    is retained: people read them on the console.
    """

    def __init__(
        self,
        bus: Bus,
        clock: Clock,
        new_command: Callable[[], str] = new_command,
        *,
        away_s: float = PATIENCE_S,
    ) -> None:
        """``away_s`` is how long people wait for a controller that is known to be away."""
        self.away_s: Final = away_s
        self._bus = bus
        self._clock = clock
        self._new_command = new_command
        self._changed = threading.Condition()
        self._state: TableState | None = None
        self._rulings = _Newest()
        self._announcements = _Newest()
        self._alerts = _Newest()
        self._replies: dict[str, Reply | None] = {}
        """The answers to the commands under way, None while there is none: nobody takes one that comes again."""
        self._ruled: dict[_Act, None] = {}
        self._ruled_by_state: set[_Act] = set()
        self._standing: set[_Standing] = set()
        self._controller_there = True
        self._missed_alerts = True
        bus.on_connection(self._on_connection)
        bus.subscribe(topics.STATUS, self._on_status)
        bus.subscribe(topics.STATE, self._on_state)
        bus.subscribe(topics.RULING, self._on_ruling)
        bus.subscribe(topics.ANNOUNCEMENT, lambda received: self._keep(self._announcements, received))
        bus.subscribe(topics.ALERT, self._on_alert)
        bus.subscribe(topics.REPLY, self._on_reply)

    @property
    def state(self) -> TableState | None:
        """The newest state, None before the first."""
        with self._changed:
            return self._state

    @property
    def there(self) -> bool:
        """Whether the controller can be heard and can write, as far as is known: play stops meanwhile."""
        with self._changed:
            stopped = self._state is not None and any(one.code == UNWRITTEN for one in self._state.alerts)
        return self._bus.connected and self._controller_there and not stopped

    def rulings(self, start: int = 0) -> list[Ruling]:
        """The rulings heard since the one numbered ``start``."""
        with self._changed:
            return [heard.body for heard in self._rulings.since(start)]

    def announcements(self, start: int = 0) -> list[Heard]:
        """The announcements heard since the one numbered ``start``."""
        with self._changed:
            return self._announcements.since(start)

    def alerts(self, start: int = 0) -> list[Alert]:
        """The alerts heard since the one numbered ``start``."""
        with self._changed:
            return [heard.body for heard in self._alerts.since(start)]

    def alerts_heard(self) -> int:
        """How many alerts have been heard."""
        with self._changed:
            return len(self._alerts)

    def marks(self) -> tuple[int, int]:
        """How many rulings and announcements have been heard."""
        with self._changed:
            return len(self._rulings), len(self._announcements)

    def wait(self, condition: Callable[[], bool], timeout_s: float) -> bool:
        """Waits until the condition holds after something was heard; False where it does not in time."""
        deadline_s = self._clock.now_s() + timeout_s
        with self._changed:
            while not condition():
                left_s = deadline_s - self._clock.now_s()
                if left_s <= 0:
                    return False
                self._clock.wait(self._changed, min(left_s, 0.25))
            return True

    def command(self, command: Command, timeout_s: float = PATIENCE_S) -> Reply:
        """Asks the controller and waits for its answer.

        Raises ControllerSilent where none comes while the controller is there, or it stays away too long; Stopped
        where the evening ends meanwhile.
        """
        command_id = self._new_command()
        verb, args = verb_of(type(command)), command_args(command)
        with self._changed:
            self._replies[command_id] = None
        try:
            return self._repeated(verb, command_id, args, timeout_s)
        finally:
            with self._changed:
                del self._replies[command_id]

    def _repeated(self, verb: str, command_id: str, args: dict[str, Any], timeout_s: float) -> Reply:
        began_s = self._clock.now_s()
        away_s = 0.0
        while True:
            asked_s, there = self._clock.now_s(), self.there
            waited_s = asked_s - began_s
            if waited_s >= timeout_s and (waited_s - away_s >= timeout_s or waited_s >= self.away_s):
                raise ControllerSilent(_silence(verb, waited_s - away_s, away_s))
            if self._clock.stopped:
                raise Stopped
            expires_ms = self._clock.wall_ms() + int(EXPIRY_S * 1000)
            message = CommandMessage(id=command_id, expires_ms=expires_ms, args=args)
            if self._bus.connected:
                self._bus.publish(topic(topics.COMMAND, verb), message)
            left_s = max(timeout_s - waited_s, 0.0) or RETRY_S
            self.wait(lambda: self._replies[command_id] is not None, min(RETRY_S, left_s))
            with self._changed:
                reply = self._replies[command_id]
            if reply is not None:
                return reply
            if not there:
                away_s += self._clock.now_s() - asked_s

    def _on_connection(self, there: bool) -> None:
        with self._changed:
            self._missed_alerts = self._missed_alerts or there
            if not there:
                self._controller_there = False

    def _on_status(self, received: Received) -> None:
        assert isinstance(received.body, Presence)
        with self._changed:
            self._controller_there = received.body.state != "offline"
            if self._controller_there:
                self._missed_alerts = True
                self._catch_up(received.sent_ns)
            self._changed.notify_all()

    def _on_state(self, received: Received) -> None:
        assert isinstance(received.body, TableState)
        with self._changed:
            self._state = received.body
            self._catch_up(received.sent_ns)
            self._changed.notify_all()

    def _catch_up(self, sent_ns: int) -> None:
        """Takes from the newest state what was said and not heard."""
        if self._state is None:
            return
        self._ruled_by_state &= {_act(ruling) for ruling in self._state.rulings}
        for ruling in self._state.rulings:
            if _act(ruling) not in self._ruled:
                self._rule(_act(ruling))
                self._ruled_by_state.add(_act(ruling))
                self._rulings.append(Heard(ruling, sent_ns, None))
        if self._missed_alerts:
            self._missed_alerts = False
            for alert in self._state.alerts:
                if _standing(alert) not in self._standing:
                    self._standing.add(_standing(alert))
                    self._alerts.append(Heard(alert, sent_ns, None))

    def _on_ruling(self, received: Received) -> None:
        assert isinstance(received.body, Ruling)
        act = _act(received.body)
        with self._changed:
            if act in self._ruled_by_state:
                self._ruled_by_state.remove(act)
                return
            self._rule(act)
        self._keep(self._rulings, received)

    def _rule(self, act: _Act) -> None:
        self._ruled[act] = None
        if len(self._ruled) > 2 * KEPT:
            del self._ruled[next(iter(self._ruled))]

    def _on_alert(self, received: Received) -> None:
        alert = received.body
        assert isinstance(alert, Alert)
        with self._changed:
            if alert.active:
                self._standing.add(_standing(alert))
            else:
                self._standing.discard(_standing(alert))
        self._keep(self._alerts, received)

    def _on_reply(self, received: Received) -> None:
        assert isinstance(received.body, Reply)
        with self._changed:
            if received.body.command_id in self._replies:
                self._replies[received.body.command_id] = received.body
                self._changed.notify_all()

    def _keep(self, heap: _Newest, received: Received) -> None:
        body = received.body
        assert isinstance(body, (Ruling, Announcement, Alert))
        cause_ns = body.cause_ns if isinstance(body, Announcement) else None
        local_ns = None if cause_ns is None else received.local_ns(cause_ns)
        with self._changed:
            heap.append(Heard(body, received.sent_ns, local_ns))
            self._changed.notify_all()

"""What has arrived and waits for the controller's loop: bounded, and no sender's flood keeps another waiting."""

from __future__ import annotations

import threading
from collections import OrderedDict, deque
from collections.abc import Callable

from betline.bus import Received
from betline.topics import COMMAND, SIGN_IN

EACH = 512
"""Messages of one sender that may wait."""
SENDERS = 64
"""Senders of which messages may wait."""


class Intake:
    """A queue with a lane a sender; lanes take turns, and commands go before evidence.

    `overrun` is called with the sender of each message for which there was no room.
    """

    def __init__(self, overrun: Callable[[str], None]) -> None:
        self._overrun = overrun
        self._changed = threading.Condition()
        self._commands: OrderedDict[str, deque[Received]] = OrderedDict()
        self._evidence: OrderedDict[str, deque[Received]] = OrderedDict()
        self._woken = False

    def put(self, received: Received) -> None:
        """Takes a message; from any thread."""
        by_a_person = received.topic.kind in (COMMAND, SIGN_IN)
        lanes = self._commands if by_a_person else self._evidence
        sender = received.envelope.sender
        with self._changed:
            lane = lanes.get(sender)
            if lane is None and len(lanes) < SENDERS:
                lane = lanes[sender] = deque()
            if lane is not None and len(lane) < EACH:
                lane.append(received)
                self._changed.notify()
                return
        self._overrun(sender)

    def wake(self) -> None:
        """Ends a wait."""
        with self._changed:
            self._woken = True
            self._changed.notify()

    @property
    def waiting(self) -> int:
        """Messages that wait now."""
        with self._changed:
            return sum(len(lane) for lanes in (self._commands, self._evidence) for lane in lanes.values())

    def take(self, most: int, timeout_s: float) -> list[Received]:
        """Up to so many messages, after waiting for the first of them for so long at most."""
        with self._changed:
            if not (self._commands or self._evidence or self._woken) and timeout_s > 0:
                self._changed.wait(timeout_s)
            self._woken = False
            taken: list[Received] = []
            for lanes in (self._commands, self._evidence):
                while lanes and len(taken) < most:
                    sender, lane = lanes.popitem(last=False)
                    taken.append(lane.popleft())
                    if lane:
                        lanes[sender] = lane  # to the end of the row
            return taken

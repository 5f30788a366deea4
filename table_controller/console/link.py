"""Whether broker and controller are there, and since when they are not. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace

from betline.messages.common import PresenceState


@dataclass(frozen=True, slots=True)
class Link:
    """What is between this console and its table; ``lost_s`` is the time when the first of the two went away."""

    lost_s: float | None
    broker: bool = False
    controller: PresenceState | None = None

    def with_broker(self, connected: bool, now_s: float) -> Link:
        """The broker came or went; once it was lost, the controller is unknown until it speaks again."""
        return replace(self, broker=connected, controller=self.controller if connected else None)._timed(now_s)

    def with_controller(self, presence: PresenceState, now_s: float) -> Link:
        """The controller, or the broker in its name, said how it does."""
        return replace(self, controller=presence)._timed(now_s)

    @property
    def well(self) -> bool:
        """Whether commands can be sent and what is shown is true."""
        return self.broker and self.controller == "online"

    def trouble(self, now_s: float) -> str | None:
        """What is missing and for how long, in words for the banner; None where nothing is."""
        if self.lost_s is None:
            return None
        who = "NO BROKER" if not self.broker else "CONTROLLER SILENT" if self.controller == "stale" else "NO CONTROLLER"
        return f"{who} since {max(0, int(now_s - self.lost_s))} s"

    def _timed(self, now_s: float) -> Link:
        if self.well:
            return replace(self, lost_s=None)
        return self if self.lost_s is not None else replace(self, lost_s=now_s)

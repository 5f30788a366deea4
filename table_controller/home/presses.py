"""Which presses of a button in Home Assistant count, and what is said of the others. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from betline.settings import Button

PRESS: Final = "PRESS"
"""What a press says on the bus."""
AT_MOST_EVERY_S: Final = 1.0
"""A button that is pressed again so soon bounces, or a finger did."""
LIFE_S: Final = 3.0
"""A press that could not be asked for within this time is void: the table has gone on."""


@dataclass(frozen=True, slots=True)
class Press:
    """A button was pressed. ``retained``: the broker had kept it, so nobody knows when that was."""

    button: str
    payload: str
    retained: bool
    came_s: float

    def is_late(self, now_s: float) -> bool:
        """Whether it is too old to be carried out."""
        return now_s - self.came_s > LIFE_S


@dataclass(frozen=True, slots=True)
class Taken:
    """A press that counts."""

    button: Button
    press: Press


@dataclass(frozen=True, slots=True)
class Told:
    """What became of a press: ``code`` is ok, or the stable code of the refusal."""

    button: str
    code: str
    sentence: str

    @property
    def done(self) -> bool:
        """Whether the table did it."""
        return self.code == "ok"


@dataclass(frozen=True, slots=True)
class Presses:
    """The buttons that the house allows, and when each was last pressed."""

    allowed: Collection[Button]
    last_s: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))

    def judged(self, press: Press) -> tuple[Presses, Taken | Told]:
        """After a press: whether it counts."""
        button = next((one for one in self.allowed if one == press.button), None)
        if button is None:
            return self, Told(press.button, "unknown-button", "The table file allows no such button.")
        if press.retained:
            return self, Told(button, "retained", "An old press that the broker had kept was not carried out.")
        if press.payload != PRESS:
            return self, Told(button, "unknown-press", f"A press says {PRESS} and nothing else.")
        if press.came_s - self.last_s.get(button, float("-inf")) < AT_MOST_EVERY_S:
            return self, Told(button, "bounced", "It was pressed again within a second: that counts as one press.")
        return Presses(self.allowed, {**self.last_s, button: press.came_s}), Taken(button, press)

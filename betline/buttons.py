"""What each button of Home Assistant asks of a table. Pure.

`betline home` sends it, and the broker's access list lets its account send nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from betline.settings import Button
from betline.steps import Clock, Command, NextHand, verb_of


@dataclass(frozen=True, slots=True)
class Meaning:
    """A button's name and picture in Home Assistant, and the command that it is."""

    title: str
    icon: str
    command: Command


MEANINGS: Final[Mapping[Button, Meaning]] = MappingProxyType(
    {
        "next-hand": Meaning("Next hand", "mdi:skip-next", NextHand()),
        "pause-clock": Meaning("Pause the clock", "mdi:timer-pause", Clock(action="pause")),
        "resume-clock": Meaning("Resume the clock", "mdi:timer-play", Clock(action="resume")),
    }
)


def verbs_of(buttons: Iterable[Button]) -> tuple[str, ...]:
    """The verbs of the commands that these buttons are, each once."""
    return tuple(dict.fromkeys(verb_of(type(MEANINGS[button].command)) for button in buttons))

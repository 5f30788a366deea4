"""How much the voice says, chosen by one key: the choice stands on the bus, for the voice and for other consoles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

from betline import topics
from betline.bus import Bus, Received
from betline.messages.common import Presence
from betline.messages.table import VoiceAgain, VoiceSetting
from betline.settings import SettingsError, TableSettings, load_house_rules
from betline.topics import topic
from table_controller.console.keys import cap
from table_controller.console.view import Line

Says = Literal["off", "exceptions", "bets", "all"]
NAMES: Final[Mapping[Says, str]] = {
    "all": "chatty, every act",
    "bets": "normal, bets and turns",
    "exceptions": "only questions",
    "off": "silent",
}
"""From the loudest on; after the last one comes the first."""
PROGRAM: Final = "voice"
NOT_THERE: Final = "No voice runs here: start `betline voice`."


class VoiceSwitch:
    """What is chosen, and how the voice does. The bus brings news on its own thread; each is one assignment."""

    def __init__(self, bus: Bus, table: TableSettings) -> None:
        self._bus = bus
        self._says: Says = _usual(table)
        self._trouble = NOT_THERE

    def start(self) -> None:
        """Begins to listen."""
        self._bus.subscribe(topics.VOICE, self._on_setting)
        self._bus.subscribe(topics.DEVICE_STATUS, self._on_status)

    def press(self) -> Line:
        """Chooses the next one; the line to show."""
        order = tuple(NAMES)
        self._says = order[(order.index(self._says) + 1) % len(order)]
        self._bus.publish(topic(topics.VOICE), VoiceSetting(says=self._says))
        said = f"Voice: {NAMES[self._says]}."
        if self._trouble and self._says != "off":
            return Line("▲", f"{said} {self._trouble}", "warn")
        return Line("✓", said, "good")

    def again(self) -> Line:
        """Has the turn said once more; the line to show."""
        self._bus.publish(topic(topics.VOICE_AGAIN), VoiceAgain())
        if self._says == "off":
            return Line("▲", f"The voice is silent: {cap('voice')} lets it speak.", "warn")
        if self._trouble:
            return Line("▲", self._trouble, "warn")
        return Line("✓", "Said once more, with what is told on request.", "good")

    def _on_setting(self, received: Received) -> None:
        if isinstance(received.body, VoiceSetting):
            self._says = received.body.says

    def _on_status(self, received: Received) -> None:
        if received.topic.name == PROGRAM and isinstance(received.body, Presence):
            self._trouble = received.body.detail if received.body.state == "online" else NOT_THERE


def _usual(table: TableSettings) -> Says:
    """What the house says; this machine need not have the file of the table's house rules."""
    try:
        return load_house_rules(table.house.profile, table.house.options).voice
    except SettingsError:
        return "exceptions"

"""The topics that Home Assistant and a table share, outside the table's own. Pure.

`betline home` speaks there, and the broker's access list lets it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from betline.topics import ROOT

PREFIX: Final = "homeassistant"
"""Where Home Assistant looks for devices, if its MQTT integration was not told otherwise."""
BORN: Final = f"{PREFIX}/status"
"""Where Home Assistant says that it has started."""
OURS: Final = "betline-home"
ONLINE: Final = "online"
OFFLINE: Final = "offline"


@dataclass(frozen=True, slots=True)
class Places:
    """The topics of one table."""

    site: str
    table: str
    """Each may be `+`, any, as an access list has it."""

    @property
    def device(self) -> str:
        """By which Home Assistant knows the table for good; no two tables of a broker have the same."""
        return "+" if "+" in (self.site, self.table) else f"betline_{self.site}_{self.table}"

    @property
    def config(self) -> str:
        """Where the device is described (retained)."""
        return f"{PREFIX}/device/{self.device}/config"

    @property
    def base(self) -> str:
        return f"{OURS}/{self.site}/{self.table}"

    @property
    def state(self) -> str:
        """What the entities show (retained)."""
        return f"{self.base}/state"

    @property
    def event(self) -> str:
        """What has just happened, each once."""
        return f"{self.base}/event"

    @property
    def trigger(self) -> str:
        """The name alone of what has just happened."""
        return f"{self.base}/trigger"

    @property
    def pressed(self) -> str:
        """What became of a button that was pressed there, each once."""
        return f"{self.base}/pressed"

    def press(self, button: str) -> str:
        """Where Home Assistant says that a button was pressed; `+` is any."""
        return f"{self.base}/press/{button}"

    @property
    def available(self) -> str:
        """Whether this program serves (retained, and its last will)."""
        return f"{self.base}/available"

    @property
    def controller(self) -> str:
        """The presence of the table's controller."""
        return f"{ROOT}/{self.site}/{self.table}/status"

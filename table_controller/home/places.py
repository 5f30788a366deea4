"""The topics that Home Assistant and a table share, outside the table's own. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from betline.topics import ROOT, Namespace

PREFIX: Final = "homeassistant"
"""Home Assistant's usual discovery prefix."""
OURS: Final = "betline-home"
ONLINE: Final = "online"
OFFLINE: Final = "offline"


@dataclass(frozen=True, slots=True)
class Places:
    """The topics of one table."""

    names: Namespace
    prefix: str = PREFIX

    @property
    def device(self) -> str:
        """By which Home Assistant knows the table for good."""
        return f"betline_{self.names.site}_{self.names.table}".replace("-", "_")

    @property
    def config(self) -> str:
        """Where the device is described (retained)."""
        return f"{self.prefix}/device/{self.device}/config"

    @property
    def born(self) -> str:
        """Where Home Assistant says that it has started."""
        return f"{self.prefix}/status"

    @property
    def base(self) -> str:
        return f"{OURS}/{self.names.site}/{self.names.table}"

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
    def available(self) -> str:
        """Whether this program serves (retained, and its last will)."""
        return f"{self.base}/available"

    @property
    def controller(self) -> str:
        """The presence of the table's controller."""
        return f"{ROOT}/{self.names.site}/{self.names.table}/status"

"""How well a virtual reader reads, as a plan of faults says it."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from pydantic import Field

from betline.settings.model import Settings
from virtual_table.readers.behaviour import Behaviour


class Reading(Settings):
    """How well a reader reads; `Behaviour` explains each. A key that is not said changes nothing."""

    missed: float = Field(default=0.0, ge=0, le=1, description="a tag does not answer in one inventory")
    neighbour: float = Field(default=0.0, ge=0, le=1, description="a tag beside the antenna is read anyway")
    detuned: float = Field(default=0.0, ge=0, le=1, description="a tag is lost, for each other tag in its pile")
    rf_warning: float = Field(default=0.0, ge=0, le=1, description="an inventory ends with an RF warning and no tags")
    air_factor: float = Field(default=1.0, gt=0, le=100, description="air time compared with the ideal")

    def over(self, usual: Behaviour) -> Behaviour:
        """A reader that is as usual but for the keys that are said here."""
        return replace(usual, **self.model_dump(exclude_unset=True))


USUAL: Final = Reading()
"""Nothing is otherwise."""

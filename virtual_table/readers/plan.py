"""The plan file of a virtual reader: how well it reads, what its line does to frames, and what happens when."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic import Field

from betline.settings import SettingsError
from betline.settings.load import parse, read_toml
from betline.settings.model import Settings
from virtual_table.readers.behaviour import Behaviour
from virtual_table.readers.events import TimedFault
from virtual_table.readers.faults import FaultPlan

EXAMPLE = """\
[reading]            # probabilities 0 to 1
missed = 0.02        # a tag does not answer in one inventory
neighbour = 0.01     # a tag beside the antenna is read anyway
detuned = 0.005      # a tag is lost, for each other tag in its pile
rf_warning = 0.0     # an inventory ends with a warning and no tags
air_factor = 2.0     # air time compared with the ideal

[line]               # probabilities a frame
damage = 0.01
late = 0.005
late_ms = 1500

[[events]]           # seconds since it was plugged in
what = "unplug"      # or stuck, reboot, burst
at_s = 30
for_s = 5
every_s = 120

[[events]]
what = "burst"
at_s = 60
for_s = 10
chances = { silence = 0.3, garbage = 0.5 }
"""


class Reading(Settings):
    """How well the reader reads; `Behaviour` explains each."""

    missed: float = Field(default=0.0, ge=0, le=1, description="a tag does not answer in one inventory")
    neighbour: float = Field(default=0.0, ge=0, le=1, description="a tag beside the antenna is read anyway")
    detuned: float = Field(default=0.0, ge=0, le=1, description="a tag is lost, for each other tag in its pile")
    rf_warning: float = Field(default=0.0, ge=0, le=1, description="an inventory ends with an RF warning and no tags")
    air_factor: float = Field(default=1.0, gt=0, le=100, description="air time compared with the ideal")


class ReaderPlan(Settings):
    """The whole plan; an empty one is a perfect reader on a perfect line."""

    reading: Reading = Reading()
    line: FaultPlan = FaultPlan()
    events: tuple[TimedFault, ...] = ()

    def behaviour(self, antennas: int) -> Behaviour:
        """The behaviour of a reader with that many antennas under this plan."""
        return Behaviour(antennas, faults=self.line, **self.reading.model_dump())


def load_plan(path: Path) -> ReaderPlan:
    """A plan from its TOML file, or JSON if its name ends so; raises SettingsError with a sentence."""
    return parse(ReaderPlan, _json(path) if path.suffix == ".json" else read_toml(path), str(path))


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise SettingsError(f"{path} is not valid JSON ({error}); correct it.") from None
    except OSError as error:
        raise SettingsError(f"{path} cannot be read ({error.strerror}); make it readable or give another.") from None

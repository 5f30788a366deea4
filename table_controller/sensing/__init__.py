"""From evidence to acts: what readers and camera saw becomes chips that a seat moved, and what must be asked.

A pure package: the service turns bus messages into `ZoneReading`, `LineSeen` and `CameraSeen`, gives the table's
`HandView`, and takes observations from the functions of `steps`.
"""

from table_controller.sensing.account import Pushed
from table_controller.sensing.belief import ChipNote, ChipSeen, ZoneBelief, ZoneReading
from table_controller.sensing.following import Step
from table_controller.sensing.observations import (
    Alert,
    AlertPassed,
    Asked,
    AskedNoMore,
    ChipRead,
    ChipsMoved,
    Covered,
    HandBegun,
    Implied,
    Observation,
    Posted,
    StreetDealt,
    ZoneValue,
)
from table_controller.sensing.setup import Setup, Thresholds
from table_controller.sensing.state import SensingState
from table_controller.sensing.view import HandView, ImpliedPassive, Phase, SeatBook
from table_controller.sensing.witness import CameraSeen, LineSeen, SeatSeen

__all__ = [
    "Alert",
    "AlertPassed",
    "Asked",
    "AskedNoMore",
    "CameraSeen",
    "ChipNote",
    "ChipRead",
    "ChipSeen",
    "ChipsMoved",
    "Covered",
    "HandBegun",
    "HandView",
    "Implied",
    "ImpliedPassive",
    "LineSeen",
    "Observation",
    "Phase",
    "Posted",
    "Pushed",
    "SeatBook",
    "SeatSeen",
    "SensingState",
    "Setup",
    "Step",
    "StreetDealt",
    "Thresholds",
    "ZoneBelief",
    "ZoneReading",
    "ZoneValue",
]

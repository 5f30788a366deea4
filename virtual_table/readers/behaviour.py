"""How a virtual reader of any family is set up, and how well it reads."""

from __future__ import annotations

from dataclasses import dataclass

from virtual_table.readers.faults import PERFECT, FaultPlan


@dataclass(frozen=True, slots=True)
class Behaviour:
    """What all families have in common. Probabilities are 0 to 1; all zero is a perfect reader on a perfect line."""

    antennas: int = 1
    """How many outputs have an antenna connected."""
    missed: float = 0.0
    """Probability that a tag does not answer in one inventory."""
    neighbour: float = 0.0
    """Probability that a tag beside the antenna is read anyway."""
    detuned: float = 0.0
    """Probability that a tag of ISO 15693 is not heard, for each other tag in its pile; see `Antennas` for the law."""
    rf_warning: float = 0.0
    """Probability that an inventory ends with an RF warning and no tags."""
    air_factor: float = 1.0
    """Air time compared with the ideal of `air`."""
    faults: FaultPlan = PERFECT

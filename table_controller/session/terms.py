"""What a session is given once: the places of the table, and the game and house rules in force."""

from __future__ import annotations

from dataclasses import dataclass, field, fields

from betline.settings import GameSettings, HouseRules, StaffRules, TableSettings, is_for_chips
from table_controller.sensing.setup import Setup as SensingSetup
from table_controller.sensing.setup import Thresholds


@dataclass(frozen=True, slots=True)
class Terms:
    """Settings of the table; where they differ from those of a running hand, that hand ends under its own."""

    table: TableSettings
    house: HouseRules
    staff: StaffRules = field(default_factory=StaffRules)
    """What the roles of the staff may do."""

    @property
    def game(self) -> GameSettings:
        """The game that the table file names."""
        return self.table.game

    @property
    def seats(self) -> tuple[int, ...]:
        """The places at the table."""
        return tuple(seat.number for seat in self.table.seats)

    def sensing(self) -> SensingSetup:
        """The table as sensing must know it."""
        use = self.table.sensing
        return SensingSetup(
            seats=self.seats,
            zones=frozenset(
                antenna.zone
                for reader in self.table.readers
                for antenna in reader.antennas
                if is_for_chips(antenna.zone)
            ),
            camera=bool(self.table.cameras),
            thresholds=Thresholds(
                **{one.name: getattr(use, one.name) for one in fields(Thresholds) if hasattr(use, one.name)}
            ),
        )

"""A case of chaos: a table, its people, some hands and a plan of faults; as a file it can be played again."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final, Literal

import tomli_w
from pydantic import Field

from betline.settings import SettingsError, TableSettings
from betline.settings.load import parse, read_toml
from betline.settings.model import Settings
from virtual_table.faults.plan import NO_FAULTS, TablePlan, naming
from virtual_table.laboratory.faults import refuse_lines
from virtual_table.laboratory.trial import HASTY, Mode, Plan, table_of
from virtual_table.play.pace import Pauses

People = Literal[
    "travelling chips", "change from the tray", "keys early", "keys late", "arms", "late antes", "dead blinds",
    "bomb pots", "toying",
]  # fmt: skip
"""Those adversities of a trial that are people's doing; `virtual_table.laboratory.trial` says what each is."""
_OF_PLANS: Final = frozenset({"events", "reading", "line", "readers"})


class ChaosCase(Settings):
    """Everything that decides an evening; the same case is the same evening."""

    note: str = Field(default="", description="what it showed, and what was mended")
    table: str = Field(default="home-six", description="the name of a shipped table, or a file")
    sensors: Mode = "readers+camera"
    seed: int = Field(ge=0, description="of hands, people, noise and random times")
    hands: int = Field(default=1, ge=1, le=30)
    people: tuple[People, ...] = Field(default=(), description="what people do besides playing slowly and in turn")
    hurry: bool = Field(default=False, description="whether people hurry")
    eyes: float = Field(default=0.0, ge=0, le=10, description="so many times what the camera was measured to miss")
    faults: TablePlan = NO_FAULTS

    def settings(self) -> TableSettings:
        """The table with its sensors; raises SettingsError, also where the plan does not fit it."""
        table = table_of(self.trial())
        self.faults.check(table)
        refuse_lines(self.faults)
        return table

    def trial(self) -> Plan:
        """The evening as a trial without noise and troubles."""
        pauses = HASTY if self.hurry else Pauses.short()
        return Plan(self.seed, self.table, self.sensors, 0.0, 0.0, frozenset(self.people), pauses, self.hurry)

    def as_toml(self) -> str:
        """The case as the text of its file."""
        return tomli_w.dumps(self.as_data())

    def as_data(self) -> dict[str, Any]:
        """The case as plain data, without what was not said."""
        data: dict[str, Any] = self.model_dump(mode="json", exclude_unset=True, exclude_none=True)
        return data


def load_case(path: Path) -> ChaosCase:
    """A case from its file; raises SettingsError with a sentence."""
    data = read_toml(path)
    if "faults" not in data and data.keys() & _OF_PLANS:
        raise SettingsError(
            f"{path} is a plan of faults, and a case of chaos is a table with some hands besides: put the plan under "
            "[faults] of a case ([[faults.events]], [faults.reading]), with a seed."
        )
    case = parse(ChaosCase, data, str(path))
    with naming(path):
        case.settings()
    return case

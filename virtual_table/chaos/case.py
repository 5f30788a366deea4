"""A case of chaos: a table, its people, some hands and a plan of faults; as a file it can be played again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import tomli_w
from pydantic import Field

from betline.settings import SettingsError, TableSettings, load_table
from betline.settings.load import parse, read_toml
from betline.settings.model import Settings
from virtual_table.faults.plan import NO_FAULTS, TablePlan
from virtual_table.laboratory.faults import refuse_lines
from virtual_table.laboratory.laboratory import without_camera, without_readers
from virtual_table.laboratory.trial import Mode


class ChaosCase(Settings):
    """Everything that decides an evening; the same case is the same evening."""

    note: str = Field(default="", description="what it showed, and what was mended")
    table: str = Field(default="home-six", description="the name of a shipped table, or a file")
    sensors: Mode = "readers+camera"
    seed: int = Field(ge=0, description="of hands, people, noise and random times")
    hands: int = Field(default=1, ge=1, le=30)
    hurry: bool = Field(default=False, description="whether people hurry")
    eyes: float = Field(default=0.0, ge=0, le=10, description="so many times what the camera was measured to miss")
    faults: TablePlan = NO_FAULTS

    def settings(self) -> TableSettings:
        """The table with its sensors; raises SettingsError, also where the plan does not fit it."""
        table = load_table(self.table)
        if self.sensors == "readers":
            table = without_camera(table)
        elif self.sensors == "camera":
            table = without_readers(table)
        self.faults.check(table)
        refuse_lines(self.faults)
        return table

    def as_toml(self) -> str:
        """The case as the text of its file."""
        return tomli_w.dumps(self.as_data())

    def as_data(self) -> dict[str, Any]:
        """The case as plain data, without what was not said."""
        data: dict[str, Any] = self.model_dump(mode="json", exclude_unset=True, exclude_none=True)
        return data


def load_case(path: Path) -> ChaosCase:
    """A case from its file; raises SettingsError with a sentence."""
    case = parse(ChaosCase, read_toml(path), str(path))
    try:
        case.settings()
    except SettingsError as error:
        raise SettingsError(f"{path}: {error}") from None
    return case

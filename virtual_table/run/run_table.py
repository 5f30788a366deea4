"""The table file of one run of the virtual table: the chosen table with virtual ports, camera and fitting chips."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tomli_w

from betline.options import UserError
from betline.settings import TableSettings
from betline.settings.model import nearest
from firmware_bridge.protocols.catalogue import UnknownFamilyError, family


@dataclass(frozen=True, slots=True)
class RunFiles:
    """Where the processes of one run put their files."""

    folder: Path

    @property
    def table(self) -> Path:
        """The run's table file."""
        return self.folder / "table.toml"

    @property
    def ports(self) -> Path:
        """The folder with a name for each virtual reader's pseudo-terminal."""
        return self.folder / "ports"

    @property
    def register(self) -> Path:
        """The chip register."""
        return self.folder / "chips.jsonl"

    @property
    def people(self) -> Path:
        """The file of the staff; without one the table is open."""
        return self.folder / "people.toml"

    @property
    def report(self) -> Path:
        """The outcome of the hands."""
        return self.folder / "report.json"

    @property
    def ready(self) -> Path:
        """Exists once the world has its ports, register and camera."""
        return self.folder / "world.ready"

    @property
    def playing(self) -> Path:
        """Exists once all programs are online and play begins."""
        return self.folder / "world.playing"

    @property
    def faults(self) -> Path:
        """What goes wrong with readers and camera."""
        return self.folder / "faults.json"


def with_readers(table: TableSettings, protocol: str) -> TableSettings:
    """The table with readers of another family in their factory settings; raises UserError with a sentence."""
    try:
        traits = family(protocol).traits
    except UnknownFamilyError as error:
        text = str(error)
        raise UserError(f"{text[:1].upper()}{text[1:]}.") from None
    for reader in table.readers:
        most = max(served.antenna for served in reader.antennas)
        if most > traits.antennas:
            raise UserError(
                f"The {reader.id} of {table.name} has {most} antennas, a {traits.title} at most "
                f"{traits.antennas}; choose another family or another table."
            )
    changed: dict[str, object] = {"protocol": protocol, "baud": traits.line.baud, "settings": {}}
    return table.model_copy(update={"readers": tuple(reader.model_copy(update=changed) for reader in table.readers)})


def runtime_table(
    table: TableSettings, files: RunFiles, camera_url: str, chip_set: str, leave_out: Collection[str] = ()
) -> TableSettings:
    """The table with its readers on virtual ports, but for those left out, and the virtual camera."""
    return table.model_copy(
        update={
            "chip_set": chip_set,
            "readers": tuple(
                reader if reader.id in leave_out else reader.model_copy(update={"port": str(files.ports / reader.id)})
                for reader in table.readers
            ),
            "cameras": tuple(camera.model_copy(update={"source": camera_url}) for camera in table.cameras),
        }
    )


def check_left_out(table: TableSettings, names: Iterable[str]) -> None:
    """Raises UserError for a name that no reader of the table has."""
    known = [reader.id for reader in table.readers]
    for name in names:
        if name not in known:
            raise UserError(f"The table {table.name} has no reader {name}; {nearest(name, known)}")


def write_table(table: TableSettings, path: Path) -> None:
    """Writes a table file that reads back as the same table."""
    path.write_text(tomli_w.dumps(_without_none(table.model_dump(mode="json"))), encoding="utf-8")


def _without_none(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_none(item) for key, item in value.items() if item is not None}
    if isinstance(value, list):
        return [_without_none(item) for item in value]
    return value

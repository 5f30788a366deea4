"""Which part of a table serves its figures on which port, and how Prometheus finds them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from betline.options import FAILED, Address, UserError, state_folder, write_private
from betline.settings import TableSettings
from betline.settings.metrics import MOST_PARTS
from betline.topics import Namespace

SITE_PARTS: Final = ("site-record", "floor", "room")
"""Parts of a site and of no table: they serve where their option says, and nowhere else."""
PARTS: Final = (
    "controller",
    "bridge",
    "vision",
    "voice",
    "web",
    "hooks",
    "home",
    "record",
    "console",
    "history",
    *SITE_PARTS,
)
"""By their places: a part's port is the first one and its place here. New ones come at the end."""
EXAMPLE: Final = "127.0.0.1:9464"
LOOPBACK: Final = EXAMPLE.partition(":")[0]
_READABLE: Final = 0o644


def address_of(part: str, option: str | None, table: TableSettings) -> Address | None:
    """Where a part serves: where its option says, else by its place after the table file's port; None: nowhere.

    Raises UserError.
    """
    if option is not None:
        return read_address(option)
    return None if table.metrics is None else _place(part, Address(table.metrics.host, table.metrics.port))


def read_address(option: str) -> Address:
    """Reads [HOST:]PORT, without a host this machine; raises UserError."""
    return Address.parse(option if ":" in option else f"{LOOPBACK}:{option}", "--metrics", EXAMPLE)


def _place(part: str, first: Address) -> Address:
    return Address(first.host, first.port + PARTS.index(part))


@dataclass(frozen=True, slots=True)
class Places:
    """Where the parts of one table serve that are started together; nowhere without `first`."""

    first: Address | None
    names: Namespace

    @classmethod
    def of(cls, option: str | None, table: TableSettings, names: Namespace) -> Places:
        """By the option, which names the controller's place, else by the table file; raises UserError."""
        first = address_of(PARTS[0], option, table)
        if first is not None and first.port + MOST_PARTS > 65536:
            raise UserError(f"--metrics {first}: {MOST_PARTS} ports from there on are needed, name a lower one.")
        return cls(first, names)

    def words(self, part: str) -> list[str]:
        """What a part's command line says of it."""
        return [] if self.first is None else ["--metrics", str(_place(part, self.first))]

    def targets(self, parts: Iterable[str]) -> str:
        """The JSON by which Prometheus finds these parts (file_sd_config): one entry a part."""
        if self.first is None:
            return "[]\n"
        found = [
            {
                "targets": [str(_place(part, self.first))],
                "labels": {"site": self.names.site, "table": self.names.table, "part": part},
            }
            for part in PARTS
            if part in parts
        ]
        return json.dumps(found, indent=2) + "\n"

    def tell(self, parts: Iterable[str], file: Path | None = None) -> None:
        """Writes that file, for Prometheus too, whose user is another; raises UserError."""
        if self.first is None:
            return
        _put(file or targets_file(self.names), self.targets(parts))


def tell_of_site(part: str, where: Address | None, site: str, file: Path | None = None) -> None:
    """Writes the file by which Prometheus finds a part of a site, where it serves figures; raises UserError."""
    if where is not None:
        found = [{"targets": [str(where)], "labels": {"site": site, "part": part}}]
        _put(file or state_folder() / "metrics" / f"{site}.{part}.json", json.dumps(found, indent=2) + "\n")


def _put(path: Path, text: str) -> None:
    try:
        write_private(path, text)
        path.chmod(_READABLE)
    except OSError as error:
        raise UserError(
            f"{path} cannot be written ({error.strerror}): name another with --metrics-targets.", FAILED
        ) from None


def targets_file(names: Namespace) -> Path:
    """Where the file of a table's targets lies if none is named."""
    return state_folder() / "metrics" / f"{names.site}-{names.table}.json"

"""What a recording must say of its table so that the file alone suffices: settings, house rules, versions."""

from __future__ import annotations

import datetime
import importlib.metadata
import json
import sqlite3
from collections.abc import Mapping
from pathlib import Path

from pydantic import BaseModel, ValidationError

from betline.options import UserError
from betline.settings import HouseRules, StaffRules, TableSettings, load_chip_set
from betline.topics import Namespace
from table_controller.session import Terms

REGISTER = "chips.sqlite"
"""The name of the chip register among the attachments."""


def about_of(terms: Terms, namespace: Namespace) -> Mapping[str, str]:
    """The metadata of a recording of this table."""
    table = terms.table
    return {
        "program": importlib.metadata.version("betline"),
        "began": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "site": namespace.site,
        "table_id": namespace.table,
        "config_hash": table.config_hash(),
        "table": _json(table),
        "house": _json(terms.house),
        "staff_rules": _json(terms.staff),
        "chip_set": _json(load_chip_set(table.chip_set)),
    }


def terms_in(about: Mapping[str, str]) -> Terms:
    """The table that a recording was made of; raises UserError where its settings are not those of this program."""
    try:
        table = TableSettings.model_validate_json(about["table"])
        house = HouseRules.model_validate_json(about["house"])
        return Terms(table, house, StaffRules.model_validate_json(about["staff_rules"]))
    except (KeyError, ValidationError) as error:
        first = error.errors()[0]["msg"] if isinstance(error, ValidationError) else f"no {error}"
        was = about.get("program", "?")
        raise UserError(
            f"The table of the recording cannot be read ({first}): it was made by betline {was}; use that version."
        ) from None


def namespace_in(about: Mapping[str, str]) -> Namespace:
    """Which table on the bus it was."""
    return Namespace(about["site"], about["table_id"])


def register_copy(path: Path) -> bytes | None:
    """The chip register as it is now, None where there is none that can be read."""
    if not path.is_file():
        return None
    try:
        with sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True) as database:
            content: bytes = database.serialize()
        database.close()
    except sqlite3.Error:
        return None
    return content


def _json(settings: BaseModel) -> str:
    """What was set, as the file has it: an entry of the journal says no more either."""
    return json.dumps(settings.model_dump(mode="json", exclude_unset=True), separators=(",", ":"), ensure_ascii=False)

"""The JSON Schema of every settings file: ``python -m betline.settings.schema`` writes ``config/schema.json``."""

from __future__ import annotations

import json
from typing import Any

from betline.settings.chips import ChipSet
from betline.settings.house_rules import HouseRules
from betline.settings.load import config_dir
from betline.settings.shape import Shape
from betline.settings.site import Site
from betline.settings.staff import StaffRules
from betline.settings.table import TableSettings


def schema() -> str:
    """The schemas by kind of file, as the text of ``config/schema.json``."""
    document = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Betline settings",
        "$defs": {
            "table": _table(),
            "chip_set": ChipSet.model_json_schema(mode="validation"),
            "house_rules": _house_rules(),
            "site": Site.model_json_schema(mode="validation"),
        },
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _house_rules() -> dict[str, Any]:
    """A house-rules file: the options of the game, and the tables about the staff."""
    house = HouseRules.model_json_schema(mode="validation")
    staff = StaffRules.model_json_schema(mode="validation")
    house["$defs"] |= staff["$defs"]
    house["properties"] |= staff["properties"]
    return house


def _table() -> dict[str, Any]:
    """A table file: complete, with its first game in the rotation, or based on another."""
    table = TableSettings.model_json_schema(mode="validation")
    table["properties"]["based_on"] = {
        "description": "a shipped table's name or a TOML file: this file's keys replace those of that table",
        "title": "Based On",
        "type": "string",
    }
    shape = Shape.model_json_schema(mode="validation")
    table["properties"]["shape"] = {"description": "the form and seats, from which the felt is laid out", **shape}
    table["properties"]["ports"] = {
        "description": "the ports of readers, by their ids, in place of those that the readers name",
        "type": "object",
        "additionalProperties": {"type": "string"},
    }
    table["properties"]["moved"] = {
        "description": "what lies elsewhere, as seat-3.bet_zone or pot: by so many mm, x and y (a camera also z)",
        "type": "object",
    }
    complete = table.pop("required")
    in_turn = [*(key for key in complete if key != "game"), "rotation"]
    shaped = [
        *(key for key in complete if key not in ("felt", "dealer_mm", "muck_mm", "pot", "tray", "seats")),
        "shape",
    ]
    table["anyOf"] = [{"required": keys} for keys in (complete, in_turn, shaped, ["based_on", "name", "title"])]
    return table


if __name__ == "__main__":
    (config_dir() / "schema.json").write_text(schema(), encoding="utf-8")

"""The JSON Schema of every settings file: ``python -m betline.settings.schema`` writes ``config/schema.json``."""

from __future__ import annotations

import json

from betline.settings.chips import ChipSet
from betline.settings.house_rules import HouseRules
from betline.settings.load import config_dir
from betline.settings.table import TableSettings


def schema() -> str:
    """The schemas by kind of file, as the text of ``config/schema.json``."""
    document = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Betline settings",
        "$defs": {
            "table": TableSettings.model_json_schema(mode="validation"),
            "chip_set": ChipSet.model_json_schema(mode="validation"),
            "house_rules": HouseRules.model_json_schema(mode="validation"),
        },
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    (config_dir() / "schema.json").write_text(schema(), encoding="utf-8")

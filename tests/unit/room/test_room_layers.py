"""The core of room work is pure: no clock, no chance, no file and no bus; its page has every option of the house."""

import re

from cardroom.room.rules import RoomRules
from tests.unit.project.imports import ROOT, is_within, modules
from tests.unit.project.test_layers import PURE, impurities

PURE_PARTS = (
    "clock", "dealers", "draw", "errors", "events", "felt", "figures", "holds", "lots", "must_move", "moves", "prizes",
    "room", "stock", "tournament", "waiting", "rules",
)  # fmt: skip
OWN = ("betline", "table_controller.betting", "table_controller.levels", "table_controller.positions", "cardroom.room")


def test_the_core_of_room_work_reaches_no_device_no_clock_no_chance_and_no_bus() -> None:
    core = [one for one in modules() if any(is_within(one.name, f"cardroom.room.{part}") for part in PURE_PARTS)]

    assert len(core) == len(PURE_PARTS)
    allowed = PURE | {"hashlib", "pydantic"}
    assert {one.name: found for one in core if (found := impurities(one, allowed, OWN))} == {}
    shell = [f"cardroom.room.{name}" for name in ("verbs", "tables", "journal", "cli")]
    for one in core:
        assert not [name for name in one.imports if any(is_within(name, part) for part in shell)], one.name


def test_the_page_has_every_option_with_its_default() -> None:
    page = (ROOT / "docs" / "room.md").read_text(encoding="utf-8")
    told = dict(re.findall(r"^\| `(\w+)` \| ([^|]+) \|", page, re.MULTILINE))
    defaults = {name: field.default for name, field in RoomRules.model_fields.items() if name != "payouts"}
    said = {name: "true" if one is True else "9" if one == (9,) else str(one) for name, one in defaults.items()}

    assert told == {**said, "payouts": "the shipped table"}

"""Processes in which work is done end with the program that made them."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[3]
ROOMS = ("betline", "cardroom", "firmware_bridge", "table_controller", "virtual_table", "vision")


def test_every_pool_of_processes_ends_with_its_program() -> None:
    made = [
        (path.relative_to(ROOT), line)
        for room in ROOMS
        for path in (ROOT / room).rglob("*.py")
        for line in re.findall(r"ProcessPoolExecutor\(.*", path.read_text("utf-8"))
    ]
    assert len(made) > 5
    assert [(path, line) for path, line in made if "as_worker" not in line] == []

"""The plan of faults under which cases are acted out: read, and held against their table before any begins."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from pathlib import Path

from betline.cases import Case
from virtual_table.cases.chip_set import case_table
from virtual_table.faults.plan import TablePlan, load_plan, naming


def load_for_cases(path: Path, check: Callable[[TablePlan], None]) -> TablePlan:
    """The plan of a file; raises SettingsError, which names the file, for what the table of the cases does not have and
    for what `check` refuses.
    """
    plan = load_plan(path, case_table(Path("unused.toml")))
    with naming(path):
        check(plan)
    return plan


def of_case(plan: TablePlan, case: Case) -> TablePlan:
    """The plan as it strikes in one case: random times are its own, the same whenever and beside whatever it runs."""
    return plan.model_copy(update={"seed": zlib.crc32(f"{plan.seed}:{case.id}".encode())})

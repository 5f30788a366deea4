"""The faults of a soak where no plan is named: a thousand kills in eight hours, and something of everything else."""

from __future__ import annotations

import tomllib
from typing import Final

from betline.settings import TableSettings, parse
from virtual_table.faults.plan import TablePlan

MIXED: Final = """\
[reading]
missed = 0.05
neighbour = 0.01

[[events]]
what = "kill"
on = "any"
per_minute = 2.3
for_s = 0.5

[[events]]
what = "unplug"
on = "any"
per_minute = 0.4
for_s = 2

[[events]]
what = "misreads"
on = "any"
per_minute = 0.3
for_s = 5
reading = { missed = 0.15 }

[[events]]
what = "latency"
per_minute = 0.1
for_s = 5
latency_ms = 50

[[events]]
what = "broker-away"
per_minute = 0.1
for_s = 1
"""
OF_CAMERAS: Final = """
[[events]]
what = "camera-black"
on = "any"
per_minute = 0.2
for_s = 3

[[events]]
what = "camera-frozen"
on = "any"
per_minute = 0.1
for_s = 4
"""


def mixed(table: TableSettings) -> TablePlan:
    """The plan for a table with what it has of readers and cameras; raises SettingsError where it has no readers."""
    text = MIXED + (OF_CAMERAS if table.cameras else "")
    plan = parse(TablePlan, tomllib.loads(text), "the plan of mixed faults")
    plan.check(table)
    return plan

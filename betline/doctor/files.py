"""The table's file, and what lies beside it: chips, rules, journal, staff."""

from __future__ import annotations

import os
from collections.abc import Iterator

from betline.doctor.answer import Answer, Visit, fault, ok, warning
from betline.options import default_journal
from betline.settings import load_chip_set
from betline.tables.check import findings

_OTHERS = 0o077


def examine(visit: Visit) -> Iterator[Answer]:
    """What the table file says, and whether the journal can be written."""
    table = visit.table
    found = findings(table)
    for finding in found:
        make = fault if finding.is_fault else warning
        yield make("table", str(finding), f"Look at it: betline table check {visit.file} --draw table.svg.")
    if not any(finding.is_fault for finding in found):
        yield ok("table", f"{table.title}: {len(table.seats)} seats, {len(table.readers)} readers")
    yield ok("chip set", f"{table.chip_set}, {len(load_chip_set(table.chip_set).chips)} values")
    journal = default_journal("home", table.name)
    if journal.exists() and journal.stat().st_mode & _OTHERS:
        yield warning("journal", f"others can read {journal}", f"Type: chmod 600 {journal}.")
    elif journal.exists() and not os.access(journal, os.W_OK):
        yield fault(
            "journal",
            f"{journal} cannot be written",
            "It belongs to somebody else: chown it, or name another by --journal.",
        )
    else:
        yield ok("journal", str(journal))

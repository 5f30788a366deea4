"""The formats by their names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from table_controller.accounts.histories.document import documents
from table_controller.accounts.histories.known import Written
from table_controller.accounts.histories.ohh import ohh
from table_controller.accounts.histories.phh import phh, phhs
from table_controller.accounts.histories.pokerstars import pokerstars
from table_controller.accounts.histories.rows import rows
from table_controller.accounts.histories.source import Source
from table_controller.accounts.histories.told import Told

FORMATS: Mapping[str, Callable[[Sequence[Told], Source], Written]] = {
    "phh": lambda hands, source: (phh if len(hands) == 1 else phhs)(hands, source.names),
    "ohh": ohh,
    "pokerstars": pokerstars,
    "csv": lambda hands, source: rows(hands, source.names),
    "json": documents,
}
"""What writes hands, by the name of `betline export --format`."""
SUFFIXES: Mapping[str, Callable[[Sequence[Told], Mapping[str, str]], Written]] = {
    ".phh": phh, ".phhs": phhs, ".csv": rows,
}  # fmt: skip
"""By the end of the file's name that `betline journal export` is given."""

"""A poker table in your own tests: the plugin of pytest that comes with Betline (docs/lab.md).

pytest finds it by itself wherever Betline is installed. Its fixtures are in `virtual_table.pytest_plugin.plugin`; this
module has the types that a test may name, and loads each when it is asked for.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from virtual_table.pytest_plugin.clock import Clock
    from virtual_table.pytest_plugin.dealer import Dealer
    from virtual_table.pytest_plugin.failures import LabError, Unexpected
    from virtual_table.pytest_plugin.foreign import ForeignPort
    from virtual_table.pytest_plugin.programs import BrokerProgram, ControllerProgram
    from virtual_table.pytest_plugin.reader_ports import ReaderPort, RecordedLine
    from virtual_table.pytest_plugin.seat import Seat
    from virtual_table.pytest_plugin.table import Table
    from virtual_table.pytest_plugin.ways import Faults, Tag

_WHERE: Final = {
    "BrokerProgram": "programs",
    "Clock": "clock",
    "ControllerProgram": "programs",
    "Dealer": "dealer",
    "Faults": "ways",
    "ForeignPort": "foreign",
    "LabError": "failures",
    "ReaderPort": "reader_ports",
    "RecordedLine": "reader_ports",
    "Seat": "seat",
    "Table": "table",
    "Tag": "ways",
    "Unexpected": "failures",
}
__all__ = [
    "BrokerProgram",
    "Clock",
    "ControllerProgram",
    "Dealer",
    "Faults",
    "ForeignPort",
    "LabError",
    "ReaderPort",
    "RecordedLine",
    "Seat",
    "Table",
    "Tag",
    "Unexpected",
]


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_WHERE[name]}"), name)

"""What the floor's screens ask of the application, as a Textual message."""

from __future__ import annotations

from typing import Literal

from textual.message import Message

What = Literal["open", "ruling", "colours", "help", "quit"]


class Asked(Message):
    """Something that only the application can do, about a table where it is about one."""

    def __init__(self, what: What, table: str = "") -> None:
        super().__init__()
        self.what, self.table = what, table

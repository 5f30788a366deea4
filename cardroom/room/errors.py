"""The one exception of room work."""

from __future__ import annotations


class RoomError(Exception):
    """Something cannot be done so; ``code`` is stable, the text is a sentence that says what to do."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


def cut_off(table: str, pit: str) -> RoomError:
    """The refusal of what would count on a table that is cut off (`cut-off`)."""
    return RoomError(
        "cut-off",
        f"Table {table} is cut off: the line of its pit {pit} to the site is down. It plays on by itself; try again "
        "when the line is back.",
    )

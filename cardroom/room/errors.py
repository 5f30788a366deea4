"""The one exception of room work."""

from __future__ import annotations


class RoomError(Exception):
    """Something cannot be done so; ``code`` is stable, the text is a sentence that says what to do."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code

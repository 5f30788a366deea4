"""What goes wrong with a backup or an update."""

from __future__ import annotations


class UpkeepError(Exception):
    """It cannot be done; ``code`` is stable, the text is a sentence that says what to do."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code

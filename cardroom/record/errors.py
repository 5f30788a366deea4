"""The one exception of this part."""

from __future__ import annotations


class RecordError(Exception):
    """What a person can mend, as a sentence; `code` is stable."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code

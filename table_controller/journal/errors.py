"""What goes wrong with a journal."""

from __future__ import annotations


class JournalError(Exception):
    """The journal cannot be used; ``code`` is stable, the text is a sentence that says what to do."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code

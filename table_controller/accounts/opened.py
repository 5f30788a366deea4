"""The journal that the options of a verb name."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from betline.options import FAILED, UserError, default_journal

if TYPE_CHECKING:
    from table_controller.journal.reader import JournalReader


def journal_path(table: str, site: str, table_id: str | None, journal: Path | None) -> Path:
    """The journal's file."""
    from betline.settings import load_table

    return journal or default_journal(site, table_id or load_table(table).name)


@contextmanager
def reading(table: str, site: str, table_id: str | None, journal: Path | None) -> Iterator[JournalReader]:
    """The journal that the options name, opened to be read; its errors become the user's."""
    from table_controller.journal.reader import JournalReader

    path = journal_path(table, site, table_id, journal)
    with user_errors(), JournalReader(path) as reader:
        yield reader


@contextmanager
def user_errors() -> Iterator[None]:
    """What is wrong with a journal is the user's to mend."""
    from table_controller.journal.errors import JournalError

    try:
        yield
    except JournalError as error:
        raise UserError(str(error), FAILED) from None

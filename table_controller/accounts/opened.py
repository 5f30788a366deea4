"""The journal that the options of a verb name."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from betline.known_tables import journals, the_table
from betline.options import FAILED, UserError, default_journal, state_folder

if TYPE_CHECKING:
    from table_controller.journal.reader import JournalReader


def journal_path(table: str | None, site: str, table_id: str | None, journal: Path | None) -> Path:
    """The journal's file: the one that is named, that of the table that is named, else the only one that is there.

    Raises UserError where several are there, or none.
    """
    from betline.settings import load_table

    if journal is not None:
        return journal
    if table is not None or table_id is not None:
        return default_journal(site, table_id or load_table(the_table(table)).name)
    found = journals(site)
    if len(found) == 1:
        return found[0]
    if not found:
        raise UserError(f"There is no journal in {state_folder()}: name one with --journal FILE, or its table.", FAILED)
    listed = ", ".join(one.stem for one in found)
    raise UserError(
        f"Several tables have a journal in {state_folder()}: {listed}. Say which with --table or --journal."
    )


@contextmanager
def reading(table: str | None, site: str, table_id: str | None, journal: Path | None) -> Iterator[JournalReader]:
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

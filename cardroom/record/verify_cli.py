"""The verb `betline site verify`."""

from __future__ import annotations

import json as json_text
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from betline.joining import BrokerChoice, takes_broker
from betline.options import FAILED, SITE_DEFAULT, JsonOption, KeyOption, SiteOption
from cardroom.record.opened import DatabaseOption, DataOption, counter, database, say, site_bus, user_errors, wipe

if TYPE_CHECKING:
    from betline.messages.history import HistoryJournals, JournalEnd
    from cardroom.record.verify import Found

SEALS_AGAIN: Final = 3
"""A table that plays may have been asked between an entry and its seal: it is asked again so often."""


@takes_broker
def site_verify(
    broker: BrokerChoice,
    site: SiteOption = SITE_DEFAULT,
    data: DataOption = None,
    database_url: DatabaseOption = None,
    journal: Annotated[
        list[Path] | None,
        typer.Option("--journal", metavar="FILE", help="Hold this journal file against the database; may be repeated."),
    ] = None,
    key: KeyOption = None,
    keys: Annotated[
        Path | None,
        typer.Option("--keys", metavar="DIR", help="Folder of the tables' keys, TABLE.key each: check the seals."),
    ] = None,
    alone: Annotated[bool, typer.Option("--alone", help="Do not ask the tables how far they are.")] = False,
    json: JsonOption = False,
) -> None:
    """Check that every entry of every table is in the database once, in order, with the hash of its content.

    All rows are read and hashed again. Then the tables that can be reached are asked how far their journals are, and
    each file that is named is compared entry by entry. Exit status 1 where anything does not hold.

    With --keys the seals that were heard are checked: a journal that somebody wrote who does not have the table's key
    is named, also where it was forged whole.

    With --json one document: ok, rows, journals, compared, problems, notes, unanswered.

    Example: betline site verify --broker mqtts://site.lan:8883 --login logins --site casino

    Example: betline site verify --alone --journal backup/casino-six.journal

    Example: betline site verify --keys /media/stick/keys --broker mqtts://site.lan:8883 --login logins --site casino
    """
    from cardroom.record import seals
    from cardroom.record.asking import list_journals
    from cardroom.record.store import Store
    from cardroom.record.verify import against_ends, verify_rows
    from cardroom.record.verify_file import against_file

    unanswered: list[str] = []
    with user_errors(), database(data, database_url) as address:
        of_tables = seals.keys_in(keys) if keys is not None else {}

        def asked() -> dict[str, HistoryJournals | None]:
            if alone:
                return {}
            bus = site_bus(broker, site, "verify")
            try:
                return list_journals(bus)
            finally:
                bus.close()

        lists = asked()
        with Store(address(), None if alone else site) as store:
            found = verify_rows(store, counter("rows checked"))
            for table, listed in lists.items():
                if listed is None:
                    unanswered.append(table)
                else:
                    against_ends(store, table, listed.journals, found)
            if of_tables:
                first = last = seals.look(store, of_tables, _ends(lists))
                for _ in range(SEALS_AGAIN if not alone else 0):
                    if not seals.unsealed(last):
                        break
                    lists = asked()
                    last = seals.look(store, of_tables, _ends(lists))
                seals.tell(first, last, found, asked=[table for table, listed in lists.items() if listed is not None])
            for file in journal or ():
                against_file(store, file, key, found)
    wipe()
    if json:
        typer.echo(json_text.dumps(_verdict(found, unanswered)))
    else:
        for note in found.notes:
            say(f"Note: {note}")
        for table in unanswered:
            say(f"Note: {table} did not answer; its rows were checked by themselves.")
        for problem in found.problems:
            say(problem)
        typer.echo(
            f"{found.rows} rows of {found.journals} journals checked, {found.compared} held against their tables: "
            f"{'all hold' if not found.problems else f'{len(found.problems)} do not hold'}."
        )
    if found.problems:
        raise typer.Exit(FAILED)


def _ends(lists: Mapping[str, HistoryJournals | None]) -> dict[str, tuple[JournalEnd, ...]]:
    return {table: listed.journals for table, listed in lists.items() if listed is not None}


def _verdict(found: Found, unanswered: list[str]) -> dict[str, Any]:
    return {
        "ok": not found.problems, "rows": found.rows, "journals": found.journals, "compared": found.compared,
        "problems": found.problems, "notes": found.notes, "unanswered": unanswered,
    }  # fmt: skip

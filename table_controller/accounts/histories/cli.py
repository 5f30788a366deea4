"""`betline export`: hands for other programs, on standard output."""

from __future__ import annotations

from importlib.metadata import version
from typing import Annotated

import typer

from betline.options import (
    FAILED,
    SITE_DEFAULT,
    WRONG_USAGE,
    IdOption,
    JournalOption,
    SiteOption,
    TableOption,
    UserError,
)
from table_controller.accounts.opened import journal_path, reading

NAMES = "phh, ohh, pokerstars, csv, json"


def export(
    form: Annotated[str, typer.Option("--format", metavar="FORMAT", help=f"One of {NAMES}.")],
    hand: Annotated[
        int | None, typer.Option("--hand", metavar="HAND", min=1, help="Only this hand; all without it.")
    ] = None,
    anonymous: Annotated[
        bool, typer.Option("--anonymous", help="Player 1, Player 2 in place of names; no name of table or site.")
    ] = False,
    currency: Annotated[
        str, typer.Option("--currency", metavar="CODE", help="For ohh: three letters; XPM is play money.")
    ] = "XPM",
    table: TableOption = None,
    site: SiteOption = SITE_DEFAULT,
    table_id: IdOption = None,
    journal: JournalOption = None,
) -> None:
    """Write hands that are over to standard output, for programs that study hands.

    json has all that the journal knows, one hand a line; csv a line an act. A hand that a format has no word for is
    named on standard error and left out. A hand that nobody showed stays unknown in each of them.

    Example: betline export --format ohh --table home-six > friday.ohh

    Example: betline export --format pokerstars --journal friday.journal --hand 12 --anonymous
    """
    from table_controller.accounts.histories.formats import FORMATS
    from table_controller.accounts.histories.source import Source, nothing_to_export, without_names
    from table_controller.accounts.histories.told import told_hands

    write = FORMATS.get(form)
    if write is None:
        raise UserError(f"--format is one of {NAMES}, not {form}.", WRONG_USAGE)
    if not (len(currency) == 3 and currency.isascii() and currency.isalpha()):
        raise UserError(f"--currency is a code of three letters such as EUR, not {currency}.", WRONG_USAGE)
    where = journal_path(table, site, table_id, journal)
    with reading(table, site, table_id, where) as reader:
        found, names = tuple(told_hands(reader, hand)), reader.names()
    if not found:
        raise nothing_to_export(hand)
    source = Source(
        table="Table" if anonymous else where.stem,
        site="" if anonymous else site,
        seats=max(2, *(seat for told in found for seat in told.hand.seats)),
        version=version("betline"),
        currency=currency.upper(),
        names=without_names(found) if anonymous else names,
        anonymous=anonymous,
    )
    text, left_out = write(found, source)
    for reason in left_out:
        typer.echo(reason, err=True)
    if not text:
        raise UserError("Export as json or csv instead: this format tells none of these hands.", FAILED)
    typer.echo(text, nl=False)

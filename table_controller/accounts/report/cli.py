"""`betline report`: one hand as a file to print, from the journal, the camera's pictures and the browser."""

from __future__ import annotations

import time
from importlib.resources import files
from pathlib import Path
from typing import Annotated

import typer

from betline.options import (
    FAILED,
    SITE_DEFAULT,
    WRONG_USAGE,
    IdOption,
    JournalOption,
    KeyOption,
    SiteOption,
    TableOption,
    UserError,
    write_private,
)
from betline.units import NS_PER_MS
from table_controller.accounts.opened import journal_path, reading


def report(
    hand: Annotated[int, typer.Argument(metavar="HAND", min=1, help="Number of the hand, as the list shows it.")],
    to: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="A new file, .html or .pdf; default hand-HAND.html here."),
    ] = None,
    rings: Annotated[
        Path | None, typer.Option("--rings", metavar="DIR", help="The camera's pictures; default beside the journal.")
    ] = None,
    table: TableOption = None,
    site: SiteOption = SITE_DEFAULT,
    table_id: IdOption = None,
    journal: JournalOption = None,
    key: KeyOption = None,
) -> None:
    """Write one hand for a dispute: acts, rulings with the rules they cite, evidence, pictures, and a code.

    The code is the head of the journal: betline journal verify --head says whether the journal is still the one that
    was printed. One file of HTML that loads nothing, or a PDF, for which Chromium must be installed. Its mode is 600.

    Example: betline report 12 --table home-six

    Example: betline report 12 --journal friday.journal -o dispute.pdf
    """
    from table_controller.accounts.report.making import Pictures, pdf_of, recalled
    from table_controller.accounts.report.page import Head, Made, report_html

    file = to or Path(f"hand-{hand}.html")
    if file.suffix not in (".html", ".pdf"):
        raise UserError(f"Name a file that ends in .html or .pdf, not {file}.", WRONG_USAGE)
    if file.exists():
        raise UserError(f"Name another file: {file} is there already.", FAILED)
    where = journal_path(table, site, table_id, journal)
    with reading(table, site, table_id, where) as reader:
        found, names, verdict = recalled(reader, hand), reader.names(), reader.verify(key)
    if not verdict.ok:
        raise UserError(f"No report is made of a journal that does not hold: {verdict.sentence}", FAILED)
    made = Made(where.stem, str(where), time.time_ns() // NS_PER_MS, Head(verdict.head.seq, verdict.head.hash),
                f"{verdict.entries} entries hold. {verdict.sentence}")  # fmt: skip
    style = (files("table_controller.accounts.report") / "report.css").read_text(encoding="utf-8")
    text = report_html(found, names, made, style, Pictures(rings or where.with_suffix(".rings")).of)
    try:
        write_private(file, text.encode() if file.suffix == ".html" else pdf_of(text))
    except OSError as error:
        raise UserError(f"{file} cannot be written ({error.strerror}): name another with -o.", FAILED) from None
    typer.echo(f"Written: {file}.")

"""A ruling as a case in a file, for `betline replay-table --case` and `betline journal case`."""

from __future__ import annotations

import json as json_format
from pathlib import Path
from typing import Annotated

import typer

from betline.options import (
    DONE,
    FAILED,
    SITE_DEFAULT,
    IdOption,
    JournalOption,
    JsonOption,
    SiteOption,
    TableOption,
    UserError,
)
from table_controller.accounts.opened import reading
from table_controller.session.fold import History


def make_case(history: History, place: str, should: str | None, out: Path | None, *, json: bool = False) -> int:
    """Writes the case of `HAND[:ACT]` and says how it goes; raises UserError."""
    from table_controller.tools.case_of_hand import case_of_hand, read_should  # noqa: PLC0415

    hand, colon, act = place.partition(":")
    if not hand.isdecimal() or (colon and not act.isdecimal()):
        raise UserError(f"{place} is no ruling; write the hand, or hand and act: 7 or 7:12.")
    made = case_of_hand(history, int(hand), int(act) if act else None, read_should(should) if should else None)
    if out is not None:
        try:
            with out.open("x", encoding="utf-8") as file:
                file.write(made.text)
        except FileExistsError:
            raise UserError(f"{out} is there already: name another file with -o.", FAILED) from None
        except OSError as error:
            raise UserError(f"{out} cannot be written ({error.strerror}): name another with -o.", FAILED) from None
    if json:
        found = {"case": made.text, "recorded": made.ruling.sentence, "faithful": made.faithful}
        typer.echo(json_format.dumps({**found, **made.result.as_json()}))
        return DONE
    if out is None:
        typer.echo(made.text, nl=False)
    where = f"Written: {out}. " if out is not None else ""
    typer.echo(f"{where}Recorded: {made.ruling.sentence} Today: {made.result.as_line()}", err=True)
    if not made.faithful:
        typer.echo(
            "betline: What comes before this ruling does not come out as it was recorded; read the case before you "
            "believe it.",
            err=True,
        )
    return DONE


def journal_case(
    place: Annotated[str, typer.Argument(metavar="HAND[:ACT]", help="The hand, and the act as the journal shows it.")],
    should: Annotated[
        str | None, typer.Option("--should", metavar="KEY=VALUE,...", help="What the ruling should have been.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="A new file; default the screen.")
    ] = None,
    table: TableOption = None,
    site: SiteOption = SITE_DEFAULT,
    table_id: IdOption = None,
    journal: JournalOption = None,
    json: JsonOption = False,
) -> int:
    """Make a case of a ruling: the hand's setup, its acts up to it, and what it was, or should have been.

    betline cases runs it: it passes as it was recorded; with --should it fails until the rule is mended.

    Example: betline journal case 7:12 --journal friday.journal

    Example: betline journal case 7:12 --should ruling=call,to=1100 -o tests/cases/own_seven.yaml
    """
    with reading(table, site, table_id, journal) as reader:
        return make_case(reader, place, should, out, json=json)

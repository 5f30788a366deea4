"""The verb ``betline site try``."""

from __future__ import annotations

import json as json_text
import sys
from pathlib import Path
from typing import Annotated

import typer

from betline.options import FAILED, JsonOption

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command("try")
def site_try(
    tables: Annotated[int, typer.Option("--tables", min=1, max=200, help="How many tables play.")] = 20,
    a_pit: Annotated[int, typer.Option("--a-pit", min=1, max=50, help="Tables on one pit's broker.")] = 5,
    minutes: Annotated[
        float, typer.Option("--minutes", min=0, max=600, help="Play at least so long; striking takes some two.")
    ] = 3.0,
    seed: Annotated[int, typer.Option("--seed", help="Chooses what is struck, and in which order.")] = 1,
    keep: Annotated[
        Path | None, typer.Option("--keep", metavar="DIR", help="Keep all files of the site in this new folder.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Bring up a whole site on this machine, strike each part of it in turn, and hold the database against the tables.

    Each pit has a mosquitto, bridged to the site's by TLS and access lists; each table a controller and the server of
    its journal. Real programs record them into a real PostgreSQL. While all tables play, a line is cut and one frozen,
    a pit's broker, the site's, recorder, database, a controller and a journal's server are killed, one after another.

    Exit status 0 where every entry of every table's journal is in the database once with its hash, and no ruling was
    late: none took over a second, but for those of a table whose own broker or controller had just been killed. With
    --json one document: ok, tables, pits, struck, acts, ruling_ms, late, unruled, excused, rows, recorded, problems.

    Example: betline site try --tables 20

    Example: betline site try --tables 2 --a-pit 1 --minutes 2 --json
    """
    from betline.scratch import scratch_folder
    from virtual_table.site.house import House
    from virtual_table.site.trial import Trial

    def say(sentence: str) -> None:
        print(f"site: {sentence}", file=sys.stderr, flush=True)

    with scratch_folder("betline-site-") as scratch:
        folder = scratch if keep is None else keep
        say(f"{tables} tables, {-(-tables // a_pit)} pits; the programs start")
        with House(folder, tables, a_pit) as house:
            found = Trial(house, seed, say).run(minutes)
    if json:
        typer.echo(json_text.dumps(found))
    else:
        typer.echo(
            f"{found['acts']} acts at {found['tables']} tables, p50 {found['ruling_ms']['p50']} ms and p95 "
            f"{found['ruling_ms']['p95']} ms from settled to announced; {found['late']} late, {found['unruled']} not "
            f"ruled, {found['excused']} excused while their own broker or controller was away.\n"
            f"{found['rows']} entries in the database: "
            f"{'every entry of every table once, hashes equal' if found['recorded'] else 'not all hold'}."
        )
        for problem in found["problems"]:
            typer.echo(problem)
    if not found["ok"]:
        raise typer.Exit(FAILED)

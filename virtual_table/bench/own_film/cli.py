"""The verb `betline film score`; `betline.front_door` puts it among those of the film."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from betline.options import FAILED, JsonOption, UserError

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def score(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The film's folder.")],
    as_json: JsonOption = False,
) -> None:
    """Hold what the detector reports of a film against what a person saw in it, by kind of act.

    Example: betline film score tuesday

    Example: betline film score tuesday --json > tuesday.json
    """
    import json
    import sys

    from betline.bench import Progress
    from virtual_table.bench.own_film.report import lines
    from virtual_table.bench.own_film.score import reported
    from virtual_table.bench.own_film.score import score as counted
    from vision.film.labels import read_labels
    from vision.film.store import FilmError, open_film

    try:
        film = open_film(folder)
        labels = read_labels(folder, film.head.id)
        if not labels.clips:
            raise UserError(f"Nobody has said yet what happens in {folder}: betline film label {folder}", FAILED)
        progress = Progress("score", sys.stderr) if sys.stderr.isatty() else None
        try:
            found = counted(
                labels.clips,
                *reported(
                    film, lambda done, of: progress.at(done, of, f"{done} of {of} pictures") if progress else None
                ),
            )
        finally:
            if progress:
                progress.end()
    except FilmError as error:
        raise UserError(str(error), FAILED) from None
    typer.echo(json.dumps(found.as_json()) if as_json else "\n".join(lines(found)))

"""The verb `betline vision render`: a film by the virtual camera. `betline.front_door` puts it among the camera's."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from betline.options import UserError
from virtual_table.films.film_script import EXAMPLE

app = typer.Typer(add_completion=False, rich_markup_mode=None)

_HELP = "\n\n\b\n".join(
    (
        "Make a film of the virtual table from a script, and the truth of each frame and event.",
        "Examples: betline vision render --script evening.yaml -o out.mp4 --truth out.jsonl\n"
        "          betline vision render -o example.avi",
        "A script, in YAML; without --script this one is filmed:",
        EXAMPLE,
    )
)


@app.command(help=_HELP)
def render(
    script: Annotated[
        Path | None, typer.Option("--script", metavar="FILE", help="The script; default the example below.")
    ] = None,
    out: Annotated[Path, typer.Option("-o", "--out", metavar="FILM", help="The film: .mp4, or .avi.")] = Path(
        "film.mp4"
    ),
    truth: Annotated[
        Path | None, typer.Option("--truth", metavar="FILE", help="The truth file; default beside the film, .jsonl.")
    ] = None,
) -> None:
    import sys

    from betline.bench import Progress
    from betline.settings import SettingsError
    from virtual_table.films.film import Film
    from virtual_table.films.film_script import read_script, script_of
    from virtual_table.films.render import render as write
    from virtual_table.scripts.script import ScriptError

    truth_file = truth or out.with_suffix(".jsonl")
    progress = Progress("render", sys.stderr) if sys.stderr.isatty() else None

    def at(now_s: float, all_s: float) -> None:
        if progress:
            progress.at(round(now_s), max(1, round(all_s)), f"{now_s:.0f} of {all_s:.0f} s")

    try:
        film = Film(read_script(script) if script else script_of(EXAMPLE, "The example"))
        done = write(film, out, truth_file, at)
    except (ScriptError, SettingsError) as error:
        raise UserError(str(error)) from None
    finally:
        if progress:
            progress.end()
    typer.echo(f"{out}: {done.frames} frames, {done.seconds:.1f} s. {truth_file}: {done.events} events.")

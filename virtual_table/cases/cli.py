"""The verb ``cases``: stories of a table and what must be true after each line of them."""

from __future__ import annotations

import os
import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from betline.options import JsonOption, UserError

if TYPE_CHECKING:
    from virtual_table.cases.running import Way

app = typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode=None)

WAYS: Final = ("world", "hil")
MOST_PARTS: Final = 1000


@app.callback()
def _cases() -> None:
    """Stories of a table."""


@app.command()
def cases(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Case files or folders of them.")],
    through: Annotated[
        str | None,
        typer.Option(
            "--through",
            metavar="world|hil",
            help="Acted out by virtual players over readers, camera, bus and controller: in simulated time (world), or "
            "through real processes in real time (hil). Default: on the rules alone.",
        ),
    ] = None,
    junit: Annotated[
        Path | None, typer.Option("--junit", metavar="FILE", help="Also write the results as JUnit's XML.")
    ] = None,
    part: Annotated[
        str | None, typer.Option("--shard", metavar="N/M", help="Only part N of M; a case is always in the same part.")
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option("--jobs", min=1, metavar="N", help="Processes for --through world; default one for each core."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Run case files; exit status 1 when any fails, 2 when a file is not valid. Cases that are skipped fail nothing.

    Example: betline cases tests/cases

    Example: betline cases --through world --junit cases.xml tests/cases

    Example: betline cases --through hil --shard 1/60 tests/cases
    """
    from virtual_table.cases.running import Telling, run_cases

    if through not in (None, *WAYS):
        raise UserError(f"There is no --through {through}: it is {' or '.join(WAYS)}.")
    if jobs is not None and through != "world":
        raise UserError("--jobs needs --through world: only simulated time goes on in several processes at once.")
    name = f"betline cases --through {through}" if through else "betline cases"
    telling = Telling(json=json, junit=junit, part=_part(part), name=name, acted=through is not None)
    raise typer.Exit(run_cases(paths, _way(through, jobs or len(os.sched_getaffinity(0))), telling))


def _way(through: str | None, jobs: int) -> Way:
    """What runs the cases; a table is loaded only where one is needed."""
    if through == "world":
        from virtual_table.cases.simulated import act_out_all

        return partial(act_out_all, jobs=jobs)
    if through == "hil":
        from virtual_table.cases import real

        return real.act_out_all
    from virtual_table.cases.running import on_the_rules

    return on_the_rules


def _part(given: str | None) -> tuple[int, int]:
    """Which part of how many; raises UserError."""
    if given is None:
        return 1, 1
    found = re.fullmatch(r"([0-9]{1,9})/([0-9]{1,9})", given)
    number, of = (int(found[1]), int(found[2])) if found else (0, 0)
    if not 1 <= number <= of <= MOST_PARTS:
        raise UserError(
            f"--shard {given} names no part: give N/M, such as 2/12, with N from 1 to M and M at most {MOST_PARTS}."
        )
    return number, of

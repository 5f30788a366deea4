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
    from collections.abc import Callable

    from virtual_table.cases.running import Way
    from virtual_table.faults.plan import TablePlan

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
    faults: Annotated[
        Path | None,
        typer.Option(
            "--faults",
            metavar="PLAN",
            help="With --through: what goes wrong in every case (docs/faults.md). A case in which people are asked "
            "instead of a ruling is counted as asked.",
        ),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Run case files; exit status 1 when any fails, 2 when a file is not valid.

    Cases that are skipped fail nothing, nor do those that, under faults, are asked about.

    Example: betline cases tests/cases

    Example: betline cases --through world --junit cases.xml tests/cases

    Example: betline cases --through hil --shard 1/60 tests/cases

    Example: betline cases --through world --faults plan.toml tests/cases
    """
    from virtual_table.cases.running import Telling, run_cases

    if through not in (None, *WAYS):
        raise UserError(f"There is no --through {through}: it is {' or '.join(WAYS)}.")
    if jobs is not None and through != "world":
        raise UserError("--jobs needs --through world: only simulated time goes on in several processes at once.")
    if faults is not None and through is None:
        raise UserError("--faults needs --through world or hil: on the rules alone there is nothing that can fail.")
    name = f"betline cases --through {through}" if through else "betline cases"
    acted, under = through is not None, str(faults or "")
    telling = Telling(json=json, junit=junit, part=_part(part), name=name, acted=acted, faults=under)
    raise typer.Exit(run_cases(paths, _way(through, jobs or len(os.sched_getaffinity(0)), faults), telling))


def _way(through: str | None, jobs: int, faults: Path | None) -> Way:
    """What runs the cases; a table is loaded only where one is needed. Raises SettingsError for a plan of faults."""
    if through == "world":
        from virtual_table.cases import simulated

        return partial(simulated.act_out_all, jobs=jobs, faults=_plan(faults, simulated.check_plan))
    if through == "hil":
        from virtual_table.cases import real

        return partial(real.act_out_all, faults=_plan(faults, real.check_plan))
    from virtual_table.cases.running import on_the_rules

    return on_the_rules


def _plan(faults: Path | None, check: Callable[[TablePlan], None]) -> TablePlan:
    from virtual_table.cases.plans import load_for_cases
    from virtual_table.faults.plan import NO_FAULTS

    return NO_FAULTS if faults is None else load_for_cases(faults, check)


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

"""The verb ``soak``."""

from __future__ import annotations

import json
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from betline.options import DONE, FAILED, JsonOption, TableOption, UserError, check_writable

if TYPE_CHECKING:
    from betline.bench import Progress
    from betline.settings import TableSettings
    from virtual_table.faults.plan import TablePlan
    from virtual_table.soak.outcome import Outcome

app = typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode=None)
TABLE = "home-six"


@app.callback()
def _soak() -> None:
    """Hours of play while things go wrong."""


@app.command()
def soak(
    hours: Annotated[float, typer.Option("--hours", min=0.001, max=1000, metavar="H", help="How long it plays.")] = 8.0,
    speed: Annotated[
        float,
        typer.Option(
            "--speed", min=0.1, max=100.0, metavar="X", help="Divides people's pauses: more acts in the same hours."
        ),
    ] = 1.0,
    faults: Annotated[
        Path | None,
        typer.Option("--faults", metavar="PLAN", help="What goes wrong (docs/faults.md). Default: something of all."),
    ] = None,
    live: Annotated[
        bool,
        typer.Option("--live", help="The real programs, by the clock on the wall; default: in simulated time."),
    ] = False,
    table: TableOption = None,
    seed: Annotated[int, typer.Option("--seed", min=0, metavar="S", help="The same seed gives the same evening.")] = 1,
    keep: Annotated[
        Path | None, typer.Option("--keep", metavar="DIR", help="Leave journal and logs in this folder, which is made.")
    ] = None,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE", help="Draw memory, files, times and counts as SVG.")
    ] = None,
    as_json: JsonOption = False,
) -> int:
    """Play for hours while things go wrong, and hold everything that was acknowledged against the journal.

    Told are memory, open files, times, wrong rulings and questions over the hours. Status 1: something was lost, done
    twice or ruled wrongly, or memory or open files grow. Where nothing else is said, controller, bridge, camera and
    broker are killed a thousand times in eight hours, and readers, camera and bus have troubles of their own.
    Ctrl-C ends it after the hand in progress, and what was played until then is told.

    Example: betline soak

    Example: betline soak --hours 0.5 --seed 7 --json

    Example: betline soak --live --hours 1 --speed 10 --plot soak.svg

    Example: betline soak --hours 2 --faults plan.toml
    """
    from betline.bench import Progress
    from betline.scratch import scratch_folder
    from betline.settings import SettingsError, load_table
    from virtual_table.soak.outcome import as_json as document
    from virtual_table.soak.outcome import lines, picture

    if plot is not None and plot.suffix != ".svg":
        raise UserError(f"--plot draws SVG: name a file that ends with .svg, not {plot.name}.")
    if keep is None or plot is None or plot.absolute().parent != keep.absolute():  # which is not made yet
        check_writable(plot, "--plot")
    name = table or TABLE
    progress = Progress("soak", sys.stderr)
    try:
        settings = load_table(name)
        plan = _plan(faults, settings, live=live)
        where = _made(keep) if keep is not None else None
        with (
            scratch_folder("betline-soak-") if where is None else nullcontext(where) as folder,
            _until_asked() as asked,
        ):
            found = _played(name, settings, plan, folder, hours, seed, speed, progress, asked, live=live)
    except SettingsError as error:
        raise UserError(str(error)) from None
    finally:
        progress.end()
    typer.echo(json.dumps(document(found)) if as_json else "\n".join(lines(found)))
    if plot is not None:
        _write(plot, picture(found))
    return DONE if found.good else FAILED


def _played(
    name: str, table: TableSettings, plan: TablePlan, folder: Path, hours: float, seed: int, speed: float,
    progress: Progress, asked: threading.Event, *, live: bool,
) -> Outcome:  # fmt: skip
    def shown(share: float, what: str) -> None:
        progress.at(round(1000 * share), 1000, what)

    if not live:
        from virtual_table.soak import simulated

        return simulated.play(table, plan, hours, seed, folder, speed=speed, shown=shown, stopped=asked.is_set)
    from virtual_table.soak import live as real

    file = folder / "plan.json"
    file.write_text(plan.model_dump_json(exclude_unset=True), encoding="utf-8")
    return real.play(name, file, hours, seed, folder, speed=speed, shown=shown, stopped=asked.is_set)


def _plan(faults: Path | None, table: TableSettings, *, live: bool) -> TablePlan:
    """What goes wrong; raises SettingsError for what cannot be done there."""
    from virtual_table.faults.plan import load_plan, naming
    from virtual_table.laboratory.faults import refuse_lines
    from virtual_table.run.part_faults import check_live
    from virtual_table.soak.plan import mixed

    plan = mixed(table) if faults is None else load_plan(faults, table)
    with naming(faults):
        if live:
            check_live(plan, external=False)
        else:
            refuse_lines(plan)
    return plan


@contextmanager
def _until_asked() -> Iterator[threading.Event]:
    """An event that Ctrl-C and SIGTERM set."""
    asked = threading.Event()
    before = {number: signal.signal(number, lambda *_: asked.set()) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _made(folder: Path) -> Path:
    try:
        folder.mkdir(parents=True)
    except FileExistsError:
        raise UserError(f"{folder} is there already: name another with --keep.") from None
    except OSError as error:
        raise UserError(f"The folder {folder} cannot be made ({error.strerror}); name another with --keep.") from None
    return folder.absolute()


def _write(file: Path, text: str) -> None:
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UserError(f"{file} cannot be written ({error.strerror}); there is no plot.", FAILED) from None

"""The verb `betline update`."""

from __future__ import annotations

import json as json_text
import subprocess
import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from betline.options import FAILED, JsonOption, UserError
from betline.units import NS_PER_MS
from betline.upkeep.errors import UpkeepError

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.callback()
def _update() -> None:
    """A new version."""


@app.command()
def update(
    wheel: Annotated[
        Path | None, typer.Option("--from", metavar="WHEEL", help="The new version: a file betline-VERSION-...whl.")
    ] = None,
    check: Annotated[
        bool,
        typer.Option("--check", help="With --from: try it on a copy and leave all as it is; alone: what runs now."),
    ] = False,
    back: Annotated[bool, typer.Option("--back", help="Back to the version from before the last update.")] = False,
    packages: Annotated[
        Path | None, typer.Option("--packages", metavar="DIR", help="Take all packages from this folder of wheels.")
    ] = None,
    home: Annotated[
        Path | None, typer.Option("--home", metavar="DIR", help="The folder of the versions, /opt/betline for example.")
    ] = None,
    system: Annotated[bool, typer.Option("--system", help="The table's services are the system's.")] = False,
    renew: Annotated[Path | None, typer.Option("--renew", metavar="DIR", hidden=True)] = None,
    json: JsonOption = False,
) -> None:
    """Put a new version beside the one that runs, try it on a copy of your data, and switch to it; --back goes back.

    A backup is made first; services of the table are stopped for the switch only, and the old version runs again where
    the new one does not serve.

    Example: sudo /opt/betline/current/bin/betline update --system --from betline-0.2.0-py3-none-any.whl --check

    Example: sudo /opt/betline/current/bin/betline update --system --back
    """
    from betline.update.environment import make_environment
    from betline.update.home import current, home_of, read_wheel, recorded
    from betline.update.services import services_of
    from betline.update.steps import go_back, migrate, try_and_update
    from betline.upkeep.places import usual

    try:
        if renew is not None:
            typer.echo(json_text.dumps({"renewed": migrate(renew)}))
            return
        if (wheel is not None) + back + (check and wheel is None) != 1:
            raise UserError("Say what: --from WHEEL (with --check to try it only), --back, or --check alone.")
        if packages is not None and wheel is None:
            raise UserError("--packages is for the new version: give --from WHEEL too.")
        where = home or home_of(Path(sys.argv[0]))
        places, services = usual(system=system), services_of(where, system)
        if wheel is not None:
            new = read_wheel(wheel)
            done = try_and_update(
                where,
                new,
                places,
                services,
                make_environment,
                time.time_ns() // NS_PER_MS,
                packages,
                check=check,
                step=lambda what: typer.echo(f"{what} ...", err=True),
            )
            said = "would be used; it was tried on a copy and nothing was changed" if check else "is used now"
            sentence = f"{done.after} {said}, {done.before} before it."
        elif back:
            done = go_back(where, places, services)
            sentence = f"{done.after} is used again, {done.before} stays beside it."
        else:
            known = recorded(where)
            sentence = f"{current(where)} is used; " + (
                f"{known[-1].before} before it, backup {known[-1].backup}." if known else "no update was done yet."
            )
    except UpkeepError as error:
        raise UserError(str(error), FAILED) from None
    except (OSError, subprocess.SubprocessError) as error:
        raise UserError(f"The update failed ({error}); the version from before is in its place.", FAILED) from None
    typer.echo(json_text.dumps({"current": current(where), "sentence": sentence}) if json else sentence)

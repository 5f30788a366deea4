"""The verbs `betline backup` and `betline restore`."""

from __future__ import annotations

import contextlib
import json as json_text
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from betline.options import FAILED, JsonOption, KeyOption, UserError, file_stamp
from betline.together import refuse_given
from betline.units import NS_PER_MS
from betline.upkeep.errors import UpkeepError
from betline.upkeep.places import Places, usual

app = typer.Typer(add_completion=False, rich_markup_mode=None)

SystemOption = Annotated[
    bool, typer.Option("--system", help="The system's services: /var/lib/betline and /etc/betline, not your folders.")
]
StateOption = Annotated[
    Path | None, typer.Option("--state", metavar="DIR", help="Folder of journals and registers in place of the usual.")
]
ConfigOption = Annotated[
    Path | None, typer.Option("--config", metavar="DIR", help="Folder of settings and people in place of the usual.")
]


@app.callback()
def _upkeep() -> None:
    """Backup and restore."""


@app.command()
def backup(
    to: Annotated[Path | None, typer.Option("-o", "--output", metavar="FILE", help="The new file.")] = None,
    table: Annotated[
        list[str] | None,
        typer.Option("--table", metavar="FILE", help="Also this table file and what it names; may be repeated."),
    ] = None,
    elsewhere: Annotated[
        list[Path] | None,
        typer.Option("--with", metavar="FILE", help="Also this file, a journal in another folder for example."),
    ] = None,
    pictures: Annotated[bool, typer.Option("--pictures", help="Also the pictures of acts: up to 2 GB.")] = False,
    secrets: Annotated[
        bool, typer.Option("--secrets/--without-secrets", help="With or without passwords and the journal's key.")
    ] = True,
    system: SystemOption = False,
    state: StateOption = None,
    config: ConfigOption = None,
    key: KeyOption = None,
    json: JsonOption = False,
) -> None:
    """Write journals, key, chip register, people, calibration and settings into one file; a table may play meanwhile.

    Journals are copied by SQLite and verified; status 1 where one of them does not hold: it is in the file all the
    same. The file has mode 600: with it and the key anybody can go on with your journal, so keep it like the key.

    Example: betline backup -o /media/stick/friday.betline --table my-table.toml

    Example: sudo betline backup --system -o /media/stick/club.betline --json
    """
    from betline.upkeep.backup import back_up
    from betline.upkeep.contents import kept, require_readable_table

    now_ms = time.time_ns() // NS_PER_MS
    name = f"betline-{file_stamp(now_ms)}.betline"
    where = _places(system, state, config)
    with _user_errors():
        tables = [path for one in table or () if (path := require_readable_table(one)) is not None]
        files = kept(where, tables, elsewhere or (), pictures=pictures, secrets=secrets)
        if not files:
            raise UpkeepError(
                "nothing", f"There is nothing in {where.state} and {where.config}; --system or --state names others."
            )
        with _bar("backup", 2 * len(files)) as step:
            made = back_up(files, to or Path(name), now_ms, key or where.own_key, step)
    broken = [item for item in made.items if item.fault is not None]
    if json:
        data = {"file": str(to or name), "made_ms": made.made_ms, "items": [asdict(item) for item in made.items]}
        typer.echo(json_text.dumps({**data, "sound": not broken}))
    else:
        journals = [item for item in made.items if item.kind == "journal"]
        entries = sum(item.entries or 0 for item in journals)
        typer.echo(
            f"{to or name}: {len(made.items)} files, {len(journals)} of them journals with {entries} entries. "
            f"Mode 600{', with keys and passwords: keep it as safe as those' if secrets else ''}."
        )
        for item in broken:
            typer.echo(f"{item.source} does not hold: {item.fault}", err=True)
    if broken:
        raise typer.Exit(FAILED)


@app.command()
def restore(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What betline backup has written.")],
    to: Annotated[
        Path | None, typer.Option("--to", metavar="DIR", help="Put state, config, tables below this folder.")
    ] = None,
    in_place: Annotated[
        bool, typer.Option("--in-place", help="Put state and config where your programs look for them.")
    ] = False,
    system: SystemOption = False,
    state: StateOption = None,
    config: ConfigOption = None,
    key: KeyOption = None,
    json: JsonOption = False,
) -> None:
    """Check every hash and every journal of a backup, then put it in place; what it replaces is kept beside it.

    Stop the table first. A backup that ends before the journal did is refused by the next controller until you have
    accepted the loss: betline journal go-on.

    Example: betline restore /media/stick/friday.betline --to /tmp/look

    Example: betline restore /media/stick/friday.betline --in-place
    """
    from betline.upkeep.restore import into_folder, into_places, restore

    if (to is None) != in_place:
        raise UserError("Say where: --to DIR for a folder of its own, or --in-place for the usual folders.")
    if to is not None:
        refuse_given(context, "system", "state", "config", because="is for --in-place: leave it out with --to.")
    target = into_folder(to) if to is not None else into_places(_places(system, state, config))
    with _user_errors(), _bar("restore", None) as step:
        done = restore(file, target, time.time_ns() // NS_PER_MS, key, step)
    if json:
        data: dict[str, Any] = {
            "made_ms": done.manifest.made_ms,
            "version": done.manifest.version,
            "files": [str(path) for path in done.files],
            "same": done.same,
            "kept": [{"file": str(path), "as": str(aside)} for path, aside in done.kept],
            "left": [item.name for item in done.left],
        }
        typer.echo(json_text.dumps(data))
        return
    made = datetime.fromtimestamp(done.manifest.made_ms / 1000).astimezone().strftime("%Y-%m-%d %H:%M")
    typer.echo(f"{len(done.files)} files of {made} are in place, {done.same} were as they are.")
    for path, aside in done.kept:
        typer.echo(f"{path} from before is kept as {aside}.")
    for item in done.left:
        typer.echo(f"{item.name} was not put anywhere, it came from {item.source}: take it out with --to DIR.")


def _places(system: bool, state: Path | None, config: Path | None) -> Places:
    if system and state is not None and config is not None:
        raise UserError("--system is of no use where --state and --config are both named: leave it out.")
    found = usual(system=system)
    return Places(state or found.state, config or found.config)


@contextlib.contextmanager
def _user_errors() -> Iterator[None]:
    try:
        yield
    except UpkeepError as error:
        raise UserError(str(error), FAILED) from None


@contextlib.contextmanager
def _bar(what: str, total: int | None) -> Iterator[Callable[[str], None]]:
    """A bar on a terminal; nothing elsewhere. Without a total it shows the name only."""
    from betline.bench import Progress

    if not sys.stderr.isatty():
        yield lambda _: None
        return
    bar, done = Progress(what, sys.stderr), 0

    def step(name: str) -> None:
        nonlocal done
        done += 1
        bar.at(min(done, total or done + 1), total or done + 1, name)

    try:
        yield step
    finally:
        bar.end()

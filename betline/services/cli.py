"""The verbs `betline install` and `betline uninstall`."""

from __future__ import annotations

import contextlib
import json as json_text
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal

import typer

from betline.joining import BrokerChoice, account_folder, takes_broker
from betline.known_tables import the_table
from betline.login import LoginError
from betline.options import (
    FAILED,
    SITE_DEFAULT,
    ExternalOption,
    IdOption,
    JsonOption,
    SiteOption,
    TableOption,
    UserError,
    namespace,
)
from betline.together import refuse_given

if TYPE_CHECKING:
    from betline.services.plan import Plan, Scope

app = typer.Typer(add_completion=False, rich_markup_mode=None)

SystemOption = Annotated[bool, typer.Option("--system", help="Services of the machine, as user betline (needs root).")]
UserOption = Annotated[bool, typer.Option("--user", help="Services of your own login, no root needed.")]
DryRunOption = Annotated[bool, typer.Option("--dry-run", help="Show every file and command; change nothing.")]
RootOption = Annotated[
    Path | None, typer.Option("--root", metavar="DIR", help="Put the files below DIR, an image's root for example.")
]


WEB_FILES: Final = ("web.crt", "web.key", "web.tokens")


@app.callback()
def _services() -> None:
    """Services of systemd."""


@app.command()
@takes_broker
def install(
    context: typer.Context,
    broker: BrokerChoice,
    user: UserOption = False,
    system: SystemOption = False,
    table: TableOption = None,
    external: ExternalOption = False,
    site: SiteOption = SITE_DEFAULT,
    table_id: IdOption = None,
    voice: Annotated[
        Literal["en", "de", "fr", "es"] | None, typer.Option("--voice", help="Also say aloud what is announced.")
    ] = None,
    kiosk: Annotated[bool, typer.Option("--kiosk", help="Console on the first screen, by cage and foot.")] = False,
    history: Annotated[
        bool, typer.Option("--history", help="Also answer a site that keeps all journals (betline site record).")
    ] = False,
    may_erase: Annotated[
        bool, typer.Option("--may-erase", help="With --history: the site may take names out of the journals.")
    ] = False,
    web: Annotated[bool, typer.Option("--web", help="Pages for browsers, on this machine only.")] = False,
    web_files: Annotated[
        Path | None,
        typer.Option(
            "--web-files",
            metavar="DIR",
            help="Pages and the staff's remote for other machines too: folder of web.crt, web.key, web.tokens.",
        ),
    ] = None,
    program: Annotated[
        Path | None, typer.Option("--program", metavar="FILE", help="The program betline that the services start.")
    ] = None,
    root: RootOption = None,
    start: Annotated[bool, typer.Option("--start/--no-start", help="Start the table now, or with the machine.")] = True,
    dry_run: DryRunOption = False,
    json: JsonOption = False,
) -> None:
    """Install a table as services of systemd: one for each program, restarted when it dies or hangs, in a sandbox.

    Example: betline install --user --table my-table.toml --dry-run

    Example: sudo /opt/betline/current/bin/betline install --system --table /etc/betline/my-table.toml --kiosk
    """
    from betline.services import place
    from betline.services.plan import Plan
    from betline.services.units import files
    from betline.tables.check import load_sound_table

    scope = _scope(user, system)
    if root is not None:
        refuse_given(context, "start", because="is of no use with --root: the table starts with the machine.")
    if kiosk and scope == "user":
        raise UserError("--kiosk needs --system: the first screen belongs to the machine.")
    if may_erase and not history:
        raise UserError("--may-erase needs --history: without it no site asks for anything.")
    missing = [] if web_files is None or root is not None else _missing(web_files)
    if missing:
        raise UserError(
            f"{missing[0]} is not there: --web-files names the folder of {', '.join(WEB_FILES)}, which betline "
            "provision --web-host and betline web --new-tokens make (docs/web.md)."
        )
    table = the_table(table)
    settings = load_sound_table(table)
    chosen = broker.with_settings(settings)
    where = chosen.address("controller")
    names = namespace(site, table_id or settings.name)
    plan = Plan(
        scope,
        settings,
        str(Path(table).resolve()) if Path(table).is_file() else table,
        str(program.absolute()) if program is not None else _own_program(),
        where.host,
        where.port,
        names.site,
        names.table,
        external or chosen.is_kept_by_others(broker),
        voice,
        kiosk,
        web or web_files is not None,
        "" if web_files is None else str(web_files.absolute()),
        history,
        may_erase,
        tuple(chosen.words()),
    )
    if scope == "system" and root is None and place.systemd_version() >= place.HANDS_FOLDERS:
        plan = replace(plan, handed=_handed(plan, chosen))
    if scope == "system" and root is None and not dry_run:
        _require_open(Path(plan.program), "Install Betline in /opt/betline (docs/services.md)")
        if Path(plan.file).is_file():
            _require_open(Path(plan.file), "Copy your table file to /etc/betline")
    texts = files(plan)
    base = place.folder(scope, root)
    steps = place.steps_after_writing(plan, root, start=start)
    remarks: tuple[str, ...] = ()
    if not dry_run:
        place.write(texts, base)
        remarks = place.run(steps)
    if json:
        data = {
            "scope": scope,
            "target": plan.target,
            "units": [plan.unit(part) for part in plan.parts()],
            "files": {str(base / name): text for name, text in texts.items()},
            "commands": [list(step.words) for step in steps],
            "remarks": remarks,
            "dry_run": dry_run,
        }
        typer.echo(json_text.dumps(data))
        return
    for name, text in texts.items():
        typer.echo(f"# {base / name}\n{text}" if dry_run else str(base / name))
    for step in steps if dry_run else ():
        typer.echo(" ".join(step.words))
    for remark in remarks:
        typer.echo(remark, err=True)
    if not dry_run and root is None:
        mine = " --user" if scope == "user" else ""
        typer.echo(f"Look at it: systemctl{mine} status '{plan.name}*'; its log: journalctl{mine} -u '{plan.name}*'.")


@app.command()
def uninstall(
    user: UserOption = False,
    system: SystemOption = False,
    table_id: Annotated[
        str | None, typer.Option("--id", metavar="NAME", help="This table only, by its name on the bus; else all.")
    ] = None,
    root: RootOption = None,
    dry_run: DryRunOption = False,
    json: JsonOption = False,
) -> None:
    """Stop a table's services and take their files away. Journals, settings and the user betline stay.

    Example: sudo betline uninstall --system --id my-table --dry-run
    """
    from betline.services import place

    scope = _scope(user, system)
    found = place.installed(scope, root, table_id)
    if not found:
        named = f" of {table_id}" if table_id else ""
        raise UserError(f"No services{named} are in {place.units_folder(scope, root)}; --user or --system?", FAILED)
    steps = place.steps_before_removing(scope, root, [path.name for path in found if path.suffix == ".target"])
    remarks: tuple[str, ...] = ()
    if not dry_run:
        remarks = place.run(steps)
        try:
            for path in found:
                path.unlink(missing_ok=True)
        except OSError as error:
            raise UserError(f"{error.filename} cannot be removed ({error.strerror}): use sudo.", FAILED) from None
        if root is None:
            reload = ("systemctl", *(("--user",) if scope == "user" else ()), "daemon-reload")
            remarks = (*remarks, *place.run([place.Step(reload, needed=False)]))
    if json:
        data = {"removed": [str(path) for path in found], "commands": [list(step.words) for step in steps]}
        typer.echo(json_text.dumps({**data, "remarks": remarks, "dry_run": dry_run}))
        return
    for path in found:
        typer.echo(f"{'would be removed' if dry_run else 'removed'}: {path}")
    for remark in remarks:
        typer.echo(remark, err=True)


def _missing(folder: Path) -> list[Path]:
    """The files of the pages that a folder lacks."""
    return [folder / name for name in WEB_FILES if not (folder / name).is_file()]


def _scope(user: bool, system: bool) -> Scope:
    if user == system:
        raise UserError("Say whose services: --user for your own login, or --system for the machine.")
    return "user" if user else "system"


def _own_program() -> str:
    """The script as it was called, so that a link to the newest version stays one; else that of the environment."""
    called, beside = Path(sys.argv[0]).absolute(), Path(sys.prefix, "bin", "betline")
    if called.name == beside.name and called.is_file():
        return str(called)
    found = str(beside) if beside.is_file() else shutil.which("betline")
    if found is None:
        raise UserError("The program betline was not found: name it with --program.")
    return found


def _handed(plan: Plan, chosen: BrokerChoice) -> dict[str, str]:
    """By part the login folder of its account, for those that have one."""
    found: dict[str, str] = {}
    if chosen.login is None:
        return found
    for part in plan.parts():
        with contextlib.suppress(LoginError):  # said at the start of that part
            if part != "broker":
                found[part] = str(account_folder(chosen.login, plan.accounts(part)).resolve())
    return found


def _require_open(path: Path, remedy: str) -> None:
    """Raises UserError where the services' user could not read a file."""
    from betline.services.access import identity_of, shut_to
    from betline.services.plan import USER

    try:
        shut = shut_to(path, identity_of(USER))
    except OSError as error:
        raise UserError(f"{path} cannot be looked at ({error.strerror}). {remedy}.") from None
    if shut is not None or path.resolve().is_relative_to("/home"):
        raise UserError(f"The user {USER} cannot read {path} ({shut or '/home is shut to services'}). {remedy}.")

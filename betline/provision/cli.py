"""The verb ``betline provision``: logins for the programs of a table, and the mosquitto that knows them."""

from __future__ import annotations

import datetime
import json as json_text
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from betline.options import FAILED, SITE_DEFAULT, IdOption, JsonOption, UserError, namespace

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from betline.provision.acts import Outcome, Row

Value = TypeVar("Value")
app = typer.Typer(add_completion=False, rich_markup_mode=None)

FolderArgument = Annotated[Path, typer.Argument(metavar="DIR", help="Folder that betline provision -o has made.")]
AccountArgument = Annotated[
    list[str] | None, typer.Argument(metavar="ACCOUNT...", help="Accounts, as betline provision list names them.")
]


@app.callback(invoke_without_command=True)
def provision(
    context: typer.Context,
    table: Annotated[
        str | None, typer.Option("--table", metavar="FILE|NAME", help="Table file, or the name of a shipped table.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("-o", "--out", metavar="DIR", help="Folder for the logins; only you may read it.")
    ] = None,
    host: Annotated[
        list[str] | None,
        typer.Option("--host", metavar="NAME", help="Name or address of the broker's machine, the usual one first."),
    ] = None,
    port: Annotated[
        int | None, typer.Option("--port", min=1, max=65535, help="Port of the broker; default 8883.")
    ] = None,
    certificates: Annotated[
        bool | None,
        typer.Option("--certificates/--no-certificates", help="Each program also shows a certificate of its own."),
    ] = None,
    shared: Annotated[
        Path | None,
        typer.Option("--shared", metavar="DIR", help="Folder of authority and broker files that tables share."),
    ] = None,
    web_host: Annotated[
        list[str] | None,
        typer.Option("--web-host", metavar="NAME", help="Name or address of the pages' server: a certificate for it."),
    ] = None,
    virtual: Annotated[
        bool | None, typer.Option("--virtual/--no-virtual", help="Also a login for the virtual table, betline world.")
    ] = None,
    installed_in: Annotated[
        str | None,
        typer.Option("--installed-in", metavar="PATH", help="Where the broker has them; /etc/mosquitto/betline."),
    ] = None,
    site: Annotated[str | None, typer.Option("--site", metavar="NAME", help="Name of the site on the bus.")] = None,
    table_id: IdOption = None,
    json: JsonOption = False,
) -> None:
    """Make a login for each program and device of a table, and the files of a mosquitto that lets them in.

    Each login folder has a password, the authority's certificate and, with --certificates, a certificate of its own.
    Each account may say and read only what is its own at this table. Run it again after the table file has changed, or
    to renew what expires within 30 days: what is good stays as it is. No secret is printed. With --web-host there is a
    certificate for the pages of this table (betline web) too.

    Example: betline provision --table my-table.toml -o logins --host broker.lan

    Example: betline provision --table table-2.toml -o logins/table-2 --shared logins --certificates

    Example: betline provision --table my-table.toml -o logins --web-host table.lan --web-host 192.168.1.5

    Example: betline provision list logins
    """
    if context.invoked_subcommand is not None:
        return
    from betline.provision.acts import Wish, provide
    from betline.provision.logins import LoginsFolder
    from betline.settings import load_table

    if table is None or out is None:
        raise UserError("Say for which table and where to: betline provision --table my-table.toml -o logins.")
    settings = load_table(table)
    before = _tried(lambda: LoginsFolder(out)).site
    names = namespace(site or before or SITE_DEFAULT, table_id or settings.name)
    hosts, web_hosts = (tuple(said) if said else None for said in (host, web_host))
    wish = Wish(hosts, port, certificates, installed_in, virtual, shared, web_hosts)
    done = _tried(lambda: provide(settings, names, out, wish, _now()))
    elsewhere = () if names.site == SITE_DEFAULT else ("--site", names.site)
    _say(done, ("--table", table, *elsewhere, *(("--id", table_id) if table_id else ())), json=json)


@app.command("site")
def provision_site(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The site file, such as site.toml (docs/site.md).")],
    out: Annotated[
        Path, typer.Option("-o", "--out", metavar="DIR", help="Folder for all of it; only you may read it.")
    ],
    json: JsonOption = False,
) -> None:
    """Make the brokers of a whole site: one of the site, one a pit, the bridges between them, and every login.

    Each table's programs log in at the broker of their pit, which serves them with or without the site. Its bridge may
    say at the site's broker what concerns its own tables only. Run it again after the site file or a table file has
    changed, or to renew what expires within 30 days: what is good stays as it is. No secret is printed.

    Example: betline provision site site.toml -o site-files

    Example: betline provision list site-files/pit-a/table-1
    """
    from betline.provision.site_acts import provide_site
    from betline.provision.site_steps import site_steps
    from betline.settings.site import load_site

    site = load_site(file)
    done = _tried(lambda: provide_site(site, out, _now()))
    said = site_steps(done)
    if json:
        answer = {
            "site": site.name,
            "done": list(done.done),
            "copy_brokers": sorted(done.brokers),
            "copy_logins": [str(folder) for folder in done.logins],
            "steps": said,
        }
        typer.echo(json_text.dumps(answer, ensure_ascii=False))
        return
    for sentence in (*done.done, *(said or ["Nothing has changed: all brokers, bridges and logins are good."])):
        typer.echo(sentence)


@app.command("list")
def list_logins(folder: FolderArgument, json: JsonOption = False) -> None:
    """List the accounts with the dates on which their certificates expire; status 1 where one has expired.

    Example: betline provision list logins
    """
    from betline.provision.acts import rows

    found = _tried(lambda: rows(folder, _now()))
    if json:
        typer.echo(json_text.dumps({"accounts": [_row(one) for one in found]}, ensure_ascii=False))
    else:
        width, user = max(len(one.name) for one in found), max(len(one.user) for one in found)
        for one in found:
            until = f", until {one.expires:%Y-%m-%d}" if one.expires else ""
            typer.echo(f"{one.name:<{width}}  {one.user:<{user}}  {one.state}{until}")
    if any(one.state in ("expired", "missing") for one in found):
        raise typer.Exit(FAILED)


@app.command()
def renew(
    folder: FolderArgument,
    days: Annotated[int, typer.Option("--days", min=1, max=730, help="Renew what expires within so many days.")] = 30,
    json: JsonOption = False,
) -> None:
    """Make new certificates for those that expire soon, those of broker and pages too; passwords stay.

    Example: betline provision renew logins --days 60
    """
    from betline.provision.acts import renew as renewed

    _say(_tried(lambda: renewed(folder, days, _now())), json=json)


@app.command()
def rotate(
    folder: FolderArgument,
    accounts: AccountArgument = None,
    every: Annotated[bool, typer.Option("--all", help="All accounts that are not revoked.")] = False,
    json: JsonOption = False,
) -> None:
    """Make new passwords and certificates; the old ones end when the broker has the new files.

    Example: betline provision rotate logins console

    Example: betline provision rotate logins --all
    """
    from betline.provision.acts import rotate as rotated

    if bool(accounts) == every:
        raise UserError("Name the accounts, or say --all: betline provision rotate DIR console.")
    _say(_tried(lambda: rotated(folder, tuple(accounts or ()), _now())), json=json)


@app.command()
def revoke(folder: FolderArgument, accounts: AccountArgument = None, json: JsonOption = False) -> None:
    """End the logins of lost or stolen devices; betline provision rotate gives an account a new one.

    Example: betline provision revoke logins display
    """
    from betline.provision.acts import revoke as revoked

    if not accounts:
        raise UserError("Name the accounts to end: betline provision revoke DIR display.")
    _say(_tried(lambda: revoked(folder, tuple(accounts), _now())), json=json)


def _now() -> datetime.datetime:
    return datetime.datetime.now(datetime.UTC)


def _tried(act: Callable[[], Value]) -> Value:
    from betline.provision.files import ProvisionError

    try:
        return act()
    except ProvisionError as error:
        raise UserError(str(error), FAILED) from None


def _say(outcome: Outcome, options: Sequence[str] = (), *, json: bool) -> None:
    from betline.provision.steps import steps

    changes = outcome.changes
    said = steps(outcome, options)
    if json:
        answer = {
            "table": outcome.logins.table,
            "url": outcome.broker.terms.url,
            "done": changes.done,
            "copy_logins": changes.logins,
            "copy_broker": changes.broker,
            "steps": said,
        }
        typer.echo(json_text.dumps(answer, ensure_ascii=False))
        return
    for sentence in changes.done:
        typer.echo(sentence)
    typer.echo("\n".join(said) if said else "Nothing has changed: all logins are good.")


def _row(row: Row) -> dict[str, str | None]:
    return {
        "account": row.name,
        "user": row.user or None,
        "state": row.state,
        "expires": row.expires.isoformat() if row.expires else None,
        "folder": str(row.folder) if row.folder else None,
    }

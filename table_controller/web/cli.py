"""The verb `web`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from betline import logs
from betline.joining import BrokerChoice, takes_broker
from betline.options import DONE, SITE_DEFAULT, IdOption, MetricsOption, SiteOption, ThereOption, UserError
from betline.together import BROKER, refuse_given

app = typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode=None)


@app.callback()
def _web_pages() -> None:
    """The table in a browser."""


@app.command()
@takes_broker
def web(
    context: typer.Context,
    broker: BrokerChoice,
    table: ThereOption = None,
    site: SiteOption = SITE_DEFAULT,
    table_id: IdOption = None,
    host: Annotated[str, typer.Option("--host", metavar="HOST", help="Where it listens.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", metavar="PORT", min=1, max=65535, help="And on which port.")] = 8420,
    cert: Annotated[Path | None, typer.Option("--cert", metavar="FILE", help="Its certificate (PEM), for TLS.")] = None,
    key: Annotated[Path | None, typer.Option("--key", metavar="FILE", help="The key of it (PEM), of mode 600.")] = None,
    tokens: Annotated[
        Path | None, typer.Option("--tokens", metavar="FILE", help="File of mode 600 that codes are made of.")
    ] = None,
    remote: Annotated[
        bool, typer.Option("--remote", help="Also the staff's remote: what a console can do, with PINs as there.")
    ] = False,
    console: Annotated[
        bool, typer.Option("--console", help="Also the console itself for the staff, each in a program of its own.")
    ] = False,
    floor: Annotated[
        bool, typer.Option("--floor", help="Also the floor's screen for the staff: all tables of this broker's site.")
    ] = False,
    site_file: Annotated[
        Path | None,
        typer.Option(
            "--site-file", metavar="FILE", help="With --floor: the file of the whole site, for pits that are cut off."
        ),
    ] = None,
    qr: Annotated[
        Path | None, typer.Option("--qr", metavar="FILE.pdf", help="Write a code for each seat, print the links, end.")
    ] = None,
    new_tokens: Annotated[
        Path | None, typer.Option("--new-tokens", metavar="FILE", help="Make such a file and end: older codes end too.")
    ] = None,
    metrics: MetricsOption = None,
) -> None:
    """Show the table in browsers: a board for a TV, a page for each seat, an overlay for a stream.

    On this machine everybody may look. Beyond it TLS and tokens are asked for.

    Example: betline web --table home-six

    Example: betline web --table home-six --remote

    Example: betline web --table home-six --remote --console

    Example: betline web --table home-six --floor

    Example: betline web --table table-1.toml --floor --site-file site.toml --broker site.lan --login site-files/site

    Example: betline web --new-tokens web.tokens

    Example: betline web --host 0.0.0.0 --cert web.crt --key web.key --tokens web.tokens

    Example: betline web --host 0.0.0.0 --cert web.crt --key web.key --tokens web.tokens --qr seats.pdf
    """
    from betline.known_tables import the_table
    from betline.metrics.places import address_of
    from betline.settings import load_table
    from betline.settings.site import site_of_file
    from betline.tables_there import chosen_table
    from table_controller.web.codes import print_codes
    from table_controller.web.door import open_door
    from table_controller.web.running import run_web
    from table_controller.web.secret import read_tokens, write_tokens

    if new_tokens is not None:
        faces = ("remote", "console", "floor", "site_file", "qr", "metrics")
        useless = ("host", "port", "cert", "key", "tokens", *faces, "table", *BROKER)
        refuse_given(context, *useless, because="is of no use with --new-tokens: make the file, then start the pages.")
        write_tokens(new_tokens)
        typer.echo(f"{new_tokens} is the file of new codes; codes of another file count no more.")
        raise typer.Exit(DONE)
    if site_file is not None:
        if not floor:
            raise UserError("--site-file is for the floor's screen: add --floor.")
        site = site_of_file(site_file, None if site == SITE_DEFAULT else site).name
    door = open_door(host, port, cert, key, None if tokens is None else read_tokens(tokens))
    if qr is not None:
        print_codes(door, load_table(the_table(table)), qr, typer.echo, remote=remote, console=console, floor=floor)
        raise typer.Exit(DONE)
    chosen = chosen_table(broker, table, site, table_id, "display")
    accounts = ("display", "console", *(("floor",) if floor else ()))
    where = broker.with_settings(chosen.settings).address(*accounts)
    desk = broker.with_settings(chosen.settings).address("console") if remote or console else None

    def say(said: str) -> None:
        logs.say(said, plain=f"betline: {said}")

    same = [*([] if table is None else ["--table", table]), "--site", site, *broker.words()]
    words = [*same, *([] if table_id is None else ["--id", table_id])] if console else None
    of_site = [] if site_file is None else ["--site-file", str(site_file.absolute())]
    floor_words = ["--site", site, *of_site, *broker.words()] if floor else None
    figures_at = address_of("web", metrics, chosen.settings)
    at_desk = desk if remote else None
    status = run_web(chosen.settings, where, chosen.names, door, say, at_desk, words, floor_words, figures_at)
    raise typer.Exit(status)

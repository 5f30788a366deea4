"""What verbs on the record open: the database of their options, which is started where need be, and the site's bus."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from betline.joining import BrokerChoice
from betline.options import FAILED, UserError, state_folder
from cardroom.record.errors import RecordError

if TYPE_CHECKING:
    from betline.bus.site import SiteBus

DataOption = Annotated[
    Path | None,
    typer.Option("--data", metavar="DIR", help="Folder of an own PostgreSQL. Default: in your state folder."),
]
DatabaseOption = Annotated[
    str | None,
    typer.Option(
        "--database",
        metavar="URL",
        envvar="BETLINE_DATABASE",
        help="A PostgreSQL server: postgresql://USER@HOST/DATABASE; its password best in ~/.pgpass.",
    ),
]


@contextlib.contextmanager
def user_errors() -> Iterator[None]:
    """What is wrong with the record is the user's to mend."""
    try:
        yield
    except RecordError as error:
        raise UserError(str(error), FAILED) from None


@contextlib.contextmanager
def database(data: Path | None, url: str | None) -> Iterator[Callable[[], str]]:
    """What gives the address of the database, and starts an own server again that has ended.

    Raises UserError where the packages are missing or both were named, RecordError where no server can be started.
    """
    if data is not None and url is not None:
        raise UserError("Give --data or --database, not both.")
    try:
        import alembic  # noqa: F401
        import psycopg  # noqa: F401
    except ImportError:
        raise UserError("This needs packages that are not here: pip install 'betline[site]'.", FAILED) from None
    if url is not None:
        named = url
        yield lambda: named
        return
    from cardroom.record.embedded import Embedded

    with Embedded(data or state_folder() / "site") as server:

        def address() -> str:
            server.start_again()
            return server.url

        yield address


def site_bus(broker: BrokerChoice, site: str, sender: str) -> SiteBus:
    """A client for all tables of a site; several verbs may run at once, so each has a name of its own."""
    import secrets

    from betline.bus.site import SiteBus
    from betline.joining import START_S, enter
    from betline.options import namespace

    namespace(site, sender)
    where = broker.with_settings(None).address("site")
    bus = SiteBus(where.host, where.port, site, f"{sender}-{secrets.token_hex(3)}", login=where.login)
    try:
        enter(bus, START_S, waits=sender == "recorder")
    except BaseException:
        bus.close()
        raise
    return bus


def counter(what: str) -> Callable[[int], None]:
    """Shows how many are done on a line of the terminal, where there is one."""

    def show(count: int) -> None:
        if sys.stderr.isatty():
            print(f"\r\x1b[K{count} {what}", end="", file=sys.stderr, flush=True)

    return show


def wipe() -> None:
    """Takes that line away."""
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def say(sentence: str) -> None:
    """Says something on standard error."""
    wipe()
    typer.echo(sentence, err=True)

"""The database that the options of a verb name: a server's, or the one of a folder, which is started where need be."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated

import typer

from betline.options import FAILED, UserError, state_folder
from cardroom.record.errors import RecordError

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

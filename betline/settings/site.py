"""A site with many tables: its broker, its database, and its pits, each a broker with the tables on it (``site.toml``).

The same name has the file of one machine that says which broker its programs use (`betline.settings.broker`); what
stands here is the whole house's, and read only where its path is given.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, TypeVar
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import AfterValidator, Field, model_validator

from betline.settings.load import load_table, parse, read_toml, shipped
from betline.settings.model import Settings, SettingsError
from betline.topics import NAME

INSTALLED_IN = "/etc/mosquitto/betline"
PORT = 8883
RESERVED = frozenset({"site", "ca", "mosquitto", "web"})
"""Names that no pit and no table may have: the site's own accounts and the folders of a broker bear them."""
_HOST = re.compile(r"^[A-Za-z0-9:]([A-Za-z0-9.:-]{0,251}[A-Za-z0-9])?$")


def _is_name(text: str) -> str:
    if not NAME.match(text):
        raise ValueError(f"{text!r} cannot be a level of a topic: lower-case letters, digits and - only")
    if text in RESERVED:
        raise ValueError(f"{text} is a name of betline's own: take another")
    return text


def _is_host(text: str) -> str:
    if not _HOST.match(text):
        raise ValueError(f"{text!r} is no name or address of a machine; write broker.lan or 192.168.1.5")
    return text


def _is_place(text: str) -> str:
    host, _, port = text.rpartition(":")
    if not (port.isdecimal() and 0 < int(port) < 65536):
        raise ValueError(f"{text!r} is no place of a broker; write site.lan:8883")
    return f"{_is_host(host)}:{port}"


def _is_zone(text: str) -> str:
    try:
        ZoneInfo(text)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError(f"{text} is no time zone of the IANA database; write one as Europe/Vienna") from None
    return text


def _is_database(text: str) -> str:
    parts = urlsplit(text)
    if parts.scheme != "postgresql" or not parts.path.strip("/"):
        raise ValueError("it must be postgresql://USER@HOST/NAME, or left out for the database that comes with it")
    if parts.password is not None:
        raise ValueError("it may have no password, others could read it: write that into ~/.pgpass, chmod 600")
    return text


Name = Annotated[str, AfterValidator(_is_name)]
Host = Annotated[str, AfterValidator(_is_host)]
Named = TypeVar("Named")


class SiteBroker(Settings):
    """A mosquitto of the site: under which names it is reached, and where its files lie on its machine."""

    hosts: tuple[Host, ...] = Field(
        min_length=1, description="names and addresses of its machine; programs use the first"
    )
    port: int = Field(default=PORT, ge=1, le=65535)
    installed_in: str = Field(
        default=INSTALLED_IN, pattern=r"^/\S+$", description="where its files lie on its machine, a whole path"
    )


class SiteTable(Settings):
    """One table: its name on the bus, and its table file."""

    name: Name
    file: str = Field(description="table file, as seen from this file, or the name of a shipped table")


class Pit(SiteBroker):
    """One broker with the tables on it: a pit, or one table that has a broker of its own."""

    name: Name
    tables: tuple[SiteTable, ...] = Field(min_length=1)
    site_at: Annotated[str, AfterValidator(_is_place)] | None = Field(
        default=None,
        description="HOST:PORT at which this pit reaches the site's broker, where that is not its first host and port; "
        "HOST must be among the hosts of the site's broker",
    )


class Database(Settings):
    """Where the site keeps the journals of its tables."""

    url: Annotated[str, AfterValidator(_is_database)] | None = Field(
        default=None, description="postgresql://USER@HOST/NAME; left out: the database that the recorder starts itself"
    )


class Site(Settings):
    """A whole site."""

    name: Name
    time_zone: Annotated[str, AfterValidator(_is_zone)] = Field(description="of the IANA database, as Europe/Vienna")
    broker: SiteBroker = Field(description="the site's broker, which those of the pits are bridged to")
    database: Database = Database()
    pits: tuple[Pit, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _names_are_unique(self) -> Site:
        for what, names in (("pit", self.pits), ("table", self.tables)):
            for twice in _twice(one.name for one in names):
                raise ValueError(f"two {what}s have the name {twice}; each needs its own in the whole site")
        places = [(one.hosts[0], one.port) for one in (self.broker, *self.pits)]
        for host, port in _twice(places):
            raise ValueError(f"two brokers are at {host}:{port}; give one of them another port or host")
        for pit in self.pits:
            if pit.site_at is not None and pit.site_at.rpartition(":")[0] not in self.broker.hosts:
                raise ValueError(f"pit {pit.name}: the host of site_at must stand among the hosts of the site's broker")
        return self

    def place_from(self, pit: Pit) -> str:
        """HOST:PORT at which a pit reaches the site's broker."""
        return pit.site_at or f"{self.broker.hosts[0]}:{self.broker.port}"

    @property
    def tables_of_pits(self) -> dict[str, tuple[str, ...]]:
        """The names of each pit's tables."""
        return {pit.name: tuple(table.name for table in pit.tables) for pit in self.pits}

    @property
    def tables(self) -> tuple[SiteTable, ...]:
        """All tables of the site."""
        return tuple(table for pit in self.pits for table in pit.tables)


def load_site(path: Path) -> Site:
    """The site that a file describes, with table files that can be used, by their full paths; raises SettingsError."""
    site = parse(Site, _with_full_paths(read_toml(path), path.parent), str(path))
    for table in site.tables:
        try:
            load_table(table.file)
        except SettingsError as error:
            raise SettingsError(f"{path}: table {table.name}: {error}") from None
    return site


def site_of_file(path: Path, named: str | None) -> Site:
    """The site that a file describes; raises SettingsError, also where another one was named."""
    found = load_site(path)
    if named not in (None, found.name):
        raise SettingsError(f"{path} is of the site {found.name}; leave --site {named} out, or name its own file.")
    return found


def _with_full_paths(said: dict[str, Any], folder: Path) -> dict[str, Any]:
    """The contents with each table file's path in full: it is written as seen from the site's file."""
    pits = said.get("pits")
    for pit in pits if isinstance(pits, list) else ():
        tables = pit.get("tables") if isinstance(pit, dict) else None
        for table in tables if isinstance(tables, list) else ():
            file = table.get("file") if isinstance(table, dict) else None
            if isinstance(file, str) and file not in shipped("tables"):
                table["file"] = str(folder / Path(file).expanduser())
    return said


def _twice(names: Iterable[Named]) -> list[Named]:
    seen = list(names)
    return [name for place, name in enumerate(seen) if name in seen[:place]]

"""The broker of a house, and how its programs log in there: `[broker]` of a table file, or of the site's own file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final

import platformdirs
from pydantic import AfterValidator, Field

from betline.login import BrokerUrl, LoginError
from betline.settings.model import Settings

SITE_FILE: Final = "site.toml"
_PATHS: Final = ("logins", "password_file", "ca_file", "cert_file", "key_file")


def _is_url(text: str) -> str:
    try:
        BrokerUrl.parse(text)
    except LoginError as error:
        raise ValueError(str(error)) from None
    return text


class BrokerSettings(Settings):
    """Where the broker listens and how programs log in. Secrets stand in files, never here."""

    url: Annotated[str, AfterValidator(_is_url)] | None = Field(
        default=None, description="mqtt://HOST:PORT, mqtts://HOST:PORT with TLS, or HOST:PORT"
    )
    logins: str | None = Field(
        default=None, description="folder with a login folder for each account, as betline provision makes them"
    )
    user: str | None = Field(default=None, min_length=1, description="the user, where all programs share one account")
    password_file: str | None = Field(default=None, description="file of mode 600 with the password in its first line")
    ca_file: str | None = Field(default=None, description="PEM file of the CA that signs the broker's certificate")
    cert_file: str | None = Field(default=None, description="PEM file of the client certificate")
    key_file: str | None = Field(default=None, description="PEM file of its key, of mode 600")


class SiteSettings(Settings):
    """What holds for all tables of this machine."""

    broker: BrokerSettings | None = Field(default=None, description="the broker that the programs of this machine use")


def site_files() -> tuple[Path, ...]:
    """Where the site's file may lie; the first that is there counts."""
    return (
        Path(platformdirs.user_config_dir("betline", appauthor=False)) / SITE_FILE,
        Path("/etc/betline") / SITE_FILE,
    )


def in_full(broker: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """The section with its paths in full: they are written as seen from the file that has it."""
    full = dict(broker)
    for key in _PATHS:
        if isinstance(full.get(key), str):
            full[key] = str(folder / Path(full[key]).expanduser())
    return full

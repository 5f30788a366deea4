"""The folder of a broker, which several tables may share: `ca` (never copied) and `mosquitto` (copied to the broker).

What is good stays, what is missing or stale is made.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from ipaddress import IPv6Address, ip_address
from pathlib import Path
from typing import Any, Final

from betline.provision import mosquitto
from betline.provision.certificates import NotPem, Signed, for_server, new_authority, revocations, revoked_in
from betline.provision.files import ProvisionError, as_json, put, read_json, read_signed, text_of, unreadable
from betline.provision.passwords import fits, hashed

PORT: Final = 8883
ALWAYS_HOSTS: Final = ("localhost", "127.0.0.1", "::1")
_TERMS: Final = "broker.json"
_HOST = re.compile(r"^[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$")


@dataclass(frozen=True, slots=True)
class Terms:
    """What all tables of one broker share."""

    hosts: tuple[str, ...] = ("localhost",)
    """Names and addresses under which the broker is reached; programs use the first."""
    port: int = PORT
    certificates: bool = False
    installed_in: str = mosquitto.INSTALLED_IN

    @property
    def url(self) -> str:
        """Where programs connect to."""
        first = self.hosts[0]
        return f"mqtts://{f'[{first}]' if ':' in first else first}:{self.port}"


@dataclass(slots=True)
class Changes:
    """What was done, in sentences."""

    done: list[str] = field(default_factory=list)
    logins: list[str] = field(default_factory=list)
    """Accounts whose folders are to be copied again."""
    broker: bool = False
    """Whether the broker's files have changed."""


class BrokerFolder:
    """The broker's part: authority, certificates, password file, access list."""

    def __init__(self, folder: Path, terms: Terms, now: datetime.datetime) -> None:
        self.folder = folder
        self.terms = terms
        self.now = now
        self._ca, self._files = folder / "ca", folder / "mosquitto"
        self.authority = self._authority()
        self._stored = mosquitto.stored_in(text_of(self._files / mosquitto.PASSWORDS))
        self._users = mosquitto.users_of(text_of(self._files / mosquitto.ACCESS))
        self._revoked = self._read_revoked()

    @property
    def users(self) -> tuple[str, ...]:
        """Who may log in."""
        return tuple(self._stored)

    def server(self) -> Signed | None:
        """The broker's certificate; None where it is missing or cannot be read."""
        return read_signed(self._files / mosquitto.SERVER, self._files / mosquitto.SERVER_KEY)

    def rights(self, prefix: str, said: Mapping[str, str]) -> None:
        """Puts what the access list says of one table's users in the place of what it said."""
        others = {user: lines for user, lines in self._users.items() if not user.startswith(prefix)}
        self._users = dict(sorted({**others, **said}.items()))

    def lets_in(self, user: str, password: str) -> bool:
        """Whether this user may log in with this password."""
        return user in self._stored and fits(password, self._stored[user])

    def let_in(self, user: str, password: str) -> None:
        """Lets a user log in with this password alone."""
        self._stored = dict(sorted({**self._stored, user: hashed(password)}.items()))

    def shut_out(self, user: str) -> None:
        """Lets a user log in no more."""
        self._stored.pop(user, None)

    def revoke(self, serial: str) -> None:
        """Puts a certificate on the list of those that no longer count."""
        if serial:
            self._revoked |= {int(serial, 16)}

    def is_revoked(self, signed: Signed) -> bool:
        """Whether a certificate no longer counts."""
        return signed.cert.serial_number in self._revoked

    def write(self, changes: Changes, days: int) -> None:
        """Writes what has changed."""
        terms = self.terms
        hosts = tuple(dict.fromkeys((*terms.hosts, *ALWAYS_HOSTS)))
        server = self.server()
        if server is None or not server.is_good(self.authority, self.now, days) or not server.names_hosts(hosts):
            server = for_server(self.authority, "broker", hosts, self.now)
            changes.done.append(f"The broker has a new certificate, for {', '.join(hosts)}.")
        listed = text_of(self._files / mosquitto.REVOKED)
        if not listed or self._read_revoked() != self._revoked:
            listed = revocations(self.authority, self._revoked, self.now)
        files = {
            mosquitto.CONFIGURATION: mosquitto.configuration(
                terms.port, terms.installed_in, certificates=terms.certificates
            ),
            mosquitto.ACCESS: mosquitto.access(self._users),
            mosquitto.PASSWORDS: mosquitto.passwords(self._stored),
            mosquitto.AUTHORITY: self.authority.cert_pem,
            mosquitto.SERVER: server.cert_pem,
            mosquitto.SERVER_KEY: server.key_pem,
            mosquitto.REVOKED: listed,
        }
        for name, text in files.items():
            changes.broker |= put(self._files / name, text)
        put(self._ca / _TERMS, as_json(_terms_as_json(terms)))

    def _authority(self) -> Signed:
        cert, key = self._ca / "ca.pem", self._ca / "ca-key.pem"
        if not cert.exists() and not key.exists():
            made = new_authority("Betline CA", self.now)
            put(key, made.key_pem)
            put(cert, made.cert_pem)
            return made
        found = read_signed(cert, key)
        if found is None:
            raise ProvisionError(
                f"{cert} and {key} do not belong together, or cannot be read: put them back from a copy. "
                "Remove both for a new authority; every login is made anew then."
            )
        return found

    def _read_revoked(self) -> frozenset[int]:
        path = self._files / mosquitto.REVOKED
        text = text_of(path)
        if not text:
            return frozenset()
        try:
            return revoked_in(text, self.authority)
        except NotPem:
            raise ProvisionError(
                f"{path} is no list of this authority: put it back from a copy, or remove it; then nothing is revoked."
            ) from None


def read_terms(folder: Path) -> Terms | None:
    """What the tables of a broker's folder share; None where there is none yet."""
    path = folder / "ca" / _TERMS
    said = read_json(path)
    if not said:
        return None
    try:
        return Terms(tuple(said["hosts"]), int(said["port"]), bool(said["certificates"]), str(said["installed_in"]))
    except (KeyError, TypeError, ValueError):
        raise ProvisionError(unreadable(path)) from None


def check_hosts(hosts: Iterable[str], option: str = "--host") -> tuple[str, ...]:
    """Names and addresses of hosts, each once; raises ProvisionError for what is neither."""
    found = tuple(dict.fromkeys(hosts))
    for host in found:
        if not _HOST.match(host) and not _is_ipv6(host):
            raise ProvisionError(
                f"{option} {host} is no name or address of a machine; write broker.lan or 192.168.1.5."
            )
    return found


def _is_ipv6(host: str) -> bool:
    try:
        return isinstance(ip_address(host), IPv6Address)
    except ValueError:
        return False


def _terms_as_json(terms: Terms) -> dict[str, Any]:
    return {
        "hosts": list(terms.hosts),
        "port": terms.port,
        "certificates": terms.certificates,
        "installed_in": terms.installed_in,
    }

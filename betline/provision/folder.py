"""The folders of logins and the folder of their broker: what is good stays, what is missing or stale is made.

A table's folder has one login folder an account, which is copied to the machine where that program runs. The broker's
part, which several tables may share, is `ca` (never copied) and `mosquitto` (copied to the broker).
"""

from __future__ import annotations

import datetime
import json
import re
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from ipaddress import IPv6Address, ip_address
from pathlib import Path
from typing import Any, Final

from betline.options import write_private
from betline.provision import mosquitto
from betline.provision.certificates import (
    RENEW_DAYS,
    NotPem,
    Signed,
    for_broker,
    for_program,
    new_authority,
    revocations,
    revoked_in,
)
from betline.provision.passwords import fits, hashed, new_password
from betline.provision.rights import Account, user_of

PORT: Final = 8883
ALWAYS_HOSTS: Final = ("localhost", "127.0.0.1", "::1")
RESERVED: Final = ("ca", "mosquitto")
_RECORD, _TERMS = "provision.json", "broker.json"
_LOGIN, _PASSWORD, _CERT, _KEY, _CA = "login.toml", "password", "cert.pem", "key.pem", "ca.pem"
_HOST = re.compile(r"^[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$")


class ProvisionError(Exception):
    """What a person can mend, in one sentence."""


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


@dataclass(frozen=True, slots=True)
class Login:
    """What is known of one account's login without its secrets."""

    serial: str = ""
    expires: str = ""
    revoked: bool = False


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
        self._stored = mosquitto.stored_in(_text(self._files / mosquitto.PASSWORDS))
        self._users = mosquitto.users_of(_text(self._files / mosquitto.ACCESS))
        self._revoked = self._read_revoked()

    @property
    def users(self) -> tuple[str, ...]:
        """Who may log in."""
        return tuple(self._stored)

    def server(self) -> Signed | None:
        """The broker's certificate; None where it is missing or cannot be read."""
        return _read_signed(self._files / mosquitto.SERVER, self._files / mosquitto.SERVER_KEY)

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
            server = for_broker(self.authority, hosts, self.now)
            changes.done.append(f"The broker has a new certificate, for {', '.join(hosts)}.")
        listed = _text(self._files / mosquitto.REVOKED)
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
            changes.broker |= _put(self._files / name, text)
        _put(self._ca / _TERMS, _json(_terms_as_json(terms)))

    def _authority(self) -> Signed:
        cert, key = self._ca / "ca.pem", self._ca / "ca-key.pem"
        if not cert.exists() and not key.exists():
            made = new_authority("Betline CA", self.now)
            _put(key, made.key_pem)
            _put(cert, made.cert_pem)
            return made
        found = _read_signed(cert, key)
        if found is None:
            raise ProvisionError(
                f"{cert} and {key} do not belong together, or cannot be read: put them back from a copy. "
                "Remove both for a new authority; every login is made anew then."
            )
        return found

    def _read_revoked(self) -> frozenset[int]:
        path = self._files / mosquitto.REVOKED
        text = _text(path)
        if not text:
            return frozenset()
        try:
            return revoked_in(text, self.authority)
        except NotPem:
            raise ProvisionError(
                f"{path} is no list of this authority: put it back from a copy, or remove it; then nothing is revoked."
            ) from None


class LoginsFolder:
    """One table's folder of logins."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        said = _read_json(folder / _RECORD)
        self.exists = bool(said)
        try:
            self.site, self.table = str(said.get("site", "")), str(said.get("table", ""))
            self.virtual = bool(said.get("virtual", False))
            self._shared = said.get("shared")
            self.accounts = {str(name): Login(**one) for name, one in said.get("accounts", {}).items()}
        except (TypeError, AttributeError):
            raise ProvisionError(_unreadable(folder / _RECORD)) from None

    @property
    def shared(self) -> Path:
        """The folder with the broker's part."""
        return self.folder if self._shared is None else Path(self._shared)

    def share(self, folder: Path | None) -> None:
        """Uses the broker's part of this folder; None leaves it as it is."""
        if folder is not None and folder.resolve() != self.folder.resolve():
            self._shared = str(folder.resolve())

    def user(self, account: str) -> str:
        """An account's name at the broker."""
        return user_of(self.site, self.table, account)

    def provide(self, account: str, broker: BrokerFolder, changes: Changes, days: int = RENEW_DAYS) -> None:
        """Makes what is missing, stale or wrong of an account's login; what is good stays as it is."""
        login, user, folder = self.accounts.get(account, Login()), self.user(account), self.folder / account
        if login.revoked:
            broker.shut_out(user)
            return
        password = _text(folder / _PASSWORD).strip()
        changed = not broker.lets_in(user, password)
        if changed:
            password = new_password()
            broker.let_in(user, password)
            changes.done.append(f"{account} has a new password.")
        said = (
            f'# Made by betline provision. The password is in the file beside it.\nurl = "{broker.terms.url}"\n'
            f'user = "{user}"\n'
        )
        files = {_PASSWORD: password + "\n", _LOGIN: said, _CA: broker.authority.cert_pem}
        if broker.terms.certificates:
            signed = _read_signed(folder / _CERT, folder / _KEY)
            if signed is None or broker.is_revoked(signed) or not signed.is_good(broker.authority, broker.now, days):
                signed = for_program(broker.authority, user, broker.now)
                broker.revoke(login.serial)
                changes.done.append(f"{account} has a new certificate, until {signed.ends:%Y-%m-%d}.")
            files |= {_CERT: signed.cert_pem, _KEY: signed.key_pem}
            login = Login(f"{signed.cert.serial_number:x}", signed.ends.isoformat())
        else:
            broker.revoke(login.serial)
            login = Login()
            for name in (_CERT, _KEY):
                changed |= (folder / name).exists()
                (folder / name).unlink(missing_ok=True)
        for name, text in files.items():
            changed |= _put(folder / name, text)
        self.accounts[account] = login
        if changed:
            changes.logins.append(account)

    def withdraw(self, account: str, broker: BrokerFolder, *, keep_out: bool) -> None:
        """Takes an account's login back, with its folder; ``keep_out``: it gets no new one by itself."""
        login = self.accounts.pop(account, Login())
        broker.shut_out(self.user(account))
        broker.revoke(login.serial)
        shutil.rmtree(self.folder / account, ignore_errors=True)
        if keep_out:
            self.accounts[account] = Login(revoked=True)

    def renew_all_of(self, account: str, broker: BrokerFolder) -> None:
        """Makes an account's password and certificate count no more, so that `provide` makes new ones."""
        login = self.accounts.get(account, Login())
        broker.shut_out(self.user(account))
        broker.revoke(login.serial)
        self.accounts[account] = replace(login, revoked=False)

    def write(self) -> None:
        """Writes down what logins there are."""
        accounts = {
            name: {"serial": one.serial, "expires": one.expires, "revoked": one.revoked}
            for name, one in self.accounts.items()
        }
        _put(
            self.folder / _RECORD,
            _json(
                {
                    "site": self.site,
                    "table": self.table,
                    "virtual": self.virtual,
                    "shared": self._shared,
                    "accounts": accounts,
                }
            ),
        )


def read_terms(folder: Path) -> Terms | None:
    """What the tables of a broker's folder share; None where there is none yet."""
    path = folder / "ca" / _TERMS
    said = _read_json(path)
    if not said:
        return None
    try:
        return Terms(tuple(said["hosts"]), int(said["port"]), bool(said["certificates"]), str(said["installed_in"]))
    except (KeyError, TypeError, ValueError):
        raise ProvisionError(_unreadable(path)) from None


def check_hosts(hosts: Iterable[str]) -> tuple[str, ...]:
    """Names and addresses of hosts, each once; raises ProvisionError for what is neither."""
    found = tuple(dict.fromkeys(hosts))
    for host in found:
        if not _HOST.match(host) and not _is_ipv6(host):
            raise ProvisionError(f"--host {host} is no name or address of a machine; write broker.lan or 192.168.1.5.")
    return found


def check_accounts(accounts: Iterable[Account]) -> None:
    """Raises ProvisionError where two accounts have one name, or one that a folder of ours has."""
    names = [account.name for account in accounts]
    for name in names:
        if names.count(name) > 1 or name in RESERVED:
            raise ProvisionError(f"A device of the table file has the id {name}, which is taken: give it another.")


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


def _read_signed(cert: Path, key: Path) -> Signed | None:
    try:
        return Signed.read(_text(cert), _text(key))
    except NotPem:
        return None


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise ProvisionError(f"{path} cannot be read ({error}): run this as the user who made it.") from None


def _read_json(path: Path) -> dict[str, Any]:
    text = _text(path)
    try:
        said = json.loads(text) if text else {}
    except ValueError:
        said = None
    if not isinstance(said, dict):
        raise ProvisionError(_unreadable(path))
    return said


def _unreadable(path: Path) -> str:
    return f"{path} cannot be understood: put it back from a copy, or name a new folder."


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, indent=1) + "\n"


def _put(path: Path, text: str) -> bool:
    """Writes a file for its owner only; False where it was like this already."""
    if path.exists() and _text(path) == text and path.stat().st_mode & 0o077 == 0:
        return False
    try:
        write_private(path, text)
    except OSError as error:
        raise ProvisionError(f"{path} cannot be written ({error.strerror}): name another folder.") from None
    return True

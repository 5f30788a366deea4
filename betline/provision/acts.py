"""What `betline provision` does to the folders: provide, renew, rotate, revoke, and say how they stand."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from betline.provision import mosquitto
from betline.provision.broker_folder import BrokerFolder, Changes, Terms, check_hosts, read_terms
from betline.provision.certificates import RENEW_DAYS
from betline.provision.files import ProvisionError
from betline.provision.logins import LoginsFolder, check_accounts
from betline.provision.rights import accounts_of, user_of
from betline.provision.web_folder import WEB
from betline.settings import TableSettings
from betline.topics import Namespace


@dataclass(frozen=True, slots=True)
class Wish:
    """What is asked for; None leaves what was asked for before, or is usual."""

    hosts: tuple[str, ...] | None = None
    port: int | None = None
    certificates: bool | None = None
    installed_in: str | None = None
    virtual: bool | None = None
    shared: Path | None = None
    web_hosts: tuple[str, ...] | None = None
    """Names and addresses of the pages' server; none yet: it gets no certificate."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was done, and what lies there now."""

    changes: Changes
    logins: LoginsFolder
    broker: BrokerFolder


OTHERS_ANEW = "The other tables of this broker need their logins anew: run this for each of them."
_TRUSTED_UNTIL_THEN = (
    "The pages have no certificate any more. Browsers ask nobody whether one was revoked: who has its key is believed "
    "until it expires."
)
State = Literal["good", "renew soon", "expired", "missing", "revoked", "password only"]


@dataclass(frozen=True, slots=True)
class Row:
    """How one account, or the pages, the broker or the authority, stands."""

    name: str
    user: str
    state: State
    expires: datetime.datetime | None
    folder: Path | None


def provide(table: TableSettings, names: Namespace, folder: Path, wish: Wish, now: datetime.datetime) -> Outcome:
    """Makes what is missing for a table; a device that has left its file loses its login. Raises ProvisionError."""
    logins = LoginsFolder(folder)
    if logins.exists and (logins.site, logins.table) != (names.site, names.table):
        raise ProvisionError(
            f"{folder} has the logins of table {logins.table} of site {logins.site}: name another folder with -o, "
            f"and --shared {logins.shared} for the same broker."
        )
    logins.site, logins.table = names.site, names.table
    logins.share(wish.shared)
    logins.virtual = logins.virtual if wish.virtual is None else wish.virtual
    accounts = accounts_of(table, virtual=logins.virtual)
    check_accounts(accounts)
    if wish.web_hosts is not None:
        logins.web.serve(check_hosts(wish.web_hosts, "--web-host"))
    before = read_terms(logins.shared)
    broker = BrokerFolder(logins.shared, _terms(before or Terms(), wish), now)
    changes = Changes()
    if before is not None and before != broker.terms and wish.shared is not None:
        changes.done.append(OTHERS_ANEW)
    for gone in [name for name in logins.accounts if name not in {account.name for account in accounts}]:
        logins.withdraw(gone, broker, keep_out=False)
        changes.done.append(f"{gone} is no longer in the table file: its login is withdrawn.")
    broker.rights(
        user_of(names.site, names.table, ""),
        {
            logins.user(one.name): mosquitto.access_lines(one, logins.user(one.name), names.site, names.table)
            for one in accounts
        },
    )
    for account in accounts:
        logins.provide(account.name, broker, changes)
    logins.web.provide(broker, changes)
    return _written(logins, broker, changes)


def renew(folder: Path, days: int, now: datetime.datetime) -> Outcome:
    """Makes certificates anew that have fewer days left, those of broker and pages too; passwords stay."""
    logins, broker = _opened(folder, now)
    changes = Changes()
    for account in tuple(logins.accounts):
        logins.provide(account, broker, changes, days)
    logins.web.provide(broker, changes, days)
    return _written(logins, broker, changes, days)


def rotate(folder: Path, names: tuple[str, ...], now: datetime.datetime) -> Outcome:
    """New passwords and certificates for these accounts, or for all that are not revoked; the old ones end."""
    logins, broker = _opened(folder, now)
    changes = Changes()
    every = [name for name, login in logins.accounts.items() if not login.revoked]
    every += [WEB] if logins.web.exists and not logins.web.known.revoked else []
    for account in _known(names, logins) or every:
        if account == WEB:
            logins.web.renew()
            logins.web.provide(broker, changes)
        else:
            logins.renew_all_of(account, broker)
            logins.provide(account, broker, changes)
    return _written(logins, broker, changes)


def revoke(folder: Path, names: tuple[str, ...], now: datetime.datetime) -> Outcome:
    """Ends the logins of these accounts, takes the pages' certificate away; `rotate` alone brings them back."""
    logins, broker = _opened(folder, now)
    changes = Changes()
    for account in _known(names, logins):
        if account == WEB:
            logins.web.revoke()
            changes.done.append(_TRUSTED_UNTIL_THEN)
        else:
            logins.withdraw(account, broker, keep_out=True)
            changes.done.append(f"{account} can log in no more.")
    return _written(logins, broker, changes)


def rows(folder: Path, now: datetime.datetime) -> list[Row]:
    """How each account of a folder stands, then the certificates of pages and broker, and the authority.

    It writes nothing.
    """
    logins, broker = _opened(folder, now)
    found = []
    for name, login in logins.accounts.items():
        ends = datetime.datetime.fromisoformat(login.expires) if login.expires else None
        state: State
        if login.revoked:
            state = "revoked"
        elif logins.user(name) not in broker.users:
            state = "missing"
        else:
            state = "password only" if ends is None else _state(ends, now)
        found.append(Row(name, logins.user(name), state, ends, folder / name))
    if logins.web.exists:
        found.append(_of_web(logins, now))
    server = broker.server()
    ends = None if server is None else server.ends
    found.append(Row("broker", "", "missing" if ends is None else _state(ends, now), ends, None))
    found.append(Row("authority", "", _state(broker.authority.ends, now), broker.authority.ends, None))
    return found


def _of_web(logins: LoginsFolder, now: datetime.datetime) -> Row:
    known, folder = logins.web.known, logins.web.folder
    if known.revoked:
        return Row(WEB, "", "revoked", None, folder)
    ends = datetime.datetime.fromisoformat(known.expires)
    return Row(WEB, "", _state(ends, now), ends, folder)


def _state(ends: datetime.datetime, now: datetime.datetime) -> State:
    if ends <= now:
        return "expired"
    return "renew soon" if ends - now < datetime.timedelta(days=RENEW_DAYS) else "good"


def _terms(before: Terms, wish: Wish) -> Terms:
    installed = before.installed_in if wish.installed_in is None else wish.installed_in
    if not installed.startswith("/") or any(sign.isspace() for sign in installed):
        raise ProvisionError(
            f"--installed-in {installed} must be a whole path without blanks, as /etc/mosquitto/betline."
        )
    return Terms(
        before.hosts if wish.hosts is None else check_hosts(wish.hosts),
        before.port if wish.port is None else wish.port,
        before.certificates if wish.certificates is None else wish.certificates,
        installed,
    )


def _opened(folder: Path, now: datetime.datetime) -> tuple[LoginsFolder, BrokerFolder]:
    logins = LoginsFolder(folder)
    terms = read_terms(logins.shared) if logins.exists else None
    if terms is None:
        raise ProvisionError(f"{folder} has no logins: make them with betline provision --table FILE -o {folder}.")
    return logins, BrokerFolder(logins.shared, terms, now)


def _known(names: tuple[str, ...], logins: LoginsFolder) -> tuple[str, ...]:
    there = [*logins.accounts, *([WEB] if logins.web.exists else [])]
    for name in names:
        if name not in there:
            raise ProvisionError(f"There is no account {name}; there are {', '.join(there)}.")
    return names


def _written(logins: LoginsFolder, broker: BrokerFolder, changes: Changes, days: int = RENEW_DAYS) -> Outcome:
    broker.write(changes, days)
    logins.write()
    return Outcome(changes, logins, broker)

"""A table's folder of logins: one login folder an account, which is copied to the machine where that program runs.

What is good stays, what is missing or stale is made.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from betline.provision.broker_folder import BrokerFolder, Changes
from betline.provision.certificates import RENEW_DAYS, for_program
from betline.provision.files import ProvisionError, as_json, put, read_json, read_signed, text_of, unreadable
from betline.provision.passwords import new_password
from betline.provision.rights import Account, user_of
from betline.provision.web_folder import WEB, WebCertificate, WebFolder

RESERVED: Final = ("ca", "mosquitto", WEB)
RECORD: Final = "provision.json"
_LOGIN, _PASSWORD, _CERT, _KEY, _CA = "login.toml", "password", "cert.pem", "key.pem", "ca.pem"


@dataclass(frozen=True, slots=True)
class Login:
    """What is known of one account's login without its secrets."""

    serial: str = ""
    expires: str = ""
    revoked: bool = False


class LoginsFolder:
    """One table's folder of logins."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        said = read_json(folder / RECORD)
        self.exists = bool(said)
        try:
            self.site, self.table = str(said.get("site", "")), str(said.get("table", ""))
            self.virtual = bool(said.get("virtual", False))
            self._shared = said.get("shared")
            self.accounts = {str(name): Login(**one) for name, one in said.get("accounts", {}).items()}
            self.web = WebFolder(folder / WEB, WebCertificate.read(said.get("web", {})))
        except (KeyError, TypeError, AttributeError):
            raise ProvisionError(unreadable(folder / RECORD)) from None

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
        password = text_of(folder / _PASSWORD).strip()
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
            signed = read_signed(folder / _CERT, folder / _KEY)
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
            changed |= put(folder / name, text)
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
        put(
            self.folder / RECORD,
            as_json(
                {
                    "site": self.site,
                    "table": self.table,
                    "virtual": self.virtual,
                    "shared": self._shared,
                    "accounts": accounts,
                    "web": self.web.known.as_json(),
                }
            ),
        )


def check_accounts(accounts: Iterable[Account]) -> None:
    """Raises ProvisionError where two accounts have one name, or one that a folder of ours has."""
    names = [account.name for account in accounts]
    for name in names:
        if names.count(name) > 1 or name in RESERVED:
            raise ProvisionError(f"A device of the table file has the id {name}, which is taken: give it another.")

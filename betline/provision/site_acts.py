"""What `betline provision site` does: the brokers of a whole site, their logins, and the bridges between them.

A folder of the site, with `site` (its own broker and accounts) and a folder a pit: the pit's broker, its bridge, and a
folder of logins for each table. What is good stays, what is missing or stale is made, what left the site file ends.
"""

from __future__ import annotations

import datetime
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from betline.provision import mosquitto
from betline.provision.acts import OTHERS_ANEW, Wish, provide
from betline.provision.broker_folder import BrokerFolder, Changes, Terms, read_terms
from betline.provision.certificates import RENEW_DAYS
from betline.provision.crossings import link_topic, right_lines
from betline.provision.files import ProvisionError, put, text_of
from betline.provision.logins import RECORD, LoginsFolder
from betline.provision.rights import Account, site_accounts, user_of
from betline.settings import load_table
from betline.settings.site import Pit, Site, SiteBroker
from betline.topics import Namespace

SITE: Final = "site"
"""The folder of the site's own broker, and what stands in its users' names where others have their table."""
LINK: Final = "link-"
"""What the account of a pit's bridge begins with at the site's broker."""
_BRIDGE_FILES: Final = {"ca.pem": mosquitto.BRIDGE_AUTHORITY, "cert.pem": mosquitto.BRIDGE_CERT,
                        "key.pem": mosquitto.BRIDGE_KEY}  # fmt: skip


@dataclass(frozen=True, slots=True)
class SiteOutcome:
    """What was done, in sentences, and which folders are to be copied."""

    done: tuple[str, ...]
    brokers: Mapping[str, BrokerFolder]
    """Those whose files have changed, by the name of the pit, or `site`."""
    logins: tuple[Path, ...]
    """Folders of logins that are to be copied again."""


@dataclass(slots=True)
class _Work:
    folder: Path
    now: datetime.datetime
    done: list[str] = field(default_factory=list)
    brokers: dict[str, BrokerFolder] = field(default_factory=dict)
    logins: list[Path] = field(default_factory=list)

    def note(self, name: str, broker: BrokerFolder, changes: Changes, folder: Path, where: str = "") -> None:
        """Takes over what was done in one folder of logins."""
        self.done += [f"{where or name}: {said}" for said in changes.done if said != OTHERS_ANEW]
        self.logins += [folder / account for account in changes.logins if not account.startswith(LINK)]
        if changes.broker:
            self.brokers[name] = broker


def provide_site(site: Site, folder: Path, now: datetime.datetime) -> SiteOutcome:
    """Makes what is missing for a site; a table or pit that has left its file loses its logins.

    Raises ProvisionError for files that cannot be read or written, and SettingsError for a table file.
    """
    work = _Work(folder, now)
    logins = LoginsFolder(folder / SITE)
    if logins.exists and logins.site != site.name:
        raise ProvisionError(f"{folder} has the logins of the site {logins.site}: name another folder with -o.")
    logins.site, logins.table = site.name, SITE
    _end_pits(work, logins, {pit.name for pit in site.pits})
    _provide_brokers_own(work, site, logins)
    for pit in site.pits:
        _provide_pit(work, site, pit, logins)
    return SiteOutcome(tuple(work.done), work.brokers, tuple(dict.fromkeys(work.logins)))


def site_rights(account: Account, user: str, site: str) -> str:
    """What the site's access list says of one of its own accounts: every table, and whether the bridges stand."""
    return f"{mosquitto.access_lines(account, user, site, '+')}\ntopic read {link_topic(site)}"


def link_rights(site: str, pit: str, tables: Iterable[str]) -> str:
    """What the site's access list says of a pit's bridge: its own tables, and whether it stands."""
    return "\n".join((*right_lines(site, tables), f"topic write {link_topic(site, pit)}"))


def _terms(broker: SiteBroker) -> Terms:
    return Terms(broker.hosts, broker.port, True, broker.installed_in)


def _provide_brokers_own(work: _Work, site: Site, logins: LoginsFolder) -> None:
    """The site's broker: accounts for its programs, and one for each pit's bridge."""
    broker, changes = BrokerFolder(logins.shared, _terms(site.broker), work.now), Changes()
    accounts = site_accounts()
    rights = {logins.user(one.name): site_rights(one, logins.user(one.name), site.name) for one in accounts}
    links = {f"{LINK}{pit.name}": pit for pit in site.pits}
    for account, pit in links.items():
        rights[logins.user(account)] = link_rights(site.name, pit.name, (table.name for table in pit.tables))
    broker.rights(user_of(site.name, SITE, ""), rights)
    for account in (*(one.name for one in accounts), *links):
        logins.provide(account, broker, changes)
    broker.write(changes, RENEW_DAYS)
    logins.write()
    work.note(SITE, broker, changes, logins.folder)


def _provide_pit(work: _Work, site: Site, pit: Pit, links: LoginsFolder) -> None:
    """A pit's broker, the logins of its tables, its bridge."""
    own = work.folder / pit.name
    terms = _terms(pit)
    _end_tables(work, own, terms, {table.name for table in pit.tables})
    for table in pit.tables:
        wish = Wish(terms.hosts, terms.port, terms.certificates, terms.installed_in, shared=own)
        names = Namespace(site.name, table.name)
        outcome = provide(load_table(table.file), names, own / table.name, wish, work.now)
        work.note(pit.name, outcome.broker, outcome.changes, own / table.name, f"{pit.name}/{table.name}")
    account = f"{LINK}{pit.name}"
    login, files = links.folder / account, own / "mosquitto"
    said = {there: text_of(login / here) for here, there in _BRIDGE_FILES.items()}
    said[mosquitto.BRIDGE] = mosquitto.bridge(
        site.name,
        pit.name,
        [table.name for table in pit.tables],
        site.place_from(pit),
        pit.installed_in,
        links.user(account),
        text_of(login / "password").strip(),
    )
    changed = [name for name, text in said.items() if put(files / name, text)]
    if changed:
        work.done.append(f"{pit.name}: its bridge to the site has new files.")
        work.brokers[pit.name] = BrokerFolder(own, terms, work.now)


def _end_pits(work: _Work, logins: LoginsFolder, there: set[str]) -> None:
    """Ends the bridges of pits that have left the site file, and every login at their brokers."""
    gone = [name for name in logins.accounts if name.startswith(LINK) and name.removeprefix(LINK) not in there]
    for account in gone:
        terms = read_terms(logins.shared)
        if terms is not None:
            broker, changes = BrokerFolder(logins.shared, terms, work.now), Changes()
            logins.withdraw(account, broker, keep_out=False)
            broker.write(changes, RENEW_DAYS)
            logins.write()
        shutil.rmtree(work.folder / account.removeprefix(LINK), ignore_errors=True)
        work.done.append(
            f"{account.removeprefix(LINK)} is no longer in the site file: its bridge and logins are ended."
        )


def _end_tables(work: _Work, pit: Path, terms: Terms, there: set[str]) -> None:
    """Ends the logins of tables that have left a pit."""
    for record in sorted(pit.glob(f"*/{RECORD}")):
        logins = LoginsFolder(record.parent)
        if logins.table in there:
            continue
        broker, changes = BrokerFolder(pit, terms, work.now), Changes()
        for account in tuple(logins.accounts):
            logins.withdraw(account, broker, keep_out=False)
        broker.rights(user_of(logins.site, logins.table, ""), {})
        broker.write(changes, RENEW_DAYS)
        shutil.rmtree(record.parent, ignore_errors=True)
        work.brokers[pit.name] = broker
        work.done.append(f"{pit.name}/{logins.table} is no longer in the site file: its logins are ended.")

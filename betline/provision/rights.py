"""Who may say and read what on a broker: mosquitto's access list, from the topics themselves.

Pure. mosquitto.conf(5) and mosquitto's example configuration describe the lines.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from betline.buttons import verbs_of
from betline.home_assistant import BORN, Places
from betline.settings import Button, TableSettings, is_for_cards
from betline.topics import AT_SITE, COMMAND, KINDS, ROOT, ZONE_CHIPS, ZONE_TAGS, Role, TopicKind

ANY = "+"
BRIDGE = "bridge"


@dataclass(frozen=True, slots=True)
class Account:
    """One login of one table: its name on the bus, what it is, and for which devices, zones and seats it speaks.

    A ``+`` among these stands for all of them; ``not_for`` are devices that it then does not speak for all the same.
    """

    name: str
    role: Role
    speaks_for: tuple[str, ...]
    chip_zones: tuple[str, ...] = (ANY,)
    card_zones: tuple[str, ...] = (ANY,)
    seats: tuple[str, ...] = (ANY,)
    cameras: tuple[str, ...] = (ANY,)
    not_for: tuple[str, ...] = ()
    buttons: tuple[Button, ...] = ()
    """What a house's automation may ask for."""

    def is_among(self, roles: tuple[Role, ...]) -> bool:
        """Whether a right of these roles is this account's."""
        return self.role in roles or (bool(self.buttons) and "button" in roles)


def accounts_of(table: TableSettings, *, virtual: bool = False) -> tuple[Account, ...]:
    """The accounts of a table, by its table file; with one for the virtual table's people if that is wanted."""
    zones = tuple(antenna.zone for reader in table.readers for antenna in reader.antennas)
    seats = tuple(str(seat.number) for seat in table.seats)
    cameras = tuple(camera.id for camera in table.cameras)
    readers = tuple(reader.id for reader in table.readers)
    bridge = Account(
        BRIDGE,
        "bridge",
        (BRIDGE, *readers),
        tuple(zone for zone in zones if not is_for_cards(zone)),
        tuple(zone for zone in zones if is_for_cards(zone)),
    )
    return (
        Account("controller", "controller", ("controller",)),
        *((bridge,) if readers else ()),
        *(Account(camera, "vision", (camera,), seats=seats, cameras=(camera,)) for camera in cameras),
        Account("console", "console", ("console",), cameras=cameras),
        *((Account("world", "console", ("world",), cameras=cameras),) if virtual else ()),
        Account("voice", "voice", ("voice",)),
        Account("display", "display", ()),
        Account("home", "home", (), buttons=table.home_assistant.buttons),
        Account("site", "site", ()),
    )


def site_accounts() -> tuple[Account, ...]:
    """The accounts of a site's own broker, beside those of its bridges: they may hear every table of the site."""
    return tuple(Account(role, role, (role,)) for role in AT_SITE)


def shipped_accounts() -> tuple[Account, ...]:
    """Accounts for any table with one camera of the usual name, for who makes accounts by hand."""
    programs, camera = ("controller", "console", "voice"), "overhead"
    return (
        Account("controller", "controller", ("controller",)),
        Account(BRIDGE, "bridge", (ANY,), not_for=(*programs, camera)),
        Account(camera, "vision", (camera,), cameras=(camera,)),
        Account("console", "console", ("console",)),
        Account("voice", "voice", ("voice",)),
        Account("display", "display", ()),
        Account("home", "home", ()),
        Account("site", "site", ()),
    )


def user_of(site: str, table: str, account: str) -> str:
    """An account's name at the broker, where several tables may have accounts of that name; no part has a dot."""
    return f"{site}.{table}.{account}"


def lines(account: Account, user: str, site: str, table: str) -> list[str]:
    """An account's part of the access list: its user, then one line a topic."""
    root = f"{ROOT}/{site}/{table}"
    refused = [f"topic deny {root}/device/{name}/#" for name in account.not_for]
    return [
        f"user {user}",
        *refused,
        *(f"topic {access} {root}/{path}" for access, path in _rights(account)),
        *(_for_home_assistant(site, table, account.buttons) if account.role == "home" else ()),
    ]


def _for_home_assistant(site: str, table: str, buttons: tuple[Button, ...]) -> Iterable[str]:
    """What `betline home` says to Home Assistant beside the table's own topics: of this table, and of nothing else."""
    places = Places(site, table)
    yield f"topic readwrite {places.config}"
    yield f"topic read {BORN}"
    yield f"topic write {places.base}/#"
    for button in buttons:
        yield f"topic read {places.press(button)}"


def _rights(account: Account) -> Iterable[tuple[str, str]]:
    for kind in KINDS:
        writes = _paths(kind, _writes(kind, account)) if account.is_among(kind.by) else []
        reads = _paths(kind, _reads(kind, account)) if account.is_among(kind.to) else []
        for path in writes:
            yield ("readwrite" if path in reads else "write"), path
        for path in reads:
            if path not in writes:
                yield "read", path


def _paths(kind: TopicKind, names: tuple[str, ...]) -> list[str]:
    if ANY not in kind.pattern:
        return [kind.pattern]
    return [kind.pattern.replace(ANY, name) for name in names]


def _writes(kind: TopicKind, account: Account) -> tuple[str, ...]:
    """Which things an account speaks of on a kind of topics: none but its own."""
    if kind.named == "writer":
        return account.speaks_for
    if kind.named == "reader":
        return account.cameras
    if kind is COMMAND and account.buttons:
        return verbs_of(account.buttons)
    if kind is ZONE_CHIPS:
        return account.chip_zones
    if kind is ZONE_TAGS:
        return account.card_zones
    return account.seats if kind.pattern.startswith("seat/") else (ANY,)


def _reads(kind: TopicKind, account: Account) -> tuple[str, ...]:
    return account.speaks_for if kind.named == "reader" else (ANY,)

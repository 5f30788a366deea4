"""Tables that are played at a site of tests: controllers with journals and staff of their own, each at its pit."""

from __future__ import annotations

from betline.bus import MqttBus
from betline.options import Address
from betline.people.roll import write_staff
from betline.readiness import await_controller
from betline.supervise import Supervisor
from betline.topics import Namespace
from tests.site import SITE, TestSite
from tests.unit.service.staff import STAFF


def start_table(
    site: TestSite, parts: Supervisor, table: str, file: str = "home-six", *, history: bool = False
) -> None:
    """Starts the controller of a table that the site has, and with `history` what tells its journal to the site."""
    own = site.folder / "tables" / table
    own.mkdir(parents=True)
    people = own / "people.toml"
    write_staff(people, STAFF)
    where = ["--table", file, "--id", table, *site.options(table), "--journal", str(own / "x.journal")]
    parts.start(table, ["controller", *where, "--people", str(people)])
    if history:
        parts.start(f"{table}-history", ["journal", "serve", *where])


def join_table(parts: Supervisor, address: Address, table: str, account: str) -> MqttBus:
    """A program of this account at the table, whose controller serves by then."""
    names = Namespace(SITE, table)
    await_controller(parts, address, names)
    return MqttBus(address.host, address.port, names, account, login=address.login)

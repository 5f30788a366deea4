"""A table's folder `web`: by what the server of the pages (`betline web`) shows browsers that it is the house's own.

Its files have the names that `betline install --web-files` looks for. What is good stays, what is missing or stale is
made.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from betline.provision.broker_folder import ALWAYS_HOSTS, BrokerFolder, Changes
from betline.provision.certificates import RENEW_DAYS, for_server
from betline.provision.files import put, read_signed

WEB: Final = "web"
"""The folder, and the name by which it is renewed, rotated and revoked."""
CERT, KEY, AUTHORITY = "web.crt", "web.key", "ca.pem"


@dataclass(frozen=True, slots=True)
class WebCertificate:
    """What is known of the certificate without its secret; without hosts there is to be none."""

    hosts: tuple[str, ...] = ()
    """Names and addresses by which browsers reach the pages, the usual one first."""
    serial: str = ""
    expires: str = ""
    revoked: bool = False

    @classmethod
    def read(cls, said: Mapping[str, Any]) -> WebCertificate:
        """From a table's record; raises KeyError or TypeError for what is none."""
        return cls(tuple(said["hosts"]), said["serial"], said["expires"], said["revoked"]) if said else cls()

    def as_json(self) -> dict[str, Any]:
        """For a table's record."""
        named = {"hosts": list(self.hosts), "serial": self.serial, "expires": self.expires, "revoked": self.revoked}
        return named if self.hosts else {}


class WebFolder:
    """The certificate of the pages of one table, with its key and the authority that phones are to know."""

    def __init__(self, folder: Path, known: WebCertificate) -> None:
        self.folder = folder
        self.known = known

    @property
    def exists(self) -> bool:
        """Whether the pages have asked for a certificate."""
        return bool(self.known.hosts)

    def serve(self, hosts: tuple[str, ...]) -> None:
        """The pages are reached under these names and addresses from now on."""
        if hosts != self.known.hosts:
            self.known = replace(self.known, hosts=hosts, serial="")

    def provide(self, broker: BrokerFolder, changes: Changes, days: int = RENEW_DAYS) -> None:
        """Makes the certificate where it is missing, stale, of another authority or for other names."""
        if not self.exists or self.known.revoked:
            return
        hosts = tuple(dict.fromkeys((*self.known.hosts, *ALWAYS_HOSTS)))
        signed = read_signed(self.folder / CERT, self.folder / KEY)
        if (
            signed is None
            or f"{signed.cert.serial_number:x}" != self.known.serial
            or not signed.is_good(broker.authority, broker.now, days)
            or not signed.names_hosts(hosts)
        ):
            signed = for_server(broker.authority, WEB, hosts, broker.now)
            until = f"{signed.ends:%Y-%m-%d}"
            changes.done.append(f"The pages have a new certificate, for {', '.join(hosts)}, until {until}.")
        self.known = replace(self.known, serial=f"{signed.cert.serial_number:x}", expires=signed.ends.isoformat())
        files = {CERT: signed.cert_pem, KEY: signed.key_pem, AUTHORITY: broker.authority.cert_pem}
        changed = [put(self.folder / name, text) for name, text in files.items()]
        if any(changed):
            changes.logins.append(WEB)

    def renew(self) -> None:
        """Lets the certificate count no more, so that `provide` makes another, also where it was revoked."""
        self.known = replace(self.known, serial="", revoked=False)

    def revoke(self) -> None:
        """Takes certificate and key away; the codes of the pages, which may lie beside them, stay."""
        for name in (CERT, KEY, AUTHORITY):
            (self.folder / name).unlink(missing_ok=True)
        if self.folder.exists() and not any(self.folder.iterdir()):
            self.folder.rmdir()
        self.known = replace(self.known, serial="", expires="", revoked=True)

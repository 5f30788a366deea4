"""Where the server listens, and what it asks for there: nothing on loopback, TLS and tokens beyond it."""

from __future__ import annotations

import datetime
import ipaddress
import ssl
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cryptography import x509

from betline.login import LoginError, check_private
from betline.options import UserError
from table_controller.web.gate import LOOPBACK_NAMES, Gate
from table_controller.web.server import Tls

DEFAULT_PORT: Final = 8420
EVERYWHERE: Final = ("0.0.0.0", "::")


@dataclass(frozen=True, slots=True)
class Door:
    """Where it listens, and whom it lets in."""

    host: str
    port: int
    gate: Gate
    tls: Tls | None = None

    @property
    def url(self) -> str:
        """By which a browser reaches it: the first name of its certificate, else where it listens."""
        named = sorted(self.gate.names - set(LOOPBACK_NAMES), key=_is_address)
        host = named[0] if named and self.tls else "localhost" if self.host in EVERYWHERE else self.host
        return f"{'https' if self.tls else 'http'}://{f'[{host}]' if ':' in host else host}:{self.port}"


def open_door(host: str, port: int, cert: Path | None, key: Path | None, secret: bytes | None) -> Door:
    """Raises UserError for a door that would be open to strangers, or files that cannot be used."""
    if (cert is None) != (key is None):
        raise UserError("--cert and --key belong together: the certificate of this server and its key, as PEM files.")
    tls = Tls(cert, key) if cert is not None and key is not None else None
    if not is_loopback(host):
        if tls is None:
            raise UserError(
                f"Beyond this machine the pages are served with TLS only: give --cert and --key for {host} (betline "
                "provision --web-host makes them), or leave --host out."
            )
        if secret is None:
            raise UserError(
                "Beyond this machine pages are for those who have a code: make a file of codes with betline web "
                "--new-tokens FILE, and give it with --tokens FILE, or leave --host out."
            )
    names = {*LOOPBACK_NAMES, *(() if host in EVERYWHERE else (host.lower(),))}
    if tls is not None:
        names |= _names_of(tls)
    return Door(host, port, Gate(secret, frozenset(names), tls is not None), tls)


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches it there."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _names_of(tls: Tls) -> set[str]:
    """The names in a certificate. Raises UserError for files that cannot be used."""
    try:
        check_private(tls.key)
        ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(tls.cert, tls.key, password=_no_pass_phrase)
        leaf = x509.load_pem_x509_certificates(tls.cert.read_bytes())[0]
    except LoginError as error:
        raise UserError(str(error)) from None
    except (OSError, ValueError) as error:  # an ssl.SSLError is an OSError
        why = getattr(error, "strerror", None) or getattr(error, "reason", None) or "no PEM"
        raise UserError(
            f"Certificate {tls.cert} and key {tls.key} cannot be used together ({str(why).replace('_', ' ').lower()}): "
            "give two PEM files that belong together, the key without a pass phrase."
        ) from None
    ends = leaf.not_valid_after_utc
    if ends <= datetime.datetime.now(datetime.UTC):
        raise UserError(
            f"The certificate {tls.cert} has expired on {ends:%Y-%m-%d}: browsers refuse it. Renew it (betline "
            "provision renew DIR, where that has made it), and copy it here again."
        )
    try:
        named = leaf.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        raise UserError(f"The certificate {tls.cert} names no host: browsers refuse it. Make one that does.") from None
    return {
        *(name.lower() for name in named.get_values_for_type(x509.DNSName)),
        *(str(address) for address in named.get_values_for_type(x509.IPAddress)),
    }


def _no_pass_phrase() -> str:
    raise LoginError("A key with a pass phrase cannot be used: nobody is there to type it.")


def _is_address(name: str) -> tuple[bool, str]:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False, name
    return True, name

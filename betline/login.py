"""How a program reaches a broker and proves who it is: the address, user and password, CA, client certificate.

Secrets lie in files that only their owner can use; they are read at each connection, so that a password or certificate
may be changed while a program runs. Nothing here prints, logs or keeps a password. A service may get its login folder
from systemd instead, as credentials (systemd.exec(5)): then its user need not be able to read the folder itself.
"""

from __future__ import annotations

import os
import re
import ssl
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

MQTT, MQTTS = "mqtt", "mqtts"
PORTS: Final = {MQTT: 1883, MQTTS: 8883}
LOGIN_FILE, PASSWORD_FILE, CA_FILE, CERT_FILE, KEY_FILE = "login.toml", "password", "ca.pem", "cert.pem", "key.pem"
CREDENTIAL: Final = "login"
"""What the credentials of systemd are called: this, an underscore, and the name of the file in the login folder."""
_HANDED: Final = f"{CREDENTIAL}_"
_OTHERS: Final = 0o077
_OF_ALL: Final = 0o007
"""systemd lets a service's user read its credentials by an access control list, which shows as rights of the group."""
_OTHERS_WRITE: Final = 0o022
_ADDRESS = re.compile(
    r"(?:(?P<scheme>[a-z]+)://)?(?P<host>\[[0-9a-fA-F:.]+\]|[^\s/@:?#\[\]]+)(?::(?P<port>\d{1,5}))?/?"
)


class LoginError(Exception):
    """A login cannot be used; the text says why and what to do."""


@dataclass(frozen=True, slots=True)
class BrokerUrl:
    """Where a broker listens: ``mqtt://HOST:PORT``, ``mqtts://`` with TLS, or HOST:PORT, which leaves that open."""

    host: str
    port: int
    scheme: str | None = None

    @classmethod
    def parse(cls, text: str, scheme: str | None = None) -> BrokerUrl:
        """Reads an address, without its port that of its scheme, or of the one given; raises LoginError.

        An address with a user or password in it is refused, and the sentence does not repeat it.
        """
        if "@" in text:
            raise LoginError(
                "A broker's address takes no user and no password, others could read them: give the user with "
                "--broker-user, and a file that holds the password with --broker-password-file"
            )
        found = _ADDRESS.fullmatch(text)
        named = None if found is None else found["scheme"]
        if found is None or named not in (None, MQTT, MQTTS) or not 0 < int(found["port"] or 1) < 65536:
            raise LoginError(
                f"{text} is no address of a broker; write it as HOST:PORT, for example 127.0.0.1:1883, or "
                "mqtts://HOST:8883 with TLS"
            )
        port = int(found["port"]) if found["port"] else PORTS[named or scheme or MQTT]
        return cls(found["host"].strip("[]"), port, named)

    def same_place(self, other: BrokerUrl) -> bool:
        """Whether both name the same host and port."""
        return (self.host, self.port) == (other.host, other.port)

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}:{self.port}" if self.scheme else f"{host}:{self.port}"


@dataclass(frozen=True, slots=True)
class Login:
    """How a program logs in to its broker."""

    tls: bool = False
    user: str | None = None
    password_file: Path | None = None
    ca_file: Path | None = None
    """The certificate authority that signs the broker's certificate; None: those that the system trusts."""
    cert_file: Path | None = None
    key_file: Path | None = None
    _context: list[ssl.SSLContext] = field(default_factory=list, repr=False, compare=False)

    def password(self) -> str | None:
        """The password as it stands in its file now; raises LoginError."""
        return None if self.password_file is None else read_secret(self.password_file)

    def context(self) -> ssl.SSLContext | None:
        """How to speak TLS, None without it; always the same object, with the certificates as they are now.

        Raises LoginError for files that cannot be used.
        """
        if not self.tls:
            return None
        if not self._context:
            self._context.append(ssl.create_default_context() if self.ca_file is None else _trusting(self.ca_file))
        context = self._context[0]
        if self.cert_file is not None:
            key = self.key_file or self.cert_file
            check_private(key)
            try:
                context.load_cert_chain(self.cert_file, key, password=_no_pass_phrase)
            except OSError as error:  # an ssl.SSLError is one
                raise LoginError(
                    f"Certificate {self.cert_file} and key {key} cannot be used together ({_why(error)}): give the "
                    "two PEM files of one account, the key without a pass phrase."
                ) from None
        return context

    def check(self) -> None:
        """Raises LoginError for files that cannot be used."""
        self.password()
        self.context()


def read_secret(path: Path) -> str:
    """The first line of a file that only its owner can use; raises LoginError."""
    check_private(path)
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise LoginError(
            f"The password file {path} cannot be read ({_why(error)}): correct its name or rights."
        ) from None
    if not lines or not lines[0]:
        raise LoginError(f"The password file {path} is empty: write the password into its first line.")
    return lines[0]


def check_private(path: Path) -> None:
    """Raises LoginError for a file that is not there or that others than its owner can use."""
    try:
        mode = path.stat().st_mode
    except OSError as error:
        raise LoginError(f"{path} cannot be read ({_why(error)}): correct its name or rights.") from None
    if mode & (_OF_ALL if path.parent == _credentials() else _OTHERS):
        raise LoginError(f"Others than its owner can use {path}: type chmod 600 {path}, then change the secret in it.")


def read_credentials() -> tuple[BrokerUrl, Login] | None:
    """The login folder that systemd has handed to this service, None where it has not. Raises LoginError."""
    folder = _credentials()
    if folder is None or not (folder / f"{_HANDED}{LOGIN_FILE}").exists():
        return None
    return read_folder(folder, _HANDED)


def _credentials() -> Path | None:
    named = os.environ.get("CREDENTIALS_DIRECTORY")
    return Path(named) if named else None


def read_folder(folder: Path, prefix: str = "") -> tuple[BrokerUrl, Login]:
    """A login folder as `betline provision` makes it: the broker and how this account logs in. Raises LoginError.

    The names of its files begin with ``prefix``.
    """
    file = folder / f"{prefix}{LOGIN_FILE}"
    try:
        if folder.stat().st_mode & _OTHERS_WRITE:
            raise LoginError(f"Others than its owner can write to {folder}: type chmod 700 {folder}.")
        said = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise LoginError(
            f"The login {file} cannot be read ({_why(error)}): name a folder that betline provision has made."
        ) from None
    except tomllib.TOMLDecodeError as error:
        raise LoginError(f"{file} is not TOML ({error}): make it anew with betline provision.") from None
    url, user = said.get("url"), said.get("user")
    if set(said) - {"url", "user"} or not isinstance(url, str) or not isinstance(user, str | None):
        raise LoginError(f"{file} may say url and user, both as texts, and must say url: make it anew.")
    where = BrokerUrl.parse(url)
    files = {name: folder / f"{prefix}{name}" for name in _PARTS}
    there = {name: file if file.exists() else None for name, file in files.items()}
    return where, Login(
        tls=where.scheme == MQTTS,
        user=user,
        password_file=there[PASSWORD_FILE],
        ca_file=there[CA_FILE],
        cert_file=there[CERT_FILE],
        key_file=there[KEY_FILE],
    )


_PARTS = (PASSWORD_FILE, CA_FILE, CERT_FILE, KEY_FILE)


def _trusting(ca_file: Path) -> ssl.SSLContext:
    try:
        return ssl.create_default_context(cafile=str(ca_file))
    except OSError as error:  # an ssl.SSLError is one
        raise LoginError(
            f"The CA {ca_file} cannot be used ({_why(error)}): give the PEM file of the authority that signs the "
            "broker."
        ) from None


def _no_pass_phrase() -> str:
    raise LoginError("A key with a pass phrase cannot be used: nobody is there to type it.")


def _why(error: Exception) -> str:
    if isinstance(error, ssl.SSLError):
        return (error.reason or "no PEM").replace("_", " ").lower()
    return getattr(error, "strerror", None) or str(error)

"""A real mosquitto for a test: its password file, its certificates of a CA made for the test, its access list."""

from __future__ import annotations

import datetime
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Final

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from betline.broker import free_port

_SBIN = os.pathsep.join((os.environ.get("PATH", os.defpath), "/usr/sbin", "/usr/local/sbin"))
MOSQUITTO = shutil.which("mosquitto", path=_SBIN)
needs_mosquitto = pytest.mark.skipif(
    MOSQUITTO is None, reason="mosquitto is not installed (apt install mosquitto): no login and no TLS to test"
)
HOST = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Signed:
    """A certificate and its key, as PEM files."""

    cert: Path
    key: Path


class TestCa:
    """A certificate authority in a folder of the test."""

    __test__ = False

    def __init__(self, folder: Path, name: str = "test") -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"CA of {name}")])
        made = self._builder(self._name, self._key.public_key(), 365).add_extension(
            x509.BasicConstraints(ca=True, path_length=None), critical=True
        )
        self.file = folder / f"{name}-ca.pem"
        self.file.write_bytes(made.sign(self._key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM))

    def sign(self, name: str, *, hosts: tuple[str, ...] = (HOST, "localhost"), days: int = 90) -> Signed:
        """A certificate for a broker's hosts or a client's name; of negative days one that has expired."""
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        alternatives = x509.SubjectAlternativeName([_alternative(host) for host in hosts])
        made = self._builder(subject, key.public_key(), days).add_extension(alternatives, critical=False)
        signed = Signed(self._folder / f"{name}.pem", self._folder / f"{name}.key")
        signed.cert.write_bytes(made.sign(self._key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM))
        signed.key.touch(mode=0o600)
        signed.key.write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
            )
        )
        return signed

    def _builder(self, subject: x509.Name, public: ec.EllipticCurvePublicKey, days: int) -> x509.CertificateBuilder:
        until = datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=days)
        return (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self._name)
            .public_key(public)
            .serial_number(x509.random_serial_number())
            .not_valid_before(until - datetime.timedelta(days=400))
            .not_valid_after(until)
        )


def _alternative(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(host))
    except ValueError:
        return x509.DNSName(host)


def password_file(path: Path, accounts: Mapping[str, str]) -> Path:
    """Accounts and their passwords as mosquitto reads them."""
    path.write_text("".join(f"{user}:{password}\n" for user, password in accounts.items()), encoding="utf-8")
    path.chmod(0o600)
    subprocess.run(["mosquitto_passwd", "-U", str(path)], check=True)
    return path


ENDS_S: Final = 10.0


def end(broker: subprocess.Popen[Any]) -> None:
    """Asks a mosquitto to end, and kills it where it does not: one that has just begun may miss the signal."""
    broker.terminate()
    try:
        broker.wait(ENDS_S)
    except subprocess.TimeoutExpired:
        broker.kill()
        broker.wait()


@contextmanager
def serving(folder: Path, lines: str, port: int | None = None) -> Iterator[int]:
    """A mosquitto with one listener on loopback and these lines of configuration below it; its port."""
    assert MOSQUITTO is not None
    folder.mkdir(parents=True, exist_ok=True)
    port = free_port() if port is None else port
    config, log = folder / f"mosquitto-{port}.conf", folder / f"mosquitto-{port}.log"
    as_root = "user root\n" if os.geteuid() == 0 else ""
    config.write_text(f"listener {port} {HOST}\n{as_root}{lines}\n", encoding="utf-8")
    with log.open("ab") as output, subprocess.Popen([MOSQUITTO, "-c", str(config)], stdout=output, stderr=output) as it:
        try:
            _await(it, port, log)
            yield port
        finally:
            end(it)


def _await(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    deadline_s = time.monotonic() + 10
    while True:
        with socket.socket() as probe:
            if probe.connect_ex((HOST, port)) == 0:
                return
        assert process.poll() is None, log.read_text(encoding="utf-8")
        assert time.monotonic() < deadline_s, "mosquitto does not listen"
        time.sleep(0.02)


def with_tls(server: Signed, ca: Path | None = None) -> str:
    """Lines for a listener with TLS; with a CA it asks each client for a certificate of it."""
    asks = "" if ca is None else f"cafile {ca}\nrequire_certificate true\n"
    return f"certfile {server.cert}\nkeyfile {server.key}\n{asks}"

"""Why a broker does not let a program in: paho gives no cause, so the connection is tried once more by hand.

The packets are those of MQTT 3.1.1 (OASIS standard, 2014, 3.1 CONNECT and 3.2 CONNACK), the codes of a certificate that
cannot be trusted those of OpenSSL (x509_vfy.h).
"""

from __future__ import annotations

import socket
import ssl
import uuid
from dataclasses import dataclass
from typing import Final

from betline.login import Login, LoginError

TRY_S: Final = 4.0
OBJECTION_S: Final = 0.5
_NOT_YET, _EXPIRED = 9, 10
_UNTRUSTED: Final = (2, 18, 19, 20, 21, 24, 79)
_OTHER_NAME: Final = (62, 64)
_CONNACK: Final = 0x20
_WAITS: Final = ("no-broker", "no-host", "no-answer", "closed", "busy")


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why there is no connection: a stable code and a sentence that says what to do."""

    code: str
    sentence: str

    @property
    def may_pass(self) -> bool:
        """Whether it can pass by itself; else somebody must correct a setting."""
        return self.code in _WAITS


def why_not(host: str, port: int, login: Login | None = None, timeout_s: float = TRY_S) -> Trouble | None:
    """Tries the whole way to the broker once; None where it lets this login in."""
    where, login = f"{host}:{port}", login or Login()
    try:
        login.check()
    except LoginError as error:
        return Trouble("login-file", str(error))
    try:
        line = socket.create_connection((host, port), timeout_s)
    except OSError as error:
        return _unreachable(where, error)
    with line:
        try:
            context = login.context()
            if context is None:
                return _of_answer(_answer(line, login), where, login)
            with context.wrap_socket(line, server_hostname=host) as secret:
                _hear_objections(secret, timeout_s)
                return _of_answer(_answer(secret, login), where, login)
        except ssl.SSLCertVerificationError as error:
            return _untrusted(where, host, login, error)
        except (ssl.SSLError, OSError) as error:
            return _broken_off(where, host, port, login, error)


def refused(where: str, login: Login | None) -> Trouble:
    """The broker does not know this user or password."""
    if login is None or (login.user is None and login.cert_file is None):
        return Trouble(
            "bad-login",
            f"The broker at {where} wants a user and a password: give --login DIR, or --broker-user NAME and "
            "--broker-password-file FILE.",
        )
    who = f"user {login.user}" if login.user is not None else f"certificate {login.cert_file}"
    password = f" or the password in {login.password_file}" if login.password_file is not None else ""
    return Trouble(
        "bad-login", f"The broker at {where} refuses {who}{password}: correct it, or make the account at the broker."
    )


def speaks_tls(host: str, port: int, timeout_s: float = TRY_S) -> bool:
    """Whether TLS is spoken at this address, by whomever."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    try:
        with socket.create_connection((host, port), timeout_s) as line, context.wrap_socket(line):
            return True
    except ssl.SSLError as error:
        return "ALERT" in (error.reason or "")
    except OSError:
        return False


def speaks_mqtt(host: str, port: int, timeout_s: float = TRY_S) -> bool:
    """Whether MQTT is spoken in clear at this address."""
    try:
        with socket.create_connection((host, port), timeout_s) as line:
            return _answer(line, Login()) is not None
    except OSError:
        return False


def _unreachable(where: str, error: OSError) -> Trouble:
    if isinstance(error, socket.gaierror):
        return Trouble("no-host", f"There is no host of that name: {where}. Correct the broker's address.")
    if isinstance(error, ConnectionRefusedError):
        return Trouble(
            "no-broker",
            f"There is no broker at {where}, nothing listens there: start it, or name another with --broker.",
        )
    return Trouble(
        "no-answer",
        f"There is no broker at {where} ({error.strerror or error}): look at the network, or name another "
        "with --broker.",
    )


def _untrusted(where: str, host: str, login: Login, error: ssl.SSLCertVerificationError) -> Trouble:
    if error.verify_code == _EXPIRED:
        return Trouble(
            "expired", f"The certificate of the broker at {where} has expired: renew it on the broker's host."
        )
    if error.verify_code == _NOT_YET:
        return Trouble("not-yet-valid", f"The certificate of the broker at {where} is not valid yet: set both clocks.")
    if error.verify_code in _OTHER_NAME:
        return Trouble(
            "wrong-name",
            f"The certificate of the broker at {where} is for another host than {host}: use the name in it, "
            f"or make one for {host}.",
        )
    if error.verify_code in _UNTRUSTED:
        by = f"the CA {login.ca_file}" if login.ca_file is not None else "a CA that this system trusts"
        return Trouble(
            "wrong-ca",
            f"The certificate of the broker at {where} is not signed by {by}: give the right CA with --broker-ca FILE.",
        )
    return Trouble(
        "untrusted",
        f"The certificate of the broker at {where} cannot be trusted ({error.verify_message}): "
        "make it anew on the broker's host, or give the right CA with --broker-ca FILE.",
    )


def _broken_off(where: str, host: str, port: int, login: Login, error: OSError) -> Trouble:
    """The line ended before the broker had answered."""
    reason = error.reason or "" if isinstance(error, ssl.SSLError) else ""
    if login.tls and "ALERT" in reason:
        if login.cert_file is None:
            return Trouble(
                "wants-certificate",
                f"The broker at {where} wants a client certificate: give --broker-cert FILE and --broker-key FILE, or "
                "--login DIR.",
            )
        why = next((words for part, words in _CLIENT_ALERTS if part in reason), "it does not know who signed it")
        return Trouble(
            "certificate-refused",
            f"The broker at {where} refuses the certificate {login.cert_file}: {why}. Make a new one.",
        )
    if login.tls and speaks_mqtt(host, port):
        return Trouble(
            "no-tls-here",
            f"The broker at {where} does not speak TLS there: write mqtt://{where}, or give its TLS port.",
        )
    return _closed(where, login)


_CLIENT_ALERTS: Final = (("EXPIRED", "it has expired"), ("REVOKED", "it was revoked"))


def _closed(where: str, login: Login) -> Trouble:
    wants = " Perhaps it wants a client certificate (--broker-cert)." if login.tls and login.cert_file is None else ""
    return Trouble(
        "closed",
        f"What listens at {where} closed the connection without an MQTT answer: look at the broker's log, or name "
        f"another with --broker.{wants}",
    )


def _of_answer(code: int | None, where: str, login: Login) -> Trouble | None:
    """What a CONNACK means; None of a program that has let us in."""
    if code == 0:
        return None
    if code is None:
        host, _, port = where.rpartition(":")
        if not login.tls and speaks_tls(host, int(port)):
            return Trouble(
                "tls-here",
                f"The broker at {where} speaks TLS there: write mqtts://{where}, and give its CA with "
                "--broker-ca FILE.",
            )
        return _closed(where, login)
    if code in (4, 5):
        return refused(where, login)
    if code == 3:
        return Trouble("busy", f"The broker at {where} is not available now: look at its log.")
    return Trouble("not-taken", f"The broker at {where} does not take MQTT 3.1.1 (code {code}): use another broker.")


def _answer(line: socket.socket, login: Login) -> int | None:
    """The code of the broker's CONNACK to this login; None where something else came, or nothing.

    Raises OSError where the line broke.
    """
    line.sendall(_connect_packet(login))
    got = b""
    try:
        while len(got) < 4:
            more = line.recv(4 - len(got))
            if not more:
                return None
            got += more
    except TimeoutError:
        return None
    except ConnectionResetError:
        if login.tls:
            raise
        return None
    return got[3] if got[0] == _CONNACK else None


def _hear_objections(line: ssl.SSLSocket, timeout_s: float) -> None:
    """Raises ssl.SSLError where the broker does not want our certificate: in TLS 1.3 it says so after the handshake.

    To write first would lose what it says. No broker of MQTT speaks before it is spoken to.
    """
    line.settimeout(OBJECTION_S)
    try:
        line.recv(1)
    except TimeoutError:
        pass
    finally:
        line.settimeout(timeout_s)


def _connect_packet(login: Login) -> bytes:
    password = login.password()
    flags = 0x02 | (0x80 if login.user is not None else 0) | (0x40 if password is not None else 0)
    texts = [f"look-{uuid.uuid4().hex[:12]}", *(text for text in (login.user, password) if text is not None)]
    body = b"\x00\x04MQTT\x04" + bytes((flags, 0, 10)) + b"".join(_text(text) for text in texts)
    size = len(body)
    length = bytes((size,)) if size < 128 else bytes((size % 128 | 128, size // 128))
    return b"\x10" + length + body


def _text(text: str) -> bytes:
    coded = text.encode()
    return len(coded).to_bytes(2, "big") + coded


def server_certificate(host: str, port: int, timeout_s: float = TRY_S) -> bytes | None:
    """The certificate (DER) that this address presents, whoever signed it; None where it presents none."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    try:
        with socket.create_connection((host, port), timeout_s) as line, context.wrap_socket(line) as secret:
            return secret.getpeercert(binary_form=True)
    except OSError:
        return None

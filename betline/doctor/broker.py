"""The broker: whether it lets this account in, how long its certificates are good, what the account may do there."""

from __future__ import annotations

import datetime
import time
from collections.abc import Iterator
from typing import Final

from cryptography import x509

from betline import topics
from betline.bus import MqttBus, Received
from betline.bus.trouble import Trouble, server_certificate, why_not
from betline.doctor.answer import Answer, Visit, fault, ok, skipped, warning
from betline.joining import LOOPBACKS
from betline.login import Login
from betline.messages.common import Presence
from betline.messages.table import VoiceAgain
from betline.options import SITE_DEFAULT, Address, UserError, namespace
from betline.topics import topic

_WAIT_S: Final = 2.0
_LISTEN_S: Final = 0.5
SOON_DAYS: Final = 30
"""A certificate that expires within this time is warned of."""
_ACCOUNT: Final = "console"
"""Whose login the doctor uses: that of the programs that a person uses."""
_REMEDIES: Final = {
    "no-broker": "Start it, or leave it out of table file, site file and options: betline run starts its own.",
    "no-host": "Correct url in [broker], or --broker.",
    "bad-login": "Compare user and password file with the broker's accounts (docs/broker.md).",
    "wants-certificate": "Name cert_file and key_file in [broker], or a login folder that has them.",
}
_READ_THE_PAGE: Final = "docs/broker.md has each cause and its remedy."


def examine(visit: Visit) -> Iterator[Answer]:
    """The broker that a program of this machine would use; without one `betline run` starts its own."""
    try:
        chosen = visit.broker.with_settings(visit.table)
        where = chosen.address(_ACCOUNT)
    except UserError as error:
        yield fault("broker login", str(error), _READ_THE_PAGE)
        return
    if where.login is not None:
        yield from _login(where, where.login)
    trouble = why_not(where.host, where.port, where.login)
    if trouble is not None:
        yield _cause(where, trouble, expected=chosen.is_kept_by_others(visit.broker))
        return
    yield ok("broker", f"one answers at {where}{_as_whom(where.login)}")
    yield from _rights(visit, where)


def _as_whom(login: Login | None) -> str:
    if login is None:
        return ""
    return f"{f' and lets {login.user} in' if login.user else ''}, {'with' if login.tls else 'without'} TLS"


def _cause(where: Address, trouble: Trouble, *, expected: bool) -> Answer:
    if trouble.code == "no-broker" and not expected:
        return skipped("broker", f"none answers at {where}: betline run starts its own there")
    return fault("broker", trouble.sentence, _REMEDIES.get(trouble.code, _READ_THE_PAGE))


def _login(where: Address, login: Login) -> Iterator[Answer]:
    """Files and certificates of a login that can be read, and what travels in clear."""
    for path in (login.password_file, login.key_file):
        if path is not None:
            yield ok("login files", f"{path}, for its owner only")
    if not login.tls and where.host not in LOOPBACKS:
        yield warning(
            "encryption", f"the password travels to {where} in clear", "Use mqtts:// (docs/broker.md, Encryption)."
        )
    for path in (login.cert_file, login.ca_file):
        if path is not None:
            yield _dated(str(path), x509.load_pem_x509_certificate(path.read_bytes()))
    served = server_certificate(where.host, where.port) if login.tls else None
    if served is not None:
        yield _dated(f"that of the broker at {where}", x509.load_der_x509_certificate(served))


def _dated(which: str, certificate: x509.Certificate) -> Answer:
    until = certificate.not_valid_after_utc
    days = (until - datetime.datetime.now(datetime.UTC)).days
    if days < 0:
        return fault("certificate", f"{which} has expired on {until:%Y-%m-%d}", "Renew it (docs/broker.md).")
    if days < SOON_DAYS:
        return warning("certificate", f"{which} expires in {days} days, {until:%Y-%m-%d}", "Renew it before that.")
    return ok("certificate", f"{which} is good until {until:%Y-%m-%d}")


def _rights(visit: Visit, where: Address) -> Iterator[Answer]:
    """Whether the account hears the table and may send a command, and who is on the broker already.

    A broker that forbids something drops it without a word. So the doctor says something that this account may say and
    hear, where no controller is there, and sees whether it comes back.
    """
    names = namespace(SITE_DEFAULT, visit.table.name)
    heard: list[Received] = []
    bus = MqttBus(where.host, where.port, names, "doctor", login=where.login)
    try:
        for kind in (topics.STATUS, topics.VOICE_AGAIN):
            bus.subscribe(kind, heard.append)
        if not bus.wait_connected(_WAIT_S):
            yield fault("broker", f"{where} was lost again", "Look at the broker's log.")
            return
        time.sleep(_LISTEN_S)
        online = any(isinstance(one.body, Presence) and one.body.state == "online" for one in heard)
        came = online or _round_trip(bus, heard)
    finally:
        bus.close()
    if not came:
        yield fault(
            "access list",
            f"the broker drops what this account says at table {names.site}/{names.table}",
            "Give the account its rights in the access list (docs/broker.md), or use the console's account.",
        )
    elif where.login is not None and not online:
        yield ok("access list", "what this account says comes through")
    if online:
        yield warning(
            "second table",
            f"a controller of {visit.table.name} is on this broker",
            "Stop it before you start another by this name.",
        )


def _round_trip(bus: MqttBus, heard: list[Received]) -> bool:
    bus.publish(topic(topics.VOICE_AGAIN), VoiceAgain())
    deadline_s = time.monotonic() + _WAIT_S
    while time.monotonic() < deadline_s:
        if any(one.envelope.boot_id == bus.boot_id for one in heard):
            return True
        time.sleep(0.02)
    return False

"""Which table a verb is about where none was named: the only one that is played on the broker."""

from __future__ import annotations

import json
import re
import threading
from dataclasses import dataclass
from typing import Any, Final

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion

from betline.joining import RETAINED_S, BrokerChoice
from betline.known_tables import the_table
from betline.login import LoginError
from betline.options import FAILED, SITE_DEFAULT, Address, UserError, namespace
from betline.settings import TableSettings, load_table, shipped
from betline.topics import ROOT, Namespace

WAIT_S: Final = 3.0
_STATUS = re.compile(rf"{ROOT}/([^/]+)/([^/]+)/status")


@dataclass(frozen=True, slots=True)
class Chosen:
    """A table on a bus, and what its file says, where that is known."""

    names: Namespace
    known: TableSettings | None

    @property
    def settings(self) -> TableSettings:
        """What the table's file says; raises UserError where no file was named and no shipped table has that name."""
        if self.known is None:
            raise UserError(
                f"The table on this broker is {self.names.site}/{self.names.table}: name its file with --table FILE."
            )
        return self.known


def chosen_table(
    broker: BrokerChoice, table: str | None, site: str, table_id: str | None, account: str = "console"
) -> Chosen:
    """The table that was named, else the only one that is played on the broker, else the only one of this machine.

    Raises UserError with the list where there are several.
    """
    if table is None and table_id is not None:
        return Chosen(namespace(site, table_id), _shipped(table_id))
    if table is not None:
        settings = load_table(table)
        return Chosen(namespace(site, table_id or settings.name), settings)
    address = broker.with_settings(None).address(account)
    found = tables_on(address)
    if site != SITE_DEFAULT:
        found = tuple(one for one in found if one.site == site)
    if not found:
        settings = load_table(the_table(None))
        return Chosen(namespace(site, settings.name), settings)
    if len(found) > 1:
        listed = ", ".join(f"{one.site}/{one.table}" for one in found)
        raise UserError(
            f"Several tables are played on the broker at {address}: {listed}. Name one with --table FILE.", FAILED
        )
    return Chosen(found[0], _shipped(found[0].table))


def _shipped(name: str) -> TableSettings | None:
    """The table that comes with Betline by that name."""
    return load_table(name) if name in shipped("tables") else None


def tables_on(address: Address) -> tuple[Namespace, ...]:
    """The tables whose controller the broker says is online; none where the broker cannot be used."""
    there: set[tuple[str, str]] = set()
    confirmed, ended = threading.Event(), threading.Event()

    def heard(_client: paho.Client, _data: Any, message: paho.MQTTMessage) -> None:
        found = _STATUS.fullmatch(message.topic)
        if found is not None and _says_online(bytes(message.payload)):
            there.add((found[1], found[2]))

    def connected(client: paho.Client, _data: Any, _flags: Any, reason: Any, _properties: Any) -> None:
        if reason.is_failure:
            ended.set()
        else:
            client.subscribe(f"{ROOT}/+/+/status", 1)

    client = paho.Client(CallbackAPIVersion.VERSION2)
    client.on_connect, client.on_message = connected, heard
    client.on_subscribe = lambda *_: confirmed.set()
    try:
        if address.login is not None:
            if address.login.user is not None:
                client.username_pw_set(address.login.user, address.login.password())
            context = address.login.context()
            if context is not None:
                client.tls_set_context(context)
        client.connect(address.host, address.port)
    except (OSError, ValueError, LoginError):
        return ()  # the caller connects next, and reports the cause
    client.loop_start()
    if confirmed.wait(WAIT_S):
        ended.wait(RETAINED_S)
    client.disconnect()
    client.loop_stop()
    return tuple(Namespace(*one) for one in sorted(there) if _is_name(*one))


def _says_online(payload: bytes) -> bool:
    try:
        return bool(json.loads(payload)["state"] == "online")
    except (ValueError, TypeError, KeyError, RecursionError):
        return False


def _is_name(site: str, table: str) -> bool:
    try:
        Namespace(site, table)
    except ValueError:
        return False
    return True

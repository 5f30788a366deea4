"""A site on this machine for tests: real mosquittos with the files of `betline provision site`, bridged by lines that
can be cut."""

from __future__ import annotations

import os
import signal
import ssl
import subprocess
import threading
import time
import tomllib
import uuid
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion

from betline.broker import free_port
from betline.joining import BrokerChoice
from betline.options import Address
from betline.provision.site_acts import provide_site
from betline.settings.site import Pit, Site, SiteBroker, SiteTable
from tests.mosquitto import HOST, MOSQUITTO, end
from tests.provisioned import listens
from virtual_table.site.cuttable_line import CuttableLine

WAIT_S = 30
SITE = "grand"


class Broker:
    """One mosquitto of the site, with its files and its disk."""

    def __init__(self, folder: Path, port: int) -> None:
        self.folder, self.port = folder, port
        self.log = folder / "mosquitto.log"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        assert MOSQUITTO is not None
        made = "".join(
            (self.folder / "mosquitto" / name).read_text()
            for name in ("mosquitto.conf", "bridge.conf")
            if (self.folder / "mosquitto" / name).exists()
        )
        usual = f"persistence_location {self.folder}/\nlog_dest file {self.log}\nlog_type all\n"
        usual += "user root\n" if os.geteuid() == 0 else ""
        (self.folder / "main.conf").write_text(usual + made)
        self.process = subprocess.Popen([MOSQUITTO, "-c", str(self.folder / "main.conf")], stderr=subprocess.DEVNULL)
        wait(lambda: listens(self.port), "the broker listens")

    def end(self, how: signal.Signals = signal.SIGTERM) -> None:
        if self.process is not None:
            if how is signal.SIGTERM:
                end(self.process)
            else:
                self.process.send_signal(how)
                self.process.wait()
            self.process = None


class TestSite:
    """A site's broker and its pits, each with tables of its own."""

    __test__ = False

    def __init__(self, folder: Path, pits: dict[str, list[str]]) -> None:
        self.folder = folder
        ports = {name: free_port() for name in ("site", *pits)}
        self.lines = {name: CuttableLine(ports["site"]) for name in pits}
        self.site = Site(
            name=SITE,
            time_zone="Europe/Vienna",
            broker=SiteBroker(hosts=(HOST,), port=ports["site"], installed_in=str(folder / "site/mosquitto")),
            pits=tuple(
                Pit(
                    name=name,
                    hosts=(HOST,),
                    port=ports[name],
                    installed_in=str(folder / name / "mosquitto"),
                    site_at=f"{HOST}:{self.lines[name].port}",
                    tables=tuple(SiteTable(name=table, file="home-six") for table in tables),
                )
                for name, tables in pits.items()
            ),
        )
        provide_site(self.site, folder, datetime.now(UTC))
        self.brokers = {name: Broker(folder / name, port) for name, port in ports.items()}
        self.clients: list[Client] = []
        for broker in self.brokers.values():
            broker.start()

    def options(self, table: str | None = None) -> list[str]:
        """Where a program of the site, or of this table at its pit, finds the broker and its logins."""
        return ["--site", SITE, "--broker", self._url(table), "--login", str(self._logins(table))]

    def address(self, account: str, table: str | None = None) -> Address:
        """The same for an account that is here in the test."""
        return BrokerChoice(url=self._url(table), login=self._logins(table)).address(account)

    def _pit(self, table: str) -> str:
        return next(pit.name for pit in self.site.pits if table in [one.name for one in pit.tables])

    def _url(self, table: str | None) -> str:
        place = "site" if table is None else self._pit(table)
        return f"mqtts://{HOST}:{self.brokers[place].port}"

    def _logins(self, table: str | None) -> Path:
        return self.folder / "site" if table is None else self.folder / self._pit(table) / table

    def client(self, place: str, account: str) -> Client:
        """A program of the site's account, or, as TABLE/ACCOUNT, of a table of a pit."""
        made = Client(self.brokers[place].port, self.folder / place / account)
        self.clients.append(made)
        return made

    def close(self) -> None:
        for client in self.clients:
            client.close()
        for broker in self.brokers.values():
            broker.end()
        for line in self.lines.values():
            line.close()


class Client:
    """A program with a login folder, that says and hears what it likes; it connects again by itself."""

    def __init__(self, port: int, login: Path) -> None:
        self.heard: list[tuple[str, str]] = []
        self._changed = threading.Condition()
        self._wanted: list[tuple[str, int]] = []
        self._subscribed = 0
        self.there = False
        user = tomllib.loads((login / "login.toml").read_text())["user"]
        self.client = paho.Client(
            CallbackAPIVersion.VERSION2, client_id=f"{user}-{uuid.uuid4().hex[:6]}", clean_session=False
        )
        self.client.username_pw_set(user, (login / "password").read_text().strip())
        context = ssl.create_default_context(cafile=str(login / "ca.pem"))
        context.load_cert_chain(login / "cert.pem", login / "key.pem")
        self.client.tls_set_context(context)
        self.client.reconnect_delay_set(1, 1)
        self.client.max_inflight_messages_set(1000)
        self.client.on_connect = self._on_connect
        self.client.on_disconnect = lambda *_: setattr(self, "there", False)
        self.client.on_subscribe = lambda *_: setattr(self, "_subscribed", self._subscribed + 1)
        self.client.on_message = self._on_message
        self.client.connect(HOST, port, keepalive=5)
        self.client.loop_start()
        wait(lambda: self.there, "the client is let in")

    def hear(self, topic: str, qos: int = 1) -> Client:
        before = self._subscribed
        self._wanted.append((topic, qos))
        self.client.subscribe(topic, qos)
        wait(lambda: self._subscribed > before, "the broker has confirmed the subscription")
        return self

    def say(self, topic: str, text: str, qos: int = 1, *, retain: bool = False) -> None:
        self.client.publish(topic, text, qos, retain).wait_for_publish(WAIT_S)

    def texts(self, topic: str | None = None) -> list[str]:
        with self._changed:
            return [text for where, text in self.heard if topic in (None, where)]

    def await_texts(self, count: int, topic: str | None = None, seconds: float = WAIT_S) -> list[str]:
        wait(lambda: len(self.texts(topic)) >= count, f"{count} messages, not {len(self.texts(topic))}", seconds)
        return self.texts(topic)

    def close(self) -> None:
        self.client.disconnect()
        self.client.loop_stop()

    def _on_connect(self, _client, _data, _flags, reason, _properties) -> None:
        for topic, qos in self._wanted:
            self.client.subscribe(topic, qos)
        self.there = not reason.is_failure

    def _on_message(self, _client, _data, message) -> None:
        with self._changed:
            self.heard.append((message.topic, message.payload.decode()))


def wait(condition: Callable[[], bool], what: str, seconds: float = WAIT_S) -> None:
    deadline_s = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline_s, f"not in time: {what}"
        time.sleep(0.02)

"""A mosquitto with the files that `betline provision` makes: who gets in, and who may say and hear what."""

import contextlib
import shutil
import ssl
import threading
import tomllib
from datetime import UTC, datetime
from pathlib import Path

import paho.mqtt.client as paho
import pytest
from paho.mqtt.enums import CallbackAPIVersion

from betline import topics
from betline.provision import acts
from betline.provision.acts import Wish, provide
from betline.provision.rights import accounts_of
from betline.topics import KINDS
from tests.mosquitto import HOST, needs_mosquitto
from tests.provisioned import NAMES, SIX, TABLE, WAIT_S, House, make

pytestmark = [
    needs_mosquitto,
    pytest.mark.filterwarnings("ignore:.*ssl.SSLSocket:pytest.PytestUnraisableExceptionWarning"),
]
ACCOUNTS = accounts_of(TABLE, virtual=True)


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    house = make(tmp_path_factory.mktemp("house"))
    yield house
    house.stop()


class Client:
    """A program that has a login folder, and says and hears what it likes."""

    def __init__(
        self,
        house: House,
        login: Path,
        *,
        certificate: Path | None = None,
        word: str | None = None,
    ) -> None:
        self.heard: list[tuple[str, str]] = []
        self._changed = threading.Condition()
        self._reason = None
        self._subscribed = False
        user = tomllib.loads((login / "login.toml").read_text())["user"]
        self.client = paho.Client(CallbackAPIVersion.VERSION2, client_id=user)
        self.client.username_pw_set(user, (login / "password").read_text().strip() if word is None else word)
        context = ssl.create_default_context(cafile=str(login / "ca.pem"))
        shown = login if certificate is None else certificate
        if (shown / "cert.pem").exists():
            context.load_cert_chain(shown / "cert.pem", shown / "key.pem")
        self.client.tls_set_context(context)
        self.client.on_connect = lambda _c, _d, _f, reason, _p: self._set("_reason", reason)
        self.client.on_subscribe = lambda *_: self._set("_subscribed", True)
        self.client.on_message = self._on_message
        self.client.on_disconnect = lambda _c, _d, _f, reason, _p: self._set("_reason", self._reason or reason)
        try:
            self.client.connect(HOST, house.port)
        except OSError:
            self.client._reset_sockets()
            raise
        self.client.loop_start()
        self.wait(lambda: self._reason is not None)

    @property
    def let_in(self) -> bool:
        return self._reason is not None and not self._reason.is_failure

    def wait(self, condition) -> None:
        with self._changed:
            assert self._changed.wait_for(condition, WAIT_S)

    def hear_all(self) -> None:
        """Returns once the broker has read all that this client said before."""
        self._subscribed = False
        self.client.subscribe("betline/v1/#")
        self.wait(lambda: self._subscribed)

    def say(self, path: str, payload: str) -> None:
        """Says it without waiting."""
        self.client.publish(NAMES.full(path), payload)

    def leave(self) -> None:
        self.client.disconnect()
        self.client.loop_stop()
        self.client._reset_sockets()

    def _set(self, name, value) -> None:
        with self._changed:
            setattr(self, name, value)
            self._changed.notify_all()

    def _on_message(self, _client, _data, message) -> None:
        with self._changed:
            self.heard.append((message.topic, message.payload.decode()))
            self._changed.notify_all()


def paths(kind) -> list[str]:
    """Topics of the kind: of each device, of a zone for chips and one for cards, of a seat."""
    if kind.named == "thing":
        return list(dict.fromkeys(kind.pattern.replace("+", name) for name in ("1", "seat-1", "board", "some-id")))
    devices = [account.name for account in ACCOUNTS] + ["reader-1", "reader-of-nobody"]
    return [kind.pattern.replace("+", name) for name in devices]


def may_say(account, kind, path) -> bool:
    """By the table of rights, in other words than the access list is made with."""
    name = path.split("/")[kind.pattern.split("/").index("+")] if "+" in kind.pattern else ""
    if account.role not in kind.by:
        return False
    if kind.named == "writer":
        return name == account.name or (
            account.role == "bridge" and name.startswith("reader-") and "nobody" not in name
        )
    if kind.named == "reader":
        return name == "overhead"
    at_the_table = {topics.ZONE_CHIPS: "seat-1", topics.ZONE_TAGS: "board", topics.SEAT_LINE: "1"}
    return name == at_the_table.get(kind, name)


def may_hear(account, kind, path) -> bool:
    return account.role in kind.to and (kind.named != "reader" or f"/{account.name}/" in path)


def test_each_account_says_and_hears_what_is_its_own_and_each_denial_is_in_the_log(house):
    with contextlib.ExitStack() as leaving:
        clients = {account.name: Client(house, house.login(account.name)) for account in ACCOUNTS}
        foreign = Client(house, house.login("console", "other"))
        for client in (*clients.values(), foreign):
            leaving.callback(client.leave)
            assert client.let_in
            client.hear_all()
        denied = house.log.read_text().count("Denied PUBLISH")
        tried = [(one, kind, path) for one in ACCOUNTS for kind in KINDS for path in paths(kind)]
        for account, _, path in tried:
            clients[account.name].say(path, account.name)
        for client in clients.values():
            client.hear_all()
        clients["controller"].say("status", "the end")
        end = (NAMES.full("status"), "the end")
        for client in clients.values():
            client.wait(lambda client=client: end in client.heard)

        let_through = [(one, kind, path) for one, kind, path in tried if may_say(one, kind, path)]
        for account in ACCOUNTS:
            wanted = {(NAMES.full(path), one.name) for one, kind, path in let_through if may_hear(account, kind, path)}
            assert set(clients[account.name].heard) == wanted | {end}, account.name
        assert foreign.heard == []
        assert house.log.read_text().count("Denied PUBLISH") - denied == len(tried) - len(let_through)


def test_an_account_of_another_table_says_nothing_at_this_one(house):
    stranger = Client(house, house.login("controller", "other"))
    console = Client(house, house.login("console"))
    try:
        console.hear_all()
        for kind in KINDS:
            stranger.say(kind.pattern.replace("+", "controller"), "stranger")
        stranger.hear_all()
        console.say("voice/again", "the end")
        console.wait(lambda: (NAMES.full("voice/again"), "the end") in console.heard)
        assert "stranger" not in [payload for _, payload in console.heard]
    finally:
        stranger.leave()
        console.leave()


def refused(house, login, **how) -> bool:
    try:
        client = Client(house, login, **how)
    except (ssl.SSLError, ConnectionError):
        return True
    client.leave()
    return not client.let_in


def test_a_login_needs_its_own_password_and_a_certificate_of_the_houses_authority(house, tmp_path):
    voice = house.login("voice")
    assert not refused(house, voice)
    assert refused(house, voice, word="wrong")
    assert refused(house, voice, word=(house.login("console") / "password").read_text().strip())
    (tmp_path / "none").mkdir()
    assert refused(house, voice, certificate=tmp_path / "none")
    provide(SIX, NAMES, tmp_path / "forged", Wish(certificates=True), datetime.now(UTC))
    assert refused(house, voice, certificate=tmp_path / "forged/voice")


@pytest.mark.nightly
def test_what_was_rotated_or_revoked_lets_nobody_in_and_the_new_login_does(tmp_path):
    house = make(tmp_path)
    try:
        for account in ("console", "display"):
            shutil.copytree(house.login(account), tmp_path / f"stolen-{account}")
            assert not refused(house, tmp_path / f"stolen-{account}")
        acts.rotate(tmp_path / "logins", ("console",), datetime.now(UTC))
        acts.revoke(tmp_path / "logins", ("display",), datetime.now(UTC))
        house.restart()
        assert refused(house, tmp_path / "stolen-console")
        assert refused(house, tmp_path / "stolen-display")
        assert not refused(house, house.login("console"))
        new_word = (house.login("console") / "password").read_text().strip()
        assert refused(house, tmp_path / "stolen-console", word=new_word), "the old certificate still counts"
        assert refused(house, house.login("console"), certificate=tmp_path / "stolen-display")
    finally:
        house.stop()

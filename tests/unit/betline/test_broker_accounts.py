"""The shipped accounts of mosquitto, held against what the programs publish and subscribe to."""

import ast
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from betline import topics
from betline.broker import free_port
from betline.bus import MqttBus
from betline.messages.common import Presence, Reply
from betline.messages.table import Alert
from betline.topics import KINDS, Namespace, topic

ROOT = Path(__file__).parents[3]
ACL = ROOT / "config/broker/mosquitto.acl"
ROLES = ("controller", "bridge", "vision", "console")
OWN = {"controller": "controller", "bridge": "bridge", "vision": "overhead", "console": "console"}
ROOMS = {"bridge": "firmware_bridge", "vision": "vision", "console": "table_controller/console"}


def rights():
    """By account the filters that it may read and write."""
    found = {}
    for line in ACL.read_text().splitlines():
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        if words[0] == "user":
            account = found.setdefault(words[1], {"read": [], "write": []})
        else:
            for access in ("read", "write") if words[1] == "readwrite" else (words[1],):
                account[access].append(words[2])
    return found


def covers(pattern, name):
    mine, theirs = pattern.split("/"), name.split("/")
    if mine[-1] == "#":
        return covers("/".join(mine[:-1]), "/".join(theirs[: len(mine) - 1])) and len(theirs) >= len(mine)
    return len(mine) == len(theirs) and all(m in ("+", t) for m, t in zip(mine, theirs, strict=True))


def may(role, access, path):
    return any(covers(pattern, f"betline/v1/home/oval/{path}") for pattern in rights()[role][access])


def path(kind, role):
    """A topic of the kind as this account's program would publish it."""
    name = OWN[role] if kind.pattern.startswith("device/") and role in kind.by else "other"
    return kind.pattern.replace("+", name)


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.pattern)
def test_an_account_may_write_what_its_program_publishes_and_no_more(kind, role):
    if role == "controller":
        assert may(role, "write", path(kind, role))
        return
    if role == "bridge" and kind in (topics.DEVICE_STATUS, topics.DEVICE_HEALTH):
        assert may(role, "write", path(kind, role))  # its readers' too, whatever they are called
        return
    if kind.pattern.startswith("device/") and role == "console":
        assert may(role, "write", path(kind, role)) or role not in kind.by
        assert role in kind.by or not may(role, "write", kind.pattern.replace("+", "overhead"))
        return
    assert may(role, "write", path(kind, role)) == (role in kind.by)


def test_nobody_but_the_controller_answers_a_command_or_says_how_the_table_stands():
    for kind in (topics.REPLY, topics.STATE, topics.RULING, topics.STATUS, topics.BIRTH, topics.EVENT):
        assert [role for role in ROLES if may(role, "write", kind.pattern.replace("+", "x"))] == ["controller"]


def test_a_display_hears_nothing_of_the_cards_before_the_hand_is_over_and_says_nothing():
    reads = [kind.pattern for kind in KINDS if may("display", "read", kind.pattern.replace("+", "x"))]
    assert topics.STATE.pattern in reads
    for secret in (topics.PRIVATE_CARDS, topics.COMMAND, topics.REPLY, topics.ZONE_CHIPS, topics.RECALL):
        assert secret.pattern not in reads
    assert not rights()["display"]["write"]
    assert may("console", "read", "private/cards")


def used(room):
    """The topics that the sources of a room name."""
    names = {name for name, kind in vars(topics).items() if kind in KINDS}
    found = set()
    for source in (ROOT / room).rglob("*.py"):
        for node in ast.walk(ast.parse(source.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module == "betline.topics":
                found |= {getattr(topics, one.name) for one in node.names if one.name in names}
            of_topics = isinstance(node, ast.Attribute) and ast.unparse(node.value) == "topics"
            if of_topics and node.attr in names:
                found.add(getattr(topics, node.attr))
    return found


@pytest.mark.parametrize("role", ROOMS)
def test_each_topic_that_a_program_names_it_may_read_or_write(role):
    kinds = used(ROOMS[role])
    assert kinds
    for kind in kinds:
        name = kind.pattern.replace("+", OWN[role])
        assert role in kind.by or may(role, "read", name), f"{role} may neither read nor write {name}"


@pytest.mark.skipif(shutil.which("mosquitto") is None, reason="mosquitto is not installed")
def test_mosquitto_lets_a_chip_alert_of_the_bridge_through_and_no_reply_of_the_camera(tmp_path):
    port = free_port()
    passwords = tmp_path / "passwd"
    for role in ROLES:
        flag = [] if passwords.exists() else ["-c"]
        subprocess.run(["mosquitto_passwd", "-b", *flag, str(passwords), role, "secret"], check=True)
    acl = tmp_path / "acl"
    acl.write_text(ACL.read_text())
    acl.chmod(0o600)
    config = tmp_path / "mosquitto.conf"
    config.write_text(
        f"listener {port} 127.0.0.1\nallow_anonymous false\npassword_file {passwords}\nacl_file {acl}\nuser root\n"
    )
    with subprocess.Popen(["mosquitto", "-c", str(config)]) as broker:
        names = Namespace("home", "oval")
        clients = [MqttBus("127.0.0.1", port, names, role, username=role, password="secret") for role in ROLES]
        try:
            assert all(client.wait_connected(8) for client in clients)
            console, heard = clients[3], []
            for kind in (topics.ALERT, topics.REPLY, topics.STATUS):
                console.subscribe(kind, lambda received: heard.append(received.envelope.sender))
            time.sleep(0.3)
            clients[2].publish(
                topic(topics.REPLY, "some-id"), Reply(command_id="x", verb="x", ok=True, code="ok", sentence="")
            )
            clients[2].publish(topic(topics.STATUS), Presence(state="offline"))
            clients[1].publish(topic(topics.ALERT), Alert(severity="error", code="unknown-chip", sentence="x"))
            time.sleep(0.5)
            assert heard == ["bridge"]
        finally:
            for client in clients:
                client.close()
            broker.terminate()

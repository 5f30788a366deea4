"""Webhooks: the signature by the standard's own example, and messages to a real HTTP server, broken or gone."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from betline import topics
from betline.bus import MemoryBus, MemoryHub
from betline.front_door import run
from betline.messages.table import Alert
from betline.messages.views import ActView
from betline.options import UserError
from betline.topics import Namespace, topic
from table_controller.hooks import delivery as delivering
from table_controller.hooks.delivery import Delivery, Target
from table_controller.hooks.service import to_webhook
from table_controller.hooks.signing import Message, secret_of, signature, written
from tests.unit.web.serving import view

ROOT = Path(__file__).parents[3]
NAMES = Namespace("home", "home-six")
SECRET = b"s" * 32
SCHEMA = json.loads((ROOT / "hardware_docs/webhook.schema.json").read_text(encoding="utf-8"))
WAIT_S = 10.0


class Receiver(ThreadingHTTPServer):
    """Somebody else's server: what came, and what it answers, the last answer for good."""

    daemon_threads = True

    def __init__(self, *answers: int) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answers = list(answers)
        self.came: list[tuple[dict[str, str], bytes]] = []

    @property
    def target(self) -> Target:
        return Target("http", "127.0.0.1", self.server_address[1], "/hook")


class _Handler(BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.server.came.append(({name.lower(): value for name, value in self.headers.items()}, body))
        answers = self.server.answers
        self.send_response(answers.pop(0) if len(answers) > 1 else answers[0])
        self.send_header("location", "/elsewhere")
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        """Says nothing."""


@contextmanager
def receiving(*answers: int, pauses_s: tuple[float, ...] = (0.0, 0.0)) -> Iterator[tuple[Receiver, Delivery]]:
    with Receiver(*answers) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        delivery = Delivery(server.target, SECRET, pauses_s, clock=lambda: 1_700_000_000.0)
        delivery.start()
        try:
            yield server, delivery
        finally:
            delivery.stop()
            server.shutdown()


def until(true: Callable[[], bool]) -> None:
    deadline_s = time.monotonic() + WAIT_S
    while not true():
        assert time.monotonic() < deadline_s
        time.sleep(0.005)


def message(number: int = 1) -> Message:
    return Message.of(f"msg_{number}", "act", "2026-01-01T00:00:00.000+00:00", {"seat": number})


def test_the_signature_is_that_of_the_standards_own_example() -> None:
    secret = secret_of("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    body = b'{"test": 2432232314}'
    found = signature(secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, body)
    assert found == "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


@pytest.mark.parametrize("text", ["", "whsec_", "whsec_%%%", "whsec_" + base64.b64encode(b"s" * 23).decode(), "abc"])
def test_what_is_no_secret_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="24 to 64 bytes"):
        secret_of(text)


def test_a_secret_is_read_back() -> None:
    assert secret_of(written(SECRET)) == SECRET


def test_a_message_is_posted_once_signed_under_its_id_and_time() -> None:
    with receiving(204) as (server, delivery):
        delivery.put(message())
        until(lambda: delivery.counts["taken"] == 1)
        [(headers, body)] = server.came
        signed = b".".join((headers["webhook-id"].encode(), headers["webhook-timestamp"].encode(), body))
        right = base64.b64encode(hmac.digest(SECRET, signed, hashlib.sha256)).decode()
        assert headers["webhook-signature"] == f"v1,{right}"
        assert headers["webhook-timestamp"] == "1700000000"


@pytest.mark.parametrize("broken", [500, 302, 404, 429])
def test_what_was_not_taken_is_tried_again_under_the_same_id_and_in_order(broken: int) -> None:
    with receiving(broken, 200) as (server, delivery):
        for number in (1, 2):
            delivery.put(message(number))
        until(lambda: delivery.counts["taken"] == 2)
        assert [headers["webhook-id"] for headers, _ in server.came] == ["msg_1", "msg_1", "msg_2"]
        assert delivery.counts["again"] == 1


def test_a_message_is_given_up_after_the_last_try_and_that_is_said(caplog: pytest.LogCaptureFixture) -> None:
    with receiving(500) as (server, delivery):
        delivery.put(message())
        until(lambda: delivery.counts["given-up"] == 1)
        assert len(server.came) == 3
    assert "did not take a message in 3 tries" in caplog.text


def test_a_receiver_that_wants_no_more_gets_no_more_and_what_is_dropped_is_said(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with receiving(503, 410, pauses_s=(0.5,)) as (server, delivery):
        for number in (1, 2, 3):
            delivery.put(message(number))
        until(lambda: delivery.counts["dropped"] == 2)
        delivery.put(message(4))
        until(lambda: delivery.counts["dropped"] == 3)
        assert [headers["webhook-id"] for headers, _ in server.came] == ["msg_1", "msg_1"]
    assert "wants no more; messages dropped so far: 1" in caplog.text


def test_at_the_end_it_is_said_what_was_not_delivered(caplog: pytest.LogCaptureFixture) -> None:
    with receiving(200, 500, pauses_s=(60.0,)) as (server, delivery):
        for number in (1, 2, 3):
            delivery.put(message(number))
        until(lambda: len(server.came) == 2)
    assert "Not all was delivered: taken 1, given up 0, dropped 0, still waiting 2." in caplog.text


def test_where_all_was_delivered_the_end_says_nothing(caplog: pytest.LogCaptureFixture) -> None:
    with receiving(200) as (_, delivery):
        delivery.put(message())
        until(lambda: delivery.counts["taken"] == 1)
    assert not caplog.records


def test_a_receiver_that_is_not_there_holds_up_nobody_and_what_is_too_much_is_dropped_and_counted(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(delivering, "MOST_WAITING", 3)
    nowhere = Delivery(Target("http", "127.0.0.1", 9, "/"), SECRET, (60.0,))
    began_s = time.monotonic()
    for number in range(10):
        nowhere.put(message(number))
    assert time.monotonic() - began_s < 1
    assert nowhere.counts["dropped"] == 7
    assert "too slow" in caplog.text


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("http://example.com/hook", "https:// only"),
        ("ftp://example.com", "begins with https://"),
        ("example.com", "begins with https://"),
        ("https://ann:secret@example.com/", "holds no password"),
        ("https://example.com:99999/", "is no address"),
    ],
)
def test_an_address_that_would_tell_strangers_is_refused(url: str, why: str) -> None:
    with pytest.raises(UserError, match=why) as refused:
        Target.parse(url)
    assert "secret@" not in str(refused.value)


@pytest.mark.parametrize(
    "url", ["https://example.com/a?b=c", "http://localhost:8080/", "http://127.0.0.1/x", "http://[::1]/"]
)
def test_an_address_is_taken(url: str) -> None:
    assert Target.parse(url).host in ("example.com", "localhost", "127.0.0.1", "::1")


def test_what_happens_at_the_table_is_posted_as_the_schema_says_and_only_what_was_asked_for() -> None:
    hub = MemoryHub()
    controller = MemoryBus(hub, NAMES, "controller")
    with receiving(200) as (server, delivery):
        service = to_webhook(MemoryBus(hub, NAMES, "hooks"), delivery, NAMES, ("act", "alert"))
        service.start()
        act = ActView(seat=2, act="call", to=300, all_in=True, text="Seat 2 calls 300, all-in")
        controller.publish(topic(topics.VIEW, "board"), view(1))
        controller.publish(topic(topics.VIEW, "board"), view(2, last_act=act))
        controller.publish(topic(topics.ALERT), Alert(severity="error", code="reader-down", sentence="Look."))
        for _ in range(3):
            service.pump(1.0)
        until(lambda: delivery.counts["taken"] == 2)
        said = [json.loads(body) for _, body in server.came]
    for one in said:
        jsonschema.validate(one, SCHEMA)
    assert [one["type"] for one in said] == ["betline.act", "betline.alert"]
    assert said[0]["data"] == {
        "site": "home", "table": "home-six", "text": "Seat 2 calls 300, all-in", "seat": 2, "act": "call", "to": 300,
    }  # fmt: skip


def test_the_verb_makes_a_secret_for_its_owner_only_and_tries_an_address(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "hook.secret"
    assert run(["hooks", "--new-secret", str(file)]) == 0
    assert file.stat().st_mode & 0o777 == 0o600
    assert capsys.readouterr().out.strip().endswith(file.read_text(encoding="utf-8").strip())
    assert run(["hooks", "--new-secret", str(file)]) == 1
    with receiving(200, 500) as (server, _):
        url = f"http://127.0.0.1:{server.target.port}/hook"
        assert run(["hooks", "--to", url, "--secret", str(file), "--try"]) == 0
        assert run(["hooks", "--to", url, "--secret", str(file), "--try"]) == 1
        assert json.loads(server.came[0][1])["type"] == "betline.try"
    file.chmod(0o644)
    capsys.readouterr()
    assert run(["hooks", "--to", url, "--secret", str(file), "--try"]) == 2
    assert "Others than its owner" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--to", "https://example.com/"], "--to URL --secret FILE"),
        (["--to", "https://example.com/", "--secret", "x", "--event", "deal"], "--event is one of act"),
        (["--new-secret", "x", "--to", "https://example.com/"], "--to is of no use"),
    ],
)
def test_words_that_do_not_fit_are_refused(words: list[str], why: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["hooks", *words]) == 2
    assert why in capsys.readouterr().err


def test_the_flow_for_node_red_signs_as_we_do() -> None:
    """The body that Node-RED has parsed and writes again is the body that was signed, byte for byte."""
    flow = json.loads((ROOT / "docs/node-red/betline-webhook.json").read_text(encoding="utf-8"))
    assert {wire for node in flow for wires in node.get("wires", []) for wire in wires} <= {node["id"] for node in flow}
    body = message().body
    assert json.dumps(json.loads(body), separators=(",", ":")).encode() == body
    [check] = [node for node in flow if node["type"] == "function"]
    assert "`${id}.${at}.${body}`" in check["func"]


def test_letters_beyond_ascii_are_sent_as_json_stringify_writes_them() -> None:
    """Or Node-RED, which signs what it has parsed and written again, refuses the message."""
    assert "Zoë".encode() in Message.of("m1", "act", "2026-11-27T14:00:00Z", {"text": "Zoë: call 5"}).body

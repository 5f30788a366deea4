"""Who is let in: loopback without codes, TLS and codes beyond it, and the exchange of a code for a cookie."""

from __future__ import annotations

import datetime
import http.client
import json
import ssl
import stat
import time
from pathlib import Path

import pytest

from betline.front_door import run
from betline.options import WRONG_USAGE, UserError
from betline.provision.certificates import for_server, new_authority
from table_controller.web.door import open_door
from table_controller.web.gate import Gate
from table_controller.web.secret import read_tokens, write_tokens
from table_controller.web.server import Tls
from table_controller.web.tokens import token_for
from tests.unit.web.serving import WAIT_S, Events, served, view

SECRET = b"s" * 32


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    """A certificate for table.lan, and its key."""
    now = datetime.datetime.now(datetime.UTC)
    signed = for_server(new_authority("house", now), "web", ["table.lan", "192.0.2.7"], now)
    cert, key = tmp_path / "web.crt", tmp_path / "web.key"
    cert.write_text(signed.cert_pem, encoding="utf-8")
    key.write_text(signed.key_pem, encoding="utf-8")
    key.chmod(0o600)
    return cert, key


# --- where it listens


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.9.1", "localhost", "::1"])
def test_on_this_machine_everybody_may_look(host: str) -> None:
    assert open_door(host, 8420, None, None, None).gate.may_see("seat-1", {}, 0)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.7", "table.lan"])
def test_beyond_this_machine_it_wants_tls_then_tokens(host: str, pair: tuple[Path, Path]) -> None:
    with pytest.raises(UserError, match="with TLS only: give --cert and --key"):
        open_door(host, 8420, None, None, SECRET)
    with pytest.raises(UserError, match="--new-tokens"):
        open_door(host, 8420, *pair, None)

    assert not open_door(host, 8420, *pair, SECRET).gate.may_see("board", {}, 0)


def test_it_is_called_by_the_names_of_its_certificate(pair: tuple[Path, Path]) -> None:
    door = open_door("0.0.0.0", 8420, *pair, SECRET)

    assert door.url == "https://table.lan:8420"
    assert all(door.gate.is_called(host) for host in ("table.lan:8420", "TABLE.lan", "192.0.2.7:8420", "127.0.0.1:1"))
    assert not any(door.gate.is_called(host) for host in ("evil.example", "0.0.0.0:8420", "", "[", "table.lan.evil"))


def test_a_server_for_all_addresses_names_one_that_can_be_opened(tmp_path: Path) -> None:
    now = datetime.datetime.now(datetime.UTC)
    signed = for_server(new_authority("house", now), "web", ["localhost"], now)
    cert, key = tmp_path / "web.crt", tmp_path / "web.key"
    cert.write_text(signed.cert_pem, encoding="utf-8")
    key.write_text(signed.key_pem, encoding="utf-8")
    key.chmod(0o600)

    assert open_door("0.0.0.0", 8420, cert, key, SECRET).url == "https://localhost:8420"


def test_a_key_that_others_can_read_is_refused(pair: tuple[Path, Path]) -> None:
    pair[1].chmod(0o640)

    with pytest.raises(UserError, match="chmod 600"):
        open_door("0.0.0.0", 8420, *pair, SECRET)


def test_files_that_do_not_belong_together_are_refused(pair: tuple[Path, Path]) -> None:
    pair[0].write_text("no certificate", encoding="utf-8")

    with pytest.raises(UserError, match="cannot be used together"):
        open_door("0.0.0.0", 8420, *pair, SECRET)


def test_the_verb_refuses_an_open_door_with_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["web", "--host", "0.0.0.0", "--table", "home-six"]) == WRONG_USAGE
    assert capsys.readouterr().err.startswith("betline: Beyond this machine the pages are served with TLS only")


# --- the file


def test_new_tokens_are_for_their_owner_only_and_end_the_old_ones(tmp_path: Path) -> None:
    file = tmp_path / "web.tokens"

    write_tokens(file)
    first = read_tokens(file)
    write_tokens(file)

    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert read_tokens(file) != first


@pytest.mark.parametrize("content", ["", "betline-web-1:", "betline-web-1:AAAA", "betline-web-1:?", "c" * 44])
def test_a_file_of_something_else_is_refused(content: str, tmp_path: Path) -> None:
    file = tmp_path / "web.tokens"
    file.write_text(content, encoding="utf-8")
    file.chmod(0o600)

    with pytest.raises(UserError):
        read_tokens(file)


def test_a_file_that_others_can_read_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "web.tokens"
    write_tokens(file)
    file.chmod(0o644)

    with pytest.raises(UserError, match="chmod 600"):
        read_tokens(file)


# --- codes for cookies


def test_a_code_becomes_a_cookie_that_opens_its_own_seat() -> None:
    with served(Gate(SECRET)) as server:
        token = json.dumps({"token": token_for(SECRET, "seat-2")})
        closed, _, sentence = server.ask("/events/seat-2")
        status, headers, _ = server.ask("/enter", "POST", token, origin=server.origin)
        cookie = headers["set-cookie"]
        kept = cookie.partition(";")[0]

        assert (closed, status) == (401, 200)
        assert b"scan the QR code" in sentence
        assert all(part in cookie.lower() for part in ("httponly", "samesite=strict", "path=/", "max-age=86400"))
        assert server.ask("/events/seat-2", "HEAD", cookie=kept)[0] == 200
        assert server.ask("/events/board", "HEAD", cookie=kept)[0] == 200
        assert server.ask("/events/seat-3", "HEAD", cookie=kept)[0] == 401
        assert server.ask("/events/overlay", "HEAD", cookie=kept)[0] == 401
        assert server.web.refused == {"pass": 3}


@pytest.mark.parametrize(
    "body", ["", "{", "[]", '{"token": 1}', '{"token": "floor.AAAA"}', '{"token": "' + "a" * 4000 + '"}', "[" * 4000]
)
def test_a_bad_code_opens_nothing_and_is_counted(body: str) -> None:
    with served(Gate(SECRET)) as server:
        status, headers, _ = server.ask("/enter", "POST", body, origin=server.origin)

        assert status == 403
        assert "set-cookie" not in headers
        assert server.web.refused == {"token": 1}


@pytest.mark.parametrize("origin", [None, "http://evil.example", "null", "https://127.0.0.1"])
def test_a_page_of_another_server_cannot_ask(origin: str | None) -> None:
    with served(Gate(SECRET)) as server:
        token = json.dumps({"token": token_for(SECRET, "floor")})
        headers = {} if origin is None else {"origin": origin}

        assert server.ask("/enter", "POST", token, **headers)[0] == 403
        assert server.web.refused == {"origin": 1}


def test_a_page_of_another_server_cannot_read_but_may_link() -> None:
    with served() as server:
        strange = {"sec_fetch_site": "cross-site"}

        assert server.ask("/files/live.js", sec_fetch_mode="no-cors", **strange)[0] == 403
        assert server.ask("/board", sec_fetch_mode="navigate", **strange)[0] == 200


def test_a_request_under_another_name_is_refused() -> None:
    with served() as server:
        assert server.ask("/board", host="evil.example")[0] == 421
        assert server.web.refused == {"host": 1}


def test_with_tls_a_page_is_served_and_followed(pair: tuple[Path, Path]) -> None:
    gate = Gate(SECRET, tls=True)
    trusting = ssl.create_default_context()
    trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE  # what is asked here is whether it answers
    with served(gate, Tls(*pair)) as server:
        server.says(view(1))
        cookie = f"{gate.cookie_name('board')}={gate.new_pass('board', time.time())}"
        line = http.client.HTTPSConnection("127.0.0.1", server.port, timeout=WAIT_S, context=trusting)
        line.request("GET", "/board")
        page = line.getresponse()
        assert (page.status, page.getheader("strict-transport-security")) == (200, "max-age=31536000")
        assert b"<title>Board" in page.read()
        line.request("GET", "/events/board", headers={"cookie": cookie})
        events = Events(line.getresponse())
        for version in range(2, 30):
            server.says(view(version, game="x" * 20_000))

        assert events.until(29)["view"]["version"] == 29
        line.close()


def test_with_tls_the_cookie_belongs_to_this_host_alone() -> None:
    gate = Gate(SECRET, tls=True)

    assert gate.cookie_name("floor") == "__Host-betline-floor"
    assert gate.is_own("https://localhost:8420", "localhost:8420")
    assert not gate.is_own("http://localhost:8420", "localhost:8420")

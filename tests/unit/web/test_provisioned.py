"""The pages with the certificate of `betline provision`: who knows the house's authority gets in, others do not."""

from __future__ import annotations

import contextlib
import http.client
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import psutil
import pytest
from websockets.sync.client import connect

from betline.broker import free_port
from betline.options import WRONG_USAGE
from betline.provision.acts import Wish, provide
from table_controller.web.door import open_door
from table_controller.web.gate import Gate
from table_controller.web.secret import read_tokens, write_tokens
from table_controller.web.tokens import DEALER
from tests.mosquitto import needs_mosquitto
from tests.provisioned import NAMES, TABLE, listens, make
from tests.unit.web.serving import WAIT_S

pytestmark = needs_mosquitto
NAME = "table.lan"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, int]]:
    """`betline web` beside a provisioned mosquitto: the folder of logins, and where the pages are."""
    folder = tmp_path_factory.mktemp("house")
    mosquitto = make(folder)
    logins, port = folder / "logins", free_port()
    provide(TABLE, NAMES, logins, Wish(web_hosts=(NAME,)), datetime.now(UTC))
    write_tokens(logins / "web/web.tokens")
    files = [
        f"--{word}={logins}/web/web.{end}" for word, end in (("cert", "crt"), ("key", "key"), ("tokens", "tokens"))
    ]
    line = ["web", "--table", "home-six", "--login", str(logins), "--host", "0.0.0.0", "--port", str(port), *files]
    line += ["--console"]
    pages = subprocess.Popen([sys.executable, "-m", "betline", *line], stderr=subprocess.PIPE, text=True)
    try:
        deadline = time.monotonic() + WAIT_S
        while not listens(port):
            assert pages.poll() is None, pages.stderr.read() if pages.stderr else ""
            assert time.monotonic() < deadline
            time.sleep(0.05)
        yield logins, port
    finally:
        pages.terminate()
        pages.communicate()
        mosquitto.stop()


def page(port: int, context: ssl.SSLContext, called: str = NAME) -> bytes:
    """The board's page as a browser asks for it that reaches the server under this name."""
    line = http.client.HTTPSConnection(called, port, timeout=WAIT_S, context=context)
    line.sock = context.wrap_socket(socket.create_connection(("127.0.0.1", port), WAIT_S), server_hostname=called)
    try:
        line.request("GET", "/board")
        answer = line.getresponse()
        assert answer.status == 200
        return answer.read()
    finally:
        line.close()


def trusting(logins: Path) -> ssl.SSLContext:
    """As strict as a client can be, with the authority that a phone is given."""
    context = ssl.create_default_context(cafile=str(logins / "web/ca.pem"))
    context.verify_flags |= ssl.VERIFY_X509_STRICT
    return context


@pytest.mark.parametrize("called", [NAME, "localhost", "127.0.0.1"])
def test_who_knows_the_authority_gets_the_page_under_each_of_its_names(house: tuple[Path, int], called: str) -> None:
    logins, port = house

    assert b"<title>Board" in page(port, trusting(logins), called)


def test_who_does_not_know_it_refuses_the_server(house: tuple[Path, int]) -> None:
    _, port = house

    with pytest.raises(ssl.SSLCertVerificationError, match="unable to get local issuer certificate"):
        page(port, ssl.create_default_context())


def test_another_name_is_refused_also_by_who_knows_it(house: tuple[Path, int]) -> None:
    logins, port = house

    with pytest.raises(ssl.SSLCertVerificationError, match="Hostname mismatch"):
        page(port, trusting(logins), "other.lan")


def answered_by_the_broker(logins: Path, cert: str, key: str) -> bytes:
    """What mosquitto says to a CONNECT without a user (MQTT 3.1.1, 3.1) from who shows this certificate."""
    port = int((logins / "mosquitto/mosquitto.conf").read_text().partition("listener ")[2].split()[0])
    context = trusting(logins)
    context.load_cert_chain(logins / cert, logins / key)
    with (
        socket.create_connection(("127.0.0.1", port), WAIT_S) as line,
        context.wrap_socket(line, server_hostname="localhost") as secured,
    ):
        try:
            secured.sendall(b"\x10\x0c\x00\x04MQTT\x04\x02\x00\x3c\x00\x00")
            return secured.recv(4)
        except (ssl.SSLError, ConnectionError):
            return b""


def test_the_certificate_of_the_pages_lets_nobody_speak_to_the_broker(house: tuple[Path, int]) -> None:
    """One authority signs for both: who has the machine of the pages is no program for that."""
    logins, _ = house

    assert answered_by_the_broker(logins, "console/cert.pem", "console/key.pem") == b"\x20\x02\x00\x05"
    assert answered_by_the_broker(logins, "web/web.crt", "web/web.key") == b""


def test_one_that_has_expired_is_refused_with_what_to_do(tmp_path: Path) -> None:
    provide(TABLE, NAMES, tmp_path, Wish(web_hosts=(NAME,)), datetime(2020, 1, 1, tzinfo=UTC))
    write_tokens(tmp_path / "web/web.tokens")
    command = [sys.executable, "-m", "betline", "web", "--host", "0.0.0.0", "--table", "home-six"]
    files = [
        f"--{word}={tmp_path}/web/web.{end}" for word, end in (("cert", "crt"), ("key", "key"), ("tokens", "tokens"))
    ]
    done = subprocess.run([*command, *files], capture_output=True, text=True, check=False)

    assert done.returncode == WRONG_USAGE
    assert "has expired on 2021-12-31: browsers refuse it. Renew it (betline provision renew" in done.stderr


def test_its_address_is_the_name_that_was_given_first(house: tuple[Path, int]) -> None:
    logins, _ = house

    assert (
        open_door("0.0.0.0", 8420, logins / "web/web.crt", logins / "web/web.key", b"s" * 32).url
        == f"https://{NAME}:8420"
    )


@pytest.mark.nightly
def test_a_console_in_a_browser_has_the_logins_of_the_server_and_shows_none_of_them(house: tuple[Path, int]) -> None:
    logins, port = house
    gate = Gate(read_tokens(logins / "web/web.tokens"), tls=True)
    cookie = f"{gate.cookie_name(DEALER)}={gate.new_pass(DEALER, time.time())}"
    with connect(
        f"wss://{NAME}:{port}/console/line?columns=100&rows=30",
        sock=socket.create_connection(("127.0.0.1", port), WAIT_S),
        ssl=trusting(logins),
        server_hostname=NAME,
        origin=f"https://{NAME}:{port}",  # type: ignore[arg-type]
        additional_headers={"cookie": cookie},
    ) as line:
        shown = b""
        while b"NO CONTROLLER" not in shown:  # the broker has let it in, and nobody plays there
            shown += line.recv(WAIT_S)  # type: ignore[operator]
        [console] = [one for one in psutil.process_iter() if _is_console(one, str(logins))]
        password = next((logins / "console").glob("password*")).read_text().strip()
        assert len(password) > 8
        assert password not in "\0".join((*console.cmdline(), *console.environ().values()))
    console.wait(WAIT_S)


def _is_console(process: psutil.Process, logins: str) -> bool:
    with contextlib.suppress(psutil.Error):
        words = process.cmdline()
        return "betline.supervise" in words and "console" in words and logins in words
    return False

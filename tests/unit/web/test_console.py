"""The line between a browser and its console: whom it is opened for, and what ends it. The console is the test's."""

from __future__ import annotations

import asyncio
import contextlib
import json
import ssl
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from betline.options import WRONG_USAGE
from table_controller.web.console import Consoles
from table_controller.web.gate import Gate
from table_controller.web.guard import LONGEST_BODY
from table_controller.web.packets import NoPackets, sized, typed
from table_controller.web.refused import Refused
from table_controller.web.server import Tls
from table_controller.web.strokes import MOST_TYPED
from table_controller.web.tokens import DEALER, pass_for, seat_role
from tests.unit.web.serving import WAIT_S, Served, served
from tests.unit.web.test_door import pair

__all__ = ["pair"]

SECRET = b"s" * 32
SIZE = "/console/line?columns=100&rows=30"


class Fake:
    """In place of a console: shows what the test puts in, keeps what it was given."""

    def __init__(self, columns: int, rows: int) -> None:
        self.size = columns, rows
        self.loop = asyncio.get_running_loop()
        self.queue: asyncio.Queue[bytes | Exception | None] = asyncio.Queue()
        self.queue.put_nowait(b"Seat 3 to act")
        self.given: list[bytes] = []
        self.refused: list[str] = []
        self.words, self.takes, self.ended, self.read = "", True, False, 0

    def puts(self, what: bytes | Exception | None) -> None:
        self.loop.call_soon_threadsafe(self.queue.put_nowait, what)

    async def shown(self) -> AsyncIterator[bytes]:
        while (what := await self.queue.get()) is not None:
            if isinstance(what, Exception):
                raise what
            self.read += 1
            yield what

    async def give(self, packet: bytes) -> bool:
        self.given.append(packet)
        return self.takes

    async def last_words(self) -> str:
        return self.words

    async def end(self) -> None:
        self.ended = True


class House:
    """A server with consoles of the test."""

    def __init__(self, server: Served, consoles: Consoles, made: list[Fake]) -> None:
        self.server, self.consoles, self.made = server, consoles, made

    @contextmanager
    def line(self, address: str = SIZE, cookie: str = "", **wrong: str) -> Iterator[ClientConnection]:
        headers = {**({"cookie": cookie} if cookie else {}), **({"host": wrong["host"]} if "host" in wrong else {})}
        origin: Any = wrong.get("origin", self.server.origin) or None
        url = f"ws://127.0.0.1:{self.server.port}{address}"
        with connect(url, origin=origin, additional_headers=headers, open_timeout=WAIT_S, proxy=None) as one:
            yield one

    def refusal(self, address: str = SIZE, **how: str) -> tuple[int, str]:
        """With what status and words a line is refused."""
        with pytest.raises(InvalidStatus) as caught, self.line(address, **how):
            pass
        return caught.value.response.status_code, (caught.value.response.body or b"").decode()

    def waits(self, true: Callable[[], bool]) -> None:
        deadline_s = time.monotonic() + WAIT_S
        while not true():
            assert time.monotonic() < deadline_s
            time.sleep(0.01)


@contextmanager
def house(gate: Gate | None = None, **bounds: Any) -> Iterator[House]:
    made: list[Fake] = []

    async def starts(columns: int, rows: int) -> Fake:
        made.append(Fake(columns, rows))
        return made[-1]

    consoles = Consoles(starts, Gate(), Refused(), **bounds)
    with served(gate, console=consoles) as server:
        yield House(server, consoles, made)


def closed(line: ClientConnection) -> tuple[int, str]:
    """With what code and words a line is closed."""
    with contextlib.suppress(ConnectionClosed):
        while True:
            line.recv(WAIT_S)
    assert line.close_code is not None
    return line.close_code, line.close_reason or ""


def test_what_the_console_shows_reaches_the_browser_and_what_is_typed_the_console() -> None:
    with house() as one:
        with one.line() as line:
            assert line.recv(WAIT_S) == b"Seat 3 to act"
            [console] = one.made
            assert console.size == (100, 30)
            line.send('["size", 120, 40]')
            line.send('["typed", "c"]')
            one.waits(lambda: len(console.given) == 2)
            assert console.given == [sized(120, 40), typed("c")]
        one.waits(lambda: console.ended)
        one.waits(lambda: one.consoles.open == 0)


def test_without_the_staffs_code_no_console_is_started() -> None:
    soon = int(time.time()) + 60
    with house(Gate(SECRET)) as one:
        for role in ("", seat_role(3), "board"):
            cookie = f"betline-{role}={pass_for(SECRET, role, soon)}" if role else ""
            assert one.refusal(cookie=cookie) == (
                401,
                "The console is for the staff: open its link with the code again.\n",
            )
            status, _, said = one.server.ask("/console/ready", **({"cookie": cookie} if cookie else {}))
            assert (status, b"for the staff" in said) == (401, True)
        assert not one.made
        assert one.server.web.refused["pass"] == 6
        with one.line(cookie=f"betline-dealer={pass_for(SECRET, DEALER, soon)}") as line:
            assert line.recv(WAIT_S)


def test_a_pass_that_expires_ends_its_console() -> None:
    with house(Gate(SECRET)) as one:
        soon = int(time.time()) + 2
        with one.line(cookie=f"betline-dealer={pass_for(SECRET, DEALER, soon)}") as line:
            assert closed(line) == (1008, "The code of this browser has expired: open the console's link again.")
            assert time.time() >= soon
        assert one.made[0].ended
        assert one.refusal(cookie=f"betline-dealer={pass_for(SECRET, DEALER, soon)}")[0] == 401


@pytest.mark.parametrize("origin", ["http://elsewhere.example", "https://127.0.0.1", "null", ""])
def test_another_servers_page_gets_no_console(origin: str) -> None:
    with house() as one:
        assert one.refusal(origin=origin)[0] == 403
        assert one.server.web.refused["origin"] == 1
        assert not one.made


def test_under_another_name_there_is_no_console() -> None:
    with house() as one:
        name = f"elsewhere.example:{one.server.port}"
        line = f"GET {SIZE} HTTP/1.1\r\nHost: {name}\r\nOrigin: http://{name}\r\nConnection: Upgrade\r\n"
        assert b" 403 " in handshake(one.server.port, line)
        assert b" 101 " in handshake(one.server.port, line.replace(name, f"localhost:{one.server.port}"))
        assert one.server.web.refused["host"] == 1
        one.waits(lambda: len(one.made) == 1)


def handshake(port: int, head: str) -> bytes:
    """The first line of the answer to a handshake that says what no client of ours would."""
    import socket

    more = "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    with socket.create_connection(("127.0.0.1", port), WAIT_S) as line:
        line.sendall((head + more).encode())
        return line.recv(4096).partition(b"\r\n")[0]


def test_one_browser_more_than_there_are_consoles_is_refused_in_words() -> None:
    with house(most=2) as one:
        with one.line() as first, one.line() as second:
            assert first.recv(WAIT_S)
            assert second.recv(WAIT_S)
            assert one.refusal() == (503, "All 2 consoles are in use: close one that is not needed.\n")
            assert one.server.ask("/console/ready")[0] == 503
        one.waits(lambda: one.consoles.open == 0)
        with one.line() as third:
            assert third.recv(WAIT_S)
        assert len(one.made) == 3


@pytest.mark.parametrize("size", ["", "?columns=100", "?columns=100&rows=9999", "?columns=x&rows=y"])
def test_a_screen_that_cannot_be_is_refused(size: str) -> None:
    with house() as one:
        assert one.refusal(f"/console/line{size}") == (400, "No screen has that size.\n")


@pytest.mark.parametrize("said", ["x", '["quit"]', json.dumps(["typed", "x" * (MOST_TYPED + 1)]), b"\0\1"])
def test_what_a_page_never_says_ends_the_console_and_goes_no_further(said: str | bytes) -> None:
    with house() as one, one.line() as line:
        line.send(said)
        assert closed(line) == (1008, "The page said something that is not understood: load it again.")
        assert one.server.web.refused["stroke"] == 1
        assert not one.made[0].given


def test_a_message_that_is_too_long_is_not_read() -> None:
    with house() as one, one.line() as line:
        line.send("x" * (LONGEST_BODY + 1))
        assert closed(line)[0] == 1009
        one.waits(lambda: one.made[0].ended)
        assert not one.made[0].given


def test_a_console_that_nobody_uses_is_closed_though_the_page_is_open() -> None:
    with house(idle_s=0.6) as one, one.line() as line:
        began_s = time.monotonic()
        for _ in range(3):
            time.sleep(0.15)
            line.send('["typed", "a"]')
        with contextlib.suppress(ConnectionClosed):
            while time.monotonic() < began_s + 5.0:  # a page that only lies open says its size all the while
                time.sleep(0.15)
                line.send('["size", 100, 30]')
        assert 1.0 < time.monotonic() - began_s < 5.0
        assert closed(line) == (
            1008,
            "Nobody has used this console for a quarter of an hour: it was closed, signed out.",
        )
        assert one.made[0].ended


def test_a_browser_that_takes_nothing_stops_the_reading_and_is_let_go() -> None:
    with house(takes_s=1.0) as one:
        line = connect(
            f"ws://127.0.0.1:{one.server.port}{SIZE}",
            origin=one.server.origin,
            max_queue=1,
            compression=None,
            proxy=None,  # type: ignore[arg-type]
        )
        one.waits(lambda: len(one.made) == 1)
        console = one.made[0]
        for _ in range(600):
            console.puts(b"x" * 32_768)
        one.waits(lambda: console.ended)
        assert console.read < 300
        assert one.server.web.refused["slow"] == 1
        line.socket.close()


@pytest.mark.parametrize(
    ("ends", "words", "code", "why"),
    [
        (None, "", 1000, "The console was closed."),
        (None, "The table home is not known.", 1000, "The table home is not known."),
        (NoPackets("It sent nonsense."), "", 1008, "The console ended: it could not be understood."),
    ],
)
def test_how_a_console_has_ended_is_said_in_words(ends: Exception | None, words: str, code: int, why: str) -> None:
    with house() as one, one.line() as line:
        assert line.recv(WAIT_S)
        one.made[0].words = words
        one.made[0].puts(ends)
        assert closed(line) == (code, why)
        assert one.made[0].ended


def test_a_long_sentence_is_cut_where_a_character_ends() -> None:
    with house() as one, one.line() as line:
        assert line.recv(WAIT_S)
        one.made[0].words = "ä" * 200
        one.made[0].puts(None)
        assert closed(line) == (1000, "ä" * 60)


def test_addresses_and_files_of_a_console_reach_no_browser() -> None:
    with house() as one:
        with one.line() as line:
            assert line.recv(WAIT_S)
            one.made[0].refused += ["open_url", "deliver_file_start"]
            one.made[0].puts(None)
            assert closed(line)[0] == 1000
        assert one.server.web.refused["wants"] == 2


def test_a_console_that_cannot_be_started_is_said() -> None:
    async def starts(columns: int, rows: int) -> Fake:
        raise OSError(12, "Cannot allocate memory")

    consoles = Consoles(starts, Gate(), Refused())
    with served(console=consoles) as server:
        one = House(server, consoles, [])
        with one.line() as line:
            assert closed(line) == (1008, "The console could not be started (Cannot allocate memory).")
        one.waits(lambda: consoles.open == 0)


def test_the_console_is_there_only_where_it_was_asked_for() -> None:
    with served() as server:
        assert server.ask("/console")[0] == 404
        assert server.ask("/console/ready")[0] == 404
        assert json.loads(server.ask("/table")[2])["console"] is False
    with house() as one:
        assert one.server.ask("/console")[0] == 200
        assert json.loads(one.server.ask("/table")[2])["console"] is True


def test_only_the_consoles_page_may_have_styles_of_its_script_and_no_page_scripts_of_its_own() -> None:
    with house() as one:
        of_console = one.server.ask("/console")[1]["content-security-policy"]
        of_board = one.server.ask("/board")[1]["content-security-policy"]
        strange = one.server.ask("/console", host="localhost; script-src *")[1]["content-security-policy"]
    assert "script-src 'self';" in of_console
    assert f"connect-src 'self' ws://127.0.0.1:{one.server.port};" in of_console
    assert "frame-ancestors 'none'" in of_console
    assert "style-src 'self' 'unsafe-inline';" in of_console
    assert "unsafe" not in of_board
    assert "*" not in strange


def test_the_server_takes_its_consoles_with_it() -> None:
    with house() as one:
        line = connect(f"ws://127.0.0.1:{one.server.port}{SIZE}", origin=one.server.origin, proxy=None)  # type: ignore[arg-type]
        assert line.recv(WAIT_S)
    assert one.made[0].ended
    assert closed(line)[0] == 1012


def test_the_floor_has_a_line_of_its_own_for_the_staff() -> None:
    made: list[Fake] = []

    async def starts(columns: int, rows: int) -> Fake:
        made.append(Fake(columns, rows))
        return made[-1]

    floor = Consoles(starts, Gate(SECRET), Refused(), "/floor", "floor screen")
    with served(Gate(SECRET), floor=floor) as server:
        assert server.ask("/console")[0] == 404
        assert server.ask("/floor")[0] == 200
        assert "'unsafe-inline'" in server.ask("/floor")[1]["content-security-policy"]
        status, _, said = server.ask("/floor/ready")
        assert (status, said) == (401, b"The floor screen is for the staff: open its link with the code again.\n")
        assert not made
    with served(floor=floor) as server:
        where = f"ws://127.0.0.1:{server.port}/floor/line?columns=100&rows=30"
        with connect(where, origin=server.origin, proxy=None) as line:  # type: ignore[arg-type]
            assert line.recv(WAIT_S) == b"Seat 3 to act"


def test_new_tokens_beside_console_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    from betline.front_door import run

    assert run(["web", "--new-tokens", "x", "--console"]) == WRONG_USAGE
    assert "--console is of no use with --new-tokens" in capsys.readouterr().err


def test_the_file_of_a_site_is_for_the_floor_and_of_this_site(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from betline.front_door import run

    file = tmp_path / "site.toml"
    file.write_text(
        'name = "grand"\ntime_zone = "UTC"\nbroker = { hosts = ["site.lan"] }\n[[pits]]\nname = "pit-a"\n'
        'hosts = ["a.lan"]\ntables = [{ name = "t1", file = "home-six" }]\n'
    )
    assert run(["web", "--site-file", str(file)]) == WRONG_USAGE
    assert "add --floor" in capsys.readouterr().err
    assert run(["web", "--floor", "--site", "pier", "--site-file", str(file)]) == WRONG_USAGE
    assert "is of the site grand" in capsys.readouterr().err


def test_with_tls_the_staffs_cookie_of_this_host_opens_a_console(pair: tuple[Path, Path]) -> None:
    gate, trusting = Gate(SECRET, tls=True), ssl.create_default_context()
    trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE  # what is asked here is whether it answers
    made: list[Fake] = []

    async def starts(columns: int, rows: int) -> Fake:
        made.append(Fake(columns, rows))
        return made[-1]

    cookie = f"{gate.cookie_name(DEALER)}={gate.new_pass(DEALER, time.time())}"
    with served(gate, Tls(*pair), console=Consoles(starts, gate, Refused())) as server:
        url, origin = f"wss://127.0.0.1:{server.port}{SIZE}", f"https://127.0.0.1:{server.port}"
        more = {"cookie": cookie}
        with connect(url, ssl=trusting, origin=origin, additional_headers=more, proxy=None) as line:  # type: ignore[arg-type]
            assert line.recv(WAIT_S) == b"Seat 3 to act"
            for _ in range(40):
                made[0].puts(b"x" * 32_768)
            assert sum(len(line.recv(WAIT_S)) for _ in range(40)) == 40 * 32_768
        with (
            pytest.raises(InvalidStatus),
            connect(url, ssl=trusting, origin=server.origin, additional_headers=more, proxy=None),
        ):  # type: ignore[arg-type]
            pass

"""The staff's remote over HTTP: lent to a browser, followed, typed for; the true session answers at the other end."""

from __future__ import annotations

import asyncio
import http.client
import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from starlette.requests import Request

from betline.bus import MemoryBus
from table_controller.remote.rooms import IDLE_S, Rooms
from table_controller.web.channels import Channels
from table_controller.web.gate import Gate
from table_controller.web.refused import Refused
from table_controller.web.remote import COOKIE, Remotes
from table_controller.web.tokens import DEALER, seat_role, token_for
from tests.unit.console.controller import TABLE, Controller
from tests.unit.web.serving import NAMES, WAIT_S, Events, Served, served

SECRET = b"s" * 32


@contextmanager
def desk(gate: Gate | None = None) -> Iterator[tuple[Served, Controller]]:
    """A server with remotes, and the session of its table."""
    with served(gate, remote_for=TABLE) as server:
        yield server, Controller(MemoryBus(server.hub, NAMES, "controller"))


class Phone:
    """One browser that has a remote."""

    def __init__(self, server: Served, cookie: str = "") -> None:
        self.server, self.cookie = server, cookie
        status, headers, said = self.post("/remote/begin")
        assert status == 204, said
        self.cookie = "; ".join(filter(None, (cookie, headers.get("set-cookie", "").partition(";")[0])))

    def post(self, path: str, **said: str) -> tuple[int, dict[str, str], str]:
        headers = {"origin": self.server.origin, **({"cookie": self.cookie} if self.cookie else {})}
        status, found, body = self.server.ask(path, "POST", json.dumps(said), **headers)
        return status, found, body.decode()

    def type(self, line: str) -> None:
        status, _, said = self.post("/remote/line", line=line)
        assert status == 204, said

    @contextmanager
    def following(self) -> Iterator[Callable[[Callable[[dict[str, Any]], bool]], dict[str, Any]]]:
        """What waits for the first news that fit."""
        line = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=WAIT_S)
        line.request("GET", "/remote/events", headers={"cookie": self.cookie})
        events = Events(line.getresponse())

        def until(fits: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
            while not fits(news := events.news()):
                pass
            return news

        try:
            yield until
        finally:
            line.close()


def told(text: str) -> Callable[[dict[str, Any]], bool]:
    return lambda news: any(text in one["text"] for one in news["lines"])


def test_a_hand_is_begun_and_played_from_a_phone_by_the_consoles_path() -> None:
    with desk() as (server, controller):
        phone = Phone(server)
        with phone.following() as until:
            for line in ("1 e s 200 Ann", "2 e s 200 Bob", "3 e s 200 Cleo", "next hand", "deal"):
                phone.type(line)
            news = until(lambda news: any(key["words"] == "fold" for key in news["keys"]))
            assert any("call 10" in line for line in news["now"])
            assert [(one["seat"], one["name"]) for one in news["seats"]] == [(1, "Ann"), (2, "Bob"), (3, "Cleo")]
            phone.type("3 30")
            until(told("Seat 1 raises to 30"))
            phone.type("fold")
            until(told("Seat 2 folds"))
    assert controller.replies[-1].ok


def test_what_the_console_refuses_is_refused_in_the_same_words() -> None:
    with desk() as (server, controller):
        phone = Phone(server)
        with phone.following() as until:
            phone.type("1 e s 9000 Ann")
            until(told("not 9000."))
        assert controller.replies[-1].sentence == "At most 2000 may be in front of a seat, not 9000."


def test_a_key_that_needs_an_amount_asks_for_it_and_can_be_left() -> None:
    with desk() as (server, _):
        phone = Phone(server)
        with phone.following() as until:
            for line in ("1 e s 200 Ann", "2 e s 200 Bob", "next hand", "deal", "3"):
                phone.type(line)
            news = until(lambda news: bool(news["asks"]))
            assert news["asks"]
            phone.type("cancel")
            until(lambda news: not news["asks"])


def test_two_phones_have_a_remote_each() -> None:
    with desk() as (server, _):
        one, other = Phone(server), Phone(server)
        assert one.cookie != other.cookie
        with other.following() as until:
            one.type("?")
            one.type("1 e s 200 Ann")
            news = until(lambda news: bool(news["seats"]))
            assert not any("lists stacks" in line["text"] for line in news["lines"])


def test_without_the_staffs_code_there_is_no_remote() -> None:
    with desk(Gate(SECRET)) as (server, _):
        for role in ("", seat_role(3), "board"):
            cookie = ""
            if role:
                body = json.dumps({"token": token_for(SECRET, role)})
                _, headers, _ = server.ask("/enter", "POST", body, origin=server.origin)
                cookie = headers["set-cookie"].partition(";")[0]
            more = {"cookie": cookie} if cookie else {}
            status, _, said = server.ask("/remote/begin", "POST", "{}", origin=server.origin, **more)
            assert (status, b"for the staff" in said) == (401, True)
            assert server.ask("/remote/events", **more)[0] == 401
            assert server.ask("/remote/line", "POST", '{"line": "fold"}', origin=server.origin, **more)[0] == 401
        assert server.web.refused["pass"] == 9


def test_with_it_a_browser_is_lent_one_under_a_cookie_that_no_script_reads() -> None:
    with desk(Gate(SECRET)) as (server, _):
        body = json.dumps({"token": token_for(SECRET, DEALER)})
        _, headers, _ = server.ask("/enter", "POST", body, origin=server.origin)
        staff = headers["set-cookie"].partition(";")[0]
        status, headers, _ = server.ask("/remote/begin", "POST", "{}", origin=server.origin, cookie=staff)
        assert status == 204
        assert {"httponly", "samesite=strict"} <= {part.strip().lower() for part in headers["set-cookie"].split(";")}


@pytest.mark.parametrize("path", ["/remote/begin", "/remote/line", "/remote/sign-in"])
def test_another_servers_page_can_press_no_key(path: str) -> None:
    with desk() as (server, _):
        status, _, _ = server.ask(path, "POST", '{"line": "fold"}', origin="http://elsewhere.example")
        assert status == 403
        assert server.ask(path, "POST", '{"line": "fold"}')[0] == 403


def test_a_secret_that_nobody_was_given_opens_no_remote() -> None:
    with desk() as (server, controller):
        phone = Phone(server)
        phone.cookie = f"betline-remote={'a' * 32}"
        assert phone.post("/remote/line", line="next hand")[0] == 410
        assert server.ask("/remote/events", cookie=phone.cookie)[0] == 410
        assert not controller.replies


@pytest.mark.parametrize(
    ("said", "status"),
    [({"line": "x" * 201}, 429), ({"line": "fold\nfold"}, 429), ({"words": "fold"}, 429), ({}, 429)],
)
def test_what_is_no_line_is_refused_and_counted(said: dict[str, str], status: int) -> None:
    with desk() as (server, controller):
        phone = Phone(server)
        assert phone.post("/remote/line", **said)[0] == status
        assert server.web.refused["line"] == 1
        assert not controller.replies


@pytest.mark.parametrize("pin", ["", "12 34", "1" * 33, "12;34"])
def test_what_is_no_pin_goes_no_further(pin: str) -> None:
    with desk() as (server, _):
        phone = Phone(server)
        assert phone.post("/remote/sign-in", person="Ann", pin=pin)[0] == 400


def test_the_remote_is_there_only_where_it_was_asked_for() -> None:
    with served() as server:
        assert server.ask("/remote")[0] == 404
        assert server.ask("/remote/begin", "POST", "{}", origin=server.origin)[0] == 404
        assert json.loads(server.ask("/table")[2])["remote"] is False


class Kept:
    """In place of a remote: what was done with it."""

    def __init__(self, channel: Callable[[], str]) -> None:
        self.channel, self.cleared = channel, 0

    def clear(self) -> None:
        self.cleared += 1


def test_more_phones_than_remotes_are_told_so_and_an_idle_one_is_lent_on_cleared() -> None:
    ended: list[str] = []
    rooms = Rooms(Kept, ended.append, most=2)  # type: ignore[arg-type]
    first, second = rooms.lend("a", 0.0), rooms.lend("b", 10.0)
    assert first is not None
    assert second is not None
    assert rooms.lend("c", 20.0) is None
    assert rooms.of("a", IDLE_S) is first
    third = rooms.lend("c", IDLE_S + 11.0)
    assert third is second
    assert ended == ["remote-2"]
    assert third.channel == third.session.channel() == "remote-3"  # type: ignore[operator]
    assert third.session.cleared == 1  # type: ignore[attr-defined]
    assert rooms.of("b", IDLE_S + 12.0) is None
    assert rooms.of("", IDLE_S + 12.0) is None


async def looked_at(remotes: Remotes, secret: str) -> None:
    """A browser follows its remote until it has got one message."""
    got, scope = asyncio.Event(), {"type": "http", "method": "GET", "query_string": b""}
    cookie = f"{remotes.gate.cookie_name(COOKIE)}={secret}".encode()

    async def send(message: Any) -> None:
        if b"data:" in message.get("body", b""):
            got.set()

    async def leaves() -> dict[str, str]:
        await got.wait()
        await asyncio.sleep(0)
        return {"type": "http.disconnect"}

    answer = await remotes._events(Request({**scope, "path": "/remote/events", "headers": [(b"cookie", cookie)]}))
    for room in remotes.rooms._rooms:
        room.used_s = 0.0
    await answer(scope, leaves, send)


def test_a_remote_that_is_only_watched_is_not_lent_to_the_next_one() -> None:
    channels = Channels()
    rooms = Rooms(Kept, channels.end, most=1)  # type: ignore[arg-type]
    rooms.lend("a", time.monotonic() - IDLE_S - 1.0)
    channels.put("remote-1", "seen")
    asyncio.run(looked_at(Remotes(rooms, channels, Gate(), Refused()), "a"))
    now_s = time.monotonic()
    assert rooms.lend("b", now_s) is None
    after = rooms.lend("b", now_s + IDLE_S + 1.0)
    assert after is not None
    rooms.watched("remote-1", now_s + 5 * IDLE_S)  # who still looked on keeps nothing of the next one's
    assert rooms.lend("c", now_s + 2 * IDLE_S + 3.0) is after


def test_who_still_looks_at_a_remote_that_was_lent_on_sees_nothing_of_the_next_one() -> None:
    channels = Channels()
    channels.put("remote-1", "old")

    async def looks() -> list[bytes | None]:
        follow = channels.follow("remote-1", beat_s=5.0)
        seen = [await anext(follow)]
        channels.end("remote-1")
        channels.put("remote-1", "of the next one")
        return [*seen, *[one async for one in follow]]

    [first] = asyncio.run(looks())
    assert b"old" in (first or b"")
    assert channels.newest("remote-1") == ("", b"")


def test_a_sign_in_that_was_not_taken_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("table_controller.remote.session.MOST_WAITING", 0)
    with desk() as (server, _):
        phone = Phone(server)
        assert phone.post("/remote/sign-in", person="Ann", pin="4711")[0] == 429
        assert server.web.refused["line"] == 1


def test_a_phone_that_sleeps_and_wakes_gets_what_is_so_now() -> None:
    with desk() as (server, _):
        phone = Phone(server)
        with phone.following() as until:
            phone.type("1 e s 200 Ann")
            until(told("Ann"))
        phone.type("2 e s 200 Bob")
        deadline_s = time.monotonic() + WAIT_S
        while time.monotonic() < deadline_s:
            with phone.following() as until:
                if len(until(lambda _: True)["seats"]) == 2:
                    return
        pytest.fail("the phone never saw seat 2")

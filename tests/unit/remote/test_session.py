"""Remotes by themselves: who signs in at one is signed in there alone, and what is lent on is as new."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import Any

import pytest

from betline import topics
from betline.bus import MemoryBus, MemoryHub
from betline.topics import topic
from table_controller.remote.session import LONGEST_LINE, MOST_WAITING, RemoteSession
from tests.unit.console.table import NAMESPACE, TABLE, state
from tests.unit.console.test_sign_in import ANN, BOB, Doorman, Staff

WAIT_S = 20.0


class Desk:
    """A table with staff, and remotes on one connection to its bus."""

    def __init__(self, remotes: int = 1) -> None:
        hub = MemoryHub()
        self.controller = MemoryBus(hub, NAMESPACE, "controller", presence=topic(topics.STATUS))
        self.controller.publish(topic(topics.STATE), state())
        self.doorman = Doorman(self, Staff((ANN, BOB)))
        bus = MemoryBus(hub, NAMESPACE, "remote")
        self.shown: list[dict[str, Any]] = [{} for _ in range(remotes)]
        self._changed = threading.Condition()
        self.remotes = [RemoteSession(bus, TABLE, self._shows(number)) for number in range(remotes)]
        for remote in self.remotes:
            remote.start()

    def _shows(self, number: int) -> Callable[[str], None]:
        def shows(text: str) -> None:
            with self._changed:
                self.shown[number] = json.loads(text)
                self._changed.notify_all()

        return shows

    def until(self, fits: Callable[[dict[str, Any]], bool], number: int = 0) -> dict[str, Any]:
        with self._changed:
            assert self._changed.wait_for(lambda: bool(self.shown[number]) and fits(self.shown[number]), WAIT_S)
            return self.shown[number]

    def __enter__(self) -> Desk:
        return self

    def __exit__(self, *_: object) -> None:
        for remote in self.remotes:
            remote.end()


def test_a_pin_signs_in_at_one_remote_alone_and_its_commands_are_that_persons() -> None:
    with Desk(2) as desk:
        assert desk.until(lambda one: bool(one["people"]))["people"] == ["Ann", "Bob"]
        desk.remotes[0].type("sign in Ann 4711")
        desk.until(lambda one: one["who"] == "Ann (floor)")
        assert desk.until(lambda one: bool(one["who"]), 1)["who"] == "nobody signed in"
        desk.remotes[0].type("menu x")
        desk.remotes[0].type("yes")
        desk.until(lambda _: bool(desk.doorman.authors))
        assert [(one.name, one.role) for one in desk.doorman.authors] == [("Ann", "floor")]


def test_a_remote_that_is_lent_on_has_nobody_signed_in_and_nothing_told() -> None:
    with Desk() as desk:
        desk.remotes[0].type("sign in Ann 4711")
        desk.until(lambda one: one["who"] == "Ann (floor)")
        desk.remotes[0].clear()
        after = desk.until(lambda one: one["who"] == "nobody signed in")
        assert not any("signed in as" in one["text"] for one in after["lines"])


def test_the_pin_is_in_nothing_that_is_shown() -> None:
    with Desk() as desk:
        desk.remotes[0].type("sign in Ann 9999")
        shown = desk.until(lambda one: any("PIN" in line["text"] for line in one["lines"]))
        assert "9999" not in json.dumps(shown)


@pytest.mark.parametrize("asking", ["floor", "says 3", "3", "menu x"])
def test_a_pin_is_no_answer_to_what_is_asked(asking: str) -> None:
    with Desk() as desk:
        desk.until(lambda one: bool(one["people"]))
        desk.remotes[0].type(asking)
        desk.remotes[0].type("sign in Ann 4711")
        shown = desk.until(lambda one: one["who"] == "Ann (floor)")
        assert "4711" not in json.dumps(shown)
        assert "4711" not in json.dumps(desk.shown)


def test_quitting_ends_no_remote() -> None:
    with Desk() as desk:
        for line in ("quit", "q", "seats"):
            desk.remotes[0].type(line)
        desk.until(lambda one: any("In the pot" in line["text"] for line in one["lines"]))


def test_lines_that_are_none_or_too_many_are_not_taken() -> None:
    with Desk() as desk:
        remote = desk.remotes[0]
        assert not remote.type("a" * (LONGEST_LINE + 1))
        assert not remote.type("fold\x1b[2J")
    stopped = RemoteSession(MemoryBus(MemoryHub(), NAMESPACE, "remote"), TABLE, lambda _: None)
    assert [stopped.type("seats") for _ in range(MOST_WAITING + 1)] == [True] * MOST_WAITING + [False]

"""The controller as a process of its own: killed in mid-hand, broker killed, journal taken."""

import shutil
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from betline import topics
from betline.broker import LOOPBACK, free_port
from betline.bus import MqttBus
from betline.messages.common import Command, Reply
from betline.messages.table import TableState
from betline.topics import Namespace, topic
from table_controller.journal.reader import JournalReader

PATIENCE_S = 20.0


def betline(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "betline", *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )


class House:
    """A broker, a controller and somebody with a console."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.journal = folder / "six.journal"
        self.broker = self.start_broker()
        self.controller = self.start_controller()
        self.bus = MqttBus(LOOPBACK, self.port, Namespace("home", "home-six"), "tester")
        self.states: list[TableState] = []
        self.replies: dict[str, Reply] = {}
        self.bus.subscribe(topics.STATE, lambda received: self.states.append(received.body))  # type: ignore[arg-type]
        self.bus.subscribe(topics.REPLY, self._on_reply)

    def start_broker(self) -> subprocess.Popen[str]:
        return betline("broker", "--broker", f"{LOOPBACK}:{self.port}", "--quiet")

    def start_controller(self) -> subprocess.Popen[str]:
        broker = f"{LOOPBACK}:{self.port}"
        return betline("controller", "--table", "home-six", "--broker", broker, "--journal", str(self.journal))

    def key(self, verb: str, **args: Any) -> Reply:
        """Keys a command, again and again with one id, until it is answered."""
        name = uuid.uuid4().hex

        def answered() -> bool:
            command = Command(id=name, expires_ms=time.time_ns() // 1_000_000 + 60_000, args=args)
            self.bus.publish(topic(topics.COMMAND, verb), command)
            return wait(lambda: name in self.replies, 0.5)

        assert wait(answered)
        return self.replies[name]

    def close(self) -> None:
        self.bus.close()
        for process in (self.controller, self.broker):
            process.terminate()
            process.communicate(timeout=10)

    def _on_reply(self, received: Any) -> None:
        self.replies[received.body.command_id] = received.body


def wait(condition: Callable[[], bool], patience_s: float = PATIENCE_S) -> bool:
    deadline_s = time.monotonic() + patience_s
    while not condition():
        if time.monotonic() > deadline_s:
            return False
        time.sleep(0.02)
    return True


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = House(tmp_path)
    yield house
    house.close()


@pytest.mark.nightly
def test_a_hand_outlives_the_controller_and_the_broker(house: House) -> None:
    setup = {"game": {"limit": "no-limit", "blinds": [1, 2]}, "seats": {"1": 90, "2": 80, "3": 70}, "button": 1}
    assert house.key("setup", **setup).ok
    assert house.key("cards-out").ok
    assert house.key("act", seat=1, action="raise", to=6).ok

    house.controller.send_signal(signal.SIGKILL)
    house.controller.communicate()
    house.controller = house.start_controller()
    assert house.key("act", seat=2, action="call").ok

    house.broker.send_signal(signal.SIGKILL)
    house.broker.communicate()
    house.broker = house.start_broker()
    assert house.key("act", seat=3, action="fold").ok

    assert wait(lambda: house.states[-1].phase == "round-over")
    assert (house.states[-1].pot, house.states[-1].hand_no) == (14, 1)
    with JournalReader(house.journal) as reader:
        kinds = [entry.kind for entry in reader.entries()]
        assert reader.verify().ok
    assert (kinds.count("started"), kinds.count("step")) == (2, 3)


@pytest.mark.nightly
def test_verify_holds_a_journal_against_what_the_table_has_published(house: House, tmp_path: Path) -> None:
    setup = {"game": {"limit": "no-limit", "blinds": [1, 2]}, "seats": {"1": 90, "2": 80, "3": 70}, "button": 1}
    assert house.key("setup", **setup).ok
    earlier = Path(shutil.copytree(tmp_path, tmp_path.with_name("earlier"))) / house.journal.name
    assert house.key("cards-out").ok
    assert house.key("act", seat=1, action="raise", to=6).ok
    assert wait(lambda: house.states[-1].call == 5)

    for file, status, words in ((house.journal, 0, "Every entry is as it"), (earlier, 1, "had reached")):
        broker = f"{LOOPBACK}:{house.port}"
        verify = betline("journal", "verify", str(file), "--table", "home-six", "--broker", broker)
        said, _ = verify.communicate(timeout=PATIENCE_S)
        assert (verify.returncode, words in said) == (status, True), said


@pytest.mark.nightly
def test_a_second_controller_on_the_journal_ends_with_a_sentence(house: House) -> None:
    assert house.key("undo").code == "too-late"
    second = house.start_controller()
    said, _ = second.communicate(timeout=PATIENCE_S)

    assert second.returncode == 1
    assert said.startswith("betline: Another controller")
    assert "Traceback" not in said


def test_sigterm_ends_it_cleanly(house: House) -> None:
    assert house.key("undo").code == "too-late"
    house.controller.terminate()
    said, _ = house.controller.communicate(timeout=PATIENCE_S)

    assert (house.controller.returncode, said) == (0, "")

"""The plain console as a pipe: a real broker, a real controller, lines in and lines out."""

import subprocess
import sys

import pytest

from betline.broker import free_port
from betline.options import Address
from betline.readiness import await_broker, await_controller
from betline.supervise import Supervisor
from betline.topics import Namespace

pytestmark = [pytest.mark.hil, pytest.mark.timeout(120)]
BETLINE = [sys.executable, "-m", "betline"]
NAMES = Namespace("home", "home-six")
HAND = ("1 e s 400 Ann", "2 e s 400 Bob", "3 e s 300 Cleo", "next hand", "deal", "3 6", "fold", "call", "abracadabra")


@pytest.fixture
def table(tmp_path):
    """A table without a sensor; what names it on the command line."""
    address = Address("127.0.0.1", free_port())
    names = ["--table", "home-six", "--broker", str(address)]
    with Supervisor(tmp_path) as parts:
        parts.start("broker", ["broker", "--quiet", "--broker", str(address)])
        await_broker(parts, address)
        parts.start("controller", ["controller", *names, "--journal", str(tmp_path / "journal.sqlite")])
        await_controller(parts, address, NAMES)
        yield names


def test_a_hand_is_dealt_through_a_pipe(table):
    line = [*BETLINE, "console", "--plain", *table]
    with subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as console:
        console.stdin.write("".join(f"{typed}\n" for typed in HAND))
        console.stdin.close()
        heard = console.stdout.read().splitlines()
        assert console.wait(60) == 0
    assert all("\x1b" not in line for line in heard), "no escape sequence is written"
    wanted = ["Connected.", "Seat 1, Ann: stack 400.", "Hand 1: Pot-limit Omaha 1/2, button seat 1.",
              "Seat 1 raises to 6.", "Seat 2 folds.", "Seat 3 calls 6."]  # fmt: skip
    assert [line for line in heard if line in wanted] == wanted
    assert heard[-1] == "That is not understood: ? lists what can be typed."


def test_the_console_ends_when_its_input_does(table):
    seen = subprocess.run(
        [*BETLINE, "console", "--plain", *table], input="", capture_output=True, text=True, check=False, timeout=60
    )
    assert seen.returncode == 0
    said = seen.stdout.splitlines()
    assert "Connected." in said
    assert "No hand: 1-6 E seats players, then N begins the first hand." in said

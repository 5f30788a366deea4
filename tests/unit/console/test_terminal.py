"""The console as a program in a terminal: it waits for a broker in plain sight and leaves cleanly."""

import os
import pty
import select
import subprocess
import sys
import time

import pytest

from betline.broker import free_port

PROGRAM = """
import sys, threading
from betline.options import Address
from betline.settings import load_table
from betline.topics import Namespace
from table_controller.console.app import run_console

status = run_console(load_table(), Address("127.0.0.1", int(sys.argv[1])), Namespace("home", "oval"))
print("left", status, [thread.name for thread in threading.enumerate() if not thread.daemon])
"""


def read_until(terminal, wanted, timeout_s=30.0):
    """What the terminal shows until the words come."""
    shown, deadline = b"", time.monotonic() + timeout_s
    while wanted not in shown:
        assert time.monotonic() < deadline, shown[-2000:]
        if select.select([terminal], [], [], 0.2)[0]:
            shown += os.read(terminal, 65536)
    return shown


@pytest.mark.nightly
def test_without_a_broker_the_console_says_so_and_quits_by_its_key():
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24"}
    command = [sys.executable, "-c", PROGRAM, str(free_port())]
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment)
    os.close(theirs)
    try:
        read_until(ours, b"NO BROKER")
        os.write(ours, b"q")
        read_until(ours, b"Quit the console?")
        os.write(ours, b"y")
        shown = read_until(ours, b"['MainThread']")
        assert b"left 0" in shown
        assert b"Traceback" not in shown
        assert process.wait(10) == 0
    finally:
        process.kill()
        process.wait()
        os.close(ours)

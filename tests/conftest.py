"""Random tests are the same in every run, so that red means a change; `BETLINE_EXPLORE=1` draws new examples."""

from __future__ import annotations

import gc
import os
import signal
import tempfile
from collections.abc import Generator

import pytest
from hypothesis import settings

from tests import shared
from tests.nightly import (  # noqa: F401 -- hooks of pytest
    pytest_addoption,
    pytest_collection_modifyitems,
    pytest_configure,
    pytest_report_header,
    pytest_runtest_call,
    pytest_runtest_setup,
    pytest_terminal_summary,
)

STATE = tempfile.TemporaryDirectory(prefix="betline-tests-")
"""The folder of state and settings of every test and of the programs that it starts: tests leave nothing in the
user's own, and know nothing of it, such as the staff.
"""
os.environ["XDG_STATE_HOME"] = STATE.name
os.environ["XDG_CONFIG_HOME"] = os.path.join(STATE.name, "config")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A job in the background of a shell ignores Ctrl-C, and so would every program that a test starts and stops by it.
    signal.signal(signal.SIGINT, signal.default_int_handler)

SHARED = shared.begin()

EXPLORE = bool(os.environ.get("BETLINE_EXPLORE"))
settings.register_profile("steady", derandomize=not EXPLORE, deadline=None)
settings.load_profile("steady")


GARBAGE = 100_000
"""So many objects are made before garbage is looked for: with the 700 of Python that takes a twelfth of the time."""


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None]:
    """What is collected lives to the end: to look through it for garbage again and again takes a sixth of the time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(GARBAGE)
        gc.enable()

"""The three kinds of lines that a virtual reader can sit on, with the bridge's own driver or link at the near end."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from firmware_bridge.driver import ReaderDriver
from firmware_bridge.effects import RoundOver
from firmware_bridge.link import ReaderLink
from firmware_bridge.protocols.family import Family
from firmware_bridge.schedule import Channel
from tests.unit.firmware_bridge.bench import Bench
from virtual_table.readers.device import SerialDevice
from virtual_table.readers.ends import PtyEnd, TcpEnd
from virtual_table.readers.server import ReaderServer

KINDS: Final = ("memory", "pty", "socket")
Rounds = list[set[str]]
_STEP_MS: Final = 50.0


def read(
    kind: str,
    family: Family,
    device: SerialDevice,
    enough: Callable[[Rounds], bool],
    limit_s: float = 10.0,
    *,
    looks_again: bool = True,
) -> Rounds:
    """The tags of each round but second looks that the bridge read from `device`, until there are `enough` or the time
    is up.
    """
    if kind == "memory":
        bench = Bench.of(family, device, looks_again=looks_again)
        while not enough(bench.heard) and bench.now_ms < limit_s * 1000:
            bench.run(bench.now_ms + _STEP_MS)
        return bench.heard
    server = ReaderServer()
    try:
        address = server.attach("one", device, family.traits.line, PtyEnd() if kind == "pty" else TcpEnd("127.0.0.1"))
        return drive(address, family, enough, limit_s, looks_again=looks_again)
    finally:
        server.close()


def drive(
    address: str, family: Family, enough: Callable[[Rounds], bool], limit_s: float = 10.0, *, looks_again: bool = True
) -> Rounds:
    """The same for a reader that is served at `address`."""
    rounds: Rounds = []

    def hear(over: RoundOver) -> None:
        if not over.quiet:
            rounds.append({tag.uid for tag in over.tags})

    driver = ReaderDriver(
        "one",
        lambda: address,
        family.traits.line,
        ReaderLink(family, [Channel("seat-1")], looks_again=looks_again),
        hear,
    )
    driver.attend(frozenset({"seat-1"}))
    driver.start()
    try:
        deadline_s = time.monotonic() + limit_s
        while not enough(rounds) and time.monotonic() < deadline_s:
            time.sleep(0.01)
    finally:
        driver.stop()
    return rounds

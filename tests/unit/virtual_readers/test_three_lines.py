"""The same readers and the same scenarios in memory, on a pseudo-terminal and over TCP."""

from __future__ import annotations

import threading
import time

import pytest

from firmware_bridge.protocols.catalogue import FAMILIES
from tests.unit.virtual_readers.lines import KINDS, Rounds, drive, read
from virtual_table.readers.behaviour import Behaviour
from virtual_table.readers.catalogue import READERS, virtual_reader
from virtual_table.readers.ends import End, PtyEnd, TcpEnd
from virtual_table.readers.events import Eventful, Happening
from virtual_table.readers.faults import FaultPlan
from virtual_table.readers.field import FieldTag
from virtual_table.readers.reader import VirtualReader
from virtual_table.readers.server import ReaderServer

UIDS = {
    "feig": [f"E00401{number * 7919:010X}" for number in range(1, 9)],
    "betline": [f"E00401{number * 7919:010X}" for number in range(1, 9)],
    "pn532": [f"04{number * 7919:012X}" for number in range(1, 5)],
    "bb": [f"E280{number * 7919:020X}" for number in range(1, 9)],
    "m6e": [f"E280{number * 7919:020X}" for number in range(1, 9)],
    "chafon": [f"E280{number * 7919:020X}" for number in range(1, 9)],
}
FEIG = FAMILIES["feig"]


def reader(name: str = "feig", faults: FaultPlan | None = None, seed: int = 1) -> VirtualReader:
    tags = [FieldTag(uid) for uid in UIDS[name]]
    return virtual_reader(name, lambda: tags, Behaviour(faults=faults or FaultPlan()), seed)


def at_least(count: int, name: str = "feig"):
    """So many rounds with every tag."""
    return lambda rounds: rounds.count(set(UIDS[name])) >= count


def test_every_family_has_a_virtual_reader() -> None:
    assert set(READERS) == set(FAMILIES) == set(UIDS)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", sorted(UIDS))
def test_every_family_reads_every_tag(kind: str, name: str) -> None:
    rounds = read(kind, FAMILIES[name], reader(name), at_least(3, name))
    assert rounds.count(set(UIDS[name])) >= 3
    assert all(heard <= set(UIDS[name]) for heard in rounds)


@pytest.mark.nightly
@pytest.mark.parametrize("kind", KINDS)
def test_frames_in_pieces_and_among_garbage_lose_no_tag(kind: str) -> None:
    rounds = read(kind, FEIG, reader(faults=FaultPlan(split=0.5, garbage=0.3)), lambda rounds: len(rounds) >= 8)
    assert len(rounds) >= 8
    assert all(heard == set(UIDS["feig"]) for heard in rounds)


@pytest.mark.nightly
@pytest.mark.parametrize("kind", KINDS)
def test_damaged_and_lost_frames_cost_time_and_no_tag(kind: str) -> None:
    plan = FaultPlan(damage=0.1, truncate=0.05, silence=0.05, merged=0.05, deaf=0.05)
    rounds = read(kind, FEIG, reader(faults=plan, seed=4), lambda rounds: len(rounds) >= 6, limit_s=30)
    assert len(rounds) >= 6
    assert all(heard == set(UIDS["feig"]) for heard in rounds)


@pytest.mark.nightly
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("what", ["stuck", "reboot"])
def test_reader_that_hangs_or_reboots_is_read_again_afterwards(kind: str, what: str) -> None:
    event = Happening(what=what, at_s=0.3, for_s=0.6)
    rounds = read(kind, FEIG, Eventful(reader(), [event]), lambda rounds: len(rounds) >= 12, limit_s=20)
    assert len(rounds) >= 12
    assert all(heard == set(UIDS["feig"]) for heard in rounds)


@pytest.mark.nightly
@pytest.mark.parametrize("end", [PtyEnd, TcpEnd])
def test_reader_that_was_unplugged_is_found_again(end: type, tmp_path) -> None:
    cable: End = PtyEnd(tmp_path / "reader") if end is PtyEnd else TcpEnd("127.0.0.1")
    server = ReaderServer()
    address = server.attach("one", reader(), FEIG.traits.line, cable)
    seen: list[int] = []

    def pull() -> None:
        time.sleep(0.4)
        server.unplug("one")
        seen.append(0)
        time.sleep(0.3)
        assert server.replug("one") == address

    pulling = threading.Thread(target=pull)
    pulling.start()

    def enough(rounds: Rounds) -> bool:
        if seen == [0]:
            seen.append(len(rounds))
        return not pulling.is_alive() and len(seen) == 2 and len(rounds) >= seen[1] + 3

    try:
        rounds = drive(address, FEIG, enough)
    finally:
        pulling.join()
        server.close()
    assert len(rounds) >= seen[1] + 3
    assert all(heard == set(UIDS["feig"]) for heard in rounds)

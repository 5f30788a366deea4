"""Neighbouring readers never read at the same time, and none of them starves."""

from __future__ import annotations

import random
from collections import Counter

from firmware_bridge.rf_arbiter import RfArbiter

RING = {f"r{n}": frozenset({f"r{(n + 1) % 9}"}) for n in range(9)}


def nothing() -> None:
    return


def test_neighbours_take_turns_and_strangers_read_together() -> None:
    turns = RfArbiter({"a": frozenset({"b"})})
    assert turns.begin("a", nothing)
    assert turns.begin("c", nothing)
    assert not turns.begin("b", nothing)
    turns.end("a")
    assert turns.begin("b", nothing)
    assert not turns.begin("a", nothing)


def test_who_waits_is_woken_when_the_neighbour_is_done_and_goes_first() -> None:
    woken: list[str] = []
    turns = RfArbiter({"a": frozenset({"b"})})
    turns.begin("a", nothing)
    turns.begin("b", lambda: woken.append("b"))
    turns.end("a")
    assert woken == ["b"]
    assert not turns.begin("a", nothing)
    assert turns.begin("b", nothing)


def test_a_place_in_the_line_can_be_given_up() -> None:
    turns = RfArbiter({"a": frozenset({"b"}), "b": frozenset({"c"})})
    turns.begin("b", nothing)
    turns.begin("c", nothing)
    turns.end("b")
    assert not turns.begin("b", nothing)
    turns.end("c")
    assert turns.begin("b", nothing)


def test_nine_in_a_ring_never_overlap_and_all_get_their_share() -> None:
    rng = random.Random(4)
    turns = RfArbiter(RING)
    reading: dict[str, int] = {}
    rounds: Counter[str] = Counter()
    for now in range(20_000):
        for name in [name for name, until in reading.items() if until <= now]:
            del reading[name]
            turns.end(name)
        for name in rng.sample(sorted(RING), len(RING)):
            if name not in reading and turns.begin(name, nothing):
                reading[name] = now + rng.randint(3, 9)
                rounds[name] += 1
                near = {other for other in reading if other in RING[name] or name in RING[other]}
                assert not near
    assert min(rounds.values()) > 0.8 * max(rounds.values())
    assert sum(rounds.values()) > 2.5 * 20_000 / 7

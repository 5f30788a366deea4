"""The kit on the virtual readers of all families, in simulated time: a good one conforms, and each fault that is
planted in one is found by the check that is meant for it.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from firmware_bridge.conform.check import Outcome, Result
from firmware_bridge.conform.checks import CHECKS, results_of, summary
from firmware_bridge.conform.checks_tags import endurance
from firmware_bridge.conform.evidence import Evidence, RoundSeen, Session
from firmware_bridge.conform.kits.catalogue import KITS
from firmware_bridge.conform.runner import Person, Run, Wanted
from firmware_bridge.protocols.catalogue import FAMILIES
from firmware_bridge.protocols.family import LineSettings
from firmware_bridge.protocols.feig.frames import Control, Reply
from tests.unit.firmware_bridge.conform.planted import (
    Careless,
    Chatty,
    DeafAfter,
    Rewriting,
    chafon_twice,
    feig_nameless,
    feig_twice,
)
from tests.unit.firmware_bridge.conform.simulated import UIDS, SimulatedPlace
from virtual_table.readers.behaviour import Behaviour
from virtual_table.readers.catalogue import virtual_reader
from virtual_table.readers.device import OnlyAnswers, SerialDevice
from virtual_table.readers.events import Eventful, Happening
from virtual_table.readers.faults import FaultPlan, Piece
from virtual_table.readers.pn532 import Pn532Setup, VirtualPn532Reader

Tag = tuple[str, int, float]


def simulated(
    name: str,
    tags: Callable[[], list[Tag]],
    behaviour: Behaviour | None = None,
    within: Callable[[SerialDevice], SerialDevice] = lambda device: device,
) -> SimulatedPlace:
    return SimulatedPlace(within(virtual_reader(name, tags, behaviour, 1)), FAMILIES[name].traits.line)


def tags_of(name: str, count: int, antenna: int = 1) -> list[Tag]:
    return [(uid, antenna, 0.8) for uid in UIDS[name][:count]]


def seen_at(name: str, place: SimulatedPlace, wanted: Wanted, person: Person | None = None) -> Evidence:
    return Run(place, FAMILIES[name], KITS[name], wanted, person or Person()).evidence()


def results(name: str, place: SimulatedPlace, wanted: Wanted, person: Person | None = None) -> dict[str, Result]:
    return {one.check.id: one for one in results_of(seen_at(name, place, wanted, person), KITS[name])}


def failed(found: dict[str, Result]) -> set[str]:
    return {name for name, one in found.items() if one.verdict.outcome is Outcome.FAILED}


def of(found: dict[str, Result], *outcomes: Outcome) -> set[str]:
    return {name for name, one in found.items() if one.verdict.outcome in outcomes}


# --- good readers -----------------------------------------------------------------------------------------------------

FAST = ("feig", "betline")


def each_family() -> list[object]:
    return [name if name in FAST else pytest.param(name, marks=pytest.mark.nightly) for name in KITS]


def test_every_family_has_a_kit_and_every_saying_of_a_kit_belongs_to_a_check() -> None:
    assert set(KITS) == set(FAMILIES)
    ids = [check.id for check in CHECKS]
    assert len(ids) == len(set(ids))
    assert {name: set(kit.says) - set(ids) for name, kit in KITS.items()} == {name: set() for name in KITS}


@pytest.mark.parametrize("name", each_family())
def test_a_good_reader_of_each_family_conforms(name: str) -> None:
    """With a person who does all that is asked: every check is tried, but for what the family does not have."""
    lying: list[Tag] = []
    other = next(iter(UIDS[name][-1:]))
    traits, kit = FAMILIES[name].traits, KITS[name]
    antennas = min(2, traits.antennas)
    place = simulated(name, lambda: lying, Behaviour(antennas))

    def ask(what: str) -> bool:
        if "plug" in what:
            place.unplug(3000.0, virtual_reader(name, lambda: lying, Behaviour(antennas), 1))
        elif "long run" in what:
            lying[:] = tags_of(name, 20)
        elif "and nothing on the others" in what:
            lying[:] = [(other, 2 if "antenna 2" in what else 1, 0.8)]
        else:
            count = 0 if "Clear" in what else 1 if "one chip" in what else int(what.split()[2])
            lying[:] = tags_of(name, count)
        return True

    found = results(name, place, Wanted(tuple(range(1, antennas + 1)), rounds=6, minutes=0.05), Person(ask))

    assert failed(found) == set()
    assert found["reopen"].verdict.figures["tags"] == found["replug"].verdict.figures["tags"] == 60
    missing = {"field-reset"} if not kit.field_reset else set()
    missing |= {"soft-reset"} if not kit.soft_reset else set()
    missing |= {"cross-talk"} if antennas == 1 else set()
    missing |= {"strength"} if not traits.tells_rssi else set()
    untold = {"line-speed"} if name in ("bb", "pn532") else set()
    assert missing <= of(found, Outcome.NOT_TRIED) <= missing | untold


@pytest.mark.parametrize("name", each_family())
def test_without_a_person_what_lies_there_is_taken_and_the_rest_is_not_tried(name: str) -> None:
    found = results(name, simulated(name, lambda: tags_of(name, 20)), Wanted(rounds=6, chips=20))

    assert failed(found) == set()
    assert found["inventory-20"].verdict.outcome is Outcome.PASSED
    assert {"inventory-0", "inventory-60", "replug", "cross-talk", "endurance"} <= of(found, Outcome.NOT_TRIED)
    assert "--no-questions" in found["replug"].verdict.seen


# --- planted faults ---------------------------------------------------------------------------------------------------


USUAL = Wanted(chips=20)


@dataclass(frozen=True)
class Fault:
    """What is wrong, the check that finds it, and others that may notice it."""

    finds: str
    families: tuple[str, ...]
    behaviour: Behaviour | None = None
    within: Callable[[str], Callable[[SerialDevice], SerialDevice]] = lambda _: lambda device: device
    also: frozenset[str] = frozenset()
    tags: Callable[[str], list[Tag]] = lambda name: tags_of(name, 20)
    wanted: Wanted = USUAL


ALL = tuple(KITS)
ANY = frozenset(check.id for check in CHECKS)
OFTEN = frozenset({"rounds-lost", "answer-times", "back-to-back", "round-time"})
BREAKING = OFTEN | {
    "identity",
    "damaged-request",
    "cut-request",
    "impossible-request",
    "reopen",
    "field-reset",
    "soft-reset",
}


def ghostly(name: str) -> Callable[[], list[Tag]]:
    """One tag more in every seventh inventory."""
    inventories = itertools.count(1)
    return lambda: tags_of(name, 20 if next(inventories) % 7 else 21)


def deaf_after(what: str, for_ms: float = 60_000.0) -> Callable[[str], Callable[[SerialDevice], SerialDevice]]:
    return lambda name: lambda device: DeafAfter(device, getattr(KITS[name], what), for_ms)


FAULTS = {
    "wrong checksums": Fault(
        "frames-intact", ALL, Behaviour(faults=FaultPlan(damage=0.1)), also=BREAKING | {"noise", "unasked"}
    ),
    "late answers": Fault(
        "answer-times", ALL, Behaviour(faults=FaultPlan(late=0.15, late_ms=1100.0)), also=ANY - {"noise", "gaps"}
    ),
    "silence": Fault("answer-times", ALL, Behaviour(faults=FaultPlan(silence=0.15)), also=BREAKING),
    "split frames": Fault("gaps", ALL, Behaviour(faults=FaultPlan(split=0.3, split_ms=30.0))),
    "noise": Fault(
        "noise", ALL, Behaviour(faults=FaultPlan(garbage=0.2)), also=frozenset({"frames-intact", "unasked"})
    ),
    "lost tags": Fault(
        "misses", ("feig", "pn532", "chafon", "betline"), Behaviour(missed=0.3), also=frozenset({"inventory-20"})
    ),
    "a dead tag": Fault("inventory-20", ALL, tags=lambda name: tags_of(name, 19)),
    "slow on the air": Fault(
        "round-time", ("feig", "bb", "chafon", "betline"), Behaviour(air_factor=8.0), also=BREAKING
    ),
    "each first tag twice": Fault(
        "duplicates", ("feig",), within=lambda _: lambda device: Rewriting(device, feig_twice)
    ),
    "each last tag twice": Fault(
        "duplicates", ("chafon",), within=lambda _: lambda device: Rewriting(device, chafon_twice)
    ),
    "no version": Fault("identity", ("feig",), within=lambda _: lambda device: Rewriting(device, feig_nameless)),
    "deaf after its restart": Fault("soft-reset", ("feig", "betline"), within=deaf_after("soft_reset", 20_000.0)),
    "slow to start again": Fault("soft-reset", ("feig", "betline"), within=deaf_after("soft_reset", 5500.0)),
    "deaf after a damaged request": Fault(
        "damaged-request", ALL, within=deaf_after("damaged_request", 2000.0), also=frozenset({"cut-request"})
    ),
    "deaf after an impossible request": Fault(
        "impossible-request", ALL, within=deaf_after("impossible_request", 2000.0), also=frozenset({"unasked"})
    ),
    "takes a damaged request for good": Fault(
        "damaged-request",
        ALL,
        within=lambda name: lambda device: Careless(device, KITS[name].damaged_request, FAMILIES[name].probe),
    ),
    "speaks unasked": Fault(
        "unasked",
        ("feig",),
        within=lambda _: lambda device: Chatty(device, Reply(Control.BAUD_DETECTION, 0).to_bytes()),
        also=ANY,
    ),
    "hangs now and then": Fault(
        "endurance",
        ("feig", "chafon"),
        within=lambda _: (
            lambda device: Eventful(device, [Happening(at_s, "stuck", 5.0) for at_s in range(20, 100, 20)], 1)
        ),
        also=OFTEN,
        wanted=Wanted(rounds=6, chips=20, minutes=0.7),
    ),
    "cross-talk": Fault(
        "cross-talk",
        ("feig", "m6e", "chafon", "betline"),
        Behaviour(antennas=2, neighbour=1.0),
        tags=lambda name: [*tags_of(name, 2), (UIDS[name][0], 2, 0.2)],
        wanted=Wanted((1, 2), rounds=6, chips=2),
    ),
}
CASES = [
    pytest.param(what, name, id=f"{what} ({name})", marks=[] if name == "feig" else [pytest.mark.nightly])
    for what, fault in FAULTS.items()
    for name in fault.families
]


@pytest.mark.parametrize(("what", "name"), CASES)
def test_a_planted_fault_is_found_by_the_check_that_is_meant_for_it(what: str, name: str) -> None:
    fault = FAULTS[what]
    place = simulated(name, lambda: fault.tags(name), fault.behaviour, fault.within(name))

    found = results(name, place, fault.wanted)

    assert fault.finds in failed(found)
    assert failed(found) <= {fault.finds} | fault.also
    assert found[fault.finds].check.title in summary(tuple(found.values()))


@pytest.mark.parametrize("chips", [20, None])
def test_a_tag_that_is_not_there_is_named(chips: int | None) -> None:
    found = results("feig", simulated("feig", ghostly("feig")), Wanted(chips=chips))

    assert failed(found) == {"ghosts"}
    assert UIDS["feig"][20] in found["ghosts"].verdict.seen


@pytest.mark.parametrize(("pause_ms", "outcome"), [(1500.0, Outcome.PASSED), (1800.0, Outcome.FAILED)])
def test_a_long_time_without_a_round_fails_the_long_run_though_none_was_lost(pause_ms: float, outcome: Outcome) -> None:
    ends = [100.0 * number for number in range(1, 50)]
    ends += [ends[-1] + pause_ms + 100.0 * number for number in range(50)]
    run = Session(0.0, ends[-1], tuple(RoundSeen(None, end_ms, 100.0, {}) for end_ms in ends))
    evidence = Evidence(38_400, 0.3, 1, said="a reader", endurance=run)

    assert endurance(evidence, KITS["feig"]).outcome is outcome


def test_cards_that_do_not_sleep_are_reported_twice() -> None:
    setup = Pn532Setup(sleepless=frozenset(UIDS["pn532"][:3]))
    device = VirtualPn532Reader(lambda: tags_of("pn532", 6), seed=1, setup=setup)
    place = SimulatedPlace(device, FAMILIES["pn532"].traits.line)

    assert "duplicates" in failed(results("pn532", place, Wanted(rounds=6)))


def test_a_reader_that_sends_more_slowly_than_its_line_is_found() -> None:
    place = simulated("feig", lambda: tags_of("feig", 20))
    device = virtual_reader("feig", lambda: tags_of("feig", 20), None, 1)
    slow = SimulatedPlace(device, LineSettings(9_600, "E"), bytes_per_read=8)
    slow.line = place.line

    assert "line-speed" in failed(results("feig", slow, Wanted(rounds=6, chips=20)))


# --- what ends a run early --------------------------------------------------------------------------------------------


class Mute(OnlyAnswers):
    def receive(self, data: bytes, now_ms: float) -> list[Piece]:
        return []


def test_where_nothing_answers_nothing_else_is_tried() -> None:
    place = SimulatedPlace(Mute(), FAMILIES["feig"].traits.line)

    found = results("feig", place, Wanted())

    assert failed(found) == {"answers"}
    assert of(found, Outcome.NOT_TRIED) == ANY - {"answers"}
    assert summary(tuple(found.values())).startswith("Not yet fit for a table: 0 of 1 checks passed")


def test_a_port_that_vanishes_in_the_middle_ends_the_run_and_what_was_seen_is_judged() -> None:
    place = simulated("feig", lambda: tags_of("feig", 5))

    def tell(text: str) -> None:
        if text.startswith("recovery: field-reset"):
            place.unplug(1e9, Mute())

    found = results("feig", place, Wanted(rounds=6, chips=5), Person(tell=tell))

    assert failed(found) == set()
    assert found["reopen"].verdict.outcome is Outcome.PASSED
    assert found["soft-reset"].verdict.outcome is Outcome.NOT_TRIED
    assert "plug the reader in" in found["soft-reset"].verdict.seen


def test_a_reader_that_is_not_plugged_in_again_does_not_recover() -> None:
    place = simulated("feig", lambda: tags_of("feig", 5))

    def ask(what: str) -> bool:
        if "plug" in what:
            place.unplug(1e9, Mute())
            return True
        return False

    found = results("feig", place, Wanted(rounds=6), Person(ask))

    assert failed(found) == {"replug"}


def test_who_leaves_the_plug_alone_is_not_told_that_it_failed() -> None:
    found = results(
        "feig", simulated("feig", lambda: tags_of("feig", 5)), Wanted((1, 2), rounds=6), Person(lambda _: False)
    )

    assert {"replug", "cross-talk"} <= of(found, Outcome.NOT_TRIED)
    assert found["replug"].verdict.seen == "you left it out"
    assert found["inventory-few"].verdict.outcome is Outcome.PASSED

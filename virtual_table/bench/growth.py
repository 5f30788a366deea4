"""The suite `growth`: how the work of one act grows with seats, and that of one reading with the chips in its zone.

Seats: the engine's act with its questions and the act to its ruling, as in the suites `engine` and `rulings`, at tables
of 2 to 10. Chips: a snapshot of a seat's zone through the controller's edge, session and journal entries, in simulated
time: one in which all chips are new, and the same again once they are old. A reading's share of a mean act is the
time of the reading that changes something; the repeated ones come many times a second. Times are the processor's.
"""

from __future__ import annotations

import gc
from collections.abc import Sequence
from random import Random
from time import thread_time_ns
from typing import Any, Final

from pokerkit import NoLimitTexasHoldem

from betline import topics
from betline.bench import Figure, Progress, Report
from betline.messages.devices import ChipEvidence, ZoneChips
from betline.settings import load_house_rules, load_table
from betline.topics import topic
from table_controller.session import Terms
from table_controller.tools.bench import engine, rulings
from virtual_table.laboratory.agenda import Agenda
from virtual_table.laboratory.bus import SimulatedBus, SimulatedHub
from virtual_table.laboratory.controller import SimulatedController

SEATS: Final = (2, 3, 4, 6, 8, 9, 10)
CHIPS: Final = (1, 5, 10, 20, 50, 100, 200, 300)
HANDS, FULL_HANDS = 40, 200
ACTS, FULL_ACTS = 600, 5_000
READINGS, FULL_READINGS = 20, 100
TABLE: Final = "home-six"
ZONE: Final = "seat-2"
WINDOW: Final = 8


def measure(progress: Progress, *, full: bool = False) -> Report:
    """Measures each number of seats, then each number of chips."""
    hands, acts, readings = (FULL_HANDS, FULL_ACTS, FULL_READINGS) if full else (HANDS, ACTS, READINGS)
    steps = 2 * len(SEATS) + len(CHIPS)
    engine_us: dict[str, float] = {}
    ruling_us: dict[str, float] = {}
    for number, seats in enumerate(SEATS):
        progress.at(number, steps, f"the engine with {seats} seats")
        engine_us[str(seats)] = _engine_us(seats, hands)
    for number, seats in enumerate(SEATS, len(SEATS)):
        progress.at(number, steps, f"rulings with {seats} seats")
        ruling_us[str(seats)] = _ruling_us(seats, acts)
    new_ms: dict[str, float] = {}
    same_ms: dict[str, float] = {}
    for number, chips in enumerate(CHIPS, 2 * len(SEATS)):
        progress.at(number, steps, f"readings of {chips} chips")
        new_ms[str(chips)], same_ms[str(chips)] = _reading_ms(chips, readings)
    document: dict[str, Any] = {
        "engine_us_by_seats": engine_us,
        "ruling_us_by_seats": ruling_us,
        "new_reading_ms_by_chips": new_ms,
        "same_reading_ms_by_chips": same_ms,
    }
    figures = (
        Figure(f"the engine's act, p50, at {SEATS[0]} and {SEATS[-1]} seats", _ends(engine_us, "us")),
        Figure(f"an act to its ruling, p50, at {SEATS[0]} and {SEATS[-1]} seats", _ends(ruling_us, "us")),
        Figure(f"a reading of {CHIPS[0]} and {CHIPS[-1]} new chips, p50", _ends(new_ms, "ms")),
        Figure("    the same chips again", _ends(same_ms, "ms")),
    )
    return Report(
        document,
        figures,
        (f"{hands} hands and {acts} acts for each number of seats, {readings} readings for each number of chips.",),
    )


def _engine_us(seats: int, hands: int) -> float:
    game = engine.Game(
        f"nlhe_{seats}max", "no-limit hold'em", engine.NLHE.structure, NoLimitTexasHoldem, players=seats, target=0.0
    )
    plans = engine.draw(game, hands)
    acts = sum(len(street) for plan in plans for street in plan)
    engine.act_times(game, plans, acts)  # warms up
    return _middle(engine.act_times(game, plans, 3 * acts))


def _ruling_us(seats: int, acts: int) -> float:
    drawn = rulings.draw(acts, range(1, seats + 1))
    gc.collect()
    gc.freeze()
    try:
        rulings.act_times(drawn)  # warms up
        return _middle([time.processor_us for _ in range(3) for time in rulings.act_times(drawn)])
    finally:
        gc.unfreeze()


def _reading_ms(chips: int, readings: int) -> tuple[float, float]:
    """A reading in which all chips are new, and one in which they are old, in the middle of so many of each."""
    table = load_table(TABLE)
    agenda = Agenda()
    hub = SimulatedHub(agenda, Random("growth"))
    terms = Terms(table, load_house_rules(table.house.profile, table.house.options))
    controller = SimulatedController(terms, agenda, hub)
    controller.start()
    bridge = SimulatedBus(hub, "bridge", topic(topics.DEVICE_STATUS, "bridge"))
    reader = next(reader.id for reader in table.readers for one in reader.antennas if one.zone == ZONE)
    chance = Random(f"growth-{chips}")
    new: list[float] = []
    same: list[float] = []
    round_no = 0
    for _ in range(readings):
        uids = [f"E004{chance.getrandbits(48):012X}" for _ in range(chips)]
        for heard in range(1, WINDOW + 1):
            round_no += 1
            spent_ms = _taken_ms(agenda, bridge, _snapshot(reader, uids, heard, round_no, agenda.now_ns))
            if heard == 1:
                new.append(spent_ms)
            elif heard == WINDOW:
                same.append(spent_ms)
    return _middle(new), _middle(same)


def _snapshot(reader: str, uids: Sequence[str], heard: int, round_no: int, now_ns: int) -> ZoneChips:
    chips = tuple(ChipEvidence(uid=uid, chip_type="white-1", hits=heard, rounds=heard, missed=0) for uid in uids)
    return ZoneChips(zone=ZONE, reader=reader, round_no=round_no, chips=chips, last_byte_ns=now_ns)


def _taken_ms(agenda: Agenda, bridge: SimulatedBus, snapshot: ZoneChips) -> float:
    """Publishes a reading and lets the controller take it; the processor's time for that."""
    bridge.publish(topic(topics.ZONE_CHIPS, ZONE), snapshot)
    begun = thread_time_ns()
    agenda.sleep(0.01)
    spent_ms = (thread_time_ns() - begun) / 1e6
    agenda.sleep(0.09)
    return spent_ms


def _middle(values: Sequence[float]) -> float:
    return round(sorted(values)[len(values) // 2], 3)


def _ends(found: dict[str, float], unit: str) -> str:
    first, *_, last = found.values()
    return f"{first:g} and {last:g} {unit}"

"""What a program tells on the bus is what Prometheus is shown, under names of its conventions."""

import re
from dataclasses import asdict

import pytest

from betline import topics
from betline.bus import MemoryBus, MemoryHub
from betline.bus.port import BusCounters
from betline.messages.common import Health, Presence
from betline.metrics import names
from betline.metrics.family import Family, Timing
from betline.metrics.reading import MOST, families, metric_of
from betline.tally import Tally
from betline.topics import Namespace, topic
from firmware_bridge.effects import LinkHealth
from table_controller.service.figures import Figures

UNITS = ("_seconds", "_bytes", "_meters", "_per_second")
ALL = [*names.HEALTH.values(), *names.BY_PREFIX.values(), *names.TIMINGS.values()]
ALL += [one for one in vars(names).values() if type(one).__name__ == "Metric"]


def read(told=(), counters=None, timings=(), own=None) -> dict[str, Family]:
    found = families(
        {"version": "1", "schema": "v1"},
        connected=True,
        counters=counters or BusCounters(),
        told=told,
        timings=timings,
        own=own,
    )
    return {family.metric.name: family for family in found}


def values(family: Family) -> dict[tuple[str, ...], object]:
    return {tuple(value for _, value in sample.labels): sample.value for sample in family.samples}


def test_a_figure_of_a_health_message_is_shown_with_its_device_and_in_base_units() -> None:
    health = Health(counters={"cycles": 12.0, "calibration_rms_mm": 1.5, "dropped_stale": 3.0})

    found = read([(topic(topics.DEVICE_HEALTH, "reader-3"), health)])

    assert values(found["betline_reader_rounds"]) == {("reader-3",): 12.0}
    assert values(found["betline_camera_calibration_error_meters"]) == {("reader-3",): 0.0015}
    assert values(found["betline_evidence_dropped"]) == {("reader-3", "stale"): 3.0}


def test_of_all_states_a_device_is_in_one() -> None:
    found = read([(topic(topics.DEVICE_STATUS, "reader-3"), Presence(state="stale"))])

    shown = {label for label, value in values(found["betline_device_state"]).items() if value == 1.0}
    assert shown == {("reader-3", "stale")}


def test_what_the_bus_has_dropped_is_shown_once_and_apart_from_lost_connections() -> None:
    counters = BusCounters(malformed=2, duplicates=4, problems={"malformed": 2, "lost": 1})

    found = read(counters=counters)

    assert values(found["betline_bus_messages_dropped"]) == {("repeated",): 4, ("malformed",): 2}
    assert values(found["betline_bus_connection_failures"]) == {("lost",): 1, ("refused",): 0}


def test_a_time_is_shown_with_its_device() -> None:
    tally = Tally()

    found = read(timings=[Timing("round", "reader-1", tally), Timing("round", "reader-2", Tally())])

    assert values(found["betline_reader_round_seconds"])[("reader-1",)] is tally


def test_names_that_others_make_up_do_not_fill_the_database() -> None:
    found = read(own={f"refused_code_{number}": 1.0 for number in range(500)})

    assert len(found["betline_commands_refused"].samples) == MOST


def test_all_readers_of_a_large_table_are_shown() -> None:
    readers = [(topic(topics.DEVICE_STATUS, f"reader-{number}"), Presence(state="online")) for number in range(30)]

    assert sum(values(read(readers)["betline_device_state"]).values()) == 30


def test_every_figure_that_a_controller_or_a_reader_tells_is_shown_or_named_as_told_elsewhere() -> None:
    bus = MemoryBus(MemoryHub(), Namespace("home", "t"), "controller")
    told = set(asdict(LinkHealth())) | set(Figures().counters(bus, {"stale": 1}, 0))

    missing = [one for one in told if metric_of(one) is None and not one.startswith(names.ELSEWHERE)]

    assert not missing


@pytest.mark.parametrize("metric", ALL, ids=lambda metric: metric.name)
def test_a_metric_follows_the_conventions_of_prometheus(metric) -> None:
    assert re.fullmatch(r"betline_[a-z]+(_[a-z]+)*", metric.name)
    assert not metric.name.endswith(("_total", "_count", "_sum", "_bucket", "_ms", "_mm"))
    if metric.kind == "histogram":
        assert metric.name.endswith("_seconds")
    if metric.per != 1.0:
        assert metric.name.endswith(UNITS)
    assert metric.help


def test_no_two_figures_are_the_same_metric() -> None:
    found = [metric.name for metric in {id(metric): metric for metric in ALL}.values()]

    assert len(found) == len(set(found))

"""Faults in the laboratory: each is told where people must know of it, passes, and play goes on as meant."""

from __future__ import annotations

import tomllib

import pytest

from betline import topics
from betline.bus import Received
from betline.messages.table import Alert
from betline.settings import SettingsError, load_table
from betline.settings.load import parse
from virtual_table.faults.plan import TablePlan
from virtual_table.laboratory.bus import SimulatedBus
from virtual_table.laboratory.laboratory import Conditions, Laboratory

SIX = load_table("home-six")


def told(lab: Laboratory, code: str) -> list[bool]:
    """Whether each alert of a code was raised or passed, in order."""
    return [one.body.active for one in lab.messages if isinstance(one.body, Alert) and one.body.code == code]


@pytest.mark.parametrize(
    ("what", "code"),
    [
        ("black", "camera-down"),
        ("frozen", "camera-down"),
        ("moved", "camera-down"),
        ("blocked", "camera-down"),
    ],
)
def test_a_blind_camera_is_told_and_sees_again(what: str, code: str) -> None:
    lab = Laboratory(SIX, 2)

    lab.faults.strike(f"camera-{what}", for_s=3)
    lab.let(5.0)

    assert (told(lab, code)[0], told(lab, code)[-1]) == (True, False)


@pytest.mark.parametrize("what", ["unplug", "stuck", "reboot"])
def test_a_reader_that_is_gone_is_told_and_comes_back(what: str) -> None:
    lab = Laboratory(SIX, 2)

    lab.faults.strike(what, "reader-3", for_s=4)
    lab.let(7.0)

    assert told(lab, "reader-down") == [True, False]


def test_of_two_faults_of_one_reader_the_last_that_ends_makes_it_whole() -> None:
    lab = Laboratory(SIX, 2)

    lab.faults.unplug("reader-3", for_s=6)
    lab.faults.stop_reader("reader-3", for_s=1)
    lab.let(4.0)
    assert told(lab, "reader-down") == [True]
    lab.let(4.0)
    assert told(lab, "reader-down") == [True, False]


def test_a_reader_that_misreads_does_so_for_its_time() -> None:
    lab = Laboratory(SIX, 2, Conditions(missed=0.0, neighbour=0.0))
    bridge = lab.bridge
    assert bridge is not None

    lab.faults.misread("reader-3", for_s=2, missed=1.0)
    antennas = bridge._readers["reader-3"].antennas
    assert antennas._behaviour.missed == 1.0
    lab.let(3.0)
    assert antennas._behaviour.missed == 0.0


def test_a_full_disk_stops_play_and_says_so_until_there_is_room() -> None:
    lab = Laboratory(SIX, 4)
    entries = len(lab.controller.pages)

    lab.faults.fill_disk(for_s=5)
    written: list[int] = []
    lab.agenda.after(4.9, lambda: written.append(len(lab.controller.pages)))
    lab.seat_everybody(lab.first)

    assert written == [entries]
    assert told(lab, "journal-failed") == [True, False]
    assert len(lab.controller.pages) > entries
    assert (lab.report.refused, lab.report.faults) == (0, [])


@pytest.mark.nightly
def test_a_hand_during_which_the_disk_is_full_for_a_while_is_ruled_as_meant() -> None:
    lab = Laboratory(SIX, 4)
    lab.faults.carry_out(plan_of('[[events]]\nwhat = "disk-full"\nat_s = 12\nfor_s = 4'), 4)

    report = lab.play(1)

    assert (report.hands, report.faults) == (1, [])
    assert told(lab, "journal-failed") == [True, False]


@pytest.mark.nightly
def test_a_broker_that_was_away_finds_everybody_again_and_the_hand_goes_on() -> None:
    lab = Laboratory(SIX, 4)
    lab.faults.carry_out(plan_of('[[events]]\nwhat = "broker-away"\nat_s = 12\nfor_s = 2'), 4)

    assert lab.play(1).faults == []
    assert lab.hub.there


def test_a_broker_that_was_killed_has_forgotten_what_it_kept_and_is_told_again() -> None:
    lab = Laboratory(SIX, 4)
    before = lab.link.state

    lab.faults.kill("broker", for_s=1)
    lab.let(0.5)
    assert not lab.link.there
    lab.let(2.0)

    assert lab.link.there
    assert lab.link.state is not None
    assert before is not None
    assert lab.link.state.seats == before.seats
    kept: list[Received] = []
    SimulatedBus(lab.hub, "late-comer").subscribe(topics.DEVICE_BIRTH, kept.append)
    assert {one.topic.name for one in kept} == {"bridge", "overhead"}


@pytest.mark.parametrize("on", ["controller", "bridge", "vision"])
def test_a_program_that_was_killed_is_started_again(on: str) -> None:
    lab = Laboratory(SIX, 4)
    part = {"controller": lab.controller, "bridge": lab.bridge, "vision": lab.camera}[on]
    assert part is not None

    lab.faults.kill(on, for_s=2)
    lab.let(1.0)
    assert not part.running
    lab.let(2.0)
    assert part.running


def test_messages_come_later_for_the_time_of_the_latency() -> None:
    lab = Laboratory(SIX, 4)
    lab.faults.slow_bus(300, for_s=2)
    lab.let(0.1)
    began_s, heard = lab.agenda.now_s(), len(lab.messages)

    lab.faults.unplug("reader-3", for_s=0.1)
    lab.let(0.15)

    assert [one for one in lab.messages[heard:] if one.at_s < began_s + 0.15] == []
    lab.let(3.0)
    assert lab.hub.later_s == 0.0


@pytest.mark.parametrize("step_s", [7200.0, -7200.0])
def test_a_clock_that_steps_costs_no_key(step_s: float) -> None:
    lab = Laboratory(SIX, 4)

    lab.faults.step_clock(step_s, "controller")
    lab.seat_everybody(lab.first)

    assert (lab.report.refused, lab.report.faults) == (0, [])
    assert lab.report.keys_by_hand == []
    assert len(lab.controller.pages) > 2


def test_a_clock_steps_back_after_its_time() -> None:
    lab = Laboratory(SIX, 4)

    lab.faults.strike("clock-step", "bridge", step_s=60.0, for_s=1.0)
    assert lab.agenda.wall_ms("bridge") - lab.agenda.wall_ms() == 60_000
    lab.let(2.0)
    assert lab.agenda.wall_ms("bridge") == lab.agenda.wall_ms()


def test_a_plan_is_carried_out_at_its_times() -> None:
    plan = plan_of('[reading]\nmissed = 0.2\n[[events]]\nwhat = "unplug"\non = "reader-3"\nat_s = 1\nfor_s = 3')
    lab = Laboratory(SIX, 2, Conditions(faults=plan))
    bridge = lab.bridge
    assert bridge is not None

    assert bridge._readers["reader-2"].antennas._behaviour.missed == 0.2
    lab.let(0.9)
    assert bridge._readers["reader-3"].alive
    lab.let(0.2)
    assert not bridge._readers["reader-3"].alive
    assert bridge._readers["reader-2"].alive
    lab.let(3.0)
    assert bridge._readers["reader-3"].alive


def test_the_same_plan_and_seed_are_the_same_evening() -> None:
    plan = plan_of('[[events]]\nwhat = "unplug"\non = "any"\nper_minute = 120')

    def evening(seed: int) -> list[str]:
        lab = Laboratory(SIX, seed, Conditions(faults=plan))
        lab.let(3.0)
        return [f"{one.at_s:.6f} {one.body!r}" for one in lab.messages]

    assert evening(1) == evening(1)
    assert evening(1) != evening(2)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[line]\ndamage = 0.1", "line: the laboratory has no lines and no bytes"),
        ("[readers.reader-3.line]\nlate = 0.1", "readers.reader-3.line: the laboratory has no lines"),
        ('[[events]]\nwhat = "burst"\nat_s = 1\nchances = {silence = 0.5}', "events.0: burst strikes a line"),
        ('[[events]]\nwhat = "unplug"\non = "reader-99"\nat_s = 1', "there is no reader reader-99"),
    ],
)
def test_what_the_laboratory_cannot_do_is_refused(text: str, words: str) -> None:
    with pytest.raises(SettingsError, match=words):
        Laboratory(SIX, 1, Conditions(faults=plan_of(text)))


def test_a_wrong_name_given_by_hand_is_a_sentence() -> None:
    with pytest.raises(SettingsError, match="there is no reader reader-33 at the table home-six; did you mean"):
        Laboratory(SIX, 1).faults.unplug("reader-33")


def plan_of(text: str) -> TablePlan:
    return parse(TablePlan, tomllib.loads(text), "plan")

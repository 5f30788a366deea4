"""The whole system: pseudo-terminals, frames, broker, controller and journal, driven by virtual people.

What is compared is what the virtual players meant, which only chips, camera and keys tell the system.
"""

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time

import psutil
import pytest

pytestmark = [pytest.mark.hil, pytest.mark.timeout(240)]


def demo(tmp_path, *options, **popen):
    """Starts a headless demonstration with its journal in the test's folder."""
    line = [
        sys.executable,
        "-m",
        "betline",
        "demo",
        "--headless",
        "--json",
        "--journal",
        str(tmp_path / "demo.journal"),
    ]
    (tmp_path / "temporary").mkdir()
    popen["env"] = {**popen.get("env", os.environ), "TMPDIR": str(tmp_path / "temporary")}
    return subprocess.Popen(
        [*line, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path, **popen
    )


def finished(process):
    out, err = process.communicate(timeout=220)
    assert process.returncode == 0, err
    return json.loads(out)


def announcements(tmp_path):
    """Every announcement of the journal, in order."""
    with sqlite3.connect(tmp_path / "demo.journal") as journal:
        rows = journal.execute("SELECT payload FROM entry WHERE kind = 'announced' ORDER BY seq").fetchall()
    journal.close()
    return [json.loads(payload)["text"] for (payload,) in rows]


@pytest.mark.nightly
def test_the_televised_million_dollar_hand_is_acted_out_chip_by_chip(tmp_path):
    report = finished(demo(tmp_path, "--script", "dwan-ivey-2009.phh"))
    assert report["wrong"] == 0
    assert report["acts"] == 10
    assert list((tmp_path / "temporary").iterdir()) == []
    assert report["finishing_stacks"] == [572100, 1997500, 1109500]


PLAN = """
[[events]]
what = "broker-away"
at_s = 4
for_s = 1.5
[[events]]
what = "latency"
at_s = 7
for_s = 3
latency_ms = 80.0
[[events]]
what = "disk-full"
at_s = 11
for_s = 2
[[events]]
what = "kill"
on = "bridge"
at_s = 15
[[events]]
what = "camera-black"
at_s = 18
for_s = 3
[[events]]
what = "unplug"
on = "reader-3"
at_s = 22
for_s = 3
"""


@pytest.mark.nightly
def test_a_plan_of_faults_strikes_the_real_programs_and_every_act_is_ruled_as_meant(tmp_path):
    (tmp_path / "plan.toml").write_text(PLAN)
    process = demo(tmp_path, "--table", "home-six", "--hands", "2", "--seed", "2", "--faults", "plan.toml")
    out, err = process.communicate(timeout=220)

    assert process.returncode == 0, err
    assert json.loads(out)["wrong"] == 0
    struck = [line.removeprefix("betline: fault: ") for line in err.splitlines() if "fault: " in line]
    assert struck == [
        "broker-away on broker, for 1.5 s.",
        "latency on broker, for 3 s.",
        "disk-full on controller, for 2 s.",
        "kill on bridge, for 1 s.",
    ]
    assert all(f"alert {code}" in err for code in ("journal-failed", "bridge-down", "camera-blind", "reader-down")), err
    assert "Traceback" not in err


@pytest.mark.nightly
def test_the_pot_limit_example_announces_each_maximum_before_the_player_acts(tmp_path):
    report = finished(demo(tmp_path, "--script", "pot-limit-example.yaml"))
    assert report["wrong"] == 0
    said = announcements(tmp_path)
    order = [
        "Seat 1: check, minimum bet 5, maximum 20, the pot",
        "Seat 2: call 5, minimum raise to 10, maximum 35, the pot",
    ]
    order += [
        "Seat 3: call 35, minimum raise to 65, maximum 130, the pot",
        "Seat 4: call 35, minimum raise to 65, maximum 165, the pot",
        "Seat 1: call 160",
    ]
    positions = [next((n for n, text in enumerate(said) if wanted in text), None) for wanted in order]
    assert None not in positions, said
    assert positions == sorted(positions)


def test_a_random_ten_handed_hand_is_ruled_as_the_players_meant_it(tmp_path):
    report = finished(demo(tmp_path, "--hands", "1", "--seed", "1"))
    assert report["hands"] == 1
    assert report["wrong"] == 0
    assert set(report["finishing_stacks"]) == {str(seat) for seat in range(1, 11)}
    assert set(report["latency_ms"]["at_rest_to_announcement"]) == {"p50", "p95", "p99"}


@pytest.mark.nightly
def test_an_evening_with_a_goer_a_comer_straddles_and_missed_blinds_is_booked_chip_by_chip(tmp_path):
    """Books, button, blinds and posts are compared with the players' own account, and all chips are counted."""
    report = finished(demo(tmp_path, "--script", "evening", "--seed", "23"))
    assert report["hands"] == 4
    assert report["wrong"] == 0
    around = {name: report[name] for name in ("seated", "left", "away", "back", "posts", "straddles")}
    assert around == {"seated": 1, "left": 1, "away": 1, "back": 1, "posts": 2, "straddles": 2}
    assert set(report["finishing_stacks"]) == {"1", "2", "3", "4", "6", "7"}
    assert sum(report["finishing_stacks"].values()) == 6000
    straddles = [(one["seat"], one["to"], one["source"]) for one in _straddles(tmp_path)]
    assert straddles == [(3, 20, "chips"), (1, 20, "chips")]


@pytest.mark.nightly
def test_every_part_killed_in_turn_in_the_middle_of_hands_costs_nothing(tmp_path):
    process = demo(tmp_path, "--hands", "2", "--seed", "3", "--table", "home-six")
    for acts, victim in enumerate(("controller", "bridge", "vision", "broker"), start=2):
        _await_acts(tmp_path, process, acts)
        _child(process, victim).send_signal(signal.SIGKILL)
    report = finished(process)
    assert report["wrong"] == 0
    assert report["hands"] == 2


def _straddles(tmp_path):
    """The straddles that the journal has, with who told of them."""
    with sqlite3.connect(tmp_path / "demo.journal") as journal:
        rows = journal.execute("SELECT payload FROM entry WHERE kind = 'step' ORDER BY seq").fetchall()
    journal.close()
    steps = [json.loads(payload) for (payload,) in rows]
    return [{**step["step"]["straddle"], "source": step["source"]} for step in steps if "straddle" in step["step"]]


def _await_acts(tmp_path, process, count, timeout_s=60):
    """Waits until so many turns have been announced."""
    deadline = time.monotonic() + timeout_s
    while time.monotonic() < deadline and process.poll() is None:
        try:
            if sum(1 for text in announcements(tmp_path) if re.match(r"Seat \d+:", text)) >= count:
                return
        except sqlite3.Error:
            pass
        time.sleep(0.1)
    raise AssertionError("the acts did not come")


def _child(process, name):
    for child in psutil.Process(process.pid).children(recursive=True):
        line = child.cmdline()
        if "betline.supervise" in line and line[line.index("betline.supervise") + 2] == name:
            return child
    raise AssertionError(f"{name} does not run")

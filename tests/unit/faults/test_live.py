"""Faults against real programs: the line to the broker, the timeline, the disk, the camera's pictures, and refusals."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from betline.broker import LOOPBACK, free_port
from betline.front_door import run
from betline.settings import SettingsError, load_table
from betline.settings.load import parse
from virtual_table.camera.view_faults import SOUND, ViewFaults
from virtual_table.faults.event import FaultEvent
from virtual_table.faults.plan import TablePlan
from virtual_table.run.part_faults import PartFaults, check_live, check_world, needs_line
from virtual_table.run.slow_line import SlowLine
from virtual_table.run.timeline import carried_out

SIX = load_table("home-six")


def plan_of(text: str) -> TablePlan:
    return parse(TablePlan, tomllib.loads(text), "plan")


def event(what: str, on: str = "", **amounts: Any) -> FaultEvent:
    return parse(FaultEvent, {"what": what, "on": on, "at_s": 0.0, **amounts}, "event")


# --- the line


@pytest.fixture
def echo() -> Iterator[int]:
    """A server that sends back what it gets."""
    server = socket.create_server((LOOPBACK, 0))

    def answer(connection: socket.socket) -> None:
        with connection:
            while data := connection.recv(1000):
                connection.sendall(data)

    def serve() -> None:
        while True:
            try:
                connection, _ = server.accept()
            except OSError:
                return
            threading.Thread(target=answer, args=(connection,), daemon=True).start()

    threading.Thread(target=serve, daemon=True).start()
    yield server.getsockname()[1]
    server.shutdown(socket.SHUT_RDWR)
    server.close()


@pytest.fixture
def line(echo: int) -> Iterator[SlowLine]:
    line = SlowLine(free_port(), echo)
    yield line
    line.close()


def call(line: SlowLine) -> socket.socket:
    return socket.create_connection(line.address, 5.0)


def test_a_sound_line_passes_bytes_both_ways(line: SlowLine) -> None:
    with call(line) as one, call(line) as other:
        one.sendall(b"one")
        other.sendall(b"other")

        assert one.recv(100) == b"one"
        assert other.recv(100) == b"other"


def test_a_slow_line_keeps_bytes_back_each_way(line: SlowLine) -> None:
    line.late_by(0.1)
    with call(line) as one:
        began_s = time.monotonic()
        one.sendall(b"late")

        assert one.recv(100) == b"late"
        assert time.monotonic() - began_s >= 0.2


def test_a_cut_line_hangs_up_lets_nobody_through_and_is_mended(line: SlowLine) -> None:
    with call(line) as one:
        one.sendall(b"before")
        assert one.recv(100) == b"before"
        line.cut()
        assert is_hung_up(one)
    with call(line) as again:
        assert is_hung_up(again)
    line.mend()
    with call(line) as after:
        after.sendall(b"after")
        assert after.recv(100) == b"after"


def is_hung_up(one: socket.socket) -> bool:
    try:
        return one.recv(100) == b""
    except ConnectionResetError:
        return True


def test_a_line_to_nobody_hangs_up() -> None:
    line = SlowLine(free_port(), free_port())
    with call(line) as one:
        assert is_hung_up(one)
    line.close()


# --- the timeline


def told_by(plan: str, wanted: int) -> list[str]:
    """What a plan brings about until so much was told, and what its end brings."""
    told: list[str] = []
    enough = threading.Event()

    def tell(sentence: str) -> None:
        told.append(sentence)
        if len(told) == wanted:
            enough.set()

    def strike(name: str, event: FaultEvent) -> tuple[str, Any]:
        return name, lambda: tell(f"{name} is well")

    with carried_out(plan_of(plan).occurrences(SIX, 1), strike, tell):
        assert enough.wait(10.0)
    return told


def test_faults_begin_and_end_in_their_time() -> None:
    told = told_by(
        '[[events]]\nwhat = "stuck"\non = "reader-1"\nat_s = 0.0\nfor_s = 0.05\n'
        '[[events]]\nwhat = "kill"\non = "bridge"\nat_s = 0.02\nfor_s = 0.1\n',
        4,
    )

    assert told == [
        "fault: stuck on reader-1, for 0.05 s.",
        "fault: kill on bridge, for 0.1 s.",
        "reader-1 is well",
        "bridge is well",
    ]


def test_what_two_faults_strike_is_well_after_the_last_and_at_the_end_in_any_case() -> None:
    told = told_by(
        '[[events]]\nwhat = "stuck"\non = "reader-1"\nat_s = 0.0\nfor_s = 60\n'
        '[[events]]\nwhat = "unplug"\non = "reader-1"\nat_s = 0.0\nfor_s = 0.01\n',
        2,
    )

    assert told[2:] == ["reader-1 is well"]


def test_nothing_happens_before_play_begins() -> None:
    told: list[str] = []
    plan = plan_of('[[events]]\nwhat = "kill"\non = "bridge"\nat_s = 0.0')

    with carried_out(plan.occurrences(SIX, 1), lambda *_: None, told.append, lambda: False):
        pass

    assert told == []


# --- programs


def test_a_program_that_is_kept_away_comes_back_when_its_faults_are_over() -> None:
    did: list[tuple[object, ...]] = []
    parts = SimpleNamespace(kill=lambda *one: did.append(("kill", *one)), release=lambda *one: did.append(one))
    plan = plan_of('[[events]]\nwhat = "kill"\non = "bridge"\nat_s = 0.0\nfor_s = 300\n')
    with carried_out(plan.occurrences(SIX, 1), PartFaults(parts, None).strike, lambda _: None):  # type: ignore[arg-type]
        while not did:
            time.sleep(0.01)
    assert did == [("kill", "bridge", 300.0), ("bridge",)]


WRITES = """
import sys
for line in sys.stdin:
    try:
        with open(sys.argv[1], "ab") as file:
            file.write(b"x" * 100)
        print("written", flush=True)
    except OSError as error:
        print(error.strerror, flush=True)
"""


def test_a_program_with_a_full_disk_cannot_write_until_there_is_room(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", WRITES, str(tmp_path / "file")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        part = SimpleNamespace(name="controller", process=process)
        faults = PartFaults(SimpleNamespace(parts=(part,)), None)  # type: ignore[arg-type]
        assert process.stdin is not None
        assert process.stdout is not None

        def tries() -> str:
            print(file=process.stdin, flush=True)
            return process.stdout.readline().strip()  # type: ignore[union-attr]

        said = [tries()]
        struck = faults.strike("controller", event("disk-full"))
        said.append(tries())
        assert struck is not None
        struck[1]()
        said.append(tries())
        process.stdin.close()

    assert said == ["written", "File too large", "written"]
    assert faults.strike("controller", event("disk-full")) is not None  # it is not running any more: nothing to do


def test_a_line_is_laid_only_where_something_strikes_it() -> None:
    assert needs_line(plan_of('[[events]]\nwhat = "latency"\nat_s = 1\nlatency_ms = 5.0'))
    assert not needs_line(plan_of('[[events]]\nwhat = "kill"\non = "broker"\nat_s = 1'))


# --- what is refused


@pytest.mark.parametrize(
    ("text", "external", "words"),
    [
        ('what = "clock-step"\nstep_s = 5.0', False, "the clock of this machine is not ours to step"),
        ('what = "broker-away"', True, "not this run's own: leave out --external-broker"),
        ('what = "latency"\nlatency_ms = 5.0', True, "not this run's own"),
        ('what = "kill"\non = "broker"', True, "not this run's own"),
        ('what = "kill"\non = "any"', True, "not this run's own"),
    ],
)
def test_what_cannot_be_done_to_real_programs_is_refused(text: str, external: bool, words: str) -> None:
    plan = plan_of(f"[[events]]\nat_s = 1\n{text}")

    with pytest.raises(SettingsError, match=words):
        check_live(plan, external=external)


def test_what_can_be_done_with_a_broker_of_somebody_else_is_not_refused() -> None:
    check_live(plan_of('[[events]]\nwhat = "kill"\non = "bridge"\nat_s = 1'), external=True)
    check_live(plan_of('[[events]]\nwhat = "broker-away"\nat_s = 1'), external=False)


def test_the_world_by_itself_has_no_programs_to_strike() -> None:
    check_world(plan_of('[[events]]\nwhat = "camera-black"\nat_s = 1'))
    with pytest.raises(SettingsError, match="kill strikes a program, and the world has readers and a camera only"):
        check_world(plan_of('[[events]]\nwhat = "kill"\non = "bridge"\nat_s = 1'))


@pytest.mark.parametrize(
    "verb",
    [
        ["demo", "--headless", "--table", "home-six"],
        ["world", "--table", "home-six", "--dir", "world", "--camera-port", "1"],
        ["bench", "sensing", "--acts", "1"],
    ],
)
def test_a_plan_that_names_a_reader_that_is_not_there_is_refused_before_anything_begins(
    verb: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("plan.toml").write_text('[[events]]\nwhat = "unplug"\non = "reader-99"\nat_s = 1\n')

    assert run([*verb, "--faults", "plan.toml"]) == 2
    said = capsys.readouterr().err.splitlines()[-1]
    assert "events.0.on: there is no reader reader-99 at the table" in said


@pytest.mark.parametrize(
    ("verb", "event"),
    [
        (["demo", "--headless", "--table", "home-six"], 'what = "clock-step"\nstep_s = 5'),
        (["world", "--table", "home-six", "--dir", "world", "--camera-port", "1"], 'what = "kill"\non = "bridge"'),
        (["bench", "sensing", "--acts", "1"], 'what = "burst"\nchances = { garbage = 0.5 }'),
    ],
)
def test_what_cannot_be_played_there_is_refused_with_the_name_of_the_plan(
    verb: list[str], event: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("some.toml").write_text(f"[[events]]\nat_s = 1\n{event}\n")

    assert run([*verb, "--faults", "some.toml"]) == 2
    assert "some.toml: events.0: " in capsys.readouterr().err.splitlines()[-1]


def test_a_reader_alone_refuses_the_plan_of_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tags, plan = tmp_path / "tags", tmp_path / "plan.toml"
    tags.write_text("E004015306A22D70")
    plan.write_text('[[events]]\nwhat = "unplug"\non = "reader-3"\nat_s = 1\n')

    assert run(["bridge", "virtual", "--protocol", "feig", "--tags", str(tags), "--faults", str(plan)]) == 2
    assert "leave it out, or give --reader" in capsys.readouterr().err


# --- the camera


def test_a_sound_camera_takes_the_picture_as_it_is() -> None:
    picture = np.random.default_rng(1).integers(0, 255, (12, 20, 3), dtype=np.uint8)

    assert SOUND.seen(picture) is picture


def test_a_faulty_camera_takes_it_black_shoved_or_half_covered() -> None:
    picture = np.random.default_rng(1).integers(1, 255, (12, 20, 3), dtype=np.uint8)
    before = picture.copy()

    assert not ViewFaults(black=True).seen(picture).any()
    moved = ViewFaults(moved_px=(3.0, 2.0)).seen(picture)
    assert np.array_equal(moved[2:, 3:], picture[:-2, :-3])
    covered = ViewFaults(covered=0.5).seen(picture)
    assert len(np.unique(covered[:, :10].reshape(-1, 3), axis=0)) == 1
    assert np.array_equal(covered[:, 10:], picture[:, 10:])
    assert np.array_equal(picture, before)

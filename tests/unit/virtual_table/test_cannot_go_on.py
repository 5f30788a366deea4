"""A demonstration that cannot go on, for want of chips or of a controller: its report has what was played, and why."""

import json
import threading
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import pytest

from betline.bus import MemoryBus, MemoryHub
from betline.options import Address
from betline.settings import load_table
from betline.steps import SitDown
from betline.topics import Namespace
from virtual_table.laboratory.laboratory import without_camera, without_readers
from virtual_table.play.director import Director
from virtual_table.play.link import ControllerSilent
from virtual_table.play.pace import Pauses
from virtual_table.run import world_process
from virtual_table.run.run_table import RunFiles
from virtual_table.run.world_process import Attendance, Evening, run_world
from virtual_table.scripts.random_evening import RandomEvening
from virtual_table.scripts.script import HandScript
from virtual_table.table.bank import BankError


def world_in(folder: Path, monkeypatch: pytest.MonkeyPatch, play: Callable[..., None]) -> bool:
    """Runs a world without readers, whose hands are played so."""
    table = load_table("home-six")
    monkeypatch.setattr(
        world_process, "join", lambda _address, names, *one, **more: MemoryBus(MemoryHub(), names, *one)
    )
    monkeypatch.setattr(Attendance, "wait", lambda *_: None)
    monkeypatch.setattr(Director, "seat_everybody", lambda *_: None)
    monkeypatch.setattr(Director, "play", play)
    hands = tuple(islice(RandomEvening(table, 1).hands(), 2))
    evening = Evening(hands, (SitDown(seat=3, stack=200),), 1, Pauses.short(), 1.0)
    (folder / "ports").mkdir()
    return run_world(
        without_readers(without_camera(table)), Address("127.0.0.1", 1), Namespace("home", "home-six"),
        RunFiles(folder), 0, evening, threading.Event(), lambda _: None,
    )  # fmt: skip


def test_a_world_out_of_chips_ends_with_a_sentence_in_its_report(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    played: list[HandScript] = []

    def out_of_chips(_: Director, script: HandScript, *__: object) -> None:
        played.append(script)
        raise BankError("no-such-amount", "Seat 3 cannot make 7 from its stack.")

    good = world_in(tmp_path, monkeypatch, out_of_chips)

    report = json.loads(RunFiles(tmp_path).report.read_text())
    assert (good, report["good"], len(played)) == (False, False, 1)
    assert report["faults"] == [
        "The chips on the table no longer make what the script wants: Seat 3 cannot make 7 from its stack."
    ]


def test_a_world_whose_controller_is_silent_leaves_a_report_of_the_hand_in_progress(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def silent(director: Director, *_: object) -> None:
        director.report.acts += 7
        raise ControllerSilent("The controller did not answer deal within 60 s.")

    with pytest.raises(ControllerSilent):
        world_in(tmp_path, monkeypatch, silent)

    assert json.loads(RunFiles(tmp_path).report.read_text())["json"]["acts"] == 7

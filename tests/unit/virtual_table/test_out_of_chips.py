"""A demonstration whose chips no longer make what its script wants: it ends with a sentence, not with a crash."""

import json
import threading
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
from virtual_table.play.pace import Pauses
from virtual_table.run import world_process
from virtual_table.run.run_table import RunFiles
from virtual_table.run.world_process import Attendance, Evening, run_world
from virtual_table.scripts.random_evening import RandomEvening
from virtual_table.scripts.script import HandScript
from virtual_table.table.bank import BankError


def test_a_world_out_of_chips_ends_with_a_sentence_in_its_report(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    played: list[HandScript] = []
    table = load_table("home-six")
    hands = tuple(islice(RandomEvening(table, 1).hands(), 2))

    def out_of_chips(_: Director, script: HandScript, *__: object) -> None:
        played.append(script)
        raise BankError("no-such-amount", "Seat 3 cannot make 7 from its stack.")

    monkeypatch.setattr(
        world_process, "join", lambda _address, names, *one, **more: MemoryBus(MemoryHub(), names, *one)
    )
    monkeypatch.setattr(Attendance, "wait", lambda *_: None)
    monkeypatch.setattr(Director, "seat_everybody", lambda *_: None)
    monkeypatch.setattr(Director, "play", out_of_chips)
    evening = Evening(hands, (SitDown(seat=3, stack=200),), 1, Pauses.short(), 1.0)
    (tmp_path / "ports").mkdir()

    good = run_world(
        without_readers(without_camera(table)), Address("127.0.0.1", 1), Namespace("home", "home-six"),
        RunFiles(tmp_path), 0, evening, threading.Event(), lambda _: None,
    )  # fmt: skip

    report = json.loads(RunFiles(tmp_path).report.read_text())
    assert (good, report["good"], played) == (False, False, [hands[0]])
    assert report["faults"] == [
        "The chips on the table no longer make what the script wants: Seat 3 cannot make 7 from its stack."
    ]

"""What `betline bridge record` keeps: every antenna in turn, a port that vanishes, and all of it when interrupted."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from betline.recordings import load_recording
from firmware_bridge.protocols.catalogue import FAMILIES
from firmware_bridge.recording import Recorded, RecordError, record
from virtual_table.readers.behaviour import Behaviour
from virtual_table.readers.feig import VirtualFeigReader
from virtual_table.readers.server import ReaderServer

FEIG = FAMILIES["feig"]
LINE = FEIG.traits.line
UID = "E004015306A22D70"


def virtual(antennas: int = 1) -> VirtualFeigReader:
    return VirtualFeigReader(lambda: [(UID, number, 1.0) for number in range(1, 4)], Behaviour(antennas=antennas))


def kept(port: str, out: Path, antennas: int = 1, seconds: float = 1.5, note: str = "") -> Recorded:
    return record(port, FEIG, LINE, out, antennas=antennas, seconds=seconds, stop=threading.Event(), note=note)


def test_every_antenna_is_read_in_turn(server: ReaderServer, tmp_path: Path) -> None:
    out = tmp_path / "line.jsonl"
    kept(server.add("one", virtual(3), LINE), out, antennas=3, note="three antennas")
    recording = load_recording(out)
    asked = {entry.to[10:12] for entry in recording.entries if entry.to is not None and entry.to.startswith("08FFB001")}
    assert asked == {"01", "02", "04"}
    assert recording.header.note == "three antennas"


def test_what_was_counted_is_what_was_kept(server: ReaderServer, tmp_path: Path) -> None:
    out = tmp_path / "line.jsonl"
    recorded = kept(server.add("one", virtual(), LINE), out)
    entries = load_recording(out).entries
    assert recorded.sent_bytes == sum(len(entry.to) // 2 for entry in entries if entry.to)
    assert recorded.received_bytes == sum(len(entry.from_) // 2 for entry in entries if entry.from_)
    assert recorded.rounds >= 2
    assert 1.5 <= recorded.seconds < 4
    assert entries[-1].t_ms <= round(recorded.seconds * 1000, 1)  # the tape's times are rounded


@pytest.mark.nightly
def test_port_that_vanishes_and_comes_back_is_in_the_recording(server: ReaderServer, tmp_path: Path) -> None:
    path, out = server.add("one", virtual(), LINE), tmp_path / "line.jsonl"

    def pull() -> None:
        time.sleep(0.5)
        server.unplug("one")
        time.sleep(0.3)
        server.replug("one")

    pulling = threading.Thread(target=pull)
    pulling.start()
    kept(path, out, seconds=3)
    pulling.join()
    entries = load_recording(out).entries
    assert [entry.event for entry in entries if entry.event] == ["opened", "lost", "opened"]
    again = [entry.event for entry in entries].index("opened", 1)
    assert any(entry.from_ for entry in entries[again:])


def test_folder_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="cannot be written"):
        kept("/dev/null", tmp_path / "no" / "line.jsonl")


@pytest.mark.nightly
def test_interrupted_recording_is_whole(server: ReaderServer, tmp_path: Path) -> None:
    path, out = server.add("one", virtual(), LINE), tmp_path / "line.jsonl"
    line = [
        sys.executable,
        "-m",
        "betline",
        "bridge",
        "record",
        "--port",
        path,
        "--protocol",
        "feig",
        "--out",
        str(out),
    ]
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as program:
        deadline_s = time.monotonic() + 20
        while time.monotonic() < deadline_s and not (out.exists() and '"from"' in out.read_text(encoding="utf-8")):
            time.sleep(0.02)
        program.send_signal(signal.SIGINT)
        said, complaint = program.communicate(timeout=20)
    assert program.returncode == 0, complaint
    assert " received, in " in said
    assert any(entry.from_ for entry in load_recording(out).entries)

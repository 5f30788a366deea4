"""From an empty folder to a test hand that proves the whole chain, on virtual readers and a virtual camera."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from betline.broker import free_port, is_free
from betline.front_door import run
from betline.options import UserError
from betline.provision.acts import Wish, provide
from betline.settings import TableSettings, load_chip_set, load_table
from betline.settings.readers import BY_ID
from betline.setup.antennas import Hunt
from betline.setup.hardware import Hardware
from betline.setup.playing import Tried, Watcher, play
from betline.setup.sections.readers import Spot
from betline.setup.trial import Push
from betline.topics import Namespace
from table_controller.voice.clip import Clip
from tests.mosquitto import MOSQUITTO, end, needs_mosquitto
from virtual_table.camera import MjpegServer
from virtual_table.play.cashier import Cashier
from virtual_table.readers.server import ReaderServer
from virtual_table.run.world_process import Senses, lend_names, virtual_readers
from virtual_table.table.dealer_motions import gather
from virtual_table.table.player_motions import push
from virtual_table.table.world import World

pytestmark = [pytest.mark.hil, pytest.mark.timeout(240)]

ONE, OTHER = str(BY_ID / "usb-one"), str(BY_ID / "usb-other")
CABLES = {"seat-1": f"{OTHER} 2", "seat-2": f"{ONE} 1", "seat-3": f"{OTHER} 1", "seat-4": f"{ONE} 2"}
"""How the antennas of this room are plugged in, which nobody has written down."""
_FOUND_S, _BETWEEN_S = 20.0, 1.0


class Room:
    """A virtual table with people who put chips where they are asked to."""

    def __init__(self, table: TableSettings) -> None:
        self.world = World(table, load_chip_set(table.chip_set), 1)
        self.world.stock_cage(50)
        for seat in table.seats:
            self.world.fill_stack(seat.number, 200, time.monotonic())
        self._cashier = Cashier(self.world, time.monotonic, lambda at_s: time.sleep(max(0.0, at_s - time.monotonic())))

    def push(self, seat: int, amount: int) -> None:
        push(self.world, seat, self._cashier.exact(seat, amount), time.monotonic() + _BETWEEN_S)

    def clear(self) -> None:
        time.sleep(max(0.0, gather(self.world, time.monotonic()).rest_s - time.monotonic()))

    def register(self, file: Path) -> None:
        rows = [json.dumps({"uid": chip.uid, "chip_type": chip.key}) for chip in self.world.chips()]
        file.write_text("\n".join(rows) + "\n")


def quiet(folder: Path, answers: dict[str, str]) -> TableSettings:
    words = [word for key, text in answers.items() for word in ("--set", f"{key}={text}")]
    assert run(["setup", "--dir", str(folder), "--no-probe", "--yes", "--json", *words]) == 0
    return load_table(folder / "table.toml")


@contextmanager
def a_room(folder: Path, camera_port: int) -> Iterator[Room]:
    """Readers on pseudo-terminals with the names of /dev/serial/by-id, and a camera on loopback."""
    readers = {"readers.connected": f"{ONE} feig, {OTHER} feig", "readers.antennas": "2"}
    as_it_is = quiet(
        folder / "as-it-is",
        {**SHAPE, **readers, **{f"readers.{zone}": spot for zone, spot in CABLES.items()},
         "camera.source": f"http://127.0.0.1:{camera_port}/"},
    )  # fmt: skip
    room = Room(as_it_is)
    room.register(folder / "chips.jsonl")
    server = ReaderServer(folder / "ports")
    camera = MjpegServer(room.world, as_it_is.cameras[0], camera_port, seed=1)
    try:
        virtual_readers(as_it_is, room.world, server, Senses(), 1)
        lend_names(as_it_is, folder / "ports")
        yield room
    finally:
        camera.close()
        server.close()


SHAPE = {"shape.size": "1800x1000", "shape.seats": "4"}


def found_by_chips(hardware: Hardware, room: Room, answers: dict[str, str]) -> dict[str, str]:
    """Somebody puts a chip before each seat, and nothing else is said."""
    readers = hardware.look().readers
    assert {reader.port for reader in readers} == {ONE, OTHER}
    spots = tuple(Spot(reader.port, antenna) for reader in readers for antenna in (1, 2))
    hunt = Hunt(spots)
    said: dict[str, str] = {}
    with hardware.listening(readers, spots) as ears:
        for zone in CABLES:
            hunt.ask()
            verdict, deadline_s, pushed = hunt.verdict(said), time.monotonic() + _FOUND_S, False
            while verdict.spot is None and time.monotonic() < deadline_s:
                if verdict.sentence.startswith("Ready") and not pushed:
                    room.push(int(zone.removeprefix("seat-")), 5)
                    pushed = True
                heard = ears.heard(0.1)
                if heard is not None:
                    hunt.hear(heard)
                verdict = hunt.verdict(said)
            said[str(verdict.spot)] = zone
    connected = ", ".join(map(str, readers))
    return {
        **answers,
        "readers.connected": connected,
        "readers.antennas": "2",
        **{f"readers.{z}": s for s, z in said.items()},
    }


def test_an_empty_folder_becomes_a_proven_table(tmp_path: Path) -> None:
    camera_port = free_port()
    with a_room(tmp_path, camera_port) as room:
        hardware = Hardware(tmp_path / "ports")
        answers = {**SHAPE, "camera.source": f"http://127.0.0.1:{camera_port}/"}
        answers = found_by_chips(hardware, room, answers)
        assert {zone: answers[f"readers.{zone}"] for zone in CABLES} == CABLES

        quiet(tmp_path / "mine", answers)
        room.clear()
        tried = Tried(tmp_path / "mine" / "table.toml", 3, tmp_path / "ports", tmp_path / "chips.jsonl", push_s=15)
        asked: list[Push] = []

        def ask(wanted: Push) -> None:
            asked.append(wanted)
            room.push(wanted.seat, wanted.amount)

        trial = play(tried, Watcher(print, ask))

    assert asked == [Push(3, 5)]
    assert [link for link in trial.links if not link.seen] == []
    assert trial.proven
    assert {link.part for link in trial.links} == {
        "broker", "controller", "reader", "camera", "hand", "antenna", "chips", "camera-saw", "ruling", "announcement",
    }  # fmt: skip
    assert "started for the test hand" in trial.links[0].sentence


@pytest.mark.nightly
def test_chips_on_the_wrong_seat_prove_nothing(tmp_path: Path) -> None:
    with a_room(tmp_path, free_port()) as room:
        tried = Tried(tmp_path / "as-it-is" / "table.toml", 3, tmp_path / "ports", tmp_path / "chips.jsonl", push_s=6)
        trial = play(tried, Watcher(lambda _link: None, lambda wanted: room.push(2, wanted.amount)))

    assert not trial.proven
    assert {link.part for link in trial.links if not link.seen} >= {"antenna", "chips", "ruling"}


@needs_mosquitto
def test_the_hand_is_played_on_the_tables_own_broker_with_its_logins_and_voice_and_by_one_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    programs = tmp_path / "programs"
    programs.mkdir()
    for name, does in {
        "espeak-ng": f"cat > {tmp_path}/spoken; cat {tmp_path}/beep.wav",
        "aplay": "cat > /dev/null",
    }.items():
        (programs / name).write_text(f"#!/bin/sh\n{does}\n")
        (programs / name).chmod(0o755)
    (tmp_path / "beep.wav").write_bytes(Clip(22050, 1, bytes(2000)).to_wav())
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")

    port, logins, home = free_port(), tmp_path / "mine/logins", tmp_path / "mine"
    with a_room(tmp_path, free_port()) as room:
        own = {"broker.url": f"mqtts://127.0.0.1:{port}", "broker.logins": "logins", "voice.language": "en"}
        readers = {"readers.connected": f"{ONE} feig, {OTHER} feig", "readers.antennas": "2"}
        table = quiet(home, {**SHAPE, **readers, **{f"readers.{zone}": spot for zone, spot in CABLES.items()}, **own})
        wish = Wish(hosts=("127.0.0.1",), port=port, certificates=True, installed_in=str(logins / "mosquitto"))
        provide(table, Namespace("home", table.name), logins, wish, datetime.now(UTC))
        log = f"persistence_location {tmp_path}/\nlog_dest file {tmp_path}/mosquitto.log\nlog_type all\n"
        usual = log + ("user root\n" if os.geteuid() == 0 else "")
        (tmp_path / "main.conf").write_text(usual + (logins / "mosquitto/mosquitto.conf").read_text())
        tried = Tried(home / "table.toml", 3, tmp_path / "ports", tmp_path / "chips.jsonl", push_s=20, voice="en")
        refused: list[str] = []

        def ask(wanted: Push) -> None:
            with pytest.raises(UserError) as second:
                play(tried, Watcher(lambda _link: None, lambda _push: None))
            refused.append(str(second.value))
            room.push(wanted.seat, wanted.amount)

        heard: list[str] = []
        with subprocess.Popen([str(MOSQUITTO), "-c", str(tmp_path / "main.conf")], stderr=subprocess.DEVNULL) as broker:
            try:
                await_port(port)
                trial = play(tried, Watcher(print, ask, heard.append))
            finally:
                end(broker)

    assert [link for link in trial.links if not link.seen] == []
    assert "it lets home." in trial.links[0].sentence
    assert "with TLS" in trial.links[0].sentence
    assert trial.links[-1].part == "voice"
    assert "three" in (tmp_path / "spoken").read_text() or "five" in (tmp_path / "spoken").read_text()
    assert "played on the broker" in refused[0]
    assert "The antenna of seat 3 hears red-5." in heard
    assert "Denied" not in (tmp_path / "mosquitto.log").read_text()


def await_port(port: int) -> None:
    deadline_s = time.monotonic() + 10
    while is_free(port):
        assert time.monotonic() < deadline_s, "mosquitto does not listen"
        time.sleep(0.02)

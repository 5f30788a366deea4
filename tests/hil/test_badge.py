"""The staff at a whole table: the dealer's badge lies on a virtual reader, and the journal has who keyed each act."""

import json
import sqlite3
import subprocess
import sys

import pytest

from betline.front_door import run

pytestmark = [pytest.mark.hil, pytest.mark.timeout(240)]

BADGE = "04A2B3C4D5E680"
TABLE = """\
name = "staffed"
title = "A staffed table"
based_on = "home-six"

[badge]
polygon_mm = [[-80, 300], [0, 300], [0, 380], [-80, 380]]
"""
READER = """
[[readers]]
id = "{id}"
protocol = "{protocol}"
port = "{port}"
baud = {baud}
antennas = [{{ antenna = 1, zone = "{zone}" }}]
"""


@pytest.fixture
def staffed(tmp_path):
    from betline.settings import load_table

    people = tmp_path / "people.toml"
    add = ["people", "add", "Kim", "--role", "floor", "--badge", BADGE, "--no-pin", "--people", str(people)]
    assert run(add) == 0
    text = TABLE
    for reader in load_table("home-six").readers:
        zone = reader.antennas[0].zone
        text += READER.format(id=reader.id, protocol=reader.protocol, port=reader.port, baud=reader.baud, zone=zone)
    text += READER.format(id="reader-badge", protocol="pn532", port="usb:00000042", baud=115200, zone="badge")
    (tmp_path / "staffed.toml").write_text(text)
    return tmp_path


def demo(folder, *options):
    line = [sys.executable, "-m", "betline", "demo", "--headless", "--json", "--table", str(folder / "staffed.toml")]
    line += ["--journal", str(folder / "demo.journal"), "--people", str(folder / "people.toml"), *options]
    return subprocess.run(line, capture_output=True, text=True, cwd=folder, check=False, timeout=220)


def entries(folder, kind):
    with sqlite3.connect(folder / "demo.journal") as journal:
        rows = journal.execute("SELECT payload FROM entry WHERE kind = ? ORDER BY seq", (kind,)).fetchall()
        names = dict(journal.execute("SELECT id, name FROM person"))
    journal.close()
    return [json.loads(payload) for (payload,) in rows], names


@pytest.mark.nightly
def test_the_dealers_badge_on_a_virtual_reader_signs_in_and_every_command_is_the_dealers(staffed):
    done = demo(staffed, "--hands", "1", "--seed", "3")

    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["wrong"] == 0
    (came, *_), names = entries(staffed, "signed-in")
    assert (names[came["person"]], came["role"], came["way"]) == ("Kim", "floor", "badge")
    commands, _ = entries(staffed, "command")
    assert commands
    assert {(one["by"], one["role"]) for one in commands} == {(came["person"], "floor")}


def test_without_a_place_for_a_badge_the_demo_says_what_is_missing(staffed):
    file = staffed / "staffed.toml"
    file.write_text('name = "bare"\ntitle = "Bare"\nbased_on = "home-six"\n')
    done = demo(staffed)

    assert done.returncode == 2
    assert "[badge] in the table file" in done.stderr

"""`betline chips` as a person and as a lab use it: virtual FEIG readers on pseudo-terminals, keys typed at another."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from betline.front_door import run
from firmware_bridge.chips.places import Place, PlacesFile, places_beside
from firmware_bridge.chips.record import Chip
from firmware_bridge.chips.register import write_register
from firmware_bridge.chips.store import history, read
from firmware_bridge.protocols.family import LineSettings
from virtual_table.readers.behaviour import Behaviour
from virtual_table.readers.feig import VirtualFeigReader
from virtual_table.readers.server import ReaderServer

LINE = LineSettings(115_200, "E")
FIRST = [f"E0040150AA0000{number:02X}" for number in range(20)]
SECOND = [f"E0040150BB0000{number:02X}" for number in range(5)]
BESIDE = "E0040150CC000000"


class Lab:
    """A reader on a pseudo-terminal whose stack the test changes, and a register."""

    def __init__(self, server: ReaderServer, folder: Path) -> None:
        self.stack: list[str] = []
        reader = VirtualFeigReader(self.field, Behaviour(missed=0.05, neighbour=0.02), seed=5)
        self.port = server.add("lab", reader, LINE)
        self.register = folder / "chips.sqlite"

    def field(self) -> list[tuple[str, int, float]]:
        return [*((uid, 1, 1.0) for uid in self.stack), (BESIDE, 1, 0.2)]

    @property
    def reader(self) -> list[str]:
        return ["--port", self.port, "--baud", "115200", "--protocol", "feig", "--chip-set", "cash"]

    def chips(self, verb: str, *more: str) -> int:
        return run(["chips", verb, *more, "--register", str(self.register)])

    def enrol(self, denomination: str, *more: str) -> int:
        return self.chips("enrol", *self.reader, "--denomination", denomination, *more)

    def types(self) -> dict[str, str]:
        return {uid: chip.chip_type for uid, chip in read(self.register).items()}


@pytest.fixture
def lab(server: ReaderServer, tmp_path: Path) -> Lab:
    return Lab(server, tmp_path)


@pytest.mark.nightly
def test_a_lab_enrols_a_stack_without_prompts_and_again_without_harm(
    lab: Lab, capsys: pytest.CaptureFixture[str]
) -> None:
    lab.stack = FIRST
    assert lab.enrol("red-5", "--expect", "20", "--json", "--by", "ann", "--batch", "case 1") == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["chip_type"], said["batch"], said["already"], said["in_register"]) == ("red-5", "case 1", [], 20)
    assert said["enrolled"] == FIRST
    assert lab.types() == dict.fromkeys(FIRST, "red-5")
    assert {change.user for change in history(lab.register)} == {"ann"}

    assert lab.enrol("5", "--expect", "20", "--json") == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["enrolled"], said["already"]) == ([], FIRST)


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("denomination", "expect", "words"),
    [("blue-10", "20", "Take this out of the stack: red-5"), ("red-5", "21", "20 chips")],
)
def test_a_stack_with_a_foreign_chip_or_of_another_number_writes_nothing(
    lab: Lab, capsys: pytest.CaptureFixture[str], denomination: str, expect: str, words: str
) -> None:
    write_register(lab.register, [(FIRST[0], "red-5")])
    lab.stack = FIRST
    assert lab.enrol(denomination, "--expect", expect, "--timeout", "6", "--json") == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert words in said.err
    assert "Nothing was written." in said.err
    assert said.err.count("\n") == 1
    assert lab.types() == {FIRST[0]: "red-5"}


@pytest.mark.nightly
def test_a_register_is_not_begun_where_nothing_was_enrolled(lab: Lab) -> None:
    assert lab.enrol("red-5", "--expect", "20", "--timeout", "2", "--json") == 1
    assert not lab.register.exists()


@pytest.mark.parametrize(
    ("more", "status", "words"),
    [
        (["--denomination", "red-5", "--json"], 2, "say how many chips it has with --expect"),
        (["--denomination", "red-6", "--expect", "5", "--json"], 2, "The chip set cash has no red-6; it has white-1"),
        (["--denomination", "red-5", "--expect", "5", "--json", "--port", "/dev/nowhere"], 1, "There is no port"),
        (["--denomination", "red-5", "--expect", "5", "--json", "--protocol", "fieg"], 2, "'fieg'"),
        (["--denomination", "red-5", "--expect", "5", "--json", "--chip-set", "nickel"], 2, "nickel"),
    ],
)
def test_what_cannot_begin_says_why_in_one_sentence(
    lab: Lab, capsys: pytest.CaptureFixture[str], more: list[str], status: int, words: str
) -> None:
    assert lab.chips("enrol", *lab.reader, *more) == status
    said = capsys.readouterr()
    assert said.out == ""
    assert words in said.err
    assert said.err.count("\n") == 1


class Keyboard:
    """A program on a pseudo-terminal of its own, as over ssh."""

    def __init__(self, arguments: list[str]) -> None:
        self._master, slave = os.openpty()
        self.program = subprocess.Popen(
            [sys.executable, "-m", "betline", *arguments], stdin=slave, stdout=slave, stderr=slave, close_fds=True
        )
        os.close(slave)
        self.screen = ""

    def type(self, line: str) -> None:
        os.write(self._master, f"{line}\n".encode())

    def sees(self, words: str, limit_s: float = 20.0) -> bool:
        """Whether these words come on the screen after those that were looked for before."""
        deadline = time.monotonic() + limit_s
        while words not in self.screen and time.monotonic() < deadline:
            if select.select([self._master], [], [], 0.05)[0]:
                with suppress(OSError):
                    self.screen += os.read(self._master, 4096).decode()
        found = words in self.screen
        self.screen = self.screen.partition(words)[2] if found else self.screen
        return found

    def close(self) -> None:
        self.program.kill()
        self.program.wait(5)
        os.close(self._master)


@contextmanager
def typing(*arguments: str) -> Iterator[Keyboard]:
    keyboard = Keyboard(list(arguments))
    try:
        yield keyboard
    finally:
        keyboard.close()


@pytest.mark.nightly
def test_a_person_enrols_stack_after_stack_and_takes_the_last_one_back(lab: Lab) -> None:
    lab.stack = FIRST
    enrol = ["chips", "enrol", *lab.reader, "--denomination", "red-5", "--register", str(lab.register)]
    with typing(*enrol) as person:
        assert person.sees("Put a stack of red-5 on the reader.")
        assert person.sees("20 chips, stable in 6 of 6 rounds, 20 new")
        assert not lab.types()
        person.type("")
        assert person.sees("20 enrolled as red-5, 20 in all")
        assert lab.types() == dict.fromkeys(FIRST, "red-5")

        person.type("")
        assert person.sees("All 20 are red-5 already: put the next stack on.")
        lab.stack = SECOND
        assert person.sees("5 chips, stable in 6 of 6 rounds, 5 new")
        person.type("")
        assert person.sees("5 enrolled as red-5, 25 in all")
        person.type("u")
        assert person.sees("Undone: 5 taken out of the register again, 20 enrolled in all")
        assert lab.types() == dict.fromkeys(FIRST, "red-5")
        person.type("what")
        assert person.sees("q ends.")
        person.type("q")
        assert person.sees("20 chips enrolled as red-5 in")
        assert person.program.wait(10) == 0
    assert {change.uid for change in history(lab.register) if change.new is None} == set(SECOND)


@pytest.mark.nightly
def test_a_person_is_told_of_a_foreign_chip_and_goes_on_once_it_is_out(lab: Lab) -> None:
    write_register(lab.register, [(SECOND[0], "blue-10")])
    lab.stack = [*FIRST, SECOND[0]]
    enrol = ["chips", "enrol", *lab.reader, "--denomination", "red-5", "--register", str(lab.register)]
    with typing(*enrol, "--expect", "20") as person:
        assert person.sees(f"21 chips of 20, stable in 6 of 6 rounds, 20 new, FOREIGN: blue-10 {SECOND[0]}")
        person.type("")
        assert person.sees(f"Take this out of the stack: blue-10 {SECOND[0]}.")
        lab.stack = FIRST
        assert person.sees("20 chips of 20, stable in 6 of 6 rounds, 20 new")
        person.type("")
        assert person.sees("20 enrolled as red-5")
        person.type("q")
        assert person.program.wait(10) == 0
    assert lab.types() == {**dict.fromkeys(FIRST, "red-5"), SECOND[0]: "blue-10"}


@pytest.mark.nightly
def test_a_reader_that_is_unplugged_while_enrolling_is_told_of(lab: Lab, server: ReaderServer) -> None:
    lab.stack = FIRST
    enrol = ["chips", "enrol", *lab.reader, "--denomination", "red-5", "--register", str(lab.register)]
    with typing(*enrol) as person:
        assert person.sees("stable in 6 of 6 rounds")
        server.unplug("lab")
        assert person.sees("betline: ")
        assert person.program.wait(10) == 1


@pytest.mark.nightly
def test_verify_tells_what_each_chip_of_a_stack_is_and_counts_only_what_may_play(
    lab: Lab, capsys: pytest.CaptureFixture[str]
) -> None:
    lab.stack = [*FIRST[:4], SECOND[0]]
    write_register(
        lab.register, [(FIRST[0], "red-5"), (FIRST[1], "black-100"), (FIRST[2], "red-5"), (FIRST[3], "pink-2")]
    )
    assert lab.chips("retire", FIRST[2].lower(), "--reason", "worn") == 0
    assert lab.chips("hot", FIRST[1], "--reason", "stolen") == 0
    capsys.readouterr()
    assert lab.chips("verify", *lab.reader, "--json") == 1
    said = json.loads(capsys.readouterr().out)
    assert (said["total"], said["good"]) == (105, False)
    assert [(chip["chip_type"], chip["state"], chip["value"]) for chip in said["chips"]] == [
        ("red-5", "active", 5),
        ("black-100", "hot", 100),
        ("red-5", "retired", 0),
        ("pink-2", "active", 0),
        (None, "unknown", 0),
    ]

    assert lab.chips("verify", *lab.reader) == 1
    said_out = capsys.readouterr().out
    assert f"{FIRST[2]}  red-5  0  retired  (worn)" in said_out
    assert "5 chips worth 105, 4 of them may not play" in said_out


@pytest.mark.nightly
def test_verify_of_a_good_stack_is_status_0_and_of_another_number_than_expected_1(
    lab: Lab, capsys: pytest.CaptureFixture[str]
) -> None:
    lab.stack = FIRST
    write_register(lab.register, [(uid, "red-5") for uid in FIRST])
    assert lab.chips("verify", *lab.reader) == 0
    assert "20 chips worth 100\n" in capsys.readouterr().out
    assert lab.chips("verify", *lab.reader, "--expect", "19", "--timeout", "6") == 1
    assert "20 chips, stable in 6 of 6 rounds, 19 were expected." in capsys.readouterr().err


def test_list_counts_and_values_by_chip_set(lab: Lab, capsys: pytest.CaptureFixture[str]) -> None:
    write_register(lab.register, [*((uid, "red-5") for uid in FIRST), *((uid, "pink-2") for uid in SECOND)])
    assert lab.chips("retire", FIRST[0], FIRST[1], "--reason", "worn") == 0
    assert lab.chips("hot", FIRST[2], "--reason", "stolen") == 0
    capsys.readouterr()
    assert lab.chips("list", "--chip-set", "cash", "--json") == 0
    rows = {row["chip_type"]: row for row in json.loads(capsys.readouterr().out)}
    assert rows["red-5"] == {"chip_type": "red-5", "value": 5, "active": 17, "retired": 2, "hot": 1, "total": 90}
    assert (rows["pink-2"]["value"], rows["pink-2"]["total"], rows["black-100"]["active"]) == (None, None, 0)
    assert lab.chips("list", "--chip-set", "cash") == 0
    assert "25 chips, 90 in play" in capsys.readouterr().out


def test_the_same_chips_are_worth_what_the_set_in_force_says(lab: Lab, capsys: pytest.CaptureFixture[str]) -> None:
    lab.stack = SECOND
    write_register(lab.register, [(uid, "black-100") for uid in SECOND])
    other = lab.register.with_name("tonight.toml")
    other.write_text(
        'name = "tonight"\nchips = [{ key = "black-100", value = 7, colour = "#2b2b30", edge_colour = "#e8e6df" }]\n',
        encoding="utf-8",
    )
    reader = [*lab.reader[:-1], str(other)]
    assert lab.chips("verify", *reader) == 0
    assert "5 chips worth 35" in capsys.readouterr().out


def test_show_tells_the_chip_its_last_place_and_its_history(lab: Lab, capsys: pytest.CaptureFixture[str]) -> None:
    write_register(lab.register, [(FIRST[0], "red-5")])
    assert lab.chips("name", FIRST[0], "lucky", "--by", "ann") == 0
    places = PlacesFile.open(places_beside(lab.register))
    places.keep([(FIRST[0], Place("casino-oval", "seat-4", 1_000, 61_000))])
    places.close()
    capsys.readouterr()
    assert lab.chips("show", FIRST[0].lower()) == 0
    said = capsys.readouterr().out
    assert said.startswith(f'red-5 "lucky" {FIRST[0]}\n')
    assert "last at seat-4 of casino-oval, from 1970" in said
    assert "ann  name: nothing -> lucky" in said

    assert lab.chips("show", FIRST[0], "--json") == 0
    document = json.loads(capsys.readouterr().out)
    assert document["place"] == {"table": "casino-oval", "zone": "seat-4", "since_ms": 1000, "heard_ms": 61000}
    assert [change["element"] for change in document["history"]] == ["chip_type", "name"]
    assert lab.chips("show", FIRST[1]) == 1
    assert "is not in the register" in capsys.readouterr().err


def test_states_need_a_reason_and_a_chip_that_is_there_and_can_be_taken_back(
    lab: Lab, capsys: pytest.CaptureFixture[str]
) -> None:
    write_register(lab.register, [(FIRST[0], "red-5")])
    assert lab.chips("hot", FIRST[0], "--reason", " ") == 2
    assert lab.chips("hot", FIRST[1], "--reason", "stolen") == 1
    assert "is not in the register" in capsys.readouterr().err
    assert lab.chips("hot", FIRST[0], FIRST[0], "--reason", "stolen") == 0
    assert lab.chips("restore", FIRST[0], "--reason", "found again") == 0
    assert read(lab.register)[FIRST[0]].state == "active"
    states = [(one.old, one.new) for one in history(lab.register, FIRST[0]) if one.element == "state"]
    assert states == [("active", "hot"), ("hot", "active")]


@pytest.mark.parametrize("name", ["chips.csv", "chips.json"])
def test_what_is_exported_can_be_brought_into_another_register(
    lab: Lab, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    write_register(lab.register, [(FIRST[0], "red-5"), (FIRST[1], "blue-10")])
    assert lab.chips("hot", FIRST[0], "--reason", 'stolen, "again"') == 0
    target, other = str(lab.register.with_name(name)), lab.register.with_name("other.sqlite")
    assert lab.chips("export", target) == 0
    assert run(["chips", "import", target, "--register", str(other), "--by", "bob"]) == 0
    assert "2 chips brought in, 0 were there already" in capsys.readouterr().out
    here, there = read(lab.register), read(other)
    assert {(c.uid, c.chip_type, c.state, c.reason) for c in here.values()} == {
        (c.uid, c.chip_type, c.state, c.reason) for c in there.values()
    }
    assert {chip.enrolled_by for chip in there.values()} == {"bob"}
    assert run(["chips", "import", target, "--register", str(other)]) == 0
    assert "0 chips brought in, 2 were there already" in capsys.readouterr().out


def test_the_worlds_json_lines_can_be_brought_in_and_a_chip_of_another_type_stops_all(
    lab: Lab, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = lab.register.with_name("chips.jsonl")
    rows = [{"uid": FIRST[0], "chip_type": "red-5"}, {"uid": FIRST[1], "chip_type": "red-5"}]
    lines.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    write_register(lab.register, [(FIRST[1], "blue-10")])
    assert lab.chips("import", str(lines)) == 1
    assert f"blue-10 {FIRST[1]} is red-5 in" in capsys.readouterr().err
    assert read(lab.register).keys() == {FIRST[1]}
    fresh = lab.register.with_name("fresh.sqlite")
    assert run(["chips", "import", str(lines), "--register", str(fresh)]) == 0
    assert read(fresh)[FIRST[0]] == Chip(
        FIRST[0], "red-5", enrolled_ms=read(fresh)[FIRST[0]].enrolled_ms, enrolled_by=read(fresh)[FIRST[0]].enrolled_by
    )


@pytest.mark.parametrize("text", ["uid,chip_type\nE0,red-5\n", '[{"uid": 5}]', "[5]", "{", '{"uid": "E0040150"}'])
def test_a_file_that_is_no_export_is_refused_in_one_sentence(
    lab: Lab, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    source = lab.register.with_name("source")
    source.write_text(text, encoding="utf-8")
    assert lab.chips("import", str(source)) == 1
    assert capsys.readouterr().err.count("\n") == 1
    assert not lab.register.exists()


def test_audit_finds_a_chip_that_was_changed_past_the_history(lab: Lab, capsys: pytest.CaptureFixture[str]) -> None:
    import sqlite3
    from contextlib import closing

    write_register(lab.register, [(FIRST[0], "red-5")])
    assert lab.chips("audit") == 0
    with closing(sqlite3.connect(lab.register)) as database:
        database.execute("UPDATE chips SET chip_type = 'yellow-1000'")
        database.commit()
    capsys.readouterr()
    assert lab.chips("audit") == 1
    assert FIRST[0] in capsys.readouterr().err
    assert lab.chips("audit", "--json") == 1
    assert json.loads(capsys.readouterr().out)["differences"] == [FIRST[0]]


@pytest.mark.parametrize("verb", ["list", "show", "export", "audit", "retire", "verify"])
def test_a_register_that_is_not_there_is_a_failure_in_one_sentence(
    lab: Lab, capsys: pytest.CaptureFixture[str], verb: str
) -> None:
    more = {"show": [FIRST[0]], "retire": [FIRST[0], "--reason", "worn"], "verify": lab.reader}
    assert lab.chips(verb, *more.get(verb, [])) == 1
    said = capsys.readouterr()
    assert "There is no chip register" in said.err
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert not lab.register.exists()


@pytest.mark.parametrize(
    "verb", ["enrol", "verify", "list", "show", "retire", "hot", "restore", "name", "export", "import", "audit"]
)
def test_every_verb_has_help_with_an_example(capsys: pytest.CaptureFixture[str], verb: str) -> None:
    assert run(["chips", verb, "--help"]) == 0
    assert f"Example: betline chips {verb}" in " ".join(capsys.readouterr().out.split())

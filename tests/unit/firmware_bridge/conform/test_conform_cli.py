"""`betline bridge conform` through the front door, on pseudo-terminals: status, sentences, files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from betline.front_door import run
from firmware_bridge.conform.checks import CHECKS
from firmware_bridge.protocols.catalogue import FAMILIES
from tests.unit.firmware_bridge.conform.simulated import UIDS
from tests.unit.project.imports import ROOT
from virtual_table.readers.catalogue import READERS, virtual_reader
from virtual_table.readers.server import ReaderServer

FAST = ("feig", "chafon")
TIMED = {"gaps", "round-time", "answer-times", "line-speed", "back-to-back"}
"""What a busy machine may spoil: the virtual reader shares it."""


def conform(*arguments: str) -> int:
    return run(["bridge", "conform", *arguments])


@pytest.mark.parametrize(
    "name", [name if name in FAST else pytest.param(name, marks=pytest.mark.nightly) for name in READERS]
)
def test_a_virtual_reader_on_a_pseudo_terminal_conforms(
    name: str, server: ReaderServer, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    tags = [(uid, 1, 0.8) for uid in UIDS[name][:3]]
    path = server.add("one", virtual_reader(name, lambda: tags, None, 1), FAMILIES[name].traits.line)
    html, junit = tmp_path / "report.html", tmp_path / "report.xml"
    options = ("--no-questions", "--chips", "3", "--rounds", "5", "--html", str(html), "--junit", str(junit), "--json")

    status = conform("--port", path, "--protocol", name, *options)

    printed = capsys.readouterr()
    said = json.loads(printed.out)
    outcomes = {one["id"]: one["outcome"] for one in said["checks"]}
    failed = {check for check, outcome in outcomes.items() if outcome == "fail"}
    assert failed <= TIMED, said["summary"]
    assert status == (1 if failed else 0)
    assert outcomes["inventory-few"] == outcomes["reopen"] == "pass"
    assert "recovery: reopen" in printed.err
    assert f'id="{CHECKS[0].id}"' in html.read_text(encoding="utf-8")
    assert "<testsuites" in junit.read_text(encoding="utf-8")


def test_a_reader_of_another_family_is_no_answer_and_status_1(
    server: ReaderServer, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware_bridge.conform.runner.FIRST_ANSWER_S", 0.5)
    path = server.add("one", virtual_reader("chafon", list, None, 1), FAMILIES["chafon"].traits.line)

    assert conform("--port", path, "--protocol", "feig", "--no-questions") == 1

    text = capsys.readouterr().out
    assert "FAIL  It answers" in text
    assert "say --protocol chafon" in text
    assert text.splitlines()[-1].startswith("Not yet fit for a table: 0 of 1 checks passed")


@pytest.mark.parametrize(
    ("arguments", "status", "sentence"),
    [
        (["--no-questions"], 2, "Give --port URL with --protocol NAME, or --table FILE"),
        (["--port", "p", "--protocol", "feig"], 2, "There is nobody to ask on standard input: say --no-questions"),
        (["--port", "p", "--protocol", "feig", "--chips", "3"], 2, "add --no-questions"),
        (["--port", "p", "--protocol", "fieg", "--no-questions"], 2, "There is no reader family called 'fieg'"),
        (["--port", "p", "--protocol", "bb", "--antennas", "2", "--no-questions"], 2, "say fewer --antennas"),
        (["--port", "p", "--protocol", "feig", "--setting", "x", "--no-questions"], 2, "Write --setting NAME=VALUE"),
        (["--port", "p", "--protocol", "feig", "--no-questions", "--html", "no/where/r.html"], 2, "There is no folder"),
        (["--port", "/dev/nowhere", "--protocol", "feig", "--no-questions"], 1, "There is no port /dev/nowhere"),
        (["--table", "casino-mux", "--no-questions"], 2, "Which reader? Those of this table are"),
        (["--table", "casino-mux", "--reader", "x", "--no-questions"], 2, "There is no reader x."),
        (["--table", "casino-mux", "--port", "p", "--no-questions"], 2, "leave --port and --protocol out"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(
    arguments: list[str], status: int, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert conform(*arguments) == status
    printed = capsys.readouterr()
    assert sentence in printed.err
    assert printed.out == ""


def test_the_reader_of_a_table_file_has_its_port_and_settings(capsys: pytest.CaptureFixture[str]) -> None:
    assert conform("--table", "casino-oval", "--reader", "reader-3", "--no-questions") == 1
    assert "There is no port /dev/serial/by-id/usb-FEIG_seat_3" in capsys.readouterr().err


def test_the_page_on_the_kit_names_every_check() -> None:
    page = (ROOT / "hardware_docs" / "conform.md").read_text(encoding="utf-8")

    assert [check.id for check in CHECKS if f"| `{check.id}` |" not in page] == []


@pytest.mark.nightly
def test_a_person_is_told_what_to_do_and_may_leave_it_out(
    server: ReaderServer, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    tags = [(uid, 1, 0.8) for uid in UIDS["feig"][:3]]
    path = server.add("one", virtual_reader("feig", lambda: tags, None, 1), FAMILIES["feig"].traits.line)
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr("builtins.input", lambda: "s")

    conform("--port", path, "--protocol", "feig", "--rounds", "5", "--json")

    printed = capsys.readouterr()
    outcomes = {one["id"]: one for one in json.loads(printed.out)["checks"]}
    assert (
        "Lay exactly 20 chips, as they would lie at the table, then press Enter (s and Enter leaves it out)"
        in printed.err
    )
    assert outcomes["replug"]["seen"] == "you left it out"
    assert outcomes["inventory-few"]["outcome"] == "pass"

"""Logs as JSON: one object a line, with what a log keeper sorts by, and no tag's number."""

import json
import logging
import os
import subprocess
import sys

import pytest

from betline import logs
from betline.logs import JsonLines, without_tags
from betline.messages.common import Reply
from betline.messages.table import Alert, Ruling
from table_controller.service.logged import Logged

PLAIN = {name: value for name, value in os.environ.items() if name != logs.ENVIRONMENT}


@pytest.fixture
def as_json(monkeypatch, capsys):
    monkeypatch.setenv(logs.ENVIRONMENT, logs.JSON)
    levels = {name: logging.getLogger(name).level for name in logs.ROOMS}
    logs.begin("controller")
    logs.of_table("home", "six")
    yield
    for handler in [one for one in logging.getLogger().handlers if isinstance(one.formatter, JsonLines)]:
        logging.getLogger().removeHandler(handler)
    for name, level in levels.items():
        logging.getLogger(name).setLevel(level)


def lines(capsys) -> list[dict]:
    return [json.loads(line) for line in capsys.readouterr().err.splitlines()]


def ruling() -> Ruling:
    return Ruling(
        hand_no=7, act_no=3, street="flop", seat=2, ruling="call", source="chips", sentence="Seat 2 calls 500."
    )


def test_a_line_has_time_level_part_table_and_sentence(as_json, capsys) -> None:
    logs.say("reader-3 is stale:\nno answer", logging.WARNING)

    (line,) = lines(capsys)
    assert line.pop("time").endswith("+00:00")
    assert line == {
        "level": "warning", "part": "controller", "site": "home", "table": "six",
        "sentence": "reader-3 is stale:\nno answer",
    }  # fmt: skip


def test_what_happens_at_the_table_has_its_hand_and_act(as_json, capsys) -> None:
    logged = Logged()

    logged.note(ruling())
    logged.note(Alert(severity="error", code="journal-failed", sentence="Play stops."))
    logged.note(Reply(command_id="12345678", verb="deal", ok=False, code="not-now", sentence="The hand goes on."))
    logged.note(Reply(command_id="12345679", verb="deal", ok=True, code="ok", sentence="Dealt."))

    told = [(one["level"], one["hand"], one["act"], one["code"], one["sentence"]) for one in lines(capsys)]
    assert told == [
        ("info", 7, 3, "call", "Seat 2 calls 500."),
        ("error", 7, 3, "journal-failed", "Play stops."),
        ("info", 7, 3, "not-now", "deal: The hand goes on."),
    ]


def test_without_json_nothing_of_the_table_is_logged_and_sentences_are_plain(monkeypatch, capsys) -> None:
    monkeypatch.delenv(logs.ENVIRONMENT, raising=False)

    Logged().note(ruling())
    logs.say("The voice is silent.", plain="betline: The voice is silent.")

    assert capsys.readouterr().err == "betline: The voice is silent.\n"


def test_the_number_of_a_tag_is_cut(as_json, capsys) -> None:
    logs.say("Tag E0040150ABCDEF12 is nobody's badge: betline people badge NAME E0040150ABCDEF12 makes it one.")

    (line,) = lines(capsys)
    assert line["sentence"] == "Tag …EF12 is nobody's badge: betline people badge NAME …EF12 makes it one."
    assert without_tags("Seat 2 calls 10,000 and DEADBEEF lies there") == "Seat 2 calls 10,000 and …BEEF lies there"


def test_a_fault_with_its_place_is_one_line(as_json, capsys) -> None:
    try:
        raise ValueError("two\nlines")
    except ValueError:
        logging.getLogger("betline.x").exception("It failed.")

    (line,) = lines(capsys)
    assert "ValueError" in line["sentence"]
    assert "test_logs.py:" in line["sentence"]


def test_whoever_started_a_program_reads_the_sentence_of_its_last_line(as_json, capsys) -> None:
    logs.say("The port is in use.")

    assert logs.sentence_of(capsys.readouterr().err) == "The port is in use."
    assert logs.sentence_of("betline: The port is in use.") == "betline: The port is in use."


def test_a_sentence_without_end_is_cut(as_json, capsys) -> None:
    logs.say("x y " * 5_000)

    assert len(lines(capsys)[0]["sentence"]) == logs.LONGEST


@pytest.mark.parametrize(("words", "environment"), [(["--log-json"], {}), ([], {logs.ENVIRONMENT: logs.JSON})])
def test_the_option_and_the_environment_make_errors_json_too(words, environment) -> None:
    line = [sys.executable, "-m", "betline", *words, "nonsense"]
    done = subprocess.run(line, capture_output=True, text=True, check=False, env={**PLAIN, **environment})

    assert done.returncode == 2
    said = json.loads(done.stderr)
    assert (said["level"], said["part"]) == ("error", "nonsense")
    assert "no verb nonsense" in said["sentence"]

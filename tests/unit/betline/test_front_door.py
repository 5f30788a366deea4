"""The command line: verbs found by name, errors in one sentence, exit statuses as promised."""

import json
import socket
import subprocess
import sys

import pytest

from betline.front_door import VERBS, run


def test_help_names_every_verb(capsys):
    assert run(["--help"]) == 0
    page = capsys.readouterr().out
    assert all(name in page for name in VERBS)


def test_no_verb_is_wrong_usage(capsys):
    assert run([]) == 2
    captured = capsys.readouterr()
    assert "Usage" in captured.err
    assert captured.out == ""


def test_the_shipped_scripts_are_listed_as_json(capsys):
    assert run(["demo", "--json", "--script", "list"]) == 0
    assert "evening.yaml" in json.loads(capsys.readouterr().out)


FIRST = {"bridge": "run", "vision": "run", "film": "record", "room": "draw", "site": "record"}
"""Of groups without a verb `list`: one that has an example."""


@pytest.mark.parametrize("verb", [name for name, verb in VERBS.items()])
def test_every_verb_has_help_with_an_example(verb, capsys):
    group = VERBS[verb].group or verb == "journal"
    assert run([verb, *([FIRST.get(verb, "list")] if group else []), "--help"]) == 0
    assert "Example" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "status", "words"),
    [
        (["demmo"], 2, "did you mean demo?"),
        (["broker", "--brokr", "x"], 2, "No such option"),
        (["broker", "--broker", "here:99999"], 2, "HOST:PORT"),
        (["broker", "--broker", "10.0.0.1:1883"], 2, "mosquitto"),
        (["demo", "--headless", "--table", "casino-ovl"], 2, "did you mean casino-oval?"),
        (["demo", "--headless", "--script", "nothing.phh"], 2, "There is no script nothing.phh"),
        (["demo", "--json"], 2, "--headless"),
        (["demo", "--headless", "--site", "Ho me"], 2, "lower-case"),
        (["demo", "--headless", "--broker", "10.0.0.1:1883"], 2, "127.0.0.1"),
        (["run", "--film-minutes", "30"], 2, "give --film DIR too"),
        (["vision", "run", "--film-minutes", "30"], 2, "give --film DIR too"),
        (["setup", "--dir", "nowhere", "--seat", "3", "--yes"], 2, "give --test-hand too"),
        (["controller", "--table", "nowhere.toml"], 2, "nowhere.toml"),
        (["bridge"], 2, "Say which of run, once, record, ports, zone, conform, virtual, replay is meant"),
        (["vision"], 2, "Say which of run, detect"),
        (
            ["journal"],
            2,
            "Say which of list, show, recall, export, ledger, settle, verify, backup, restore, go-on, prune, erase",
        ),
        (["journal", "lst"], 2, "Did you mean 'list'?"),
        (["demo", "--hands", "0"], 2, "Invalid value for '--hands': it must be greater than or equal to 1."),
        (["console", "--theme", "pink"], 2, "Invalid value for '--theme': 'pink' is not one of"),
        (["replay"], 2, "Missing argument"),
        (["cases"], 2, "Missing argument"),
    ],
)
def test_errors_are_one_sentence_that_says_what_to_do(line, status, words, capsys):
    assert run(line) == status
    captured = capsys.readouterr()
    assert words in captured.err
    assert captured.err.count("\n") == 1
    assert captured.out == ""


def test_a_port_that_is_taken_is_one_sentence():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        for verb in (["broker"], ["demo", "--headless"]):
            done = subprocess.run(
                [sys.executable, "-m", "betline", *verb, "--broker", address],
                capture_output=True,
                text=True,
                check=False,
            )
            assert (done.returncode, done.stdout) == (1, "")
            assert done.stderr.count("\n") == 1
            assert "stop what uses" in done.stderr


def test_a_fault_of_the_program_is_one_sentence_too(monkeypatch, capsys):
    monkeypatch.setattr("table_controller.tools.replay.replay_files", lambda *_, **__: {}["gone"])
    assert run(["replay", "x.phh"]) == 1
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "KeyError" in error
    assert "please report" in error


def test_no_traceback_reaches_the_screen():
    done = subprocess.run(
        [sys.executable, "-m", "betline", "run", "--table", "/dev/null"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(("verb", "says"), [("demo", "on a free port"), ("setup", "else one of its own")])
def test_a_verb_that_starts_a_broker_of_its_own_does_not_promise_port_1883(verb, says, capsys):
    assert run([verb, "--help"]) == 0
    options = " ".join(capsys.readouterr().out.partition("Options:")[2].split())

    assert says in options
    assert "1883" not in options

"""The command line: verbs found by name, errors in one sentence, exit statuses as promised."""

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
    assert "Usage" in capsys.readouterr().out


@pytest.mark.parametrize("verb", [name for name, verb in VERBS.items()])
def test_every_verb_has_help_with_an_example(verb, capsys):
    group = VERBS[verb].group or verb == "journal"
    assert run([verb, *(["run"] if verb in ("bridge", "vision") else ["list"] if group else []), "--help"]) == 0
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
        (["controller", "--table", "nowhere.toml"], 2, "no file nowhere.toml"),
    ],
)
def test_errors_are_one_sentence_that_says_what_to_do(line, status, words, capsys):
    assert run(line) == status
    captured = capsys.readouterr()
    assert words in captured.err
    assert captured.err.count("\n") == 1
    assert captured.out == ""


def test_no_traceback_reaches_the_screen():
    done = subprocess.run(
        [sys.executable, "-m", "betline", "run", "--table", "/dev/null"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "Traceback" not in done.stderr

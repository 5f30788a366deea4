"""Options that are of no use beside what else was said: refused in a sentence, never ignored."""

from __future__ import annotations

import pytest

from betline.front_door import run


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("demo --headless --script dwan-ivey-2009.phh --hands 3", "leave --hands out"),
        ("console --plain --theme light", "--theme is for the screen"),
        ("voice --say hello --print", "--print is for what a table announces"),
        ("voice --say hello --table home-six", "--table is for what a table announces"),
        ("voice --say hello --login logins", "--login is for what a table announces"),
        ("doctor --only machine --source usb:0", "--source names a camera"),
        ("doctor --only machine --only camera --by-id ports", "--by-id is for the readers"),
        ("doctor --only table --register chips.sqlite", "--register is for the readers"),
        ("bridge virtual --replay line.jsonl --seed 3", "--seed is of no use with --replay"),
        ("bridge virtual --replay line.jsonl --antennas 2", "--antennas is of no use with --replay"),
        ("bridge virtual --protocol feig --tags tags.toml --speed 2", "--speed divides the delays of a recording"),
        ("vision run --table home-six --watch-anywhere", "--watch-anywhere is about the live page"),
        ("vision run --table home-six --rings-mb 0 --rings-days 3", "--rings-days says how long pictures are kept"),
        ("table new --oval 2100x1050 --readers none --antennas-each 4", "--antennas-each says how many a reader has"),
        ("people add Ann --role floor --badge 04A2B3C4 --no-pin --pin-file pin", "--pin-file has a PIN"),
        ("setup --dir nowhere --questions --calibrate", "--calibrate is work to be done"),
        ("setup --dir nowhere --yes --only readers", "--only asks again"),
        ("setup --dir nowhere --test-hand --answers answers.toml", "--answers is of no use with --test-hand"),
        ("setup --dir nowhere --test-hand --set shape.seats=8", "--set is of no use with --test-hand"),
        ("setup --dir nowhere --test-hand --enrol red-5=20", "--enrol is of no use with --test-hand"),
        ("setup --dir nowhere --test-hand --no-probe", "--no-probe is of no use with --test-hand"),
        (
            "film record -o film --table home-six --without-bus --login logins",
            "--login is of no use with --without-bus",
        ),
        ("film label film --whole --acts 3", "--acts chooses among the clips"),
        ("update --back --packages wheels", "--packages is for the new version"),
        ("update --check --packages wheels", "--packages is for the new version"),
        ("install --user --table home-six --root image --start", "--start is of no use with --root"),
        ("restore friday.betline --to here --system", "--system is for --in-place"),
        ("restore friday.betline --to here --state there", "--state is for --in-place"),
        ("restore friday.betline --in-place --system --state a --config b", "--system is of no use where"),
        ("backup --system --state a --config b", "--system is of no use where"),
        ("bench sensing --hand 3 --waits", "--hand tells one hand"),
        ("bench sensing --hand 3 --acts 10", "--hand tells one hand"),
    ],
)
def test_an_option_without_the_one_that_it_belongs_to_is_refused(line, words, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    assert run(line.split()) == 2

    captured = capsys.readouterr()
    assert words in captured.err
    assert captured.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_what_is_the_usual_value_is_refused_too_where_a_person_has_said_it(capsys):
    assert run(["bridge", "virtual", "--replay", "line.jsonl", "--seed", "1"]) == 2
    assert "--seed is of no use with --replay" in capsys.readouterr().err


def test_a_register_is_refused_where_no_reader_needs_it(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run(["table", "new", "--oval", "2100x1050", "--seats", "6", "--readers", "none", "-o", "plain.toml"]) == 0
    capsys.readouterr()
    assert run(["run", "--table", "plain.toml", "--register", "chips.sqlite"]) == 2
    assert "has no readers: leave it out" in capsys.readouterr().err

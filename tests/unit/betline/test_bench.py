"""`betline bench`: the contract of its output, not its figures: those are the machine's."""

import json
from types import SimpleNamespace

import pytest

from betline import bench
from betline.bench import Figure, Progress, Report, run_suites
from betline.front_door import run
from betline.options import UserError
from table_controller.tools.bench import engine, journal, rulings
from table_controller.tools.bench.engine import GAMES, NLHE, PLO, Effort

LITTLE = Effort(hands=4, rounds=2, acts=30)
GAME_KEYS = {"hands_per_s", "pokerkit_hands_per_s", "ratio"}


class Screen:
    """A stream that says that it is a terminal, and keeps what was written."""

    def __init__(self) -> None:
        self.text = ""

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self.text += text
        return len(text)

    def flush(self) -> None:
        pass


@pytest.fixture
def little(monkeypatch):
    monkeypatch.setattr(engine, "USUAL", LITTLE)
    monkeypatch.setattr(rulings, "USUAL", rulings.Effort(acts=60, rounds=3))


@pytest.fixture
def suites(monkeypatch):
    """Two suites in place of the real ones: one that measures, one that cannot."""

    def measure(progress, *, full):
        progress.at(1, 2, "half")
        figures = (Figure("speed", "7", "at least 5", True), Figure("    size", "9", "at most 8", False))
        return Report({"speed": 14 if full else 7}, figures, ("Seven things were measured.",))

    def refuse(progress, *, full):
        raise UserError("It needs a camera; connect one.", 1)

    rooms = {"good": type("Room", (), {"measure": staticmethod(measure)})}
    rooms["blind"] = type("Room", (), {"measure": staticmethod(refuse)})
    monkeypatch.setattr(bench, "SUITES", {"good": "good", "blind": "blind"})
    monkeypatch.setattr(bench.importlib, "import_module", rooms.__getitem__)


def test_json_is_one_object_and_nothing_else_on_standard_output(little, capsys):
    assert run(["bench", "engine", "--json"]) == 0
    captured = capsys.readouterr()
    assert captured.out.count("\n") == 1
    found = json.loads(captured.out)
    assert set(found) == {"engine"}
    assert set(found["engine"]) == {"nlhe_6max", "plo_9max", "act_us"}
    for game in GAMES:
        figures = found["engine"][game.key]
        assert set(figures) == GAME_KEYS
        assert all(isinstance(value, float) and value > 0 for value in figures.values())
        assert figures["ratio"] == pytest.approx(figures["hands_per_s"] / figures["pokerkit_hands_per_s"])
    times = found["engine"]["act_us"]
    assert set(times) == {"p50", "p99"}
    assert 0 < times["p50"] <= times["p99"]
    assert "4 hands" in captured.err
    assert "2 rounds" in captured.err


def test_people_see_figures_targets_how_much_and_where(little, capsys):
    assert run(["bench", "engine", "rulings"]) == 0
    captured = capsys.readouterr()
    for words in ("at least 3", "at least 5", "PokerKit 0", "p99", "4 hands", "2 rounds", "30 timed", "Python 3."):
        assert words in captured.out
    lines = captured.err.splitlines()
    assert [line for line in lines if "%" not in line] == ["engine: measuring", "rulings: measuring"]
    assert len(lines) <= 2 + 2 * 10


@pytest.mark.nightly
def test_the_suite_of_rulings_times_acts_of_every_kind(little, capsys):
    assert run(["bench", "rulings", "--json"]) == 0
    captured = capsys.readouterr()
    times = json.loads(captured.out)["rulings"]["act_us"]
    assert set(times) == {"p50", "p99"}
    assert 0 < times["p50"] <= times["p99"]
    assert "under 200 us" in captured.err
    assert "60 acts of" in captured.err


@pytest.mark.nightly
def test_the_acts_that_are_timed_are_a_mix_in_hands_of_nine():
    drawn = rulings.draw(1_500)
    kinds = {one.kind for one in drawn}
    assert kinds == {"chips", "motions", "words with chips", "words", "gesture", "keyed", "out of turn"}
    assert {len(one.table.state.hand.seats) for one in drawn} == {9}
    ruled = [one.table.apply(one.act) for one in drawn]
    kinds_of_ruling = {str(outcome.ruling.ruling) for outcome in ruled}
    assert kinds_of_ruling >= {"check", "call", "bet", "raise", "fold", "floor", "none"}
    assert sum(outcome.error is not None for outcome in ruled) < 50
    assert any(outcome.settled for outcome in ruled)
    assert drawn == rulings.draw(1_500)


@pytest.mark.parametrize("line", [["engin"], ["engine", "nothing"]])
def test_a_suite_that_there_is_not_is_refused_with_those_that_there_are(line, capsys):
    assert run(["bench", *line]) == 2
    captured = capsys.readouterr()
    assert f"There is no suite {line[-1]}; say which of engine" in captured.err
    assert captured.err.count("\n") == 1
    assert captured.out == ""


def test_every_suite_can_be_found():
    assert all(callable(bench.importlib.import_module(module).measure) for module in bench.SUITES.values())


def test_a_suite_that_cannot_measure_says_why_and_the_others_are_reported(suites, capsys):
    assert run_suites(["blind", "good"], json=True) == 1
    captured = capsys.readouterr()
    assert json.loads(captured.out) == {"good": {"speed": 7}}
    assert "betline: blind: It needs a camera; connect one.\n" in captured.err


def test_full_reaches_the_suite_and_a_missed_target_fails_nothing(suites, capsys):
    assert run_suites(["good", "good"], full=True, json=True) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out) == {"good": {"speed": 14}}
    assert "at most 8  MISSED" in captured.err
    assert "Seven things were measured." in captured.err


def test_the_bar_is_wiped_on_a_terminal():
    screen = Screen()
    progress = Progress("engine", screen)
    progress.at(1, 2, "hold'em")
    progress.at(1, 2, "hold'em")
    progress.end()
    *_, last, blank, end = screen.text.split("\r")
    assert last == "engine [############............] hold'em"
    assert (blank.strip(), len(blank), end) == ("", len(last), "")


@pytest.mark.nightly
@pytest.mark.parametrize("game", GAMES)
def test_the_hands_are_the_same_each_time_and_reach_every_street(game):
    plans = engine.draw(game, 30)
    assert plans == engine.draw(game, 30)
    assert {len(plan) for plan in plans} == {1, 2, 3, 4}
    kinds = {str(kind) for plan in plans for street in plan for kind, _ in street}
    assert kinds == {"check", "call", "bet", "raise", "fold"}


@pytest.mark.nightly
def test_engines_that_disagree_are_not_compared(monkeypatch):
    plans = engine.draw(NLHE, 2)
    ask = engine.ask
    monkeypatch.setattr(engine, "ask", lambda hand: (*ask(hand)[:3], 1))
    with pytest.raises(UserError, match="disagree"):
        engine.play_round(NLHE, plans)


def test_as_many_single_acts_are_timed_as_asked():
    assert len(engine.act_times(PLO, engine.draw(PLO, 2), 150)) == 150


@pytest.mark.nightly
def test_the_suite_of_the_journal_writes_a_file_and_starts_on_it(monkeypatch, capsys):
    monkeypatch.setattr(journal, "HANDS", 40)
    monkeypatch.setattr(journal, "PLAYED", 10)
    monkeypatch.setattr(journal, "APPENDED_HANDS", 3)
    assert run(["bench", "journal", "--json"]) == 0
    captured = capsys.readouterr()
    found = json.loads(captured.out)["journal"]

    assert found.keys() == {"hands", "startup_ms", "entries_per_s", "bytes_per_hand"}
    assert found["hands"] == 40
    assert min(found.values()) > 0
    assert "40 hands of six, 10 of them played" in captured.err


def test_an_option_goes_to_the_suites_that_take_it(suites, monkeypatch, capsys):
    given = {}

    def counts(progress, *, full, acts=0):
        given["acts"] = acts
        return Report({}, (), ())

    rooms = {"counts": type("Room", (), {"measure": staticmethod(counts), "TAKES": ("acts",)})}
    rooms["good"] = bench.importlib.import_module("good")
    monkeypatch.setattr(bench, "SUITES", {"counts": "counts", "good": "good"})
    monkeypatch.setattr(bench.importlib, "import_module", rooms.__getitem__)

    assert run_suites(["counts", "good"], options={"acts": 5}) == 0
    assert given == {"acts": 5}


def test_an_option_that_no_suite_takes_is_refused(suites):
    with pytest.raises(UserError, match="None of good takes --acts"):
        run_suites(["good"], options={"acts": 5})


def test_numbers_of_tables_are_read_one_or_several_that_rise() -> None:
    assert bench.read_counts("--tables", "50", 500) == 50
    assert bench.read_counts("--tables", "1,10,50", 500) == (1, 10, 50)
    for wrong in ("", "x", "0", "10,1", "5,5", "1,,2", "501", "1;2", "-1"):
        with pytest.raises(UserError, match="write numbers from 1 to 500 that rise"):
            bench.read_counts("--tables", wrong, 500)


def test_several_numbers_are_refused_by_a_suite_that_takes_one(monkeypatch) -> None:
    one, several = SimpleNamespace(TAKES=("tables",)), SimpleNamespace(TAKES=("tables",), SEVERAL=("tables",))
    monkeypatch.setattr(bench, "SUITES", {"one": "one", "several": "several"})
    monkeypatch.setattr(bench.importlib, "import_module", {"one": one, "several": several}.__getitem__)
    assert list(bench.chosen_suites(["several"], {"tables": (1, 2)})) == ["several"]
    assert list(bench.chosen_suites([], {"tables": 2})) == ["one", "several"]
    with pytest.raises(UserError, match="one takes one number with --tables, not 2"):
        bench.chosen_suites(["one"], {"tables": (1, 2)})

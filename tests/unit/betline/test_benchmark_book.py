"""The benchmark book: three files of one run, and what got worse from one to the next, beyond noise."""

import json
from dataclasses import replace
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from betline import bench, charts
from betline.bench import Figure, Report
from betline.benchmark_book.book import Book, Chapter, read, to_json
from betline.benchmark_book.compare import compare
from betline.benchmark_book.figures import Better, better, curve, numbers
from betline.benchmark_book.page import charts as charts_of
from betline.benchmark_book.page import lines
from betline.front_door import run
from betline.options import UserError


def book(*runs, suite="engine", yardstick=10.0):
    figures = (Figure("act", "7 us", "under 8", True),)
    chapter = Chapter("abc", runs, figures, ("Much was measured.",), 3.0, (yardstick, yardstick))
    return Book("2026-11-28", {"cores": "2"}, {"python": "3.11"}, {suite: chapter})


def worse(before, after):
    return [".".join(one.figure) for one in compare(before, after).differences if one.worse]


@pytest.fixture
def suites(monkeypatch):
    """Two suites in place of the real ones: one grows with its seats and differs run by run, one cannot measure."""
    runs = count(1)

    def measure(progress, *, full):
        progress.at(1, 2, "half")
        times = {"2": 1.0, "10": 3.0}
        figures = (Figure("    speed", "7 us", "under 5", False),)
        return Report({"engine_us_by_seats": times, "act_ms": next(runs)}, figures, ("Seven acts.",))

    def refuse(progress, *, full):
        raise UserError("It needs a camera; connect one.", 1)

    rooms = {"growth": SimpleNamespace(measure=measure), "blind": SimpleNamespace(measure=refuse)}
    monkeypatch.setattr(bench, "SUITES", {name: name for name in rooms})
    monkeypatch.setattr(bench, "importlib", SimpleNamespace(import_module=rooms.__getitem__))


def test_a_book_is_a_page_its_data_and_its_charts(suites, tmp_path, capsys):
    folder = tmp_path / "books"
    assert run(["bench", "growth", "--book", str(folder), "--repeat", "2"]) == 0
    data, page, picture = sorted(folder.iterdir(), key=lambda file: (".json", ".md", ".svg").index(file.suffix))
    found = read(data)

    assert [one["act_ms"] for one in found.chapters["growth"].runs] == [1, 2]
    assert found.machine.keys() >= {"processor", "cores", "memory"}
    assert found.versions.keys() >= {"python", "pokerkit", "betline"}
    assert all(time > 0 for time in found.chapters["growth"].yardstick_ms)
    text = page.read_text()
    assert "| speed | 7 us | under 5 | **missed** |" in text
    assert "Seven acts." in text
    assert f"]({picture.name})" in text
    assert "One act, by seats" in picture.read_text()
    assert page.name in capsys.readouterr().err


def test_a_suite_that_cannot_measure_is_named_in_the_book(suites, tmp_path, capsys):
    assert run(["bench", "--book", str(tmp_path)]) == 1
    (page,) = tmp_path.glob("*.md")
    assert "**blind** was not measured: It needs a camera; connect one." in page.read_text()
    assert "blind was not measured" in capsys.readouterr().err


def test_a_suite_that_could_not_measure_all_is_in_the_book_with_what_is_missing(suites, tmp_path, monkeypatch, capsys):
    report = Report({"act_ms": 1}, (Figure("speed", "7 us"),), ("Seven acts.",), {}, "Not tried: six acts.")
    monkeypatch.setitem(bench.SUITES, "growth", "part")
    part = SimpleNamespace(measure=lambda _progress, *, full: report)
    monkeypatch.setattr(bench, "importlib", SimpleNamespace(import_module={"part": part}.__getitem__))
    assert run(["bench", "growth", "--book", str(tmp_path)]) == 1
    (page,) = tmp_path.glob("*.md")
    assert "Not tried: six acts." in page.read_text()
    assert "betline: growth: Not tried: six acts." in capsys.readouterr().err


def test_a_book_of_the_same_day_keeps_the_suites_that_are_not_measured_again(suites, tmp_path, monkeypatch):
    folder = tmp_path / "books"
    line = ["bench", "growth", "--book", str(folder)]
    assert run(line) == 0
    (file,) = folder.glob("*.json")
    kept = read(file).chapters["growth"]
    file.write_text(to_json(replace(read(file), chapters={"engine": kept})))
    monkeypatch.setitem(bench.SUITES, "engine", "engine")
    assert run(line) == 0
    found = read(file).chapters
    assert list(found) == ["growth", "engine"]
    assert found["engine"] == kept
    assert found["growth"].runs[0]["act_ms"] == 2


def test_suites_that_nobody_measured_are_named_on_the_page(suites, tmp_path, monkeypatch):
    assert run(["bench", "growth", "--book", str(tmp_path)]) == 0
    (page,) = tmp_path.glob("*.md")
    assert "Not measured: blind." in page.read_text()
    assert run(["bench", "--book", str(tmp_path)]) == 1
    assert "Not measured" not in page.read_text()
    assert "**blind** was not measured" in page.read_text()


def test_the_plot_of_a_soak_that_lies_beside_the_book_is_on_its_page(suites, tmp_path):
    line = ["bench", "growth", "--book", str(tmp_path)]
    assert run(line) == 0
    (page,) = tmp_path.glob("*.md")
    plot = page.with_name(f"{page.stem}-soak.svg")
    assert plot.name not in page.read_text()
    plot.write_text("<svg/>")
    assert run(line) == 0
    assert f"]({plot.name})" in page.read_text()


def test_a_book_is_read_as_it_was_written(tmp_path):
    file = tmp_path / "book.json"
    file.write_text(to_json(book({"act_us": {"p50": 7.0}})))
    assert read(file) == book({"act_us": {"p50": 7.0}})


@pytest.mark.parametrize(
    "text",
    ["", "[]", '{"benchmark_book": 2}', '{"benchmark_book": 1}', '{"benchmark_book": 1, "chapters": {"a": 1}}'],
)
def test_a_file_that_is_no_book_is_refused_in_one_sentence(text, tmp_path, capsys):
    file = tmp_path / "book.json"
    file.write_text(text)
    assert run(["bench", "compare", str(file), str(file)]) == 2
    assert str(file) in capsys.readouterr().err


def test_what_is_worse_beyond_the_range_of_the_runs_is_named_and_ends_with_1(tmp_path, capsys):
    files = [tmp_path / "before.json", tmp_path / "after.json"]
    files[0].write_text(to_json(book({"act_us": 10.0, "hands_per_s": 100}, {"act_us": 11.0, "hands_per_s": 104})))
    files[1].write_text(to_json(book({"act_us": 14.0, "hands_per_s": 101}, {"act_us": 15.0, "hands_per_s": 99})))
    assert run(["bench", "compare", *map(str, files)]) == 1
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "Worse beyond noise, before and after:"
    assert said[1] == "  engine.act_us: 11 (10 to 11) -> 15 (14 to 15) (times 1.36)"
    assert said[2] == "1 worse, 0 better of 2 figures."
    assert run(["bench", "compare", str(files[1]), str(files[0])]) == 0
    assert "Better beyond noise" in capsys.readouterr().out


def test_a_comparison_for_programs_is_one_document(tmp_path, capsys):
    files = [tmp_path / "before.json", tmp_path / "after.json"]
    files[0].write_text(to_json(book({"act_us": 10.0, "hands_per_s": 100, "wrong": 0}, {"act_us": 11.0})))
    files[1].write_text(to_json(book({"act_us": 14.0, "hands_per_s": 150, "wrong": 0}, {"act_us": 15.0})))
    assert run(["bench", "compare", *map(str, files), "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["compared"] == 3
    assert found["worse"] == [
        {
            "figure": ["engine", "act_us"],
            "before": {"least": 10.0, "middle": 11.0, "most": 11.0, "runs": 2},
            "after": {"least": 14.0, "middle": 15.0, "most": 15.0, "runs": 2},
            "factor": pytest.approx(15 / 11),
        }
    ]
    assert [one["figure"] for one in found["better"]] == [["engine", "hands_per_s"]]
    assert (found["noise"], found["machine_slower"]) == ({"single": 0.15, "least": 0.05}, {"engine": 1.0})
    assert found["missing"] == []


@pytest.mark.parametrize(
    "option",
    [["--full"], ["--acts", "5"], ["--book", "b"], ["--repeat", "2"], ["--tables", "5"], ["--seed", "0"], ["--waits"]],
)
def test_an_option_of_measuring_is_refused_when_books_are_compared(option, tmp_path, capsys):
    file = tmp_path / "book.json"
    file.write_text(to_json(book({"act_us": 1.0})))
    assert run(["bench", "compare", str(file), str(file), *option]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert f"{option[0]} is of no use with compare" in err


def test_ranges_that_meet_are_noise():
    assert worse(book({"act_us": 10.0}, {"act_us": 13.0}), book({"act_us": 12.5}, {"act_us": 16.0})) == []


def test_a_rate_is_worse_where_it_fell():
    before = book({"hands_per_s": 100.0}, {"hands_per_s": 101.0})
    assert worse(before, book({"hands_per_s": 80.0}, {"hands_per_s": 81.0})) == ["engine.hands_per_s"]
    assert worse(before, book({"hands_per_s": 120.0}, {"hands_per_s": 121.0})) == []


def test_a_slower_machine_is_allowed_for():
    before = book({"act_us": 10.0, "hands_per_s": 100.0}, {"act_us": 10.0, "hands_per_s": 100.0})
    slower = {"act_us": 12.0, "hands_per_s": 84.0}
    assert worse(before, book(slower, slower, yardstick=12.5)) == []
    assert worse(before, book(slower, slower)) == ["engine.act_us", "engine.hands_per_s"]


def test_a_single_run_is_given_a_noise_of_its_own():
    assert worse(book({"act_us": 10.0}), book({"act_us": 12.0})) == []
    assert worse(book({"act_us": 10.0}), book({"act_us": 15.0})) == ["engine.act_us"]


def test_one_wrong_ruling_more_is_never_noise():
    assert worse(book({"wrong": 0}), book({"wrong": 1})) == ["engine.wrong"]
    assert worse(book({"wrong": 1}), book({"wrong": 1})) == []


FIGURES = st.dictionaries(
    st.sampled_from(["act_us", "broker_mb", "hands_per_s", "ratio", "wrong"]),
    st.floats(-1e9, 1e9) | st.sampled_from([0, 0.0, -0.0077, -146.3]),
)


@given(st.lists(FIGURES, min_size=1, max_size=4), st.floats(0.1, 1000))
def test_no_figure_is_worse_or_better_than_itself(runs, yardstick):
    one = book(*runs, yardstick=yardstick)
    assert compare(one, one).differences == ()


def test_a_negative_figure_is_worse_where_it_rose_and_better_where_it_fell():
    early, late = book({"ready_ms": -150.0}), book({"ready_ms": -90.0})
    assert worse(early, late) == ["engine.ready_ms"]
    assert worse(late, early) == []
    (better_now,) = compare(late, early).differences
    assert (better_now.worse, better_now.factor) == (False, None)
    assert worse(early, book({"ready_ms": -140.0})) == []
    assert worse(book({"ratio": -1.0}), book({"ratio": -2.0})) == ["engine.ratio"]
    slower = book({"ready_ms": -125.0}, {"ready_ms": -125.0}, yardstick=12.5)
    assert worse(book({"ready_ms": -150.0}, {"ready_ms": -150.0}), slower) == []


def test_what_moved_furthest_comes_first_whatever_its_sign():
    before = book({"a_ms": 10.0, "b_ms": -10.0, "c_ms": 0.0, "d_ms": 10.0})
    after = book({"a_ms": 20.0, "b_ms": -2.0, "c_ms": 1.0, "d_ms": 15.0})
    assert worse(before, after) == ["engine.c_ms", "engine.b_ms", "engine.a_ms", "engine.d_ms"]


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("yardstick_ms", [0, 9.1], "yardstick_ms"),
        ("yardstick_ms", [True], "yardstick_ms"),
        ("yardstick_ms", ["9"], "yardstick_ms"),
        ("yardstick_ms", [float("nan")], "yardstick_ms"),
        ("runs", [], "runs"),
        ("runs", ["seven"], "runs"),
        ("runs", 7, "runs"),
        ("figures", [{"what": "act", "speed": 7}], "speed"),
    ],
)
def test_a_chapter_that_cannot_be_compared_is_refused_in_one_sentence(key, value, words, tmp_path, capsys):
    file = tmp_path / "book.json"
    whole = json.loads(to_json(book({"act_us": 1.0})))
    whole["chapters"]["engine"][key] = value
    file.write_text(json.dumps(whole))
    assert run(["bench", "compare", str(file), str(file)]) == 2
    said = capsys.readouterr().err
    assert str(file) in said
    assert words in said
    assert "make it again" in said


def test_suites_of_only_one_book_are_named():
    told = lines(compare(book({"act_us": 1}), book({"act_us": 1}, suite="web")), "a", "b")
    assert told[-2:] == ["Only a has engine.", "Only b has web."]


def test_which_way_a_figure_is_better_stands_in_its_name():
    assert better(("nlhe_6max", "hands_per_s")) is Better.HIGHER
    assert better(("frame_ms", "p99")) is Better.LOWER
    assert better(("p95_ms_by_tables", "20")) is Better.LOWER
    assert better(("decode_to_line_rate", "feig")) is Better.HIGHER
    assert better(("acts",)) is None


def test_numbers_and_curves_are_found_by_their_keys():
    found = {"a": {"b": 1, "yes": True, "no": None, "rows": [1, 2]}, "c": 2.5, "d": float("nan"), "e": 10**400}
    assert list(numbers(found)) == [(("a", "b"), 1.0), (("c",), 2.5)]
    assert curve({"a": {"10": 3, "2": 1, "name": 9, "5": None}}, ("a",)) == ((2.0, 1.0), (10.0, 3.0))
    assert curve({"a": 1}, ("a", "b")) == ()


def test_a_chart_is_drawn_where_there_is_growth_and_the_same_each_time():
    growing = book({"engine_us_by_seats": {"2": 1.0, "10": 3.0}}, suite="growth")
    assert [chart.title for chart in charts_of(growing)] == ["One act, by seats"]
    assert charts_of(book({"act_us": 1.0})) == ()
    assert charts.svg(charts_of(growing)) == charts.svg(charts_of(replace(growing, date="2027-01-01")))


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (["compare", "one.json"], "compare needs two books"),
        (["engine", "--repeat", "2"], "name its folder with --book"),
        (["engine", "--book", "b", "--json"], "leave --json"),
    ],
)
def test_options_that_do_not_go_together_are_refused(line, words, capsys):
    assert run(["bench", *line]) == 2
    assert words in capsys.readouterr().err


def test_the_book_in_the_repository_can_be_read():
    files = sorted((Path(__file__).parents[3] / "docs" / "benchmarks").glob("*.json"))
    assert files
    for file in files:
        assert json.loads(file.read_text())["date"] == read(file).date == file.stem


def test_the_newest_book_in_the_repository_is_neither_worse_nor_better_than_itself(capsys):
    newest = max((Path(__file__).parents[3] / "docs" / "benchmarks").glob("*.json"))
    assert run(["bench", "compare", str(newest), str(newest)]) == 0
    assert capsys.readouterr().out.startswith("0 worse, 0 better of ")

"""A soak: hours of play while things go wrong, held against the journal; and what is said of it."""

import json
import re
import sqlite3
import tracemalloc
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from betline import topics
from betline.bus import MemoryBus, MemoryHub, Received
from betline.charts import Chart, Series, svg
from betline.front_door import run
from betline.messages.common import Envelope, Presence, Reply
from betline.messages.table import SeatState, TableState
from betline.options import UserError
from betline.settings import load_table
from betline.topics import Namespace, topic
from virtual_table.faults.plan import NO_FAULTS
from virtual_table.play.acknowledged import Acknowledged, Kept, Said, held_against
from virtual_table.run.demo import world_line
from virtual_table.soak import live, simulated
from virtual_table.soak.away import Gap, Gaps
from virtual_table.soak.outcome import Outcome, Sample, as_json, growth, lines, picture
from virtual_table.soak.plan import mixed

TABLE = "home-six"


def sample(at_h, memory=100.0, handles=20, **counts):
    numbers = {"hands": 3, "acts": 20, "wrong": 0, "asked": 1, "kills": 4} | counts
    return Sample(at_h, **numbers, memory_mb={"controller": memory}, handles={"controller": handles}, ruling_ms=90.0)


def outcome(*samples, kept=None, faults=()):
    samples = samples or (sample(0.0), sample(1.0))
    return Outcome("a table", 1.0, samples, kept or Kept(), {"kill": 4, "unplug": 2}, faults, 70, 9.0)


@pytest.mark.nightly
def test_half_a_minute_of_a_simulated_table_with_kills_is_whole_and_drawn(tmp_path, capsys):
    plan = tmp_path / "plan.toml"
    plan.write_text('[[events]]\nwhat = "kill"\non = "controller"\nat_s = 4\nevery_s = 8\nfor_s = 0.5\n')
    line = ["soak", "--hours", "0.01", "--faults", str(plan), "--keep", str(tmp_path / "kept")]
    assert run([*line, "--json", "--plot", str(tmp_path / "soak.svg")]) == 0
    found = json.loads(capsys.readouterr().out)

    assert found["kills"] >= 4
    assert found["acts"] > 5
    assert (found["lost"], found["twice"], found["unequal"], found["wrong"]) == (0, 0, 0, 0)
    assert found["faults"] == []
    assert found["restarts_compared"] + found["heads"] > 20
    assert found["entries"] > found["heads"]
    assert all(one["memory_mb"]["all"] > 10 for one in found["samples"])
    assert "Ready to announced" in (tmp_path / "soak.svg").read_text()
    assert (tmp_path / "kept" / "soak.journal").exists()


@pytest.fixture
def journal(tmp_path, monkeypatch):
    """A journal of one hand-made command, that says of itself that it is whole."""
    file = tmp_path / "some.journal"
    with sqlite3.connect(file) as database:
        database.execute("CREATE TABLE entry (seq INTEGER, kind TEXT, payload TEXT, hash TEXT)")
        database.execute("INSERT INTO entry VALUES (1, 'command', '{\"id\": \"c-1\"}', 'aa')")
    monkeypatch.setattr("virtual_table.play.acknowledged.sys.executable", "true")
    return file


def said(*ids):
    return Said(commands=dict.fromkeys(ids, "deal"))


def test_a_command_that_was_acknowledged_and_is_not_in_the_journal_is_lost(journal):
    kept = held_against(said("c-1", "c-2"), journal, "here")
    assert kept.lost == 1
    assert kept.faults == ["here: deal c-2 was acknowledged and is not in the journal"]


def test_a_command_that_was_obeyed_twice_is_named(journal):
    with sqlite3.connect(journal) as database:
        database.execute("INSERT INTO entry VALUES (2, 'command', '{\"id\": \"c-1\"}', 'bb')")
    assert held_against(said("c-1"), journal, "here").twice == 1


def test_an_event_and_a_head_that_were_published_must_be_there_as_they_were(journal):
    heard = Said({"c-1": "deal"}, events={1: "command", 2: "ruled"}, heads={(1, "aa"), (1, "ab")})
    assert held_against(heard, journal, "here").lost == 2


def test_only_what_was_done_counts_as_acknowledged(tmp_path):
    heard = Acknowledged(tmp_path / "acknowledged.jsonl")
    for ok in (True, False):
        body = Reply(command_id=f"c-{ok}", verb="deal", ok=ok, code="" if ok else "no", sentence="" if ok else "No.")
        heard.heard(type("Received", (), {"body": body})())
    assert heard.said().commands == {"c-True": "deal"}


def state(life, seq, pot=0):
    body = TableState(
        version=1, journal_seq=seq, journal_head=f"h{seq}", phase="betting", hand_no=1, game="", street="flop",
        button=1, small_blind=1, big_blind=2, seats=(), to_act=2, call=0, min_raise_to=None, max_raise_to=None, pot=pot,
        pots=(), rulings=(),
    )  # fmt: skip
    return Received(
        topic(topics.STATE), Envelope.model_construct(sender="controller", boot_id=life, seq=seq), body, False, 0, 0
    )


def test_heads_and_the_states_around_a_restart_are_found_again_in_the_file(tmp_path):
    heard = Acknowledged(tmp_path / "acknowledged.jsonl")
    for one in (state("a", 1), state("a", 2, pot=6), state("a", 2, pot=7), state("b", 2, pot=7), state("b", 3)):
        heard.heard(one)
    found = heard.said()
    assert found.heads == {(1, "h1"), (2, "h2"), (3, "h3")}
    assert [(last.pot, first.pot) for last, first in found.restarts] == [(7, 7)]


def with_change(one, due):
    """A state in which seat 1 is due that change, and its reader is heard."""
    seat = SeatState(seat=1, stack=196, bet=4, status="in", on_felt=4 + due, change_due=due)
    return one.body.model_copy(update={"seats": (seat,)})


@pytest.mark.parametrize(("kind", "unequal"), [("observed", 0), ("started", 1)])
def test_change_that_was_given_after_the_last_state_is_no_state_unlike_the_journal(journal, kind, unequal):
    with sqlite3.connect(journal) as database:
        database.execute("INSERT INTO entry VALUES (2, ?, '{}', 'bb')", (kind,))
    heard = replace(said("c-1"), restarts=((with_change(state("a", 1), 2), with_change(state("b", 2), 0)),))
    assert held_against(heard, journal, "here").unequal == unequal


def test_what_was_acknowledged_takes_no_memory(tmp_path):
    heard = Acknowledged(tmp_path / "acknowledged.jsonl")
    heard.heard(state("a", 0))
    tracemalloc.start()
    try:
        for seq in range(1, 301):
            heard.heard(state(f"life-{seq}", seq))
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < 100_000
    assert len(heard.said().restarts) == 300


def test_growth_is_told_of_what_is_warm_and_not_moved_by_an_outlier():
    rising = [sample(hour / 4, memory=500.0 if hour < 2 else 100.0 + hour) for hour in range(20)]
    rising[9] = sample(9 / 4, memory=900.0)
    assert growth(rising, lambda one: one.memory_mb)["controller"] == pytest.approx(4.0)
    flat = [sample(hour / 4) for hour in range(20)]
    assert growth(flat, lambda one: one.handles)["controller"] == 0


@pytest.mark.parametrize(
    "bad",
    [
        outcome(kept=Kept(lost=1)),
        outcome(kept=Kept(twice=1)),
        outcome(kept=Kept(unequal=1)),
        outcome(sample(0.0), sample(1.0, wrong=1)),
        outcome(faults=("The world ended.",)),
        replace(outcome(), away=(Gap(300.0, 61.0, 19.8),)),
        outcome(*[sample(hour / 4, memory=100.0 + hour) for hour in range(20)]),
        outcome(*[sample(hour / 4, handles=20 + hour) for hour in range(20)]),
    ],
)
def test_what_is_not_well_is_said(bad):
    assert not bad.good
    assert lines(bad)[-1] == "Not all is well."
    assert as_json(bad)["good"] is False


def test_a_soak_that_is_well_says_so():
    assert outcome().good
    assert "4 x kill, 2 x unplug" in lines(outcome())[1]
    assert lines(outcome())[-1] == "All is well."


def test_one_of_a_thing_is_told_as_one():
    one = outcome(sample(0.0), sample(1.0, hands=1, acts=1, kills=1), kept=Kept(commands=1, heads=1))
    assert "1 hand, 1 act, 0 wrong, 1 asked, 1 kill." in lines(one)[0]
    assert "1 command acknowledged, 1 head published, 0 restarts compared" in lines(one)[2]


@pytest.mark.parametrize(
    ("form", "event", "words"),
    [
        (["--live"], 'what = "clock-step"\nstep_s = 5\nat_s = 1', "not ours to step"),
        ([], 'what = "burst"\nat_s = 1\nchances = { garbage = 0.5 }', "no lines and no bytes"),
    ],
)
def test_a_plan_that_cannot_be_played_is_refused_by_its_name_before_anything_is_made(
    form, event, words, tmp_path, capsys
):
    plan = tmp_path / "plan.toml"
    plan.write_text(f"[[events]]\n{event}\n")
    assert run(["soak", *form, "--faults", str(plan), "--keep", str(tmp_path / "kept")]) == 2
    said_so = capsys.readouterr().err
    assert f"{plan}: events.0" in said_so
    assert words in said_so
    assert list(tmp_path.iterdir()) == [plan]


def test_what_grows_is_named():
    growing = outcome(*[sample(hour / 4, memory=100.0 + hour) for hour in range(20)])
    assert "controller grows by 4.0 MB an hour." in lines(growing)


def test_a_soak_of_minutes_is_not_held_to_grow_by_its_warming_up():
    rising = [sample(minute / 60, memory=100.0 + minute, handles=20 + minute) for minute in range(20)]
    short = replace(outcome(*rising), hours=0.33)
    assert short.good
    assert "Whether memory and open files grow shows after an hour." in lines(short)
    assert as_json(short)["memory_mb_per_hour"]["controller"] == pytest.approx(60.0)


def test_an_axis_of_noughts_has_figures_that_differ():
    """Nothing was wrong and nothing asked: all its figures were 0."""
    drawn = svg((Chart("Wrong", "hours", "of 9 acts", (Series("wrong", ((0.0, 0.0), (2.0, 0.0))),)),))
    figures = re.findall(r"<text[^>]*>\s*([0-9.]+)\s*</text>", drawn)
    assert figures.count("0") == 2
    assert figures.count("0.2") == 1


def test_the_picture_shows_each_process():
    two = replace(sample(1.0), memory_mb={"controller": 100.0, "world": 130.0})
    drawn = picture(outcome(sample(0.0), two))
    assert "world" in drawn
    assert drawn == picture(outcome(sample(0.0), two))


def test_the_usual_plan_kills_a_thousand_times_in_eight_hours():
    table = load_table(TABLE)
    kills = [event for event in mixed(table).events if event.what == "kill"]
    assert [event.per_minute * 8 * 60 > 1000 for event in kills] == [True]
    without = table.model_copy(update={"cameras": ()})
    assert not [event for event in mixed(without).events if event.strikes == "camera"]


@pytest.fixture
def watched():
    """The gaps of a table's controller: a hub, a clock that is set by hand, and what is taken down."""
    clock, hub, names = [100.0], MemoryHub(), Namespace("home", TABLE)
    gaps = Gaps(lambda: clock[0], lambda: 19.8)
    MemoryBus(hub, names, "witness").subscribe(topics.STATUS, gaps.status)

    def starts():
        return MemoryBus(hub, names, "controller", presence=topic(topics.STATUS))

    return clock, gaps, starts


def test_a_killed_controller_is_away_until_it_is_online_again(watched):
    clock, gaps, starts = watched
    first = starts()
    clock[0] = 130.0
    first.drop()
    clock[0] = 150.5
    assert gaps.until_now() == (Gap(30.0, 20.5, 19.8),)
    starts()
    clock[0] = 500.0
    assert gaps.until_now() == (Gap(30.0, 20.5, 19.8),)


def test_after_the_broker_was_away_the_controller_is_heard_once_it_says_so(watched):
    clock, gaps, starts = watched
    controller = starts()
    clock[0] = 110.0
    gaps.connection(False)
    clock[0] = 130.0
    gaps.connection(True)
    clock[0] = 175.0
    controller.publish(topic(topics.STATUS), Presence(state="online"))
    clock[0] = 900.0
    assert gaps.until_now() == (Gap(10.0, 65.0, 19.8),)


def test_a_controller_that_was_away_for_too_long_is_a_finding_and_counted():
    late = replace(outcome(), away=(Gap(12.0, 3.0, 1.5), Gap(300.0, 75.2, 19.8)))
    said = "\n".join(lines(late))
    assert "could not be heard 2 times, 78 s in all and 75 s at the longest; 1 time for over 60 s" in said
    assert "for 75 s, from 300 s on: it or the broker was away or still starting, at a load of 19.8 on" in said
    found = as_json(late)["away"]
    assert (found["times"], found["sum_s"], found["longest_s"], found["too_long"]) == (2, 78.2, 75.2, 1)
    assert found["gaps"][1] == {"at_s": 300.0, "lasted_s": 75.2, "load": 19.8}
    assert as_json(late)["good"] is False
    assert as_json(late)["faults"] == [late.away[1].sentence]
    assert replace(late, away=late.away[:1]).good


def test_in_simulated_time_nothing_is_said_of_waiting_for_the_controller():
    assert as_json(outcome())["away"] is None
    assert "could not be heard" not in " ".join(lines(outcome()))


def test_a_live_soak_has_its_dealer_wait_for_the_controller_to_the_end(tmp_path, monkeypatch):
    class Enough(Exception):
        pass

    wanted = []

    def prepare(options, _folder):
        wanted.append(options)
        raise Enough

    monkeypatch.setattr(live, "prepare", prepare)
    with pytest.raises(Enough):
        live.play(TABLE, tmp_path / "plan.json", 0.5, 1, tmp_path)
    assert wanted[0].away_s == 1800.0

    files = SimpleNamespace(folder=tmp_path)
    ready = SimpleNamespace(words=lambda: (), files=files, camera_port=1, table=load_table(TABLE), plan=NO_FAULTS)
    line = world_line(ready, wanted[0])
    assert line[line.index("--away") + 1] == "1800.0"


def watch_of(folder, **counts):
    """What a live soak has seen of a table whose world has reported these counts, or nothing."""
    report, numbers = folder / "report.json", {"hands": 1, "acts": 9, "wrong": 0, "asked": 2}
    if counts:
        report.write_text(json.dumps({"json": numbers | counts, "faults": ["The world said so."]}))
    ready = SimpleNamespace(files=SimpleNamespace(report=report), journal=folder / "some.journal")
    seen = live._Watch(folder, ready, 0.1)
    ended = SimpleNamespace(name="world", process=None, starts=1)
    words = "The controller did not answer deal within 60 s."
    seen.until_over(
        SimpleNamespace(parts=(ended,), check=lambda: None, last_words=lambda _name: words),
        lambda _share, _what: None,
        lambda: False,
    )
    return seen


def test_a_live_soak_whose_world_ended_before_the_first_hand_was_over_still_tells_what_it_has(journal):
    found = as_json(watch_of(journal.parent).outcome("a table", 1))
    assert (found["good"], found["acts"], found["entries"]) == (False, 0, 1)
    assert "The world ended: The controller did not answer deal within 60 s." in found["faults"]
    assert any(one.startswith("Nothing was played") for one in found["faults"])


def test_a_live_soak_whose_world_ended_early_tells_what_was_played(journal):
    found = as_json(watch_of(journal.parent, acts=40).outcome("a table", 1))
    assert (found["good"], found["acts"]) == (False, 40)
    assert found["faults"][0] == "The world said so."
    assert not any(one.startswith("Nothing was played") for one in found["faults"])


def test_a_live_soak_without_a_journal_says_where_the_logs_are(tmp_path):
    with pytest.raises(UserError, match=r"began no journal; see the logs in .* The world ended"):
        watch_of(tmp_path).outcome("a table", 1)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (["--plot", "soak.png"], "ends with .svg"),
        (["--table", "nothing-such"], "nothing-such"),
        (["--faults", "nothing.toml"], "nothing.toml"),
    ],
)
def test_wrong_words_are_refused_in_one_sentence(line, words, capsys):
    assert run(["soak", "--hours", "0.01", *line]) == 2
    said_so = capsys.readouterr().err
    assert words in said_so
    assert "Traceback" not in said_so


def test_a_plot_that_cannot_be_written_is_refused_before_anything_is_played(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(simulated, "play", lambda *_args, **_more: pytest.fail("it was played"))
    taken = tmp_path / "taken.svg"
    taken.mkdir()
    for file in (tmp_path / "nowhere" / "soak.svg", taken):
        assert run(["soak", "--plot", str(file), "--keep", str(tmp_path / "kept")]) == 2
        assert f"{file} cannot be written" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == [taken]


def test_a_plot_may_lie_in_the_folder_that_is_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(simulated, "play", lambda *_args, **_more: outcome())
    kept = tmp_path / "kept"
    assert run(["soak", "--plot", str(kept / "soak.svg"), "--keep", str(kept)]) == 0
    assert (kept / "soak.svg").exists()


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_the_report_is_told_though_its_plot_cannot_be_written_any_more(form, tmp_path, monkeypatch, capsys):
    folder = tmp_path / "plots"
    folder.mkdir()

    def played(*_args, **_more):
        folder.rmdir()
        return outcome()

    monkeypatch.setattr(simulated, "play", played)
    assert run(["soak", "--plot", str(folder / "soak.svg"), *form]) == 1
    out, err = capsys.readouterr()
    assert "cannot be written" in err
    assert json.loads(out)["good"] is True if form else "All is well." in out


def test_a_folder_that_is_there_is_not_written_into(tmp_path, capsys):
    assert run(["soak", "--keep", str(tmp_path)]) == 2
    assert "is there already" in capsys.readouterr().err
    assert list(Path(tmp_path).iterdir()) == []

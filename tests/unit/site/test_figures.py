"""What a recorder tells Prometheus: how far it is, how long entries wait, and what is no lag."""

import pytest

from betline.messages.history import JournalEnd
from betline.metrics.reading import metric_of
from cardroom.record.batch import Place
from cardroom.record.following import MOST_WAITS, TRIES, Followed
from cardroom.record.recorder import Recorder
from cardroom.record.store import Kept, Store
from table_controller.journal.store import Journal
from tests.unit.site.journals import AT_MS, Tables, journal, write

NAME = "a" * 64


def end(seq):
    return JournalEnd(journal=NAME, seq=seq, head=f"{seq:064x}", live=True)


def kept(seq):
    return {NAME: Kept(1, "six", NAME, 1, None, 0, Place(seq, f"{seq:064x}"), Place())}


@pytest.fixture
def table():
    one = Followed("six", ends={NAME: end(10)})
    one.told(kept(7), 100.0)
    return one


def test_an_entry_waits_from_the_tables_word_to_its_row(table):
    table.ends[NAME] = end(12)
    table.told(kept(7), 103.0)
    assert table.since_s == 100.0
    assert table.recorded(kept(10), 105.0) == [5.0]
    assert table.since_s == 103.0
    assert table.recorded(kept(12), 106.0) == [3.0]
    assert table.since_s is None


def test_what_was_recorded_before_it_was_told_never_waited():
    one = Followed("six", ends={NAME: end(10)})
    one.told(kept(10), 100.0)
    assert one.since_s is None


def test_a_table_that_does_not_answer_and_a_journal_that_cannot_go_on_are_no_lag(table):
    table.silent = TRIES
    assert table.since_s is None
    table.silent = 0
    assert table.since_s == 100.0
    table.stuck[NAME] = (10, end(10).head)
    assert table.since_s is None
    table.ends[NAME] = end(11)  # the table goes on: it is tried again
    assert table.since_s == 100.0


def test_of_a_table_far_behind_the_oldest_words_are_kept(table):
    for seq in range(11, 11 + 2 * MOST_WAITS):
        table.ends[NAME] = end(seq)
        table.told(kept(7), float(seq + 100))
    assert len(table.waits) == MOST_WAITS
    assert table.since_s == 100.0


def test_every_figure_of_a_recorder_has_a_metric():
    told = Recorder(Tables(), lambda: pytest.fail("no database is asked for"), print).figures()
    assert (told["site_database_up"], told["site_rows"], told["site_lag_s"]) == (0, 0, 0.0)
    assert [name for name in told if metric_of(name) is None] == []


@pytest.mark.nightly
def test_a_recorder_tells_how_far_it_is(database, tmp_path):
    file, now_s = journal(tmp_path / "six"), [0.0]
    bus = Tables(six=file)
    form = {"site": "home", "zone": "UTC", "writes": True}
    recorder = Recorder(bus, lambda: Store(database, **form), lambda _: None, lambda: now_s[0])
    recorder.start()
    while not recorder.at_rest():
        recorder.pump(0.0)
    told = recorder.figures()
    assert (told["site_rows"], told["site_behind"], told["site_lag_s"], told["site_tables"]) == (30, 0, 0.0, 1)
    opened = Journal.open(file, "home/six", AT_MS, 1, key=tmp_path / "key")
    write(opened, 5)
    opened.close()
    bus.silent = {"six"}
    bus.tell("six")
    recorder.pump(0.0)
    now_s[0] = 4.0
    assert (recorder.figures()["site_behind"], recorder.figures()["site_lag_s"]) == (5, 4.0)
    assert recorder.figures()["site_database_up"] == 1
    recorder.close()
    assert recorder.figures()["site_database_up"] == 0
    assert recorder.to_row.up_to()[-1][1] > 0

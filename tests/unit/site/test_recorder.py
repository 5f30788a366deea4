"""Journals into a real PostgreSQL: each entry once, in order, and what is wrong named and kept."""

import sqlite3
from datetime import UTC, date, datetime

import psycopg
import pytest
from sqlalchemy import select, text

from betline.bus.wire import MAX_BYTES
from betline.messages.history import MOST_ENTRY_BYTES, Row, pack, unpack
from cardroom.record import tables
from cardroom.record.batch import hash_of
from cardroom.record.days import milliseconds
from cardroom.record.errors import RecordError
from cardroom.record.keeping import back_up, erase, first_kept, restore, retain
from cardroom.record.recorder import Recorder
from cardroom.record.store import Store
from cardroom.record.verify import against_ends, verify_rows
from cardroom.record.verify_file import against_file
from table_controller.journal.store import Journal
from tests.unit.site.journals import AT_MS, Tables, journal, long_entry, spoil_entries, write

FORM = {"site": "home", "zone": "Europe/Vienna", "writes": True}


class Site:
    """A recorder on tables that answer at once."""

    def __init__(self, database, **files):
        self.url, self.bus, self.said, self.now_s = database, Tables(**files), [], 0.0
        self.recorder = Recorder(self.bus, lambda: Store(self.url, **FORM), self.said.append, lambda: self.now_s)

    def begin(self):
        self.recorder.start()
        self.play()

    def play(self, most=300):
        for _ in range(most):
            self.recorder.pump(0.0)
            if self.recorder.at_rest():
                return
        raise AssertionError(f"not at rest: {self.said}")

    def told(self):
        for table in self.bus.shelves:
            self.bus.tell(table)
        self.play()

    def close(self):
        self.recorder.close()

    def found(self):
        with Store(self.url) as store:
            found = verify_rows(store, lambda _: None)
            for table, shelf in self.bus.shelves.items():
                against_ends(store, table, shelf.ends(), found)
        return found

    def incidents(self):
        with Store(self.url) as store:
            return [(one["code"], one["seq"]) for one in store.incidents()]


@pytest.fixture
def begun(database, tmp_path):
    """A function that makes a site of the tables with these files and records all they have."""
    sites = []

    def make(**files):
        sites.append(Site(database, **files))
        return sites[-1]

    yield make
    for site in sites:
        site.close()


def _copy_with(file, to, seq):
    """Copies a journal with other content from an entry on, and hashes that follow: what a forger writes."""
    with sqlite3.connect(file) as source, sqlite3.connect(to) as copy:
        source.backup(copy)
    copy.close()
    source.close()
    with sqlite3.connect(to) as changed:
        changed.execute("DROP TRIGGER entry_stays")
        rows = changed.execute(
            "SELECT seq, at_ms, mono_ns, kind, payload, prev FROM entry WHERE seq >= ? ORDER BY seq", (seq,)
        )
        prev = None
        for number, at_ms, mono_ns, kind, payload, before in rows.fetchall():
            prev = prev or before
            other = payload.replace("}", ',"x":1}')
            digest = hash_of(prev, Row(number, at_ms, mono_ns, kind, other, ""))
            changed.execute(
                "UPDATE entry SET payload = ?, prev = ?, hash = ? WHERE seq = ?", (other, prev, digest, number)
            )
            prev = digest
    changed.close()


def test_two_tables_are_recorded_whole_and_then_as_they_grow(begun, tmp_path):
    six, nine = journal(tmp_path / "six"), journal(tmp_path / "nine", table="nine", entries=50)
    site = begun(six=six, nine=nine)
    site.begin()
    opened = Journal.open(six, "home/six", AT_MS, 1, key=tmp_path / "key")
    write(opened, 5)
    opened.close()
    site.told()

    found = site.found()
    assert (found.rows, found.journals, found.compared, found.problems) == (85, 2, 2, [])
    with Store(site.url) as store:
        against_file(store, six, tmp_path / "key", found)
        with store.reading() as connection:
            assert connection.execute(select(tables.person.c.name).distinct()).scalars().all() == ["Ann B."]
    assert found.problems == []
    assert (site.incidents(), site.bus.alerts) == ([], [])


@pytest.mark.nightly
def test_an_entry_that_is_too_long_for_a_message_comes_in_parts(begun, tmp_path):
    site = begun(six=long_entry(tmp_path, 3_000_000))
    most = []
    site.bus.spoil = lambda body: [most.append(len(body.model_dump_json())), body][1:]
    site.begin()

    found = site.found()
    assert (found.rows, found.problems, site.incidents()) == (6, [], [])
    assert max(most) < MAX_BYTES
    assert len(most) > 10


@pytest.mark.nightly
def test_a_part_that_is_another_one_or_comes_twice_is_asked_for_again(begun, tmp_path):
    came = []

    def spoil(body):
        came.append(body)
        if len(came) == 4:
            return [body.model_copy(update={"part": body.part + 1})]
        if len(came) == 9:
            return [came[-2].model_copy(update={"ask": body.ask})]
        return [body, body]

    site = begun(six=long_entry(tmp_path, 1_500_000))
    site.bus.spoil = spoil
    site.begin()

    assert len(came) > 9
    assert (site.found().rows, site.found().problems, site.recorder.counted.refused) == (6, [], 0)


@pytest.mark.nightly
def test_a_rewritten_journal_of_long_entries_is_searched_by_their_parts(begun, tmp_path):
    file = long_entry(tmp_path, 600_000, entries=3)
    long_entry(tmp_path, 600_000, first=file)
    site = begun(six=file)
    site.begin()
    _copy_with(file, tmp_path / "forged", 4)
    (tmp_path / "forged").replace(file)
    site.told()

    assert site.incidents() == [("rewritten", 4)]
    assert site.found().problems == []


@pytest.mark.nightly
def test_an_entry_beyond_the_bound_is_an_incident_and_what_is_before_it_is_recorded(begun, tmp_path):
    site = begun(six=long_entry(tmp_path, MOST_ENTRY_BYTES + 100))
    site.begin()

    assert site.incidents() == [("too-long", 4)]
    assert "longer than the 8 MB" in site.bus.alerts[0].sentence
    with Store(site.url) as store:
        assert verify_rows(store, lambda _: None).rows == 3


@pytest.mark.nightly
def test_a_batch_that_comes_twice_or_late_is_recorded_once(begun, tmp_path):
    site = begun(six=journal(tmp_path / "six", entries=40))
    site.bus.spoil = lambda body: [body, body, body]
    site.begin()

    assert (site.found().rows, site.recorder.counted.rows) == (40, 40)


@pytest.mark.nightly
@pytest.mark.parametrize(
    "spoilt",
    [
        lambda rows: [*rows[:9], *rows[10:]],
        lambda rows: [*rows[:9], rows[9]._replace(payload="{}"), *rows[10:]],
    ],
    ids=["gap", "broken"],
)
def test_what_was_lost_on_the_way_is_asked_for_again_and_what_stays_wrong_is_an_incident(begun, tmp_path, spoilt):
    def change(body):
        rows = unpack(body.rows)
        wanted = spoilt(rows) if body.after == 0 else [row._replace(payload="[]") for row in rows]
        return [body.model_copy(update={"rows": pack(wanted)})]

    site = begun(six=journal(tmp_path / "six"))
    site.bus.spoil = spoil_entries(1, change)
    site.begin()
    assert (site.found().rows, site.incidents()) == (30, [])

    other = begun(nine=journal(tmp_path / "nine", table="nine"))
    site.close()
    other.bus.spoil = spoil_entries(99, change)
    other.begin()
    assert other.incidents() == [("broken", 10)]
    assert "Site home, table nine" in other.bus.alerts[0].sentence
    assert "entry 10" in other.bus.alerts[0].sentence


@pytest.mark.nightly
def test_a_rewritten_journal_is_named_and_both_versions_are_kept(begun, tmp_path):
    file = journal(tmp_path / "six")
    site = begun(six=file)
    site.begin()
    _copy_with(file, tmp_path / "forged", 12)
    (tmp_path / "forged").replace(file)
    site.told()
    site.told()

    assert site.incidents() == [("rewritten", 12)]
    assert [one.code for one in site.bus.alerts] == ["site-rewritten"]
    found = site.found()
    assert (found.rows, found.problems) == (30 + 19, [])
    with Store(site.url) as store:
        first, second = store.journals("six")
        assert (first.branch, second.branch, second.fork_seq) == (1, 2, 11)
        assert store.hash_at(first, 12) != store.hash_at(second, 12)
        assert store.hash_at(first, 11) == store.hash_at(second, 11)


@pytest.mark.nightly
def test_a_shortened_journal_is_named_once_and_its_rows_are_kept(begun, tmp_path):
    file = journal(tmp_path / "six")
    site = begun(six=file)
    site.begin()
    opened = Journal.open(file, "home/six", AT_MS, 1, key=tmp_path / "key")
    opened.close()
    _cut(file, 20)
    site.told()
    site.told()

    assert site.incidents() == [("shortened", 21)]
    with Store(site.url) as store:
        assert verify_rows(store, lambda _: None).rows == 30


def _cut(file, after):
    with sqlite3.connect(file) as database:
        database.execute("DROP TRIGGER entry_is_kept")
        database.execute("DELETE FROM entry WHERE seq > ?", (after,))
    database.close()


@pytest.mark.nightly
def test_the_database_goes_away_and_comes_back_and_nothing_is_twice_or_lost(begun, tmp_path):
    file = journal(tmp_path / "six")
    site = begun(six=file)
    site.begin()
    with Store(site.url) as other, other.reading() as connection:
        connection.execute(
            text("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() "
                 "AND datname = current_database()")
        )  # fmt: skip
    opened = Journal.open(file, "home/six", AT_MS, 1, key=tmp_path / "key")
    write(opened, 7)
    opened.close()
    for _ in range(20):
        site.bus.tell("six")
        site.recorder.pump(0.0)
        site.now_s += 1.0
    site.play()

    assert site.recorder.counted.outages == 1
    assert (site.found().rows, site.found().problems) == (37, [])
    assert any("cannot be reached" in one for one in site.said)


@pytest.mark.nightly
def test_a_second_recorder_of_a_database_is_refused(begun, tmp_path):
    begun(six=journal(tmp_path / "six")).begin()

    with pytest.raises(RecordError, match="Another recorder"):
        begun(six=journal(tmp_path / "six")).begin()


@pytest.mark.nightly
def test_a_table_that_is_silent_keeps_no_other_from_being_recorded(begun, tmp_path):
    six, nine = journal(tmp_path / "six"), journal(tmp_path / "nine", table="nine")
    site = begun(six=six, nine=nine)
    site.bus.silent = {"six"}
    site.recorder.start()
    for _ in range(60):
        site.recorder.pump(0.0)
        site.now_s += 2.0
    site.play()

    assert site.recorder.unanswered() == ["six"]
    with Store(site.url) as store:
        assert [(one.table, one.place.seq) for one in store.journals()] == [("nine", 30)]


@pytest.mark.nightly
def test_rows_lie_in_the_partition_of_their_day_over_a_change_of_clocks(begun, tmp_path):
    night = milliseconds(datetime(2026, 10, 25, 21, 30, tzinfo=UTC))  # 22:30 at the site; midnight is at 23:00 UTC
    site = begun(six=journal(tmp_path / "six", entries=13, at_ms=night - 30 * 3_600_000, step_ms=3 * 3_600_000))
    site.begin()

    with Store(site.url) as store, store.reading() as connection:
        rows = connection.execute(
            text(
                "SELECT tableoid::regclass::text AS part, day, (at AT TIME ZONE 'Europe/Vienna')::date AS there "
                "FROM entry"
            )
        ).all()
    assert {row.day for row in rows} == {date(2026, 10, 24), date(2026, 10, 25), date(2026, 10, 26)}
    assert all(row.day == row.there and row.part == f"entry_{row.day:%Y%m%d}" for row in rows)


@pytest.mark.nightly
def test_retention_takes_whole_days_and_the_chain_is_followed_over_them(begun, tmp_path):
    file = journal(tmp_path / "six", entries=40, step_ms=4 * 3_600_000)
    site = begun(six=file)
    site.begin()
    site.close()
    with Store(site.url) as store:
        dropped = retain(store, first_kept(date(2025, 12, 2), 2))
    found = site.found()

    assert [one.day for one in dropped] == [date(2025, 11, 28), date(2025, 11, 29)]
    assert (found.rows, found.problems) == (40 - sum(one.rows for one in dropped), [])
    with Store(site.url) as store, store.writing() as connection:
        connection.execute(text("DELETE FROM removed"))
    assert len(site.found().problems) == 1


@pytest.mark.nightly
def test_an_erased_name_does_not_come_back(begun, tmp_path):
    site = begun(six=journal(tmp_path / "six"))
    site.begin()
    with Store(site.url) as store:
        assert len(erase(store, "ann B.")) == 1
    site.now_s += 1000.0
    site.told()

    with Store(site.url) as store, store.reading() as connection:
        assert connection.execute(select(tables.person)).all() == []
    assert site.found().problems == []


@pytest.mark.nightly
def test_a_backup_is_restored_and_the_recorder_goes_on_from_it(begun, server, database, tmp_path):
    file = journal(tmp_path / "six")
    site = begun(six=file)
    site.begin()
    back_up(database, tmp_path / "site.dump")
    site.close()
    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute("DROP DATABASE IF EXISTS empty")
        connection.execute("CREATE DATABASE empty")
    new = server.url.replace("/betline?", "/empty?")
    restore(new, tmp_path / "site.dump")
    opened = Journal.open(file, "home/six", AT_MS, 1, key=tmp_path / "key")
    write(opened, 5)
    opened.close()
    again = Site(new, six=file)
    again.begin()
    again.close()

    assert (again.found().rows, again.found().problems) == (35, [])
    with pytest.raises(RecordError, match="empty"):
        restore(new, tmp_path / "site.dump")


@pytest.mark.nightly
def test_of_a_backup_that_is_cut_off_nothing_is_restored(begun, database, server, tmp_path):
    site = begun(six=long_entry(tmp_path, 900_000))
    site.begin()
    back_up(database, tmp_path / "site.dump")
    whole = (tmp_path / "site.dump").read_bytes()
    (tmp_path / "cut.dump").write_bytes(whole[: len(whole) - 100_000])
    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute("CREATE DATABASE cut")
    new = server.url.replace("/betline?", "/cut?")

    with pytest.raises(RecordError, match="pg_restore failed"):
        restore(new, tmp_path / "cut.dump")
    with pytest.raises(RecordError, match="Nothing was recorded"):
        Store(new)


@pytest.mark.nightly
@pytest.mark.parametrize(
    "damage",
    [
        "DELETE FROM entry WHERE seq = 7",
        "UPDATE entry SET payload = '{}' WHERE seq = 7",
        "UPDATE entry SET at_ms = at_ms + 1 WHERE seq = 7",
        "DELETE FROM entry WHERE seq = 30",
        "INSERT INTO entry SELECT journal_id, seq, day + 1, at, at_ms, mono_ns, kind, payload, hash "
        "FROM entry WHERE seq = 7",
    ],
)
def test_verify_finds_what_was_changed_in_the_database(begun, tmp_path, damage):
    site = begun(six=journal(tmp_path / "six"))
    site.begin()
    assert site.found().problems == []
    with Store(site.url) as store, store.writing() as connection:
        connection.execute(text(damage))

    assert len(site.found().problems) == 1


@pytest.mark.nightly
def test_the_recorder_waits_for_no_disk_and_who_erases_does(database):
    def setting(store):
        with store.reading() as connection:
            return connection.execute(text("SHOW synchronous_commit")).scalar_one()

    with Store(database, **FORM) as recording, Store(database) as verb:
        assert (setting(recording), setting(verb)) == ("off", "on")

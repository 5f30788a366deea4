"""A table answers for all its journals, and only reads them."""

import random
from contextlib import nullcontext

import pytest

from betline.bus.memory import MemoryBus, MemoryHub
from betline.front_door import run
from betline.messages.history import (
    MOST_PACKED_BYTES,
    MOST_UNPACKED_BYTES,
    HistoryAsk,
    HistoryErase,
    Row,
    Unreadable,
    pack,
    unpack,
)
from betline.topics import HISTORY_ASK, HISTORY_ENTRIES, HISTORY_ERASE, HISTORY_ERASED, HISTORY_HEAD, Namespace, topic
from cardroom.record.batch import hash_of
from cardroom.record.following import Followed
from table_controller.history.answers import Answering
from table_controller.history.serving import HistoryServer
from table_controller.history.shelf import Shelf
from table_controller.journal.reader import JournalReader
from table_controller.journal.store import Journal
from tests.unit.site.journals import AT_MS, journal, long_entry, write

NAMES = Namespace("home", "six")


def answer(shelf, question):
    return Answering(shelf).answer(question)


def ask(want="entries", **fields):
    return HistoryAsk(id="question-1", want=want, **fields)


def test_entries_arrive_as_the_file_has_them(tmp_path):
    file = journal(tmp_path / "six")
    shelf = Shelf(file, "home/six")
    of = shelf.live().id

    found = answer(shelf, ask(journal=of, after=10, most=5))

    with JournalReader(file) as reader:
        written = list(reader.entries(10))[:5]
    assert [(row.seq, row.at_ms, row.kind, row.hash) for row in unpack(found.rows)] == [
        (one.seq, one.at_ms, one.kind, one.hash) for one in written
    ]
    assert (found.prev, found.end.seq, found.end.live) == (written[0].prev, 30, True)
    assert found.end.seal  # of the anchors beside it


def test_an_answer_has_no_more_than_a_message_holds(tmp_path):
    file = journal(tmp_path / "six", entries=3)
    opened = Journal.open(file, "home/six", AT_MS, 1, key=tmp_path / "key")
    chance = random.Random(1)
    for _ in range(4):
        noise = chance.randbytes(50_000).hex()
        opened.append([_dealer(noise)], AT_MS, 1)
    opened.close()
    shelf = Shelf(file, "home/six")

    after, seen = 0, []
    while after < 7:
        found = answer(shelf, ask(journal=shelf.live().id, after=after))
        assert len(found.rows) <= MOST_PACKED_BYTES
        rows = unpack(found.rows)
        seen += [row.seq for row in rows]
        after = rows[-1].seq

    assert seen == [1, 2, 3, 4, 5, 6, 7]


def test_journals_of_earlier_evenings_are_listed_and_can_be_read(tmp_path):
    old = journal(tmp_path / "six", entries=4, name="friday.journal", at_ms=AT_MS - 86_400_000)
    journal(tmp_path / "other", table="nine", entries=4).rename(tmp_path / "six" / "nine.journal")
    shelf = Shelf(journal(tmp_path / "six", entries=6), "home/six")

    listed = answer(shelf, ask("journals")).journals

    assert [(one.seq, one.live) for one in listed] == [(4, False), (6, True)]
    assert [row.seq for row in unpack(answer(shelf, ask(journal=listed[0].journal)).rows)] == [1, 2, 3, 4]
    assert old.exists()


def test_what_cannot_be_read_is_said_in_the_answer(tmp_path):
    found = answer(Shelf(journal(tmp_path / "six"), "home/six"), ask(journal="f" * 64))

    assert "no journal" in found.problem
    assert found.end is None


@pytest.mark.parametrize("text", ["%%", "aGVsbG8=", pack([("a", 1, 1, "k", "{}", "")]), pack([(1, 2)])])
def test_packed_entries_that_are_none_are_refused(text):
    with pytest.raises(Unreadable):
        unpack(text)


def test_packed_entries_that_grow_without_end_are_refused():
    with pytest.raises(Unreadable, match="bytes"):
        unpack(pack([Row(1, 1, 1, "k", "0" * MOST_UNPACKED_BYTES, "")]))


def test_an_entry_that_is_too_long_for_a_message_is_told_part_by_part(tmp_path):
    shelf = Shelf(long_entry(tmp_path, 600_000), "home/six")
    answering, site, packed = Answering(shelf), Followed("six"), None
    while packed is None:
        part = len(site.parts[shelf.live().id].texts) if site.parts else 0
        found = answering.answer(ask(journal=shelf.live().id, after=3, part=part))
        assert len(found.rows) <= MOST_PACKED_BYTES
        packed = site.whole(found)

    (row,) = unpack(packed)
    assert (found.parts, row.seq, len(row.payload) > 600_000) == (3, 4, True)
    assert row.hash == hash_of(found.prev, row)


def test_a_program_of_the_site_that_takes_no_parts_is_told_to_be_updated(tmp_path):
    file = long_entry(tmp_path, 300_000)

    found = answer(Shelf(file, "home/six"), ask(journal=Shelf(file, "home/six").live().id, after=3))

    assert (found.end, found.rows, found.code) == (None, "", "in-parts")
    assert "update it" in found.problem


@pytest.fixture
def served(tmp_path):
    """A table's server and a site's client on one bus; what the client heard."""
    hub, heard = MemoryHub(), []
    file = journal(tmp_path / "six")
    bus, site = MemoryBus(hub, NAMES, "history"), MemoryBus(hub, NAMES, "site")
    for kind in (HISTORY_HEAD, HISTORY_ENTRIES, HISTORY_ERASED):
        site.subscribe(kind, lambda received: heard.append(received.body))

    def serve(**options):
        server = HistoryServer(bus, Shelf(file, "home/six"), now_s=_Steps(), key=tmp_path / "key", **options)
        server.start()
        return server

    return serve, site, heard, file


def test_how_far_a_journal_is_is_told_once_and_again_when_it_has_grown(served, tmp_path):
    serve, _, heard, file = served
    server = serve(may_erase=False)
    server.pump()
    server.pump()
    opened = Journal.open(file, "home/six", AT_MS, 1, key=tmp_path / "key")
    write(opened, 2)
    opened.close()
    server.pump()

    assert [one.end.seq for one in heard] == [30, 32]


def test_a_question_is_answered_on_the_topic_of_who_asked(served):
    serve, site, heard, file = served
    server = serve(may_erase=False)
    site.publish(topic(HISTORY_ASK, "recorder"), ask(journal=Shelf(file, "home/six").live().id))
    server.pump()

    assert heard[-1].ask == "question-1"
    assert len(unpack(heard[-1].rows)) == 30


@pytest.mark.parametrize(("may", "left"), [(True, {}), (False, {"p1": "Ann B."})])
def test_a_name_is_erased_only_where_the_table_lets_a_site_do_it(served, may, left):
    serve, site, heard, file = served
    server = serve(may_erase=may)
    site.publish(topic(HISTORY_ERASE, "eraser"), HistoryErase(id="question-1", person="ann b."))
    server.pump()

    with JournalReader(file) as reader:
        assert reader.names() == left
    assert heard[-1].ok is may


def test_where_its_priority_cannot_be_lowered_it_serves_all_the_same(tmp_path, monkeypatch):
    def refused(_):
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr("os.nice", refused)
    monkeypatch.setattr("betline.joining.join", lambda *_, **__: MemoryBus(MemoryHub(), NAMES, "history"))
    monkeypatch.setattr("betline.stopping.stopping", lambda: nullcontext(iter((False, True)).__next__))
    words = ("--table", "home-six", "--id", "six", "--journal", str(journal(tmp_path / "six")))

    assert run(["journal", "serve", *words]) == 0


class _Steps:
    """A clock that is a second further each time."""

    def __init__(self):
        self._now_s = 0.0

    def __call__(self):
        self._now_s += 1.0
        return self._now_s


def _dealer(name):
    from table_controller.journal.entries import DealerNamed

    return DealerNamed(person=name)

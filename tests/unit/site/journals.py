"""Small real journals for the tests of a site, and a table that answers without a broker."""

from itertools import count
from random import Random

from betline.messages.history import HistoryAsk, HistoryEntries, HistoryHead, HistoryJournals, HistoryNames
from betline.topics import ALERT, HISTORY_ENTRIES, HISTORY_HEAD, HISTORY_JOURNALS, HISTORY_NAMES
from table_controller.history.answers import Answering
from table_controller.history.shelf import Shelf
from table_controller.journal.entries import DealerNamed
from table_controller.journal.store import Journal

AT_MS = 1_764_320_400_000  # 2025-11-28 09:00 UTC
KINDS = {HistoryJournals: HISTORY_JOURNALS, HistoryEntries: HISTORY_ENTRIES, HistoryNames: HISTORY_NAMES}


def journal(folder, table="six", entries=30, at_ms=AT_MS, step_ms=1000, name="evening.journal", first=0):
    """A journal with so many entries, written by the store that a controller writes with; its file."""
    folder.mkdir(exist_ok=True)
    opened = Journal.open(folder / name, f"home/{table}", at_ms, 1, key=folder.parent / "key")
    write(opened, entries - 1, at_ms, step_ms, first)
    opened.close()
    return folder / name


def write(opened, entries, at_ms=AT_MS, step_ms=1000, first=0):
    for number in range(first, first + entries):
        opened.append([DealerNamed(person=f"d{number}")], at_ms + number * step_ms, number, {"p1": "Ann B."})


def long_entry(folder, size, table="six", first=None, entries=3):
    """A journal whose entry after the first ones is so many bytes of what cannot be compressed well; its file."""
    file = journal(folder / table, table=table, entries=entries) if first is None else first
    opened = Journal.open(file, f"home/{table}", AT_MS, 1, key=folder / "key")
    opened.append([DealerNamed(person=Random(1).randbytes(size // 2).hex())], AT_MS, 1)
    write(opened, 2)
    opened.close()
    return file


class Tables:
    """Takes the place of `SiteBus`: every question is answered at once from the tables' files, or spoilt before."""

    sender = "recorder"

    def __init__(self, **files):
        self.shelves = {table: Shelf(file, f"home/{table}") for table, file in files.items()}
        self.answering = {table: Answering(shelf) for table, shelf in self.shelves.items()}
        self.handlers = {}
        self.alerts = []
        self.spoil = lambda body: [body]
        self.silent = set()

    def hear(self, kind, handler):
        self.handlers[kind] = handler
        if kind is HISTORY_HEAD:
            for table in self.shelves:
                self.tell(table)

    def tell(self, table):
        self._hand(HISTORY_HEAD, table, HistoryHead(end=self.shelves[table].live().end(live=True)))

    def say(self, table, topic, body):
        if topic.kind is ALERT:
            self.alerts.append(body)
        elif isinstance(body, HistoryAsk) and table not in self.silent:
            found = self.answering[table].answer(body)
            for one in self.spoil(found):
                self._hand(KINDS[type(found)], table, one)
        return True

    def _hand(self, kind, table, body):
        self.handlers[kind](table, _Heard(body))


class _Heard:
    def __init__(self, body):
        self.body = body


def spoil_entries(times, change):
    """Changes the first answers that have entries, so many of them."""
    left = count()

    def spoil(body):
        if isinstance(body, HistoryEntries) and body.rows and next(left) < times:
            return change(body)
        return [body]

    return spoil

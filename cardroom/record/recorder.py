"""The recorder: hears how far each table is, asks for what is missing, checks it, and puts it into the database.

A table has one question to answer at a time and a few tables are asked at once, so that nothing piles up at a table, on
the broker or here. While a batch goes into the database its table reads the next one.
"""

from __future__ import annotations

import contextlib
import queue
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final, Literal

from betline.bus.port import Received
from betline.bus.site import SiteBus
from betline.messages.common import Body
from betline.messages.history import (
    HistoryAsk,
    HistoryEntries,
    HistoryHead,
    HistoryJournals,
    HistoryNames,
    JournalEnd,
    Unreadable,
    unpack,
)
from betline.messages.table import Alert
from betline.tally import RULING_S, Tally
from betline.topics import ALERT, HISTORY_ASK, HISTORY_ENTRIES, HISTORY_HEAD, HISTORY_JOURNALS, HISTORY_NAMES, topic
from cardroom.record.batch import Follows, Forked, Place, check
from cardroom.record.errors import RecordError
from cardroom.record.following import TRIES, Followed, Search
from cardroom.record.store import Kept, Store

AT_ONCE: Final = 32
"""So many tables are asked at once: an answer comes over a bridge, and by a few at a time 200 tables would wait."""
TAKEN_AT_ONCE: Final = 16
"""So many messages are taken in before it is looked which table is to be asked."""
PATIENCE_S: Final = 5.0
LONGEST_S: Final = 30.0
FIRST_RETRY_S: Final = 0.5
LAST_RETRY_S: Final = 5.0
HEARD: Final = 4096
Severity = Literal["info", "error"]


@dataclass(slots=True)
class Counted:
    """What the recorder did since its start."""

    rows: int = 0
    batches: int = 0
    refused: int = 0
    incidents: int = 0
    outages: int = 0
    dropped: int = 0


class Recorder:
    """Records one site. `open_store` opens the database, and is called again after each outage."""

    def __init__(
        self,
        bus: SiteBus,
        open_store: Callable[[], Store],
        tell: Callable[[str], None],
        now_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self._bus, self._open, self._tell, self._now_s = bus, open_store, tell, now_s
        self._heard: queue.Queue[tuple[str, Body]] = queue.Queue(HEARD)
        self._store: Store | None = None
        self._retry_s, self._due_s = FIRST_RETRY_S, 0.0
        self._kept: dict[str, dict[str, Kept]] = {}
        self._said: dict[str, str] = {}
        self.tables: dict[str, Followed] = {}
        self.counted = Counted()
        self.to_row = Tally(RULING_S)
        """From a table's word of an entry to its row."""

    def start(self) -> None:
        """Opens the database and begins to listen. Raises RecordError."""
        self._take_up(self._open())
        for kind in (HISTORY_HEAD, HISTORY_JOURNALS, HISTORY_ENTRIES, HISTORY_NAMES):
            self._bus.hear(kind, self._hear)

    def pump(self, wait_s: float = 0.05) -> None:
        """Takes in what came, for a moment at most if nothing does, and asks for what is missing."""
        with contextlib.suppress(queue.Empty):
            for number in range(TAKEN_AT_ONCE):
                self._guarded(partial(self._take, *self._heard.get(timeout=0 if number else wait_s)))
        if self._store is None:
            self._try_again()
        if self._store is not None:
            self._ask_all()

    @property
    def behind(self) -> int:
        """How many entries the tables have that are not recorded, as far as is known."""
        return sum(one.behind(self._kept.get(one.table, {})) for one in tuple(self.tables.values()))

    @property
    def lag_s(self) -> float:
        """How long the table that waits longest has had entries that are not recorded, as far as is known."""
        now_s = self._now_s()
        return max((now_s - one.since_s for one in tuple(self.tables.values()) if one.since_s is not None), default=0.0)

    def figures(self) -> dict[str, float]:
        """What Prometheus is shown beside the client of the bus; asked on another thread."""
        counted = self.counted
        return {
            "site_rows": counted.rows, "site_refused": counted.refused, "site_incidents": counted.incidents,
            "site_outages": counted.outages, "site_dropped": counted.dropped, "site_database_up": not self.away,
            "site_tables": len(self.tables), "site_unanswered": len(self.unanswered()), "site_stuck": len(self.stuck()),
            "site_behind": self.behind, "site_lag_s": self.lag_s,
        }  # fmt: skip

    @property
    def away(self) -> bool:
        """Whether the database is away."""
        return self._store is None

    def unanswered(self) -> list[str]:
        """The tables that do not answer."""
        return [one.table for one in tuple(self.tables.values()) if one.silent >= TRIES]

    def at_rest(self) -> bool:
        """Whether all tables that answer are recorded to their end."""
        if self._store is None or not self._heard.empty():
            return False
        now_s = self._now_s()
        return all(
            one.silent >= TRIES
            or (one.asked is None and one.next_ask(self._kept.get(one.table, {}), _number(), now_s) is None)
            for one in self.tables.values()
        )

    def stuck(self) -> list[tuple[str, str]]:
        """Table and journal of all that cannot be recorded on."""
        return [
            (one.table, journal)
            for one in tuple(self.tables.values())
            for journal in tuple(one.stuck)
            if one.is_stuck(journal)
        ]

    def close(self) -> None:
        """Leaves the database."""
        if self._store is not None:
            self._store.close()
            self._store = None

    # --- the database comes and goes ----------------------------------------------------------------------------------

    def _take_up(self, store: Store) -> None:
        self._store, self._retry_s = store, FIRST_RETRY_S
        self._kept = {}
        for kept in store.journals():  # the newest branch comes last
            self._kept.setdefault(kept.table, {})[kept.journal] = kept
        for one in self.tables.values():
            one.forget_questions()

    def _try_again(self) -> None:
        if self._now_s() < self._due_s:
            return
        try:
            self._take_up(self._open())
            self._tell("The database is there again.")
        except RecordError as error:
            self._wait(error)

    def _wait(self, error: RecordError) -> None:
        self._once("database", f"{error} It is tried again; the tables keep what they have.")
        self._due_s = self._now_s() + self._retry_s
        self._retry_s = min(2 * self._retry_s, LAST_RETRY_S)

    def _guarded(self, work: Callable[[], None]) -> None:
        try:
            work()
        except RecordError as error:
            if error.code not in ("away", "out-of-step", "refused", "read-only"):
                raise
            self.counted.outages += 1
            self._said.pop("database", None)
            self.close()
            self._wait(error)

    # --- what comes ---------------------------------------------------------------------------------------------------

    def _hear(self, table: str, received: Received) -> None:
        try:
            self._heard.put_nowait((table, received.body))
        except queue.Full:
            self.counted.dropped += 1

    def _take(self, table: str, body: Body) -> None:
        one = self.tables.setdefault(table, Followed(table))
        if isinstance(body, HistoryHead):
            if body.end.journal not in one.ends:
                one.listed_s = None  # a new evening: which others are there?
            one.ends[body.end.journal] = body.end
            one.silent = 0
            one.told(self._kept.get(table, {}), self._now_s())
            return
        asked = one.asked
        if asked is None or getattr(body, "ask", None) != asked.id:
            return
        one.asked, one.silent = None, 0
        if isinstance(body, HistoryJournals):
            one.listed_s = self._now_s()
            one.ends = {end.journal: end for end in body.journals}
            one.told(self._kept.get(table, {}), self._now_s())
        elif isinstance(body, HistoryNames):
            one.names_came(body, self._now_s())
            if not body.problem and self._store is not None:
                self._store.keep_names(self._kept[table][body.journal], body.names)
        elif isinstance(body, HistoryEntries) and self._store is not None:
            self._entries(self._store, one, asked, body)

    def _entries(self, store: Store, one: Followed, asked: HistoryAsk, body: HistoryEntries) -> None:
        if body.end is None:
            self._once(f"{one.table} {body.journal}", f"{one.table} cannot tell: {body.problem}")
            one.parts.pop(body.journal, None)
            end = one.ends.get(body.journal)
            if end is not None:
                one.stuck[body.journal] = (end.seq, end.head)
            if body.code == "too-long":
                kept, said = self._journal(store, one, body.journal), body.problem.removesuffix(".")
                self._incident(store, kept, kept.place.seq + 1, "too-long", said, str(asked.after), "error")
            return
        kept = self._journal(store, one, body.journal)
        one.ends[body.journal] = body.end
        packed = one.whole(body)
        if packed is None:
            return
        try:
            rows = unpack(packed)
        except Unreadable:
            self._wrong(store, one, kept, body.end, "unreadable", "")
            return
        if body.journal in one.searches:
            self._compared(store, one, kept, body.end, rows[0].seq if rows else 0, rows[0].hash if rows else "")
            return
        if asked.after != kept.place.seq:
            return
        if not rows:
            if (body.end.seq, body.end.head) != (kept.place.seq, kept.place.hash):
                one.searches[body.journal] = Search(1, min(kept.place.seq, body.end.seq))
                self._maybe_found(store, one, kept, body.end)
            return
        found = check(kept.place, body.prev, rows, body.end)
        if isinstance(found, Forked):
            one.searches[body.journal] = Search(1, min(kept.place.seq, body.end.seq))
            self._maybe_found(store, one, kept, body.end)
            return
        self._follow(store, one, kept, body.end, found, rows[len(found.rows)].hash if found.wrong else "")

    def _journal(self, store: Store, one: Followed, journal: str) -> Kept:
        """A journal as it is recorded; begun where it was not known before."""
        there = self._kept.setdefault(one.table, {})
        if journal not in there:
            there[journal] = store.begin(one.table, journal)
        return there[journal]

    def _follow(self, store: Store, one: Followed, kept: Kept, end: JournalEnd, found: Follows, bad_hash: str) -> None:
        if not found.wrong:
            one.wrong.pop(kept.journal, None)
            if end.seq > found.place.seq:  # its table reads on while these go into the database
                self._ask(
                    one, HistoryAsk(id=_number(), want="entries", journal=kept.journal, after=found.place.seq, part=0)
                )
        if found.rows:
            kept = self._kept[one.table][kept.journal] = store.append(kept, found, end)
            self.counted.rows += len(found.rows)
            self.counted.batches += 1
            one.names_s.setdefault(kept.journal, self._now_s())
            for took_s in one.recorded(self._kept[one.table], self._now_s()):
                self.to_row.note(took_s)
        if found.pruned is not None:
            first = 2
            said = f"entries {first} to {found.pruned.seq} were pruned at the table before they were recorded"
            self._incident(store, kept, first, "pruned", said, found.pruned.hash, "info")
        if found.wrong:
            self._wrong(store, one, kept, end, found.wrong, bad_hash)

    def _wrong(self, store: Store, one: Followed, kept: Kept, end: JournalEnd, code: str, bad_hash: str) -> None:
        """A batch did not follow: it is asked for again, and an incident after the third time."""
        self.counted.refused += 1
        times = one.wrong[kept.journal] = one.wrong.get(kept.journal, 0) + 1
        if times < TRIES:
            return
        one.wrong.pop(kept.journal)
        one.stuck[kept.journal] = (end.seq, end.head)
        seq = kept.place.seq + 1
        said = {
            "gap": f"entry {seq} is missing at the table",
            "broken": f"entry {seq} does not have the content that its hash was made of, or does not follow",
            "unreadable": f"what the table sends from entry {seq} on cannot be read",
        }[code]
        self._incident(store, kept, seq, code, said, bad_hash, "error")

    # --- a journal that is not the one that is recorded -----------------------------------------------------------

    def _compared(self, store: Store, one: Followed, kept: Kept, end: JournalEnd, seq: int, digest: str) -> None:
        search = one.searches[kept.journal]
        middle = search.middle
        ours = store.hash_at(kept, middle)
        if seq != middle or ours is None or ours == digest:  # what was pruned here or there says nothing
            search.same = middle
        else:
            search.most = middle - 1
        self._maybe_found(store, one, kept, end)

    def _maybe_found(self, store: Store, one: Followed, kept: Kept, end: JournalEnd) -> None:
        search = one.searches[kept.journal]
        if not search.found:
            return
        del one.searches[kept.journal]
        at, seq = search.same, search.same + 1
        if at >= end.seq:
            one.stuck[kept.journal] = (end.seq, end.head)
            said = f"the journal ends at entry {end.seq}; {kept.place.seq} are recorded, and kept"
            self._incident(store, kept, seq, "shortened", said, end.head, "error")
            return
        if at >= kept.place.seq:
            self._wrong(store, one, kept, end, "broken", end.head)
            return
        digest = store.hash_at(kept, at) or (end.pruned_hash if at == end.pruned_to else "")
        said = f"entry {seq} is not the one that was recorded: the journal was written anew from there; both are kept"
        sentence = self._sentence(kept, said)
        self._kept[one.table][kept.journal] = store.fork(kept, Place(at, digest), "rewritten", sentence, end.head)
        self._alert(kept, "rewritten", sentence, "error")

    def _incident(
        self, store: Store, kept: Kept, seq: int, code: str, said: str, found: str, severity: Severity
    ) -> None:
        sentence = self._sentence(kept, said)
        if store.incident(kept, seq, code, sentence, found):
            self._alert(kept, code, sentence, severity)

    def _sentence(self, kept: Kept, said: str) -> str:
        site = self._store.site if self._store is not None else ""
        return f"Site {site}, table {kept.table}, journal {kept.journal[:12]}: {said}."

    def _alert(self, kept: Kept, code: str, sentence: str, severity: Severity) -> None:
        self.counted.incidents += 1
        self._tell(sentence)
        self._bus.say(kept.table, topic(ALERT), Alert(severity=severity, code=f"site-{code}", sentence=sentence))

    # --- what is asked --------------------------------------------------------------------------------------------

    def _ask_all(self) -> None:
        now_s = self._now_s()
        for one in self.tables.values():
            if one.asked is not None and now_s - one.asked_s > min(PATIENCE_S * (1 + one.silent), LONGEST_S):
                one.asked = None
                one.silent += 1
                if one.silent == TRIES:
                    self._tell(f"{one.table} does not answer; it is asked again.")
        room = AT_ONCE - sum(one.asked is not None and one.silent < TRIES for one in self.tables.values())
        waiting = sorted((one for one in self.tables.values() if one.asked is None), key=lambda one: one.asked_s)
        for one in waiting:
            if room <= 0:
                return
            ask = one.next_ask(self._kept.get(one.table, {}), _number(), now_s)
            if ask is not None and self._ask(one, ask):
                room -= 1

    def _ask(self, one: Followed, ask: HistoryAsk) -> bool:
        if not self._bus.say(one.table, topic(HISTORY_ASK, self._bus.sender), ask):
            return False
        one.asked, one.asked_s = ask, self._now_s()
        return True

    def _once(self, about: str, sentence: str) -> None:
        """Tells something where it was not just told."""
        if self._said.get(about) != sentence:
            self._said[about] = sentence
            self._tell(sentence)


def _number() -> str:
    return uuid.uuid4().hex

"""What a controller acknowledged and published, held against its journal afterwards.

Each command that was answered with "done" must be there once, each event and each head of the chain that was published
as it was published, and a controller's first state must be the state that its journal had when the one before it was
killed.
"""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Collection, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from betline.bus import Received
from betline.messages.common import Reply
from betline.messages.table import Event, TableState

ACKNOWLEDGED: Final = "acknowledged.jsonl"
"""The usual name of the file in the folder of a run."""
_SAME: Final = (
    "phase", "hand_no", "game", "street", "button", "to_act", "call", "min_raise_to", "max_raise_to", "pot", "pots",
    "house_money",
)  # fmt: skip
_SAME_SEAT: Final = ("seat", "stack", "bet", "status", "away", "missed")
"""What a seat owes, and the change it is due, is compared too where its reader was heard before and nothing was paid
since: a silent reader leaves that unsaid."""
_PAYS: Final = frozenset({"observed", "felt"})
_CHANGES: Final = frozenset({"step", "setup", "hand-began", "hand-over", "cards-out", "command", "checkpoint", "words"})

_Entries = Mapping[int, tuple[str, str, str]]
"""Kind, payload and hash of each entry, by its number."""


@dataclass(frozen=True, slots=True)
class Said:
    """All that was acknowledged and published, and must be in the journal."""

    commands: Mapping[str, str] = field(default_factory=dict)
    """The verb of each command that was answered with "done", by its id."""
    events: Mapping[int, str] = field(default_factory=dict)
    """The type of each event, by its number in the journal."""
    heads: Collection[tuple[int, str]] = ()
    """Number and hash of each head that was published."""
    restarts: Collection[tuple[TableState, TableState]] = ()
    """The last state of each life and the first of the next."""


class Acknowledged:
    """Give it what is heard of replies, events and states; it writes to a file what must be in the journal.

    In memory it keeps the newest state alone: over hours of play the rest would grow as a fault of the table does.
    """

    def __init__(self, file: Path) -> None:
        """``file`` is made, a line for each thing."""
        self._file = file
        self._head = (-1, "")
        self._newest: tuple[str, TableState] | None = None
        file.write_text("", encoding="utf-8")

    def heard(self, received: Received) -> None:
        """Takes a message; those of other kinds are passed over."""
        match received.body:
            case Reply(ok=True, command_id=name, verb=verb):
                self._write(command=name, verb=verb)
            case Event(journal_seq=seq, type=kind):
                self._write(event=seq, type=kind)
            case TableState() as state:
                life = received.envelope.boot_id
                if self._newest is not None and self._newest[0] != life:
                    self._write(last=self._newest[1].model_dump(mode="json"), first=state.model_dump(mode="json"))
                self._newest = (life, state)
                if self._head != (state.journal_seq, state.journal_head):
                    self._head = (state.journal_seq, state.journal_head)
                    self._write(head=self._head)

    def said(self) -> Said:
        """All of it, read from the file."""
        commands, events, heads, restarts = {}, {}, set(), []
        with self._file.open(encoding="utf-8") as lines:
            for line in lines:
                match json.loads(line):
                    case {"command": name, "verb": verb}:
                        commands[name] = verb
                    case {"event": seq, "type": kind}:
                        events[seq] = kind
                    case {"head": [seq, head]}:
                        heads.add((seq, head))
                    case {"last": last, "first": first}:
                        restarts.append((TableState.model_validate(last), TableState.model_validate(first)))
        return Said(commands, events, heads, restarts)

    def _write(self, **what: Any) -> None:
        with self._file.open("a", encoding="utf-8") as file:
            file.write(json.dumps(what) + "\n")


@dataclass(slots=True)
class Kept:
    """What became of it; ``faults`` has a sentence for each thing that was lost, done twice or is unlike."""

    commands: int = 0
    events: int = 0
    heads: int = 0
    restarts_compared: int = 0
    lost: int = 0
    twice: int = 0
    unequal: int = 0
    faults: list[str] = field(default_factory=list)


def held_against(said: Said, journal: Path, which: str, key: Path | None = None) -> Kept:
    """Verifies the journal and looks for everything in it; ``which`` begins each sentence."""
    kept = Kept(len(said.commands), len(said.events), len(said.heads))
    line = ["journal", "verify", "--journal", str(journal), *(["--key", str(key)] if key else [])]
    verdict = subprocess.run([sys.executable, "-m", "betline", *line], capture_output=True, text=True, check=False)
    if verdict.returncode:
        kept.faults.append(f"{which}: {(verdict.stdout + verdict.stderr).strip()}")
    with closing(sqlite3.connect(f"file:{journal}?mode=ro", uri=True)) as database:
        rows = database.execute("SELECT seq, kind, payload, hash FROM entry ORDER BY seq").fetchall()
    entries = {seq: (kind, payload, digest) for seq, kind, payload, digest in rows}
    obeyed = Counter(json.loads(payload)["id"] for _, kind, payload, _ in rows if kind == "command")
    for name, verb in said.commands.items():
        if not obeyed[name]:
            kept.lost += 1
            kept.faults.append(f"{which}: {verb} {name} was acknowledged and is not in the journal")
    for name, count in obeyed.items():
        if count > 1:
            kept.twice += 1
            kept.faults.append(f"{which}: command {name} was obeyed {count} times")
    for seq, kind in said.events.items():
        if seq not in entries or entries[seq][0] != kind:
            kept.lost += 1
            kept.faults.append(f"{which}: event {seq} ({kind}) was published and is not in the journal")
    for seq, head in sorted(said.heads):
        if seq not in entries or entries[seq][2] != head:
            kept.lost += 1
            kept.faults.append(f"{which}: the published head {seq} is not in the journal")
    for last, first in said.restarts:
        _compare(kept, last, first, entries, which)
    return kept


def _compare(kept: Kept, last: TableState, first: TableState, entries: _Entries, which: str) -> None:
    """A life's first state against the last of the one before, where nothing was journalled between them."""
    between = [entries[seq][0] for seq in range(last.journal_seq + 1, first.journal_seq + 1) if seq in entries]
    if not _CHANGES.isdisjoint(between):
        return
    kept.restarts_compared += 1
    paid = not _PAYS.isdisjoint(between)  # a debt was paid, or change given, after the last state
    read = set() if paid else {seat.seat for seat in last.seats if seat.on_felt is not None}
    if _books(last, read) != _books(first, read):
        kept.unequal += 1
        kept.faults.append(f"{which}: after a restart the table is {_books(first, read)}, it was {_books(last, read)}")


def _books(state: TableState, read: Collection[int]) -> dict[str, Any]:
    """What must be the same after a restart; `read` are the seats whose readers were heard before it."""
    books = {name: getattr(state, name) for name in _SAME}
    books["seats"] = [{name: getattr(seat, name) for name in _SAME_SEAT} for seat in state.seats]
    books["owes"] = {seat.seat: seat.owes for seat in state.seats if seat.seat in read}
    books["change_due"] = {seat.seat: seat.change_due for seat in state.seats if seat.seat in read}
    return books

"""Checkpoints: written whole, found again, checked, and passed over where they cannot be read."""

import json
import random
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from betline.front_door import run
from table_controller.journal import codec, store
from table_controller.journal.chain import payload_of
from table_controller.journal.entries import Alerted, Checkpoint, Entry, Recorded
from table_controller.journal.errors import JournalError
from table_controller.journal.reader import JournalReader
from table_controller.journal.store import Journal
from table_controller.session.book import Book
from table_controller.session.checkpoint import FORM, WHOLE_HAND, book_of, checkpoint_of
from table_controller.session.fold import resume
from tests.unit.journal.stories import Story
from tests.unit.session.desk import START_MS, Desk, Pages, terms

TABLE = "home/home-six"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "six.journal"


def played(hands: int) -> Desk:
    """So many hands that are over, and one that goes on."""
    desk = Desk()
    desk.begin()
    for _ in range(hands):
        desk.key("act", seat=desk.session.table_state(1, 1, "").to_act, action="call")
        desk.key("rest-folds")
        while desk.session.table_state(1, 1, "").phase == "betting":
            desk.key("passive", seat=desk.session.table_state(1, 1, "").to_act)
        while desk.session.table_state(1, 1, "").phase == "round-over":
            desk.key("deal")
            desk.key("act", seat=desk.session.table_state(1, 1, "").to_act, action="bet", to=4)
            desk.key("rest-folds")
        desk.key("next-hand")
        desk.key("cards-out")
    desk.key("act", seat=desk.session.table_state(1, 1, "").to_act, action="call")
    return desk


def kept(path: Path, entries: list[Entry]) -> None:
    journal = Journal.open(path, TABLE, START_MS, 1)
    journal.append(entries, START_MS, 2)
    journal.close()


@pytest.mark.parametrize("seed", range(6))
def test_any_table_of_any_evening_is_read_back_as_it_was(seed: int) -> None:
    for steps in (40, 160):
        book = Story(seed, steps).draft.book
        for depth in (0, 1, WHOLE_HAND):
            found = book_of(through_json(checkpoint_of(book, depth)))
            assert found == replace(book, done={})
            if depth and book.before is not None:
                assert found.before == replace(book.before, done={}, felt={}, announced=None)
                assert found.table is not None
                assert book.table is not None
                assert found.table.before == book.table.before


def through_json(checkpoint: Checkpoint) -> Checkpoint:
    return Checkpoint.read(json.loads(payload_of(checkpoint.data)))


def test_a_hand_ends_with_a_checkpoint_and_a_hand_that_is_opened_again_has_one_too() -> None:
    desk = Desk()
    desk.begin()
    desk.key("act", seat=4, action="raise", to=8)
    assert "checkpoint" not in desk.kinds
    desk.key("rest-folds")
    assert desk.kinds[-1] == "checkpoint"
    desk.key("undo")
    assert desk.kinds.count("checkpoint") == 2
    desk.restart()
    assert desk.key("undo", count=3).ok


def test_undo_goes_back_into_the_last_hand_after_a_restart() -> None:
    desk = played(1)
    desk.key("fouled-deck")
    steady = desk.session.book
    desk.restart()
    assert desk.session.book == steady
    assert desk.key("undo", count=2).ok
    assert desk.session.table_state(1, 1, "").phase == "betting"


def test_r_049_the_last_award_is_reopened_after_a_restart_beyond_its_checkpoint() -> None:
    desk = Desk()
    desk.begin()
    desk.key("jump", seat=3)
    desk.key("passive", seat=3)
    for _ in range(4):
        state = desk.session.table_state(1, 1, "")
        while state.phase == "betting":
            desk.key("act", seat=state.to_act, action="call" if state.call else "check")
            state = desk.session.table_state(1, 1, "")
        if state.phase == "round-over":
            desk.key("deal")
    pots = desk.session.table_state(1, 1, "").pots
    assert desk.key("award", pots=[[pots[0].seats[0]]]).ok
    assert desk.key("next-hand").ok
    desk.restart()

    assert desk.key("reopen-award").ok
    steady = desk.session.book
    assert desk.session.table_state(1, 1, "").phase == "showdown"
    desk.restart()
    assert desk.session.book == steady


def test_a_start_reads_no_more_of_a_longer_journal(path: Path) -> None:
    read: list[int] = []
    for hands in (4, 40):
        pages = Counted(played(hands).entries)
        resume(terms(), pages, Desk().now)
        read.append(pages.folded)

    assert read[0] == read[1] < 40


class Counted(Pages):
    """Pages that count the entries that are folded."""

    folded = 0

    def entries(self, after: int = 0) -> Iterator[Recorded]:
        for one in super().entries(after):
            self.folded += 1
            yield one


def test_a_start_checks_no_more_of_a_longer_chain(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checked: list[int] = []
    link = store.link
    for hands in (4, 40):
        file = path.with_name(f"{hands}.journal")
        kept(file, played(hands).entries)
        links: list[int] = []
        with monkeypatch.context() as counting:
            counting.setattr(store, "link", lambda *given, links=links: (links.append(1), link(*given))[1])
            Journal.open(file, TABLE, START_MS, 1).close()
        checked.append(len(links))

    assert max(checked) < 60


def test_a_change_in_an_old_hand_is_found_by_verify_and_one_in_the_last_hand_by_a_start(path: Path) -> None:
    kept(path, played(5).entries)
    tamper(path, "UPDATE entry SET at_ms = 0 WHERE seq = 5")
    Journal.open(path, TABLE, START_MS, 1).close()
    with JournalReader(path) as reader:
        assert (reader.verify().ok, reader.verify().broken_seq) == (False, 5)

    tamper(path, "UPDATE entry SET at_ms = 0 WHERE seq = (SELECT max(seq) FROM entry)")
    with pytest.raises(JournalError, match="changed after it was written"):
        Journal.open(path, TABLE, START_MS, 1)


def test_verify_finds_a_checkpoint_whose_digest_is_not_that_of_its_content(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    desk = played(2)
    forged = replace(last_checkpoint(desk), digest="0" * 64)
    kept(path, [*desk.entries, forged])

    assert run(["journal", "verify", "--journal", str(path)]) == 1
    assert "a checkpoint, does not have the content that its digest was made of" in capsys.readouterr().err


def damaged(checkpoint: Checkpoint) -> Checkpoint:
    return replace(checkpoint, content={**checkpoint.content, "hand_no": 99})


def newer(checkpoint: Checkpoint) -> Checkpoint:
    return replace(checkpoint, form=FORM + 1)


def senseless(checkpoint: Checkpoint) -> Checkpoint:
    return Checkpoint.of(checkpoint.hand_no, FORM, checkpoint.money, {"table": {"=": 7}})


@pytest.mark.parametrize(
    ("spoil", "code"), [(damaged, "damaged-checkpoint"), (newer, "other-checkpoint"), (senseless, "damaged-checkpoint")]
)
@pytest.mark.parametrize("hands", [1, 3])
def test_a_checkpoint_that_cannot_be_read_is_named_and_an_earlier_one_used(spoil: Any, code: str, hands: int) -> None:
    desk = played(hands)
    place = max(number for number, entry in enumerate(desk.entries) if isinstance(entry, Checkpoint))
    desk.entries[place] = spoil(desk.entries[place])
    with pytest.raises(JournalError) as caught:
        book_of(desk.entries[place])  # type: ignore[arg-type]
    assert caught.value.code == code

    resumed = desk.resumed()
    assert resumed.session.book == desk.session.book
    alert, again = resumed.entries
    assert isinstance(alert, Alerted)
    assert alert.sentence.startswith(f"Entry {place + 1} of the journal is passed over: the checkpoint at the end of")
    assert resumed.alerts[0].code == "checkpoint-unread"
    assert isinstance(again, Checkpoint)


def test_commands_that_were_obeyed_before_the_checkpoint_are_not_obeyed_again() -> None:
    desk = played(3)
    desk.restart()
    entries = len(desk.entries)

    assert desk.key("next-hand", command_id="command-7").ok
    assert len(desk.entries) == entries


def last_checkpoint(desk: Desk) -> Checkpoint:
    return next(entry for entry in reversed(desk.entries) if isinstance(entry, Checkpoint))


def tamper(path: Path, statement: str) -> None:
    database = sqlite3.connect(path)
    database.execute("DROP TRIGGER IF EXISTS entry_stays")
    database.execute(statement)
    database.commit()
    database.close()


def test_rule_again_is_a_report_and_no_error(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    desk = played(2)
    number, step = next((number, entry) for number, entry in enumerate(desk.entries) if getattr(entry, "ruled", False))
    other = step.rulings[0].model_copy(update={"to": 3, "sentence": "Seat 4 calls 3."})  # type: ignore[attr-defined]
    desk.entries[number] = replace(step, rulings=(other,))  # type: ignore[type-var]
    kept(path, desk.entries)

    assert run(["journal", "verify", "--rule-again", "--journal", str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1:] == [
        "Hand 1, act 1, seat 4 on the preflop (action call). Recorded: Seat 4 calls 3. Today: Seat 4 calls 2.",
        "Today's rules would change 1 recorded ruling.",
    ]
    assert run(["journal", "verify", "--rule-again", "--json", "--journal", str(path)]) == 0
    (found,) = json.loads(capsys.readouterr().out)["rule_again"]
    assert (found["hand"], found["act"], found["seat"], found["refused"]) == (1, 1, 4, False)
    assert run(["journal", "list", "--journal", str(path)]) == 0
    assert run(["journal", "ledger", "--journal", str(path)]) == 0


DEALER = """
import sys
from pathlib import Path
from table_controller.journal.store import Journal
from table_controller.session.checkpoint import checkpoint_of
from table_controller.tools.bench.journal import BEGAN_MS, Evening

journal = Journal.open(Path(sys.argv[1]), "home/home-six", BEGAN_MS, 1)
evening = Evening()
key = evening.key
def keyed(verb, **args):
    entries = key(verb, **args)
    journal.append(entries, BEGAN_MS, 1)
    if entries:
        print(checkpoint_of(evening.session.book).digest, flush=True)
    return entries
evening.key = keyed
for hand in evening.hands():
    pass
"""


@pytest.mark.one_in(3)
@pytest.mark.parametrize("commands", random.Random(4).sample(range(30, 160), 3))
def test_a_controller_that_is_killed_anywhere_goes_on_with_the_table_of_its_last_command(
    path: Path, commands: int
) -> None:
    dealer = subprocess.Popen([sys.executable, "-c", DEALER, str(path)], stdout=subprocess.PIPE, text=True)
    assert dealer.stdout is not None
    told = [dealer.stdout.readline().strip() for _ in range(commands)]
    dealer.send_signal(signal.SIGKILL)
    told += dealer.stdout.read().split()
    dealer.wait()
    dealer.stdout.close()

    journal = Journal.open(path, TABLE, START_MS, 1)
    book = resume(terms(), journal, Desk().now).session.book
    entries = [one.entry for one in journal.entries(1)]
    journal.close()
    whole = Pages([entry for entry in entries if not isinstance(entry, Checkpoint)])
    assert resume(terms(), whole, Desk().now).session.book == book
    assert sum(entry.kind == "command" for entry in entries) - len(told) in (0, 1)


def test_a_value_that_occurs_twice_is_written_and_read_once() -> None:
    desk = played(1)
    desk.key("fouled-deck")
    found = codec.read_shared(Book, json.loads(json.dumps(codec.write_shared(Book, desk.session.book))))

    assert found.before.table.state.house is found.table.state.house
    once, twice = (len(json.dumps(codec.write_shared(tuple[Book, ...], (desk.session.book,) * n))) for n in (1, 2))
    assert twice - once < 20

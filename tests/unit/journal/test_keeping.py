"""Backups, their restoring, going on after a loss, retention and recall, as their verbs do it."""

import json
import shutil
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from betline.front_door import run
from betline.options import default_key
from table_controller.journal.entries import HandBegan, Heard, Recorded
from table_controller.journal.prune import DAY_MS, Taken, prune
from table_controller.journal.reader import JournalReader
from table_controller.journal.store import Journal
from table_controller.session.fold import resume
from tests.unit.session.desk import START_MS, Desk, terms

TABLE = "home/home-six"


def played(hands: int) -> Desk:
    """An evening of so many hands, in which another comes to seat 3 after the second one."""
    desk = Desk()
    for seat, name in ((1, "Annabelle"), (2, "Bartholomew"), (3, "Cem")):
        desk.key("sit-down", seat=seat, stack=200, player=name)
    for number in range(hands):
        if number == 2:
            desk.key("leave", seat=3)
            desk.key("sit-down", seat=3, stack=100, player="Dora")
        desk.key("next-hand")
        desk.key("cards-out")
        while (seat := desk.session.table_state(1, 1, "").to_act) or desk.key("deal").ok:
            if seat:
                desk.key("passive", seat=seat)
        desk.key("award", pots=[[1]])
    return desk


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "six.journal"


def begin(path: Path, at_ms: int = START_MS) -> Journal:
    return Journal.open(path, TABLE, at_ms, 1)


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    """Five hands, a day apart from each other."""
    desk = played(5)
    journal = begin(path)
    hand = 0
    for entry in desk.entries:
        hand += isinstance(entry, HandBegan)
        journal.append(
            (entry,), START_MS + hand * DAY_MS, 1, {**desk.session.names, "p-0": "Elias"} if not hand else {}
        )
    yield journal
    journal.close()


def entries(path: Path) -> list[Recorded]:
    with JournalReader(path) as reader:
        return list(reader.entries())


def verified(path: Path, capsys: pytest.CaptureFixture[str], *options: str) -> dict[str, object]:
    capsys.readouterr()
    run(["journal", "verify", "--journal", str(path), "--json", *options])
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


def test_a_backup_is_made_while_the_journal_is_written_and_holds(
    path: Path, journal: Journal, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stopping, written = threading.Event(), threading.Event()

    def write() -> None:
        while not stopping.is_set():
            journal.append((Heard(seat=1, text="call"),), START_MS, 1)
            written.set()

    writer = threading.Thread(target=write)
    writer.start()
    written.wait()
    copies = [tmp_path / "copies" / f"{number}.journal" for number in range(3)]
    for copy in copies:
        assert run(["journal", "backup", str(copy), "--journal", str(path)]) == 0
    stopping.set()
    writer.join()

    for copy in copies:
        assert verified(copy, capsys)["ok"] is True
        assert copy.stat().st_mode & 0o777 == 0o600
    assert sorted(file.name for file in copies[0].parent.iterdir()) == ["0.journal", "1.journal", "2.journal"]
    lengths = [len(entries(copy)) for copy in copies]
    assert lengths == sorted(lengths)
    assert entries(copies[-1]) == entries(path)[: lengths[-1]]


def test_a_backup_overwrites_nothing(path: Path, journal: Journal, capsys: pytest.CaptureFixture[str]) -> None:
    there = path.with_name("there")
    there.write_text("mine")
    assert run(["journal", "backup", str(there), "--journal", str(path)]) == 1
    assert "is there already" in capsys.readouterr().err
    assert there.read_text() == "mine"


def test_a_backup_of_a_damaged_log_says_so(
    path: Path, journal: Journal, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    left = Path(shutil.copytree(path.parent, tmp_path / "left")) / path.name
    Path(f"{left}-wal").unlink()

    assert run(["journal", "backup", str(tmp_path / "copy"), "--journal", str(left)]) == 1
    assert "the table had reached" in capsys.readouterr().err


def test_a_backup_is_put_in_the_place_of_a_broken_journal_and_play_goes_on_once_the_loss_is_accepted(
    path: Path, journal: Journal, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = tmp_path / "copy.journal"
    assert run(["journal", "backup", str(copy), "--journal", str(path)]) == 0
    ends = journal.head.seq
    journal.append((Heard(seat=1, text="call"),), START_MS, 1)
    assert run(["journal", "restore", str(copy), "--journal", str(path)]) == 1
    assert "Another controller" in capsys.readouterr().err
    journal.close()
    path.write_bytes(b"\xaa" * 8192)

    assert run(["journal", "restore", str(copy), "--journal", str(path)]) == 0
    assert f"has the {ends} entries of {copy}. What was there is kept as {path}.before-" in capsys.readouterr().out
    assert [file.read_bytes() for file in path.parent.glob("*.before-*[0-9]")] == [b"\xaa" * 8192]
    assert run(["journal", "verify", "--journal", str(path)]) == 1
    capsys.readouterr()

    assert run(["journal", "go-on", "--journal", str(path)]) == 0
    said = f"Accepted: The journal ends at entry {ends}; the table had reached {ends + 1}: entry {ends + 1} is missing."
    assert capsys.readouterr().out.startswith(said)
    found = verified(path, capsys)
    assert (found["ok"], found["entries"]) == (True, ends + 1)
    assert found["notes"] == []
    going = begin(path)
    assert resume(terms(), going, Desk().now).session.book.hand_no == 5
    going.close()
    assert run(["journal", "go-on", "--journal", str(path)]) == 0
    assert "Nothing is wrong" in capsys.readouterr().out


def test_an_anchor_of_the_lost_entries_is_named_and_no_error_after_the_loss_was_accepted(
    path: Path, journal: Journal, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy, kept = tmp_path / "copy.journal", tmp_path / "kept.anchors"
    run(["journal", "backup", str(copy), "--journal", str(path)])
    ends = journal.head.seq
    for _ in range(5):
        journal.append((Heard(seat=1, text="call"),), START_MS, 1)
    kept.write_text(f"betline/v1/home/six/state {journal.anchor.line()}\n")
    journal.close()
    run(["journal", "restore", str(copy), "--journal", str(path)])
    run(["journal", "go-on", "--journal", str(path)])

    found = verified(path, capsys, "--anchors", str(kept))
    assert found["ok"] is True
    assert found["notes"] == [
        f"Of an earlier end entries {ends + 1} to {ends + 5} are missing; a person accepted that."
    ]


def test_a_broken_backup_is_not_restored(
    path: Path, journal: Journal, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = tmp_path / "copy.journal"
    run(["journal", "backup", str(copy), "--journal", str(path)])
    journal.close()
    before = path.read_bytes()
    database = sqlite3.connect(copy)
    database.execute("UPDATE person SET name = 'Dora'")
    database.commit()
    database.close()

    assert run(["journal", "restore", str(copy), "--journal", str(path)]) == 1
    assert "is not as it was written: The names of the people" in capsys.readouterr().err
    assert path.read_bytes() == before


def test_an_anchor_that_somebody_recorded_shows_that_the_whole_folder_was_put_back(
    path: Path, journal: Journal, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    earlier = Path(shutil.copytree(path.parent, tmp_path / "earlier")) / path.name
    ends = journal.head.seq
    for _ in range(3):
        journal.append((Heard(seat=1, text="call"),), START_MS, 1)
    recorded = tmp_path / "recorded"
    recorded.write_text(f"nonsense\n{journal.anchor.line()}\n")

    assert verified(earlier, capsys)["ok"] is True
    found = verified(earlier, capsys, "--anchors", str(recorded))
    assert (found["ok"], found["broken"]) == (False, ends + 1)
    assert run(["journal", "verify", "--journal", str(earlier), "--anchors", str(tmp_path / "none")]) == 1
    assert "cannot be read" in capsys.readouterr().err


def test_without_its_key_a_journal_is_not_opened_and_verify_says_what_it_did_not_check(
    path: Path, journal: Journal, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal.close()
    away = default_key().rename(tmp_path / "key")
    try:
        found = verified(path, capsys)
        assert (found["ok"], found["sealed"]) == (True, False)
        assert found["notes"] == ["Its seal was not checked, as its key is not here: name it with --key."]
        assert verified(path, capsys, "--key", str(away))["sealed"] is True
        with pytest.raises(Exception, match=r"There is no key .* restore it, name it with --key, or go on"):
            begin(path)
        assert not default_key().exists()
        assert run(["journal", "go-on", "--journal", str(path)]) == 0
        assert verified(path, capsys)["sealed"] is True
        assert verified(path, capsys, "--key", str(away))["ok"] is False
    finally:
        default_key().unlink(missing_ok=True)
        away.rename(default_key())


def test_old_hands_leave_and_the_rest_holds_and_goes_on(
    path: Path, journal: Journal, capsys: pytest.CaptureFixture[str]
) -> None:
    before = resume(terms(), journal, Desk().now).session.book
    old = list(journal.entries())
    taken = prune(journal, 2, START_MS + 5 * DAY_MS, 1)
    journal.close()

    assert (taken.hands, taken.names) == (3, 1)
    left = entries(path)
    assert [one.seq for one in left][:2] == [1, taken.entries + 2]
    assert [one.hash for one in left[1:-1]] == [one.hash for one in old[taken.entries + 1 :]]
    assert {one.data["hand_no"] for one in left if one.kind == "hand-began"} == {4, 5}
    with JournalReader(path) as reader:
        assert sorted(reader.names().values()) == ["Annabelle", "Bartholomew", "Cem", "Dora"]
    found = verified(path, capsys, "--rule-again")
    assert (found["ok"], found["sealed"], found["pruned"], found["rule_again"]) == (True, True, taken.entries + 1, [])
    going = begin(path)
    assert resume(terms(), going, Desk().now).session.book.table == before.table
    going.append((Heard(seat=1, text="call"),), START_MS, 1)
    going.close()
    assert verified(path, capsys)["ok"] is True
    assert b"Elias" not in path.read_bytes()
    for verb in (["list"], ["ledger"], ["ledger", "--all"], ["settle"], ["recall"], ["show", "4"]):
        assert run(["journal", *verb, "--journal", str(path)]) == 0


def test_the_ledger_of_a_pruned_evening_begins_with_the_stacks_that_lay_there(
    path: Path, journal: Journal, capsys: pytest.CaptureFixture[str]
) -> None:
    prune(journal, 2, START_MS + 5 * DAY_MS, 1)
    journal.close()
    capsys.readouterr()

    run(["journal", "ledger", "--journal", str(path), "--json"])
    players = json.loads(capsys.readouterr().out)["players"]
    assert [one["name"] for one in players] == ["Annabelle", "Bartholomew", "Dora"]
    assert sum(one["result"] for one in players) == 0
    assert {str(one["seats"][0]["seat"]): one["bought"] for one in players} == entries(path)[1].data["money"]["seats"]


def test_what_was_taken_out_of_a_pruned_journal_besides_shows(
    path: Path, journal: Journal, capsys: pytest.CaptureFixture[str]
) -> None:
    taken = prune(journal, 2, START_MS + 5 * DAY_MS, 1)
    journal.close()
    database = sqlite3.connect(path)
    database.execute("DROP TRIGGER entry_is_kept")
    database.execute("DELETE FROM entry WHERE seq = ?", (taken.entries + 2,))
    database.commit()
    database.close()

    assert verified(path, capsys)["ok"] is False


def test_nothing_is_pruned_where_nothing_is_old_and_never_the_last_two_hands(path: Path, journal: Journal) -> None:
    assert prune(journal, 30, START_MS + 5 * DAY_MS, 1) == Taken()
    assert prune(journal, 1, START_MS + 500 * DAY_MS, 1).hands == 4
    assert [one.data["hand_no"] for one in journal.entries() if one.kind == "hand-began"] == [5]


def test_the_verb_prunes_by_days_and_wants_the_controller_stopped(
    path: Path, journal: Journal, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["journal", "prune", "--keep-days", "1", "--journal", str(path)]) == 1
    assert "Another controller" in capsys.readouterr().err
    journal.close()
    assert run(["journal", "prune", "--keep-days", "1", "--journal", str(path)]) == 0
    assert capsys.readouterr().out.startswith("4 hands with ")


def test_the_last_hands_are_recalled_with_acts_rulings_and_pots(
    path: Path, journal: Journal, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["journal", "recall", "--hands", "2", "--journal", str(path), "--json"]) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    run(["journal", "list", "--journal", str(path), "--json"])
    listed = json.loads(capsys.readouterr().out)[-2:]
    assert [{key: value for key, value in one.items() if key != "acts"} for one in found] == listed
    rulings = [ruling["sentence"] for act in found[1]["acts"] for ruling in act.get("rulings", ())]
    assert any("folds" in sentence for sentence in rulings)

    assert run(["journal", "recall", "--journal", str(path)]) == 0
    shown = capsys.readouterr().out
    assert [line[:6] for line in shown.splitlines() if line.startswith("hand ")] == [f"hand {n}" for n in range(1, 6)]


@pytest.mark.parametrize("verb", ["list", "recall", "ledger", "verify", "backup", "restore", "go-on", "prune", "erase"])
def test_every_verb_takes_the_journal_as_an_option_and_no_other_way_is_shown(
    verb: str, capsys: pytest.CaptureFixture[str]
) -> None:
    run(["journal", verb, "--help"])
    text = capsys.readouterr().out
    assert "--journal FILE" in text
    assert "[FILE]" not in text


def test_verify_still_takes_a_journal_without_the_option_but_not_two(
    journal: Journal, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal.close()
    assert run(["journal", "verify", str(path)]) == 0
    assert run(["journal", "verify", str(path), "--journal", str(path.with_name("other.journal"))]) == 2
    assert "Name the journal once" in capsys.readouterr().err

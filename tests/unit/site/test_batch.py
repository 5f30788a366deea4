"""Entries that came follow from those that are recorded, or it is said how they do not."""

import pytest

from betline.messages.history import JournalEnd, Row
from cardroom.record.batch import Follows, Forked, Place, check, hash_of
from table_controller.journal.chain import GENESIS


def chain(count, first=1, prev=GENESIS, word="x"):
    rows = []
    for seq in range(first, first + count):
        row = Row(seq, 1000 * seq, seq, "command", f'{{"said":"{word}"}}', "")
        rows.append(row._replace(hash=hash_of(prev, row)))
        prev = rows[-1].hash
    return rows


def end_of(rows, pruned=None):
    pruned_to, pruned_hash = (1, "") if pruned is None else (pruned.seq, pruned.hash)
    return JournalEnd(
        journal=rows[0].hash, seq=rows[-1].seq, head=rows[-1].hash, pruned_to=pruned_to, pruned_hash=pruned_hash
    )


def test_rows_that_follow_are_taken_whole():
    rows = chain(5)

    found = check(Place(2, rows[1].hash), rows[1].hash, rows[2:], end_of(rows))

    assert found == Follows(tuple(rows[2:]), Place(5, rows[4].hash))


def test_a_missing_row_ends_what_is_taken():
    rows = chain(5)

    found = check(Place(), GENESIS, [*rows[:2], *rows[3:]], end_of(rows))

    assert (found.rows, found.wrong) == (tuple(rows[:2]), "gap")


@pytest.mark.parametrize("change", [{"payload": '{"said":"y"}'}, {"at_ms": 7}, {"mono_ns": 7}, {"kind": "step"}])
def test_a_row_whose_content_was_changed_ends_what_is_taken(change):
    rows = chain(5)

    found = check(Place(), GENESIS, [*rows[:3], rows[3]._replace(**change), rows[4]], end_of(rows))

    assert (found.rows, found.wrong) == (tuple(rows[:3]), "broken")


def test_rows_of_another_chain_are_told_from_broken_ones():
    rows, others = chain(5), chain(5, word="y")

    assert check(Place(2, rows[1].hash), others[1].hash, others[2:], end_of(others)) == Forked()
    assert check(Place(2, rows[1].hash), others[1].hash, [rows[2], *others[3:]], end_of(others)).wrong == "broken"


def test_rows_that_were_pruned_at_the_table_are_passed_over_and_told():
    rows = chain(9)
    gone = Place(6, rows[5].hash)

    found = check(Place(), GENESIS, [rows[0], *rows[6:]], end_of(rows, gone))

    assert (found.rows, found.pruned, found.wrong) == ((rows[0], *rows[6:]), gone, "")


def test_a_jump_that_the_table_does_not_explain_is_a_gap():
    rows = chain(9)

    assert check(Place(), GENESIS, [rows[0], *rows[6:]], end_of(rows, Place(5, rows[4].hash))).wrong == "gap"

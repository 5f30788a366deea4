"""The site holds the keys of tables by name: a journal that was forged whole is named."""

import shutil

import pytest

from cardroom.record.errors import RecordError
from cardroom.record.seals import keys_in, look, tell
from cardroom.record.store import Store
from cardroom.record.verify import Found
from table_controller.journal.seal import make_key
from tests.unit.site.journals import AT_MS, journal
from tests.unit.site.test_recorder import Site


def checked(site, keys, *, asked=True):
    """What is found of the seals of a site's tables."""
    found = Found()
    with Store(site.url) as store:
        ends = {table: shelf.ends() for table, shelf in site.bus.shelves.items()} if asked else {}
        looked = look(store, keys_in(keys), ends)
        tell(looked, looked, found, asked=list(ends))
    return found


@pytest.fixture
def recorded(database, tmp_path):
    """A function that records the journals of one table; the folder of keys has the key of `six`."""
    sites = []

    def record(file):
        sites.append(Site(database, six=file))
        sites[-1].begin()
        return sites[-1]

    (tmp_path / "keys").mkdir()
    yield record
    for site in sites:
        site.close()


@pytest.mark.nightly
def test_a_journal_with_the_key_of_its_table_holds_and_one_that_was_forged_whole_is_named(recorded, tmp_path):
    file = journal(tmp_path / "six")
    shutil.copy(tmp_path / "key", tmp_path / "keys/six.key")
    site = recorded(file)
    assert (checked(site, tmp_path / "keys").problems, checked(site, tmp_path / "keys").notes) == ([], [])
    (tmp_path / "forger").mkdir()
    forged = journal(tmp_path / "forger/six", at_ms=AT_MS + 5000)  # sealed with a key of the forger's
    for path in (forged, forged.with_name("evening.journal.anchors")):
        path.replace(tmp_path / "six" / path.name)
    site.told()

    assert site.found().problems == []  # the chain is sound, and all is recorded
    (problem,) = checked(site, tmp_path / "keys").problems
    assert "six, journal " in problem
    assert "who wrote it does not have it" in problem
    assert len(checked(site, tmp_path / "keys", asked=False).problems) == 1


@pytest.mark.nightly
def test_a_journal_without_a_seal_is_named_and_a_table_without_a_key_is_let_be(recorded, tmp_path):
    file = journal(tmp_path / "six")
    (tmp_path / "six/evening.journal.anchors").unlink()
    site = recorded(file)
    shutil.copy(tmp_path / "key", tmp_path / "keys/nine.key")
    assert checked(site, tmp_path / "keys").problems == []
    shutil.copy(tmp_path / "key", tmp_path / "keys/six.key")

    (problem,) = checked(site, tmp_path / "keys").problems
    assert "it may be forged whole" in problem


@pytest.mark.nightly
def test_rows_that_the_table_never_seals_are_named_and_a_key_from_before_counts(recorded, tmp_path):
    file = journal(tmp_path / "six")
    shutil.copy(tmp_path / "key", tmp_path / "keys/six.2025.key")
    make_key(tmp_path / "keys/six.key")
    site = recorded(file)
    anchors = tmp_path / "six/evening.journal.anchors"
    before = anchors.read_bytes()
    journal(tmp_path / "six", entries=6, first=30)
    anchors.write_bytes(before)
    site.told()

    (problem,) = checked(site, tmp_path / "keys").problems
    assert "rows 31 to 35 are under no seal" in problem
    found = checked(site, tmp_path / "keys", asked=False)
    assert (found.problems, [one.partition(": ")[2] for one in found.notes]) == ([], ["sealed up to row 30 of 35."])


def test_a_folder_without_a_key_is_a_sentence(tmp_path):
    with pytest.raises(RecordError, match="has no key"):
        keys_in(tmp_path)
    (tmp_path / "six.key").write_text("nonsense")
    with pytest.raises(RecordError, match=r"six\.key cannot be read"):
        keys_in(tmp_path)
    with pytest.raises(RecordError, match="cannot be read"):
        keys_in(tmp_path / "none")

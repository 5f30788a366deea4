"""The list of security claims is true of the documents, the code and the tests; `python -m tests.security` tries it."""

from pathlib import Path

import pytest

from tests.security import PAGE, ROOT, Claim, claims, page, survivors

CLAIM = Claim(
    "It is *safe*.", "safe.md", "lock.py", "    if key != 7:\n", "    if False:\n", ("test_lock.py::test_it",)
)


@pytest.mark.parametrize("claim", claims(), ids=lambda claim: f"{claim.document}: {claim.says}")
def test_each_claim_has_its_words_its_protection_and_its_tests(claim: Claim) -> None:
    assert list(claim.missing()) == []


def test_the_page_is_made_of_the_list() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "python -m tests.security --page"


def test_every_sentence_on_what_protects_has_a_claim_in_the_list() -> None:
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    protects = text.partition("## What protects a table today\n")[2].partition("\n## ")[0]
    points = [" ".join(one.split()) for one in protects.split("\n- ")[1:]]
    said = [" ".join(one.says.split()) for one in claims() if one.document == "SECURITY.md"]

    assert points
    assert [point for point in points if not any(words in point for words in said)] == []


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "safe.md").write_text("It is\n*safe*.")
    (tmp_path / "lock.py").write_text("def opens(key):\n    if key != 7:\n        return False\n    return True\n")
    (tmp_path / "test_lock.py").write_text(
        "from lock import opens\n\ndef test_it():\n    assert not opens(8)\n\ndef test_less():\n    assert opens(7)\n"
    )
    return tmp_path


@pytest.mark.parametrize(
    ("file", "old", "new", "words"),
    [
        ("safe.md", "safe", "quick", "safe.md does not say"),
        ("lock.py", "key != 7", "key < 7", "lock.py has 0 times"),
        ("test_lock.py", "def test_it", "def test_that", "There is no test test_lock.py::test_it"),
    ],
)
def test_what_has_gone_is_named(project: Path, file: str, old: str, new: str, words: str) -> None:
    assert list(CLAIM.missing(project)) == []
    (project / file).write_text((project / file).read_text().replace(old, new))

    assert [words in one for one in CLAIM.missing(project)] == [True]


def test_a_test_that_holds_nothing_is_found_and_the_copy_is_as_before(project: Path) -> None:
    lax = Claim("", "safe.md", CLAIM.file, CLAIM.out, CLAIM.put, (*CLAIM.tests, "test_lock.py::test_less"))
    before = (project / "lock.py").read_bytes()

    assert survivors(lax, project) == ["test_lock.py::test_less"]
    assert (project / "lock.py").read_bytes() == before


def test_a_test_that_does_not_run_proves_nothing(project: Path) -> None:
    broken = Claim("", "safe.md", CLAIM.file, CLAIM.out, "    if key != 7\n", CLAIM.tests)

    assert survivors(broken, project) == list(CLAIM.tests)

"""No page prints a verb or an option of `betline` that does not exist: the real parsers read every command line."""

from __future__ import annotations

import pytest

from tests.unit.docs.checkout import ROOT
from tests.unit.docs.commands import Command, blocks, commands, complaint, documents

HISTORY = ("CHANGELOG.md", "PLAN.md", "docs/adr/")
"""What was true when it was written."""

NOT_TYPED = {("reader", "line"): "the first line of a recording of a reader's line"}
"""What reads like a command and is none, with the reason."""


def printed() -> list[Command]:
    found = []
    for page in documents():
        name = page.relative_to(ROOT).as_posix()
        if not name.startswith(HISTORY):
            found += commands(page.read_text(encoding="utf-8"), name)
    return [one for one in found if one.words not in NOT_TYPED]


def test_every_command_of_the_pages_can_be_typed_so() -> None:
    wrong = {
        f"{one.page}:{one.line}: betline {' '.join(one.words)}: {said}"
        for one in printed()
        if (said := complaint(one.words))
    }

    assert not wrong, "\n".join(sorted(wrong))


def test_the_commands_of_all_kinds_of_places_are_read() -> None:
    text = (
        "Type `betline doctor --only disk`.\n\n    betline people add Ann   # staff\n\n"
        "```sh\n./run cases tests/cases | tail -1\nsudo betline table new \\\n  --oval 2x1 -o a.toml && ls\n```\n\n"
        "```toml\nbetline no\n```\n"
    )

    assert [one.words for one in commands(text, "page.md")] == [
        ("people", "add", "Ann"),
        ("cases", "tests/cases"),
        ("table", "new", "--oval", "2x1", "-o", "a.toml"),
        ("doctor", "--only", "disk"),
    ]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("doctor --table my.toml --json", ""),
        ("table new --oval 2100x1050 --seats 8 -o my.toml", ""),
        ("chips enrol ...", ""),
        ("doctor --tabel my.toml", "No such option"),
        ("table new --oval", "requires an argument"),
        ("tabel new", "there is no verb tabel"),
        ("table mend", "betline table has no mend"),
    ],
)
def test_what_cannot_be_typed_is_found(line: str, said: str) -> None:
    found = complaint(tuple(line.split()))

    assert said in found
    assert bool(found) == bool(said)


def test_a_block_has_the_mark_that_stands_before_it() -> None:
    text = "Do:\n\n<!-- run -->\n```sh\nls\n```\n\n```sh\ncd\n```\n"

    assert [(one.text, one.mark) for one in blocks(text, "page.md")] == [("ls", "run"), ("cd", "")]

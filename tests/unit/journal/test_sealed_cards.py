"""The cards that a journal opens are those that it had sealed, and the file of a hand's secrets is its owner's only."""

from __future__ import annotations

import stat
from dataclasses import replace
from pathlib import Path

import pytest

from betline.steps import LayCards
from table_controller.cards.seals import Place, Secret, seal_of
from table_controller.journal.entries import CardsOpened, OpenedCards, Stepped
from table_controller.journal.reader import JournalReader
from table_controller.journal.store import Journal
from table_controller.journal.vault import Vault

SECRET = Secret("00ff", "AsKd7c")
SEAL = seal_of(Place(1, None, "flop", 0), SECRET)
SEALED = Stepped(
    hand_no=1, source="keyed", step=LayCards(street="flop", count=3, seal=SEAL), ruled=False, rulings=()
)  # fmt: skip
CARDS = OpenedCards(seat=None, street="flop", board=0, seal=SEAL, salt="00ff", cards="AsKd7c")
OPENED = CardsOpened(hand_no=1, cards=(CARDS,))


def verdict(path: Path, *entries: object) -> tuple[bool, str]:
    journal = Journal.open(path, "home/oval", 1_700_000_000_000, 0)
    for entry in entries:
        journal.append((entry,), 1_700_000_000_000, 0)  # type: ignore[arg-type]
    journal.close()
    with JournalReader(path) as reader:
        found = reader.verify()
    return found.ok, found.sentence


def test_a_seal_that_is_opened_with_its_cards_holds(tmp_path: Path) -> None:
    assert verdict(tmp_path / "a.journal", SEALED, OPENED)[0]


@pytest.mark.parametrize(
    ("opened", "sentence"),
    [
        (replace(OPENED, cards=(replace(CARDS, cards="AsKd7d"),)), "with other cards than were sealed."),
        (replace(OPENED, cards=(replace(CARDS, salt="00fe"),)), "with other cards than were sealed."),
        (replace(OPENED, hand_no=2), "with other cards than were sealed."),
        (replace(OPENED, cards=(replace(CARDS, seal=SEAL[::-1]),)), "which nobody had sealed."),
    ],
)
def test_an_opening_that_was_tampered_with_is_found_in_a_chain_that_holds(
    opened: CardsOpened, sentence: str, tmp_path: Path
) -> None:
    holds, said = verdict(tmp_path / "a.journal", SEALED, opened)

    assert not holds
    assert said.endswith(sentence)


def test_the_secrets_of_a_hand_are_their_owners_only_and_gone_with_it(tmp_path: Path) -> None:
    vault = Vault(tmp_path / "a.journal")
    vault.keep({SEAL: SECRET})

    assert stat.S_IMODE(vault.path.stat().st_mode) == 0o600
    assert Vault(tmp_path / "a.journal").read() == {SEAL: SECRET}

    vault.keep({})
    assert not vault.path.exists()
    assert vault.read() == {}


@pytest.mark.parametrize("content", ["", "{", "[]", '{"a": 1}', '{"a": ["b"]}'])
def test_a_file_of_secrets_that_cannot_be_read_holds_none(content: str, tmp_path: Path) -> None:
    vault = Vault(tmp_path / "a.journal")
    vault.path.write_text(content)

    assert vault.read() == {}

"""What a person has learnt so far: one file a person in the state folder, mode 600, replaced whole."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from betline.options import FAILED, WRONG_USAGE, UserError, state_folder, write_private
from table_controller.training.leitner import DAYS, Card

FOLDER: Final = "training"
VERSION: Final = 1
_NAME: Final = re.compile(r"\w[\w .'-]{0,39}")


def record_file(person: str, folder: Path | None = None) -> Path:
    """Where the record of a person lies; raises UserError for a name that is no name of a file."""
    if not _NAME.fullmatch(person) or person.endswith("."):
        raise UserError(
            f"--name {person!r} is no name: letters, digits, spaces, - and ' only, at most 40.", WRONG_USAGE
        )
    return (folder or state_folder() / FOLDER) / f"{person.casefold()}.json"


def read_record(file: Path) -> dict[str, Card]:
    """What the file says of each question, by its id; nothing where there is no file. Raises UserError."""
    try:
        told = json.loads(file.read_text(encoding="utf-8"))
        return {str(name): _card(card) for name, card in _cards(told).items()}
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise UserError(f"{file} cannot be read ({error.strerror}).", FAILED) from None
    except (ValueError, TypeError, AttributeError, KeyError):
        sentence = (
            f"{file} is damaged: put it back from a backup, or move it away to begin anew (mv {file} {file}.old)."
        )
        raise UserError(sentence, FAILED) from None


def write_record(file: Path, cards: Mapping[str, Card]) -> None:
    """Replaces the file whole; raises UserError, and then what was there stands."""
    told = {"version": VERSION, "cards": {name: asdict(card) for name, card in sorted(cards.items())}}
    try:
        write_private(file, json.dumps(told, indent=1) + "\n")
    except OSError as error:
        raise UserError(f"{file} cannot be written ({error.strerror}): this sitting is not kept.", FAILED) from None


def _cards(told: Any) -> dict[str, Any]:
    if told["version"] != VERSION or not isinstance(told["cards"], dict):
        raise ValueError
    return told["cards"]


def _card(told: Any) -> Card:
    card = Card(**told)
    numbers = (card.box, card.due, card.seen, card.right)
    if any(type(number) is not int or number < 0 for number in numbers) or card.box >= len(DAYS):
        raise ValueError
    return card

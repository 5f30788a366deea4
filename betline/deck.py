"""The house's cards with tags: which card each tag is. A file for its owner only, for who has it can read hands."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import platformdirs

from betline.cards import Card, CardError, parse_cards
from betline.options import UserError, write_private
from betline.settings import SettingsError, read_toml

OWNER_ONLY: Final = 0o600
_HEAD: Final = "# The cards of this house by their tags; written by `betline cards enrol`. Keep it private.\n[cards]\n"

Deck = Mapping[str, Card]
"""The card of each tag, by its UID in upper case; two decks are two tags a card."""


class DeckError(UserError):
    """The file of the cards cannot be used; the sentence says what to do."""


def usual_deck() -> Path:
    """The file of the cards in the user's config folder."""
    return Path(platformdirs.user_config_dir("betline", appauthor=False)) / "cards.toml"


def read_deck(path: Path) -> dict[str, Card]:
    """The cards of a file, none where there is none; raises DeckError for one that cannot be used or be trusted."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise DeckError(f"{path} cannot be read ({error.strerror}); make it readable or name another.") from None
    if mode & 0o077:
        raise DeckError(f"Others than its owner can read {path}: chmod 600 {path}, and use other cards from now on.")
    try:
        rows = read_toml(path).get("cards", {})
    except SettingsError as error:
        raise DeckError(str(error)) from None
    if not isinstance(rows, dict):
        raise DeckError(f"{path} is no file of cards; betline cards enrol begins one.")
    return {uid.upper(): _card(uid, text, path) for uid, text in rows.items()}


def _card(uid: str, text: object, path: Path) -> Card:
    try:
        (card,) = parse_cards(str(text))
    except (CardError, ValueError):
        raise DeckError(f'{path}: tag {uid} needs one card, such as "As", not {text!r}.') from None
    return card


def write_deck(path: Path, deck: Deck) -> None:
    """Writes the whole file, for its owner only; raises DeckError, and then leaves it as it was."""
    try:
        write_private(path, _HEAD + "".join(f'{uid} = "{card}"\n' for uid, card in deck.items()))
    except OSError as error:
        raise DeckError(f"{path} cannot be written ({error.strerror}); name another file with --deck.") from None

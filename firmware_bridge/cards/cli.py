"""`betline cards`: enrol the house's cards by their tags, one after the other on a reader."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Annotated

import typer

from betline.cards import SUITS, Card, Cards, deck
from betline.deck import Deck, read_deck, usual_deck, write_deck
from betline.options import FAILED, DeckOption, UserError

app = typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode=None)

LAY_S = 60.0
"""How long a card is waited for."""


@app.callback()
def _cards() -> None:
    """The house's cards with tags: which card each tag is."""


@app.command("list")
def list_cards(file: DeckOption = None) -> None:
    """Count the tags of each suit, and name the cards that have none.

    Example: betline cards list
    """
    path = file or usual_deck()
    known = read_deck(path)
    for suit in reversed(SUITS):
        typer.echo(f"{Card('A', suit).symbol[-1]} {sum(card.suit == suit for card in known.values()):>4}")
    missing = [card.symbol for card in _in_order(deck()) if card not in known.values()]
    typer.echo(f"{len(known)} tags in {path}" + (f"; without a tag: {' '.join(missing)}" if missing else ""))


@app.command()
def enrol(
    port: Annotated[str, typer.Argument(metavar="PORT", help="The reader's port, as in a table file.")],
    protocol: Annotated[str, typer.Option("--protocol", help="The reader's family.")] = "pn532",
    short: Annotated[bool, typer.Option("--short", help="A deck of 36, from the six up.")] = False,
    again: Annotated[bool, typer.Option("--second-deck", help="Cards that have a tag already get one more.")] = False,
    file: DeckOption = None,
) -> None:
    """Enrol a deck: lay each card alone on the reader when it is named. Stop with Ctrl+C and go on later.

    Example: betline cards enrol usb:A50285BI
    """
    from firmware_bridge.once import OnceError, read_once
    from firmware_bridge.protocols.catalogue import UnknownFamilyError, family
    from firmware_bridge.protocols.family import LineSettings

    try:
        wire = family(protocol)
    except UnknownFamilyError as error:
        raise UserError(f"{str(error)[:1].upper()}{str(error)[1:]}.") from None
    line = LineSettings(wire.traits.line.baud, wire.traits.line.parity)

    def tags() -> Iterable[str]:
        try:
            return [tag.uid for tag in read_once(port, wire, line).tags]
        except OnceError as error:
            raise UserError(f"{str(error)[:1].upper()}{str(error)[1:]}.", FAILED) from None

    path = file or usual_deck()
    known = read_deck(path)
    wanted = tuple(card for card in _in_order(deck(short=short)) if again or card not in known.values())
    for card in wanted:
        typer.echo(f"Lay {card.symbol} alone on the reader.")
        known = {**known, new_tag(tags, known, time.monotonic): card}
        write_deck(path, known)
    typer.echo(f"{len(wanted)} cards are enrolled in {path}.")


def new_tag(tags: Callable[[], Iterable[str]], known: Deck, now_s: Callable[[], float]) -> str:
    """The one tag on the reader that is no card yet; raises UserError where none comes in time."""
    until_s = now_s() + LAY_S
    while now_s() < until_s:
        there = {uid.upper() for uid in tags()}
        fresh = there - known.keys()
        if len(there) == 1 and fresh:
            return fresh.pop()
    raise UserError(
        f"No new card alone on the reader in {LAY_S:.0f} s: what was enrolled is kept. Start again to go on.", FAILED
    )


def _in_order(cards: Iterable[Card]) -> Cards:
    """Spades first, aces first, as a new deck lies."""
    return tuple(sorted(cards, key=lambda card: (card.height[1], card.height[0]), reverse=True))

"""Which game the next hand has, where several are played in turn or by the dealer's choice (R-302).

An orbit is over when the button has come to the seat where it began, or past it. In stud the button stands still, so
there an orbit is as many hands as seats were dealt in at its beginning.
"""

from __future__ import annotations

from dataclasses import dataclass

from betline.settings import Rotation


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """What has been played of a game's turn: its name, hands, orbits that are over, the button."""

    game: str
    hands: int
    orbits: int
    first_button: int
    button: int
    seats: int
    """Dealt in at its first hand."""


@dataclass(frozen=True, slots=True)
class Turn:
    """The name of the next hand's game, and whether its turn begins with it."""

    game: str
    begins: bool


def due(rotation: Rotation, played: Played | None, chosen: str | None, button: int) -> Turn:
    """The game of a hand that will have its button at that seat; `chosen` is what the dealer has named for it."""
    if chosen is not None and rotation.named(chosen) is not None:
        return Turn(chosen, True)
    if played is None or rotation.named(played.game) is None:
        return Turn(rotation.games[0].name, True)
    done = played.hands if rotation.by == "hands" else orbits_done(rotation, played, button)
    if rotation.count is None or done < rotation.count:
        return Turn(played.game, False)
    return Turn(following(rotation, played.game), True)


def following(rotation: Rotation, name: str) -> str:
    """The game after that one in turn."""
    names = [one.name for one in rotation.games]
    return names[(names.index(name) + 1) % len(names)]


def orbits_done(rotation: Rotation, played: Played, button: int) -> int:
    """The orbits of the game's turn that are over when the next hand has its button at that seat."""
    game = rotation.named(played.game)
    if game is not None and game.streets == "stud":
        return played.hands // max(played.seats, 1)
    return played.orbits + _reaches(played.button, button, played.first_button)


def after_hand(rotation: Rotation, played: Played | None, turn: Turn, button: int, seats: int) -> Played:
    """What has been played once a hand of that turn has begun."""
    if turn.begins or played is None:
        return Played(game=turn.game, hands=1, orbits=0, first_button=button, button=button, seats=seats)
    return Played(
        game=turn.game,
        hands=played.hands + 1,
        orbits=orbits_done(rotation, played, button),
        first_button=played.first_button,
        button=button,
        seats=played.seats,
    )


def _reaches(old: int, new: int, mark: int) -> bool:
    """Whether a button that moves clockwise from the old seat to the new one comes to the marked seat or past it."""
    if old == new:
        return False
    if old < new:
        return old < mark <= new
    return mark > old or mark <= new

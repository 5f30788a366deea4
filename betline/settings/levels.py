"""How the game changes over an evening: blind levels with their breaks, and games in turn or by the dealer's choice."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Annotated, Literal, Self

from pydantic import Field, ValidationError, model_validator

from betline.settings.chips import ChipSet
from betline.settings.game import Chips, GameSettings, SomeChips, Spread
from betline.settings.model import Settings, complaint

Minutes = Annotated[int, Field(strict=True, ge=0, le=1440)]


class GameChange(Settings):
    """What is otherwise than the game says; a key that is left out stays as it is there."""

    blinds: tuple[Chips, ...] | None = Field(default=None, max_length=3, description="live blinds in posting order")
    ante: Chips | None = Field(default=None, description="ante")
    ante_by: Literal["each", "big-blind", "button"] | None = Field(default=None, description="who pays the ante")
    bring_in: SomeChips | None = Field(default=None, description="stud: the bring-in")
    min_bet: SomeChips | None = Field(default=None, description="smallest opening bet")
    bets: tuple[SomeChips, ...] | None = Field(default=None, description="fixed-limit: the bet of each street")
    spread: Spread | tuple[Spread, ...] | None = Field(
        default=None, description="spread-limit: least and most a street"
    )
    unit: SomeChips | None = Field(default=None, description="betting unit: the smallest chip that plays")
    cap: SomeChips | None = Field(default=None, description="cap game: the most one seat may put in during a hand")

    def of(self, game: GameSettings) -> GameSettings:
        """The game with these changes; raises ValueError with a sentence where they do not fit it."""
        changes = self.model_dump(include=set(GameChange.model_fields), exclude_none=True)
        try:
            return GameSettings.model_validate({**game.model_dump(), **changes})
        except ValidationError as error:
            raise ValueError(complaint(error.errors()[0], GameSettings).rstrip(".")) from None


class Level(GameChange):
    """One level (R-293): how long it lasts and what it changes, what goes before it, the break after it."""

    minutes: Minutes = Field(gt=0, description="length of the level")
    break_minutes: Minutes = Field(default=0, description="break after this level, 0 is none")
    colour_up: SomeChips | None = Field(
        default=None, description="value of the chips that leave the table before this level (R-300)"
    )
    games: dict[str, GameChange] = Field(
        default_factory=dict, description="with a rotation: what the level changes of the game of that name"
    )


class NamedGame(GameSettings):
    """One game of a rotation."""

    name: str = Field(min_length=1, max_length=40, description="name of the game for people")

    @property
    def game(self) -> GameSettings:
        """The game without its name."""
        return GameSettings.model_validate(self.model_dump(exclude={"name"}))


class Rotation(Settings):
    """Games that change between hands (R-302): each for so many hands or orbits, or by the dealer's choice."""

    by: Literal["hands", "orbits", "choice"] = Field(description="what ends a game's turn; choice: the dealer")
    count: int | None = Field(default=None, gt=0, strict=True, description="hands or orbits that a game lasts")
    games: tuple[NamedGame, ...] = Field(
        min_length=2, description="the games in turn; the evening begins with the first"
    )

    @model_validator(mode="after")
    def _hangs_together(self) -> Self:
        if (self.by == "choice") != (self.count is None):
            raise ValueError("count belongs to a rotation by hands or orbits, which needs it")
        names = [one.name.casefold() for one in self.games]
        if len(set(names)) != len(names):
            raise ValueError("two games have the same name")
        return self

    def named(self, name: str) -> NamedGame | None:
        """The game of that name, however it is capitalised; None where there is none."""
        return next((one for one in self.games if one.name.casefold() == name.casefold()), None)


def game_at(game: GameSettings, levels: Sequence[Level], number: int, name: str | None = None) -> GameSettings:
    """The game as the level of that number (from 1) has it, ``name`` its name in a rotation.

    Raises ValueError with a sentence where the level does not fit the game.
    """
    if not levels:
        return game
    level = levels[number - 1]
    changed = level.of(game)
    own = level.games.get(name) if name is not None else None
    return changed if own is None else own.of(changed)


def check_evening(game: GameSettings, levels: Sequence[Level], rotation: Rotation | None) -> None:
    """Raises ValueError with a sentence where game, levels and rotation do not go together."""
    games: list[tuple[str | None, GameSettings]] = [(None, game)]
    if rotation is not None:
        games = [(one.name, one.game) for one in rotation.games]
        if games[0][1] != game:
            raise ValueError("game must be the first of rotation.games, or be left out")
    for number, level in enumerate(levels, 1):
        unknown = next((name for name in level.games if name not in [known for known, _ in games]), None)
        if unknown is not None:
            raise ValueError(f"level {number}: games names {unknown}, which is no game of the rotation")
        for name, one in games:
            try:
                game_at(one, levels, number, name)
            except ValueError as error:
                of = "" if name is None else f" {name}:"
                raise ValueError(f"level {number} does not fit the game:{of} {error}") from None
    if levels and game_at(game, levels, 1, games[0][0]) != game:
        raise ValueError("level 1 must be the game as game has it: leave blinds, ante and bets out of the first level")
    if levels and levels[0].colour_up is not None:
        raise ValueError("level 1: colour_up needs a level before it")
    if levels and levels[-1].break_minutes:
        raise ValueError(f"level {len(levels)}: no break follows the last level; leave break_minutes out")


def check_chips(
    game: GameSettings, levels: Sequence[Level], rotation: Rotation | None, chip_set: ChipSet
) -> None:  # fmt: skip
    """Raises ValueError where a level cannot be played with the chips that are left after the colour-ups (R-300)."""
    games: list[tuple[str | None, GameSettings]] = [(None, game)]
    if rotation is not None:
        games = [(one.name, one.game) for one in rotation.games]
    values = [chip.value for chip in chip_set.chips]
    raced = False
    for number, level in enumerate(levels, 1):
        if level.colour_up is not None:
            if level.colour_up != values[0] or len(values) == 1:
                raise ValueError(f"level {number}: colour_up must be {values[0]}, the smallest chip then in play")
            values, raced = values[1:], True
        least = math.gcd(*values)
        for name, one in games:
            _check_amounts(number, game_at(one, levels, number, name), least, raced=raced)


def _check_amounts(number: int, game: GameSettings, least: int, *, raced: bool) -> None:
    forced = {"blinds": game.blinds, "ante": (game.ante,), "bring_in": (game.bring_in or 0,)}
    sizes = {"min_bet": (game.min_bet or 0,), "bets": game.bets or (), "cap": (game.cap or 0,)}
    for key, amounts in {**forced, **sizes}.items():
        for amount in amounts:
            if amount % least:
                raise ValueError(f"level {number}: {key} of {amount} cannot be made of chips of {least} and more")
    if raced and game.unit % least:
        raise ValueError(f"level {number}: unit must be {least}, the smallest chip that is left, or a multiple of it")

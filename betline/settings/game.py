"""The game being dealt: the ``game`` keys of a case file and of a table file (docs/case-format.md, "game")."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from betline.settings.model import Settings

STREETS: dict[str, tuple[str, ...]] = {
    "holdem": ("preflop", "flop", "turn", "river"),
    "omaha": ("preflop", "flop", "turn", "river"),
    "stud": ("third", "fourth", "fifth", "sixth", "seventh"),
    "draw": ("predraw", "postdraw"),
    "triple-draw": ("predraw", "first", "second", "third"),
}

BOARD_CARDS: dict[str, int] = {"flop": 3, "turn": 1, "river": 1}
"""How many cards each street brings to the board."""

Chips = Annotated[int, Field(ge=0, strict=True)]
SomeChips = Annotated[int, Field(gt=0, strict=True)]
Spread = Annotated[tuple[SomeChips, ...], Field(min_length=2, max_length=2)]


class GameSettings(Settings):
    """Betting structure, forced bets and the names of the streets; amounts in the smallest unit."""

    limit: Literal["no-limit", "pot-limit", "fixed-limit", "spread-limit"] = Field(description="betting structure")
    blinds: tuple[Chips, ...] = Field(max_length=3, description="live blinds in posting order")
    ante: Chips = Field(default=0, description="ante")
    ante_by: Literal["each", "big-blind", "button"] = Field(default="each", description="who pays the ante")
    bring_in: SomeChips | None = Field(default=None, description="stud: the bring-in")
    min_bet: SomeChips | None = Field(default=None, description="smallest opening bet; default the big blind")
    bets: tuple[SomeChips, ...] | None = Field(default=None, description="fixed-limit: the bet of each street")
    spread: Spread | tuple[Spread, ...] | None = Field(
        default=None, description="spread-limit: least and most a street"
    )
    unit: SomeChips = Field(default=1, description="betting unit: every bet is a multiple of it")
    cap: SomeChips | None = Field(default=None, description="cap game: the most one seat may put in during a hand")
    streets: Literal["holdem", "omaha", "stud", "draw", "triple-draw"] = Field(default="holdem", description="streets")
    showdown: Literal["high", "high-low", "short-deck", "deuce-to-seven", "ace-to-five", "badugi"] | None = Field(
        default=None,
        description="what wins at the showdown, where the house keeps cards; in high-low the low is eight or better; "
        "default high, in triple-draw deuce-to-seven",
    )
    hole_cards: Annotated[int, Field(ge=2, le=7, strict=True)] | None = Field(
        default=None, description="cards of a hand, where the house keeps cards; default as usual, in omaha 4"
    )

    @model_validator(mode="after")
    def _fits_its_limit(self) -> Self:
        names = STREETS[self.streets]
        if (self.limit == "fixed-limit") != (self.bets is not None):
            raise ValueError("bets belongs to fixed-limit, and fixed-limit needs it")
        if (self.limit == "spread-limit") != (self.spread is not None):
            raise ValueError("spread belongs to spread-limit, and spread-limit needs it")
        if self.bets is not None and len(self.bets) != len(names):
            raise ValueError(f"bets needs one size for each of the {len(names)} streets {', '.join(names)}")
        if self.bring_in is not None and self.streets != "stud":
            raise ValueError("bring_in belongs to stud")
        for least, most in self.spreads():
            if least > most:
                raise ValueError("each pair of spread must name the least before the most")
        if len(self.spreads()) not in (0, 1, len(names)):
            raise ValueError(f"spread needs one pair, or one for each of the {len(names)} streets {', '.join(names)}")
        return self

    def spreads(self) -> tuple[tuple[int, ...], ...]:
        """The least and the most of each street, or one pair that serves them all; none but in spread-limit."""
        if self.spread is None:
            return ()
        pairs = tuple(pair for pair in self.spread if isinstance(pair, tuple))
        return pairs or (tuple(number for number in self.spread if isinstance(number, int)),)

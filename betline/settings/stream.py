"""What a table's stream may show, and how far behind the table it is."""

from __future__ import annotations

from typing import Self

from pydantic import Field, model_validator

from betline.settings.model import Settings

LEAST_DELAY_S = 30
"""From so far behind on, a player who looks at the stream learns amounts of an act that is long past."""


class StreamSettings(Settings):
    """The stream of the table: what is sent out for people who watch it elsewhere."""

    delay_s: int = Field(default=0, ge=0, le=1800, description="how far it is behind the table")
    all_amounts: bool = Field(
        default=False,
        description="show the pot and every stack, also where the house tells them on request only; needs a delay of "
        f"{LEAST_DELAY_S} seconds or more",
    )

    @model_validator(mode="after")
    def _helps_no_player(self) -> Self:
        if self.all_amounts and self.delay_s < LEAST_DELAY_S:
            raise ValueError(
                f"all_amounts needs delay_s = {LEAST_DELAY_S} or more: else a player's phone shows what the dealer "
                "tells on request only"
            )
        return self

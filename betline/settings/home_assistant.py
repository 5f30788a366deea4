"""What a house lets Home Assistant ask of a table: buttons, none unless the table file names them."""

from __future__ import annotations

from typing import Literal, Self, TypeAlias

from pydantic import Field, model_validator

from betline.settings.model import Settings

Button: TypeAlias = Literal["next-hand", "pause-clock", "resume-clock"]
OF_THE_CLOCK: tuple[Button, ...] = ("pause-clock", "resume-clock")


class HomeAssistantSettings(Settings):
    """The table in Home Assistant."""

    buttons: tuple[Button, ...] = Field(
        default=(),
        description="what may be asked from there (docs/home-assistant.md); none: it is shown the table and no more",
    )

    @model_validator(mode="after")
    def _each_once(self) -> Self:
        for button in self.buttons:
            if self.buttons.count(button) > 1:
                raise ValueError(f"buttons has {button} twice; name it once")
        return self

    def check(self, *, has_levels: bool) -> None:
        """Raises ValueError for a button that the table has no use for."""
        useless = [button for button in self.buttons if button in OF_THE_CLOCK and not has_levels]
        if useless:
            raise ValueError(
                f"home_assistant: {' and '.join(useless)} would do nothing, as the table has no levels; name levels or "
                "leave it out of buttons"
            )

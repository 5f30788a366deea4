"""How much a table asks of its machine."""

from __future__ import annotations

from typing import Final, Literal

from pydantic import Field

from betline.settings.model import Settings

Profile = Literal["full", "pi-5", "pi-4"]
PROFILE_FPS: Final[dict[Profile, int | None]] = {"full": None, "pi-5": 24, "pi-4": 12}
"""Pictures a second that the camera's program looks at, from the best profile to the least; None: all that come."""


class Performance(Settings):
    """What a small machine leaves out: pictures of the camera. Readers are never slowed."""

    profile: Profile = Field(default="full", description="full, pi-5 or pi-4; betline doctor says which fits")
    camera_fps: int | None = Field(
        default=None, ge=5, le=120, description="pictures a second that are looked at, in place of the profile's"
    )

    @property
    def fps(self) -> int | None:
        """Pictures a second that are looked at; None: all that come."""
        return self.camera_fps if self.camera_fps is not None else PROFILE_FPS[self.profile]

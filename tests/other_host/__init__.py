"""Programs on another host, as far as clocks go."""

import os
import time
from pathlib import Path

HOUR_S = 3600
JUST_BOOTED_S = 60 - int(time.monotonic())
"""What the monotonic clock of a machine that has run for a minute is ahead of ours; it is never below 0."""


def environment(*programs: str, mono_s: int, wall_s: int) -> dict[str, str]:
    """The environment in which these programs have clocks that are so far ahead of this machine's."""
    return {
        **os.environ,
        "PYTHONPATH": str(Path(__file__).parent),
        "OTHER_HOST": ",".join(programs),
        "OTHER_HOST_MONO_S": str(mono_s),
        "OTHER_HOST_WALL_S": str(wall_s),
    }

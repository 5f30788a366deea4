"""Programs on other hosts, as far as clocks go."""

import os
import time
from pathlib import Path

HOUR_S = 3600
JUST_BOOTED_S = 60 - int(time.monotonic())
"""What the monotonic clock of a machine that has run for a minute is ahead of ours; it is never below 0."""


def environment(**hosts: tuple[int, int]) -> dict[str, str]:
    """The environment in which the named programs have clocks ahead of ours: by program seconds, monotonic and wall."""
    told = ",".join(f"{program}:{mono_s}:{wall_s}" for program, (mono_s, wall_s) in hosts.items())
    return {**os.environ, "PYTHONPATH": str(Path(__file__).parent), "OTHER_HOSTS": told}

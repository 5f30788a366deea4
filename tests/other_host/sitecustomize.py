"""Makes some programs live on another host: Python imports this at their start, where this folder is in PYTHONPATH.

`OTHER_HOST` names the programs (words of their command lines, with commas); `OTHER_HOST_MONO_S` and
`OTHER_HOST_WALL_S` say by how many seconds their monotonic and wall clocks are ahead of this machine's.
"""

import os
import sys
import time
from functools import partial

PROGRAMS = frozenset(os.environ.get("OTHER_HOST", "").split(","))
MONO_S, WALL_S = (int(os.environ.get(f"OTHER_HOST_{name}_S", "0")) for name in ("MONO", "WALL"))


def shifted(real, by):
    return partial(lambda: real() + by)  # like the real one it is no method where a class keeps it


if PROGRAMS.intersection(sys.orig_argv):
    time.monotonic = shifted(time.monotonic, MONO_S)
    time.monotonic_ns = shifted(time.monotonic_ns, MONO_S * 1_000_000_000)
    time.time = shifted(time.time, WALL_S)
    time.time_ns = shifted(time.time_ns, WALL_S * 1_000_000_000)

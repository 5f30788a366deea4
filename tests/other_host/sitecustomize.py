"""Makes some programs live on other hosts: Python imports this at their start, where this folder is in PYTHONPATH.

`OTHER_HOSTS` has `program:mono_s:wall_s` for each, with commas: a word of its command line, and by how many seconds
its host's monotonic and wall clocks are ahead of this machine's.
"""

import os
import sys
import time
from functools import partial

NS_PER_S = 1_000_000_000


def shifted(real, by):
    return partial(lambda: real() + by)  # like the real one it is no method where a class keeps it


for host in filter(None, os.environ.get("OTHER_HOSTS", "").split(",")):
    program, mono_s, wall_s = host.split(":")
    if program in sys.orig_argv:
        time.monotonic = shifted(time.monotonic, int(mono_s))
        time.monotonic_ns = shifted(time.monotonic_ns, int(mono_s) * NS_PER_S)
        time.time = shifted(time.time, int(wall_s))
        time.time_ns = shifted(time.time_ns, int(wall_s) * NS_PER_S)

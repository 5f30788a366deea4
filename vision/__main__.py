"""``python -m vision``: the same verbs as ``betline vision``."""

from __future__ import annotations

import sys

from betline.front_door import run

if __name__ == "__main__":
    sys.exit(run(["vision", *sys.argv[1:]]))

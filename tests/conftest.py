"""Random tests are the same in every run, so that red means a change; `BETLINE_EXPLORE=1` draws new examples."""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("steady", derandomize=True, deadline=None)
settings.register_profile("explore", deadline=None)
settings.load_profile("explore" if os.environ.get("BETLINE_EXPLORE") else "steady")

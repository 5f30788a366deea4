"""Random tests are the same in every run, so that red means a change; `BETLINE_EXPLORE=1` draws new examples."""

from __future__ import annotations

import os
import tempfile

from hypothesis import settings

STATE = tempfile.TemporaryDirectory(prefix="betline-tests-")
"""The state folder of every test and of the programs that it starts: tests leave nothing in the user's own."""
os.environ["XDG_STATE_HOME"] = STATE.name

settings.register_profile("steady", derandomize=True, deadline=None)
settings.register_profile("explore", deadline=None)
settings.load_profile("explore" if os.environ.get("BETLINE_EXPLORE") else "steady")

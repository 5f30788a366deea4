"""What the server refused or let go, counted by reason; of each reason a line a minute in the log."""

from __future__ import annotations

import logging
import time
from collections import Counter
from typing import Final

from betline.bus.sparing import SparingLog

SENTENCES: Final = {
    "host": "A request for another server's name was refused: reach the pages by the names in their certificate.",
    "origin": "A page of another server asked for something, and was refused.",
    "length": "A request that was too long was refused.",
    "pass": "A page without its code was refused: scan the code or open the link again.",
    "token": "A code that is not known was refused: print new ones with --qr.",
    "remotes": "A phone got no remote: all are in use.",
    "line": "A line of a remote was refused: too many wait, or it is none.",
    "pin": "A sign-in of a remote was refused: it had no name or no PIN.",
    "consoles": "A browser got no console: all are in use.",
    "stroke": "A message of a console's page was refused: it is none.",
    "wants": "A console wanted something of a browser, and did not get it.",
    "packets": "A console in a browser was ended: it could not be understood.",
    "readers": "A page was asked to come later: too many are open.",
    "slow": "A page that took nothing was let go: it comes again by itself.",
}


class Refused(Counter[str]):
    """How often, by reason."""

    def __init__(self) -> None:
        super().__init__()
        self._log = SparingLog(logging.getLogger(__name__))

    def note(self, why: str, sentence: str = "") -> None:
        """Counts one more, and says so if none of its kind was said within the last minute."""
        self[why] += 1
        self._log.warn(why, sentence or SENTENCES[why], time.monotonic_ns())

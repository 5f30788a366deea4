"""What happens at a table as lines of the controller's log, where logs are JSON: rulings, alerts, refusals."""

from __future__ import annotations

import logging
from typing import Final

from betline.logs import is_json
from betline.messages.common import Body, Reply
from betline.messages.table import Alert, Ruling

_LEVELS: Final = {"info": logging.INFO, "warning": logging.WARNING, "error": logging.ERROR}
_log = logging.getLogger(__name__)


class Logged:
    """Writes a line for each message that tells what happened; it knows at which hand and act the table is."""

    def __init__(self) -> None:
        self._wanted = is_json()
        self._at: dict[str, int] = {}

    def note(self, message: Body) -> None:
        """One line, or none: people read an announcement as its ruling."""
        if not self._wanted:
            return
        match message:
            case Ruling():
                self._at = {"hand": message.hand_no, "act": message.act_no}
                self._write(logging.INFO, message.ruling, message.sentence)
            case Alert():
                self._write(_LEVELS.get(message.severity, logging.WARNING), message.code, message.sentence)
            case Reply() if not message.ok:
                self._write(logging.INFO, message.code, f"{message.verb}: {message.sentence}")

    def _write(self, level: int, code: str, sentence: str) -> None:
        _log.log(level, "%s", sentence, extra={**self._at, "code": code})

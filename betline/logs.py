"""What a program says of itself on standard error: a plain line as ever, or, asked for JSON, one object a line.

Log keepers (Loki, Elasticsearch, journald's export) read the latter. The keys are always the same: time, level, part,
site, table, hand, act, code and the sentence; what is not known is left out. The number of a tag opens a door (a badge)
or names a chip, so of what looks like one the last four signs are left.
"""

from __future__ import annotations

import json
import logging
import os
import re
import sys
import traceback
from datetime import UTC, datetime
from typing import Any, Final

ENVIRONMENT: Final = "BETLINE_LOG"
"""A program whose environment has this as `json` logs so; its children do too."""
JSON: Final = "json"
OPTION: Final = "--log-json"
ROOMS: Final = ("betline", "firmware_bridge", "vision", "table_controller", "virtual_table")
LONGEST: Final = 2_000
"""Signs of a sentence that are kept."""
_TAG: Final = re.compile(r"\b[0-9A-F]{4,60}([0-9A-F]{4})\b")
_EXTRA: Final = ("hand", "act", "code")
_log = logging.getLogger(__name__)


class JsonLines(logging.Formatter):
    """Makes a line of JSON of each record."""

    def __init__(self, part: str) -> None:
        super().__init__()
        self._about: dict[str, str] = {"part": part}

    def of_table(self, site: str, table: str) -> None:
        """From now on each line names the table."""
        self._about |= {"site": site, "table": table}

    def format(self, record: logging.LogRecord) -> str:
        """One line, whatever is in the sentence."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line: dict[str, Any] = {"time": at, "level": record.levelname.lower(), **self._about}
        line |= {key: value for key in _EXTRA if (value := getattr(record, key, None)) is not None}
        sentence = record.getMessage()
        if record.exc_info is not None and record.exc_info[1] is not None:
            place = traceback.extract_tb(record.exc_info[2])[-1:]
            where = f" at {place[0].filename}:{place[0].lineno}" if place else ""
            sentence = f"{sentence} ({record.exc_info[1]!r}{where})"
        return json.dumps({**line, "sentence": without_tags(sentence)[:LONGEST]}, ensure_ascii=False)


class _StandardError(logging.Handler):
    """Writes to standard error, whatever that is when a line comes."""

    def emit(self, record: logging.LogRecord) -> None:
        try:
            print(self.format(record), file=sys.stderr, flush=True)
        except (OSError, ValueError):
            self.handleError(record)


def without_tags(text: str) -> str:
    """The text without the numbers of tags, of which the last four signs are left."""
    return _TAG.sub(r"…\1", text)


def sentence_of(line: str) -> str:
    """What a line of a log says, JSON or plain."""
    try:
        found = json.loads(line)
    except ValueError:
        return line
    return str(found["sentence"]) if isinstance(found, dict) and "sentence" in found else line


def begin(part: str) -> None:
    """Logs as JSON from now on, where the environment says so; else nothing changes."""
    if not is_json():
        return
    handler = _StandardError()
    handler.setFormatter(JsonLines(part))
    root = logging.getLogger()
    for old in [one for one in root.handlers if isinstance(one.formatter, JsonLines)]:
        root.removeHandler(old)
    root.addHandler(handler)
    for room in ROOMS:
        logging.getLogger(room).setLevel(logging.INFO)


def of_table(site: str, table: str) -> None:
    """Says of which table this program is."""
    for handler in logging.getLogger().handlers:
        if isinstance(handler.formatter, JsonLines):
            handler.formatter.of_table(site, table)


def is_json() -> bool:
    """Whether lines are JSON."""
    return os.environ.get(ENVIRONMENT) == JSON


def say(sentence: str, level: int = logging.INFO, *, plain: str | None = None) -> None:
    """Says a sentence on standard error; without JSON as `plain`, where that is something else."""
    if is_json():
        _log.log(level, "%s", sentence)
    else:
        print(sentence if plain is None else plain, file=sys.stderr, flush=True)

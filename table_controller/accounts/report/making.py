"""What a report is made of: the hand in the journal, the pictures that the camera keeps, the print of the page."""

from __future__ import annotations

import json
import tempfile
from contextlib import suppress
from pathlib import Path

from betline.chromium import ChromiumError, chromium
from betline.options import UserError
from table_controller.accounts import read
from table_controller.accounts.recall import History, Recalled, recall
from table_controller.journal.entries import HandBegan


class Pictures:
    """The stretches of pictures that the camera's program keeps beside a journal, each a folder with `ring.json`."""

    def __init__(self, folder: Path) -> None:
        self._frames: dict[str, Path] = {}
        for index in sorted(folder.glob("*/ring.json")):
            with suppress(OSError, ValueError, KeyError):  # one that cannot be read has no picture
                self._take(index)

    def _take(self, index: Path) -> None:
        kept = json.loads(index.read_text(encoding="utf-8"))
        frames = [(int(one["t_ns"]), index.parent / Path(one["file"]).name) for one in kept["frames"]]
        for event in kept["events"]:
            at_ns = int(event["t_last_ns"] if "t_last_ns" in event else event["t_first_ns"])
            self._frames[str(event["id"])] = min(frames, key=lambda frame: abs(frame[0] - at_ns))[1]

    def of(self, event: str) -> bytes | None:
        """The picture of an event, None where it is not kept."""
        try:
            return self._frames[event].read_bytes()
        except (KeyError, OSError):
            return None


def pdf_of(html: str) -> bytes:
    """The page as a PDF. Raises UserError where no Chromium is installed."""
    with tempfile.TemporaryDirectory(prefix="betline-report-") as folder:
        page = Path(folder) / "report.html"
        page.write_text(html, encoding="utf-8")
        try:
            with chromium() as browser:
                tab = browser.page()
                tab.open(page.as_uri())
                tab.wait_for("document.readyState === 'complete'")
                return tab.pdf()
        except ChromiumError as error:
            raise UserError(f"No PDF was made. {error} Or write a file that ends in .html and print that.") from None


def recalled(reader: History, hand: int) -> Recalled:
    """Raises JournalError (``no-hand``) where the journal has no such hand."""
    read.hand(reader.entries(), hand)
    later = 0
    for recorded in reader.newest(HandBegan.kind):
        later += 1
        if isinstance(began := recorded.entry, HandBegan) and began.hand_no == hand:
            break
    return next(one for one in recall(reader, later) if one.summary.hand_no == hand)

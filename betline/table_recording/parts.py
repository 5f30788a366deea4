"""The parts of a table that is recorded from its start: what each is told, so that all of it comes into one file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from betline.table_recording.writing import check_lab


@dataclass(frozen=True, slots=True)
class PartsOfRecording:
    """The words for the command lines, none where nothing is recorded. Raises UserError without the library."""

    file: Path | None
    taps: Path | None = None
    watch: str | None = None
    """Where the camera's live page is, HOST:PORT; None where there is no camera."""

    def __post_init__(self) -> None:
        if self.file is not None:
            check_lab()

    @property
    def wanted(self) -> bool:
        """Whether there is a recorder."""
        return self.file is not None

    def words(self) -> list[str]:
        """The recorder itself; one that is started again after a fault writes the next file."""
        camera = [] if self.watch is None else ["--camera", f"http://{self.watch}/stream.mjpg"]
        return ["record", str(self.file), "--next-name", *self.tap, *camera]

    @property
    def tap(self) -> list[str]:
        """For the controller and the bridge."""
        return [] if self.taps is None else ["--taps", str(self.taps)]

    @property
    def page(self) -> list[str]:
        """For the camera's program."""
        return [] if self.watch is None else ["--watch", self.watch]

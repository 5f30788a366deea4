"""What screens ask of the application, as Textual messages."""

from __future__ import annotations

from textual.message import Message

from betline.steps import Command
from table_controller.console.view import Line


class Wanted(Message):
    """A command that a key or dialog asks for."""

    def __init__(self, command: Command, command_id: str = "") -> None:
        super().__init__()
        self.command = command
        self.command_id = command_id
        """Under which a dialog awaits the answer; empty where none does."""


class Notice(Message):
    """A line for the dealer: why nothing was sent."""

    def __init__(self, sentence: str) -> None:
        super().__init__()
        self.line = Line("✖", sentence, "warn")


class PictureAsked(Message):
    """The camera's small picture is to be shown, so many pixels wide: of now, or of an event of the camera."""

    def __init__(self, camera: str, width_px: int, of: str = "") -> None:
        super().__init__()
        self.camera = camera
        self.width_px = width_px
        self.of = of


class HandsAsked(Message):
    """The journal is to be asked for this hand: what was seen of its acts."""


class Arrived(Message):
    """Something lies in the client's mailbox."""


class KeyDropped(Message):
    """A key came while a dialog still awaited its answer, and did nothing."""

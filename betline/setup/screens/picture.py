"""Pictures of the wizard for the documents: ``python -m betline.setup.screens.picture docs`` makes them anew."""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from textual.screen import Screen

from betline.messages.pictures import SmallPicture
from betline.options import DONE, WRONG_USAGE
from betline.screenshot import as_document
from betline.setup.antennas import ROUNDS, Heard
from betline.setup.faults import Faults
from betline.setup.hardware import Hardware
from betline.setup.interview import completed
from betline.setup.question import Found, FoundReader
from betline.setup.screens.app import SetupApp
from betline.setup.screens.end import EndScreen, Step, TrialScreen
from betline.setup.screens.work import Calibration, CameraScreen, ChipsScreen, PinScreen
from betline.setup.sections.readers import Spot
from betline.setup.store import Folder
from betline.setup.trial import Link, Push
from betline.setup.work import Look, Teacher

SIZE: Final = (80, 24)
TITLE: Final = "betline setup"
_FOUND: Final = Found((FoundReader("usb:A50285BI", "feig", 115200), FoundReader("usb:A50285BK", "feig", 115200)))
_SPOTS: Final = tuple(Spot(reader.port, antenna) for reader in _FOUND.readers for antenna in (1, 2))
_ANSWERS: Final = {
    "shape.title": "Kitchen", "shape.size": "1800x1000", "shape.seats": "3", "readers.antennas": "2",
    "readers.seat-1": str(_SPOTS[1]), "readers.seat-2": str(_SPOTS[2]), "readers.seat-3": str(_SPOTS[0]),
    "camera.source": "usb:0", "people.staff": "Ann floor, Bob dealer",
}  # fmt: skip
_COUNTS: Final = {"white-1": 100, "red-5": 60, "green-25": 0, "black-100": 0}
_FAULTS: Final = Faults(Path("kitchen"))
_WAIT_S: Final = 0.3
"""So long a picture waits for what the screen looks at by itself, and stays the same until it is taken."""


@dataclass(frozen=True, slots=True)
class _StillHardware(Hardware):
    """Two readers, and a chip that comes to the first antenna of the second once all were listened to."""

    @contextmanager
    def listening(self, _readers: Sequence[FoundReader], spots: Sequence[Spot]) -> Iterator[_StillEars]:
        empty = [Heard(spot, frozenset()) for _ in range(ROUNDS) for spot in spots]
        chip = [Heard(spots[2], frozenset({"E004015306A22D70"})) for _ in range(ROUNDS)]
        yield _StillEars(iter([*empty, *chip]))


@dataclass(frozen=True, slots=True)
class _StillEars:
    rounds: Iterator[Heard]

    def heard(self, _timeout_s: float) -> Heard | None:
        return next(self.rounds, None)

    def trouble(self) -> str:
        return ""


def _steps() -> tuple[Step, ...]:
    def nothing() -> None:
        pass

    counts = ", ".join(f"{key} {count or 'none'}" for key, count in _COUNTS.items())
    return (
        Step("c", "Teach it your chips", counts, False, nothing),
        Step("k", "Calibrate the camera", "calibrated", True, nothing),
        Step("p", "Give the staff their PINs", "Ann: set, Bob: not yet", False, nothing),
        Step("t", "Play a test hand", "with your hardware: it asks you to push a chip, and says what was seen",
             False, nothing),
    )  # fmt: skip


def _chips() -> Screen[None]:
    def teach(_key: str, teacher: Teacher) -> None:
        teacher.say("20 chips: 20 enrolled as green-25, 20 in all. Put the next stack on.")
        teacher.progress("12 chips, stable in 6 of 6 rounds, 12 new")
        while teacher.typed() != "q":
            time.sleep(_WAIT_S)

    return ChipsScreen("before seat 1, where its bets lie", lambda: _COUNTS, teach, _FAULTS)


def _camera() -> Screen[None]:
    saw = "6 markers, 0.84 mm RMS; the betting line is right to about 1.2 mm."
    return CameraScreen(Calibration(lambda: Look(True, (saw,), Path("kitchen/camera.png"), _small()), _FAULTS))


def _small() -> SmallPicture:
    """An oval felt with its line and markers, drawn by its own equation."""
    width_px, height_px = 128, 72
    pixels = bytearray()
    for y in range(height_px):
        for x in range(width_px):
            r = ((x - 63.5) / 58) ** 2 + ((y - 35.5) / 31) ** 2
            colour = (40, 36, 34) if r > 1 else (200, 170, 60) if 0.44 < r < 0.5 else (30, 104, 62)
            is_marker = any(abs(x - at_x) < 3 and abs(y - at_y) < 3 for at_x in (40, 63, 87) for at_y in (24, 47))
            pixels += bytes((235, 235, 235) if is_marker else colour)
    return SmallPicture.made(0, width_px, height_px, bytes(pixels))


def _trial() -> Screen[None]:
    screen = TrialScreen(lambda: None)
    for what, sentence in (
        ("broker at broker.lan:8883", "the table's own; it lets home.kitchen.console in, with TLS"),
        ("controller", "is there"), ("reader-1", "is there"), ("reader-2", "is there"), ("overhead", "sees seat 3"),
        ("hand", "seat 3 is to act, its zone is empty"),
    ):  # fmt: skip
        screen.link(Link("hand", what, True, sentence))
    screen.ask(Push(3, 5))
    screen.link(Link("antenna", "antenna of seat 3", True, "reader-1 hears 1 chip there"))
    screen.link(Link("chips", "chip", True, "it is red-5, by the register"))
    screen.heard("The antenna of seat 3 hears red-5. The camera saw chips crossing at seat 3.")
    return screen


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture: the questions of a part from the first that is open, or a screen, and the keys before it."""

    only: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    """What is not answered yet."""
    screen: Callable[[], Screen[None]] | None = None
    keys: tuple[str, ...] = ()


SHOTS: Final[Mapping[str, Shot]] = {
    "setup-house": Shot(("house",), keys=("enter", "enter")),
    "setup-antenna": Shot(without=("readers.seat-2", "readers.seat-3", "readers.pot", "readers.tray")),
    "setup-steps": Shot(screen=lambda: EndScreen((), lambda: None, _FAULTS, _steps)),
    "setup-chips": Shot(screen=_chips, keys=("enter",)),
    "setup-camera": Shot(screen=_camera),
    "setup-pins": Shot(screen=lambda: PinScreen([("Bob", "dealer")], lambda *_: None, _FAULTS), keys=tuple("2468")),
    "setup-test-hand": Shot(screen=_trial),
}
"""Every picture, by the name of its file."""


async def picture(shot: Shot) -> str:
    """The wizard after the shot's keys, as SVG."""
    full = completed({**_ANSWERS, "readers.connected": ", ".join(map(str, _FOUND.readers))}, _FOUND)
    answers = {key: text for key, text in full.items() if key not in shot.without}
    with tempfile.TemporaryDirectory(prefix="betline-setup-") as name:
        only = shot.only if shot.only or shot.without else ("voice",)
        app = SetupApp(Folder(Path(name)), _StillHardware(), _FOUND, answers, only)
        async with app.run_test(size=SIZE) as pilot:
            await pilot.pause()
            if shot.screen is not None:
                await app.push_screen(shot.screen())
                await pilot.pause()
            for key in shot.keys:
                await pilot.press(key)
                await pilot.pause()
            await pilot.pause(_WAIT_S)
            for blinking in app.screen.query("Input"):
                blinking.cursor_blink = False  # type: ignore[attr-defined]
            taken, before = "", None
            while taken != before:  # a busy machine draws it in parts
                await pilot.pause(_WAIT_S)
                taken, before = as_document(app.export_screenshot(title=TITLE)), taken
            return taken


def write_all(folder: Path) -> None:
    """Every picture into a folder."""
    for name, shot in SHOTS.items():
        (folder / f"{name}.svg").write_text(asyncio.run(picture(shot)), encoding="utf-8")


def main(arguments: list[str]) -> int:
    """Writes all pictures into the folder that is named."""
    if len(arguments) != 1:
        print("Usage: python -m betline.setup.screens.picture FOLDER", file=sys.stderr)
        return WRONG_USAGE
    write_all(Path(arguments[0]))
    return DONE


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Exports pictures: ``python -m cardroom.floor.picture FILE.svg``, or all of them into ``docs/floor-screen``."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import dataclass
from functools import partial

from betline.options import DONE, WRONG_USAGE
from betline.screenshot import as_document, write_pictures
from cardroom.floor.desk import TableFiles
from cardroom.floor.sample import NOW_S, sample_site
from cardroom.floor.screen.app import REDRAW_S, FloorApp

SIZE = (120, 40)
TITLE = "betline floor"


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture: how large the terminal is, and which keys are pressed before it is taken."""

    what: str
    size: tuple[int, int] = (80, 24)
    keys: tuple[str, ...] = ()


SHOTS: dict[str, Shot] = {
    "80x24": Shot("a terminal of 80x24"),
    "120x40": Shot("120x40", SIZE),
    "light": Shot("the light colours", keys=("f5",)),
    "ruling": Shot("a ruling that waits is taken", keys=("y",)),
    "otherwise": Shot("the floor rules otherwise", keys=("y", "o", "2", "6", "0", "0", "enter")),
    "board": Shot("the board of a table", SIZE, ("enter",)),
    "silent": Shot("the board of a table that is not heard", SIZE, ("n", "n", "enter")),
    "help": Shot("keys and signs", keys=("question_mark",)),
}
"""Every screen, by the name of its file."""


class StillClock:
    """Time that stands still, so that a picture is the same whenever it is taken."""

    def steady_s(self) -> float:
        return NOW_S

    def wall_ms(self) -> int:
        return int(NOW_S * 1000)

    def time_of_day(self) -> str:
        return "20:15:00"


async def picture(size: tuple[int, int] = SIZE, keys: tuple[str, ...] = ()) -> str:
    """The floor of the sample site after these keys, as SVG."""
    app = sample_app()
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        for key in keys:
            await pilot.press(key)
            await pilot.pause()
        await pilot.pause(REDRAW_S * 2)
        return as_document(app.export_screenshot(title=TITLE))


def sample_app() -> FloorApp:
    """The floor of the sample site."""
    site = sample_site()
    return FloorApp(site.ear, site.opens, TableFiles({}), StillClock(), where="127.0.0.1:1883")


def main(arguments: list[str]) -> int:
    """Writes one picture to the file that is named, or all of them into the folder."""
    others = {name: partial(_taken, shot) for name, shot in SHOTS.items()}
    written = write_pictures(arguments, "cardroom.floor.picture", lambda: asyncio.run(picture()), others)
    return DONE if written else WRONG_USAGE


def _taken(shot: Shot) -> str:
    return asyncio.run(picture(shot.size, shot.keys))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Exports pictures: ``python -m table_controller.console.picture FILE.svg``, or all of them into ``docs/console``."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import dataclass
from functools import partial

from betline import topics
from betline.bus import MemoryBus, MemoryHub, Received
from betline.messages.common import Command
from betline.messages.recall import Recalled
from betline.options import DONE, WRONG_USAGE
from betline.screenshot import as_document, write_pictures
from betline.settings import load_table
from betline.topics import Namespace, topic
from table_controller.console.app import REDRAW_S, ConsoleApp
from table_controller.console.sample import sample_hands, sample_showdown, sample_state

SIZE = (120, 40)
TITLE = "betline console"


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture: how large the terminal is, and which keys are pressed before it is taken."""

    what: str
    size: tuple[int, int] = (80, 24)
    keys: tuple[str, ...] = ()
    showdown: bool = False
    """The sample hand at its end, with its cards."""


SHOTS: dict[str, Shot] = {
    "80x24": Shot("a terminal of 80x24"),
    "100x30": Shot("100x30", (100, 30)),
    "106x33": Shot("a touch screen of ten inches, 106x33", (106, 33)),
    "120x40": Shot("120x40", (120, 40)),
    "200x50": Shot("200x50", (200, 50)),
    "light": Shot("the light colours", keys=("f5", "escape")),
    "colour-blind": Shot("the colours for the colour-blind", keys=("f5", "f5")),
    "contrast": Shot("high contrast", keys=("h",)),
    "amount": Shot("a raise", keys=("b", "1", "7", "0", "0")),
    "amount-touch": Shot("a raise on the touch screen", (106, 33), ("b", "1", "7", "0", "0")),
    "seat": Shot("the menu of a seat", keys=("3", "e")),
    "menu": Shot("the menu of the table", keys=("m",)),
    "floor": Shot("the floor rules otherwise", keys=("y",)),
    "number": Shot("the number before a key, by touch", (106, 33), ("number_sign",)),
    "quit": Shot("quitting", keys=("q",)),
    "cards": Shot("the hand that a seat shows", keys=("4", "comma", *"qsqct"), showdown=True),
    "award-by-cards": Shot("the award that the cards make", showdown=True),
    "help": Shot("the list of keys", keys=("question_mark",)),
    "log": Shot("the log", keys=("l",)),
    "hands": Shot("the last hands", keys=("z",)),
    "as-it-was": Shot("the table as it was at an act", (100, 30), ("z", "right", "right")),
    "sensors": Shot("the sensors", keys=("v",)),
    "camera": Shot("the camera, before a picture has come", keys=("k",)),
}
"""Every screen and size, by the name of its file."""
FOLDER = "console"


async def picture(size: tuple[int, int] = SIZE, keys: tuple[str, ...] = (), *, showdown: bool = False) -> str:
    """The console with the sample hand after these keys, as SVG."""
    table = load_table()
    hub, namespace = MemoryHub(), Namespace("home", table.name)
    controller = MemoryBus(hub, namespace, "controller", presence=topic(topics.STATUS))
    state, view = sample_showdown(table) if showdown else (sample_state(table), None)
    if view is not None:
        controller.publish(topic(topics.PRIVATE_CARDS), view)
    controller.publish(topic(topics.STATE), state)
    controller.subscribe(topics.COMMAND, lambda received: _recalls(controller, received))
    app = ConsoleApp(MemoryBus(hub, namespace, "console"), table, StillClock())
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        for key in keys:
            await pilot.press(key)
            await pilot.pause()
        await pilot.pause(REDRAW_S * 2)
        return as_document(app.export_screenshot(title=TITLE))


class StillClock:
    """Time that stands still, so that a picture is the same whenever it is taken."""

    def steady_s(self) -> float:
        return 100.0

    def wall_ms(self) -> int:
        return 1_000_000

    def time_of_day(self) -> str:
        return "20:15:00"


def _recalls(controller: MemoryBus, received: Received) -> None:
    """Answers the console as a controller with two hands behind it does."""
    command = received.body
    if received.topic.name != "recall" or not isinstance(command, Command):
        return
    hands = sample_hands()
    for number, hand in enumerate(hands, 1):
        told = Recalled(command_id=command.id, number=number, of=len(hands), hand=hand)
        controller.publish(topic(topics.RECALL, command.id), told)


def main(arguments: list[str]) -> int:
    """Writes one picture to the file that is named, or all of them into the folder."""
    others = {name: partial(_taken, shot) for name, shot in SHOTS.items()}
    written = write_pictures(arguments, "table_controller.console.picture", lambda: asyncio.run(picture()), others)
    return DONE if written else WRONG_USAGE


def _taken(shot: Shot) -> str:
    return asyncio.run(picture(shot.size, shot.keys, showdown=shot.showdown))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

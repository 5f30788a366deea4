"""Films for tests: pictures of the painted table or of the virtual one, handed to the keeper as a camera would."""

import time
from collections.abc import Iterable
from pathlib import Path

from betline.settings import TableSettings, load_table
from vision.film.keeper import FilmKeeper
from vision.film.record import head_of
from vision.film.veil import LEARN, LEARN_EVERY_NS
from vision.imaging.pictures import Picture
from vision.imaging.sources import Frame

STEP_NS = 33_000_000


def hand_over(keeper: FilmKeeper, picture: Picture, t_ns: int, number: int) -> None:
    """One picture; waits until it has been looked at."""
    keeper.see(Frame(picture, t_ns, number))
    while keeper.waiting:
        time.sleep(0.0005)


def learn(keeper: FilmKeeper, picture: Picture) -> None:
    """Shows the empty table before time 0; the last of these pictures is the film's first, `STEP_NS` before it."""
    for back in range(LEARN - 1, -1, -1):
        hand_over(keeper, picture, -STEP_NS - back * LEARN_EVERY_NS, 0)


def filmed(
    folder: Path, pictures: Iterable[tuple[Picture, int, int]], table: TableSettings | None = None, seconds: float = 60
) -> FilmKeeper:
    """A film of pictures (picture, time, number), ended; the first is also shown before it, to be learnt."""
    keeper = FilmKeeper(folder, head_of(table or load_table(), None, {}), seconds)
    learnt = False
    for picture, t_ns, number in pictures:
        if not learnt:
            learn(keeper, picture)
            learnt = True
        hand_over(keeper, picture, t_ns, number)
    keeper.close()
    return keeper

"""The rows of a menu: nothing is cut at any size, what is possible stands first, games are chosen by click."""

import pytest

from betline.messages.table import RotationState
from table_controller.console.menus import seat_menu, table_menu
from table_controller.console.screens.help import HelpScreen
from tests.unit.console.table import playing, state

SIZES = [(80, 24), (100, 30), (106, 33), (120, 40), (200, 50)]
NO_HAND = "No hand is in progress."
LONG = "Take back single steps with undo: nothing was awarded, and the betting goes on for seats 1, 2, 3 and 4."
CLOSED = {
    "chop-blinds": NO_HAND, "misdeal": NO_HAND, "fouled-deck": NO_HAND, "reopen-award": LONG, "correct-bet": NO_HAND,
    "correct-record": NO_HAND, "straddle": LONG, "run-it": LONG, "color-up": LONG, "sit-out": LONG, "leave": LONG,
    "rebuy": LONG, "kill-hand": LONG,
}  # fmt: skip
GAMES = RotationState(game="Hold'em", next_game="Razz", games=("Hold'em", "Razz"))


def words_of(table):
    """What stands in the box, without its border."""
    return " ".join(" ".join(line.split("┃")[1] for line in table.text.splitlines() if line.count("┃") > 1).split())


def letters(table):
    """The letters of the rows in the box, from top to bottom."""
    rows = [line.split("┃")[1] for line in table.text.splitlines() if line.count("┃") > 1]
    return [row[2] for row in rows if row[3:5] == "  " and row[2] != " "]


async def every_page(table):
    """The box on each of its pages."""
    pages = [words_of(table)]
    while "PgDn" in pages[-1]:
        await table.press("pagedown")
        pages.append(words_of(table))
    return [page.replace("PgDn ▼ ", "").replace("PgUp ▲ ", "") for page in pages]


@pytest.mark.one_in(5)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("menu", ["table", "seat"])
async def test_every_row_and_every_reason_is_there_whole(size, menu):
    now = state(closed=CLOSED, rotation=GAMES)
    entries = table_menu(now) if menu == "table" else seat_menu(4, now)
    async with playing(now, size=size) as table:
        await table.press(*("m" if menu == "table" else "4e"))
        pages = await every_page(table)
        for one in entries:
            row = f"{one.letter} {one.meaning}{f' ✖ {one.closed}' if one.closed else ''}"
            assert one.hidden or any(row in page for page in pages), (row, pages)


@pytest.mark.one_in(5)
@pytest.mark.parametrize("size", SIZES)
async def test_what_is_possible_stands_on_the_first_page(size):
    now = state(closed=CLOSED, rotation=GAMES)
    async with playing(now, size=size) as table:
        await table.press("m")
        for one in table_menu(now):
            assert one.closed or one.hidden or f"{one.letter} {one.meaning}" in words_of(table)


async def test_the_rows_keep_their_order_while_the_menu_is_open():
    async with playing(state(), size=(100, 60)) as table:
        await table.press("m")
        before = letters(table)
        await table.tells(state(version=2, closed=dict.fromkeys(("misdeal", "chop-blinds"), NO_HAND)))
        assert f"C  the blinds chop   ✖ {NO_HAND}" in table.text
        assert letters(table) == before
        await table.press("escape", "m")
        assert letters(table)[:2] != before[:2]


async def test_the_digit_of_a_game_is_clicked_in_its_row():
    async with playing(state(rotation=GAMES), size=(80, 24)) as table:
        await table.press("m")
        await table.click("2 Razz")
        assert table.asked == [("game", {"name": "Razz"})]


async def test_a_click_beside_the_digits_of_the_games_opens_the_line_for_a_name():
    async with playing(state(rotation=GAMES), size=(80, 24)) as table:
        await table.press("m")
        await table.click("G  the game of the next hand")
        assert "Hold'em · Razz · Enter · Esc" in table.text
        assert not isinstance(table.app.screen, HelpScreen)

"""The floor's screen by its keys: which table is chosen, which are shown, the board of one, a lost broker."""

from contextlib import asynccontextmanager

import pytest

from betline import topics
from betline.messages.common import Presence
from betline.topics import topic
from cardroom.floor.desk import TableFiles
from cardroom.floor.sample import NOW_S, sample_site
from cardroom.floor.screen.app import FloorApp
from cardroom.floor.screen.board import BoardScreen
from cardroom.floor.screen.drawing import draw_detail, draw_head, draw_rows
from cardroom.floor.screen.widgets import Drawing
from tests.unit.console.table import FrozenClock

SIZE = (120, 40)


class Hall:
    """The sample site on a screen."""

    def __init__(self, site, app, pilot):
        self.site, self.app, self.pilot = site, app, pilot

    async def press(self, *keys):
        await self.pilot.press(*keys)
        await self.pilot.pause()

    def text(self, part="rows"):
        return self.app.screen_stack[0].query_one(f"#{part}", Drawing)._canvas.text

    @property
    def chosen(self):
        return self.app.screen_stack[0].shown.row.name

    @property
    def order(self):
        return [row.name for row in self.app.screen_stack[0].shown.rows]

    async def draws(self):
        self.app.draw()
        await self.pilot.pause()


@asynccontextmanager
async def hall(size=SIZE):
    site, clock = sample_site(), FrozenClock()
    clock.now_s = NOW_S
    app = FloorApp(site.ear, site.opens, TableFiles({}), clock, where="127.0.0.1:1883")
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield Hall(site, app, pilot)


async def test_keys_choose_tables_and_their_order():
    async with hall() as floor:
        assert floor.order[:4] == ["table-8", "table-3", "table-5", "table-11"]
        await floor.press("down", "j", "up")
        assert floor.chosen == "table-3"
        await floor.press("end")
        assert floor.chosen == "table-12"
        await floor.press("n")
        assert floor.chosen == "table-8"
        await floor.press("n", "n")
        assert floor.chosen == "table-5"
        await floor.press("s")
        assert floor.order[:3] == ["table-1", "table-2", "table-3"]
        assert floor.chosen == "table-5"
        await floor.press("f", "f")
        assert floor.order == ["table-3", "table-8"]
        assert "only rulings" in floor.text("detail")
        await floor.press("escape")
        assert len(floor.order) == 12


@pytest.mark.nightly
async def test_letters_of_a_search_are_no_keys():
    async with hall() as floor:
        await floor.press("slash", "q", "s")
        assert "No table here has qs in its name" in floor.text()
        await floor.press("backspace", "backspace", "minus", "1", "enter")
        assert floor.order == ["table-11", "table-1", "table-10", "table-12"]
        await floor.press("s")
        assert floor.order == ["table-1", "table-10", "table-11", "table-12"]
        await floor.press("escape")
        assert len(floor.order) == 12


@pytest.mark.nightly
async def test_a_chosen_table_stays_chosen_when_the_rows_move():
    async with hall() as floor:
        await floor.press("end")
        ruling = floor.site.ear.look().tables["table-8"].state.questions
        state = floor.site.ear.look().tables["table-12"].state
        floor.site.says("table-12", state.model_copy(update={"version": 10_000, "questions": ruling}))
        await floor.draws()
        assert floor.order[2] == "table-12"
        assert floor.chosen == "table-12"


@pytest.mark.nightly
async def test_the_row_of_a_table_that_is_not_heard_says_how_old_it_is():
    async with hall() as floor:
        [row] = [line for line in floor.text().splitlines() if "table-11" in line]
        assert "OFFLINE · was H182" in row
        assert row.endswith("41 s")


@pytest.mark.nightly
async def test_enter_opens_the_board_with_the_age_of_what_it_shows():
    async with hall() as floor:
        await floor.press("n", "n", "enter")
        screen = floor.app.screen
        assert isinstance(screen, BoardScreen)
        assert "SILENT, heard 75 s" in screen.query_one("#oval")._canvas.text
        assert "no connection" in screen.query_one("#header")._canvas.text
        floor.site.lives("table-5")
        await floor.draws()
        assert "live" in screen.query_one("#header")._canvas.text
        await floor.press("c", "f", "space")
        assert floor.app.screen is screen
        await floor.press("escape")
        assert floor.app.screen is floor.app.screen_stack[0]


@pytest.mark.nightly
async def test_one_screen_serves_the_boards_of_tables_that_are_drawn_alike():
    async with hall() as floor:
        await floor.press("enter")
        first = floor.app.screen
        assert "table-8" in first.query_one("#header")._canvas.text
        await floor.press("escape", "down", "enter")
        assert floor.app.screen is first
        assert "table-3" in first.query_one("#header")._canvas.text
        await floor.press("y")
        assert "table-3" in str(floor.app.screen.query_one("#title").content)


@pytest.mark.nightly
async def test_a_click_chooses_a_table_and_one_more_opens_it():
    async with hall() as floor:
        await floor.pilot.click("#rows", offset=(30, 3))
        assert floor.chosen == "table-5"
        await floor.pilot.click("#rows", offset=(30, 3))
        await floor.pilot.pause()
        assert isinstance(floor.app.screen, BoardScreen)


@pytest.mark.nightly
async def test_y_where_nothing_waits_says_so():
    async with hall() as floor:
        await floor.press("end", "y")
        assert "No ruling waits at table-12" in floor.text("message")


async def test_a_redraw_touches_only_the_rows_that_have_changed():
    async with hall() as floor:
        rows = floor.app.screen_stack[0].query_one("#rows", Drawing)
        touched = []
        rows.refresh = lambda *regions, **_: touched.extend(region.y for region in regions)
        floor.app.draw()
        assert touched == []
        floor.site.controller("table-1").publish(topic(topics.STATUS), Presence(state="stale"))
        floor.app.draw()
        assert 1 <= len(touched) <= 6


@pytest.mark.nightly
async def test_a_lost_broker_is_a_banner_and_dims_every_row():
    async with hall() as floor:
        floor.site.ear._on_connection(False)
        await floor.draws()
        assert "NO BROKER for 0 s: all of this is old" in floor.text("head")
        assert not any(row.fresh for row in floor.app.screen_stack[0].shown.rows)


@pytest.mark.nightly
async def test_every_column_fits_the_smallest_screen():
    async with hall((80, 24)) as floor:
        shown = floor.app.screen_stack[0].shown
        for text in (draw_rows(shown, 80, 15).text, draw_head(shown, 80).text, draw_detail(shown, 80, 6).text):
            assert max(map(len, text.splitlines())) <= 80
        assert "6● 1✖" in floor.text()
        assert "Q quit" in floor.text("keys")

"""The drawings at the sizes that are promised: nothing overlaps, nothing is lost, nothing rests on colour alone."""

import itertools

import pytest

from betline.messages.table import PotLimitCount, PotView, PullView, SeatState
from betline.settings import load_table, shipped
from table_controller.console.drawing.felt import Places, felt
from table_controller.console.drawing.lines import (
    draw_header,
    draw_keys,
    draw_pots,
    draw_rulings,
    draw_sensors,
    pot_rows,
)
from table_controller.console.drawing.panel import draw_panel
from table_controller.console.drawing.table import draw_table
from table_controller.console.footer import footer
from table_controller.console.palette import Palette
from table_controller.console.sample import sample_state
from table_controller.console.view import Line, RulingLine, view_of
from tests.unit.console.table import TABLE, state, three_pots

SIZES = [(80, 11), (80, 13), (83, 25), (140, 40)]


def table_text(new, width, height, lost=None):
    return draw_table(TABLE, view_of(new, TABLE), Places.of(TABLE, width, height), lost).text


@pytest.mark.parametrize("name", shipped("tables"))
@pytest.mark.parametrize("size", SIZES)
def test_no_two_seats_overlap_and_all_are_on_the_drawing(name, size):
    width, height = size
    plates = Places.of(load_table(name), width, height).plates
    assert not any(a.touches(b) for a, b in itertools.combinations(plates.values(), 2))
    for box in plates.values():
        assert box.x >= 0
        assert box.x + box.width <= width
        assert box.y >= 0
        assert box.y + box.height <= height


def test_seats_stand_where_the_table_file_puts_them():
    plates = Places.of(TABLE, 83, 25).plates
    assert plates[4].y < plates[3].y < plates[1].y
    assert plates[3].x < plates[4].x < plates[5].x < plates[8].x
    assert plates[1].x < plates[10].x


@pytest.mark.parametrize("size", [(1, 1), (5, 3), (20, 8)])
def test_a_tiny_terminal_does_no_harm(size):
    canvas = draw_table(TABLE, view_of(sample_state(TABLE), TABLE), Places.of(TABLE, *size), "NO BROKER since 1 s")
    assert (canvas.width, canvas.height) == size
    assert draw_panel(view_of(sample_state(TABLE), TABLE), *size).height == size[1]


def test_the_felt_lies_inside_the_rail():
    styles = {run.style for y in range(25) for run in felt(TABLE, Places.of(TABLE, 83, 25)).row(y)}
    assert {"page/page", "rail/rail", "felt/felt", "inner/inner"} <= styles
    assert "page/felt" not in styles


@pytest.mark.parametrize("size", SIZES)
def test_stack_bet_pot_button_and_seat_to_act_are_in_the_drawing(size):
    text = table_text(sample_state(TABLE), *size)
    for words in ("►7 ", "TO ACT", "6,890", "● 880", "● 120", "● 645", " D ", "due 120", "ALL-IN", "8  empty"):
        assert words in text
    assert "main 400: 3 4 6 7 10" in text


@pytest.mark.parametrize("size", SIZES)
def test_every_bet_of_a_full_table_can_be_read(size):
    bets = {number: 1000 + number for number in range(1, 11)}
    seats = tuple(SeatState(seat=number, stack=1, bet=bet, status="in") for number, bet in bets.items())
    text = table_text(state(seats=seats), *size)
    assert [bet for bet in bets.values() if f"● {bet:,}" not in text] == []


def test_more_notes_than_rows_are_counted_by_a_plus():
    seats = (SeatState(seat=4, stack=5, bet=400, on_felt=300, owes=50, change_due=20, status="in"),)
    assert "!+ owes 50" in table_text(state(seats=seats), 80, 13)


@pytest.mark.parametrize(("stack", "shown"), [(9_999_999, "9999999"), (123_456_789, "~123.5M")])
def test_an_amount_is_never_cut(stack, shown):
    seats = (SeatState(seat=4, stack=stack, owes=stack, status="in"),)
    text = table_text(state(seats=seats, button=4), 80, 13)
    assert f" {shown} " in text
    assert "! owes " in text
    assert "9…" not in text


def test_every_pot_is_listed_in_rows_of_its_own_where_the_table_is_small():
    pots = tuple(f"side {place} {place}00: 1 2 3" for place in range(1, 8))
    text = draw_pots(pots, 80, 3).text
    assert [pot for pot in pots if pot not in text] == []
    assert len(pot_rows(pots, 78)) == 2


def test_the_banner_says_what_is_lost_and_that_the_keys_are_off():
    text = table_text(state(), 80, 13, "NO CONTROLLER since 7 s")
    assert "NO CONTROLLER since 7 s" in text
    assert "The keys are off." in text


@pytest.mark.parametrize(("width", "height"), [(80, 5), (36, 17)])
def test_the_panel_shows_every_amount_large(width, height):
    text = draw_panel(view_of(sample_state(TABLE), TABLE), width, height).text
    for words in ("► SEAT 7  Lindqvist", "TO CALL", "MIN RAISE TO", "MAX RAISE TO", "POT BET", "┏━┓"):
        assert words in text


@pytest.mark.parametrize(("width", "height"), [(80, 5), (36, 17), (20, 5)])
def test_amounts_too_long_for_large_digits_are_still_written(width, height):
    rich = state(call=123_456_789, min_raise_to=234_567_890, max_raise_to=987_654_321, pot_bet=456_789_012)
    text = draw_panel(view_of(rich, TABLE), width + 15, height).text
    for amount in ("123,456,789", "234,567,890", "987,654,321", "456,789,012"):
        assert amount in text


SUM = ("3×880", "+ 765", "+ 520")


def pot_limit(scale=1, **more):
    count = PotLimitCount(
        last_wager=880 * scale, trail=765 * scale, start=520 * scale, call=880 * scale, maximum=3925 * scale
    )
    sizes = {"call": 880 * scale, "min_raise_to": 1640 * scale, "max_raise_to": 3925 * scale, "pot_bet": 3925 * scale}
    return view_of(state(**sizes, pot_count=count, **more), TABLE)


@pytest.mark.parametrize(("width", "height"), [(80, 5), (100, 5), (36, 17)])
@pytest.mark.parametrize("scale", [1, 10, 100, 10_000])
def test_r_150_the_reckoning_stands_with_the_pot_bet_at_every_size(width, height, scale):
    text = draw_panel(pot_limit(scale), width, height).text
    for term in (f"3×{880 * scale:,}", f"+ {765 * scale:,}", f"+ {520 * scale:,}"):
        assert term in text


def test_the_reckoning_stands_under_the_figure_where_there_is_room_and_beside_it_where_not():
    tall = draw_panel(pot_limit(), 36, 17).text.splitlines()
    label = next(y for y, line in enumerate(tall) if "POT BET" in line)
    assert tall[label + 4].strip() == "3×880 + 765 + 520"
    low = draw_panel(pot_limit(), 80, 5).text.splitlines()
    assert low[3].endswith("┗━┓ 3×880 + 765 + 520")


def test_the_reckoning_goes_before_the_announcement():
    shown = draw_panel(pot_limit(announcement="Seat 4: call 880"), 36, 12).text
    assert "3×880 + 765 + 520" in shown
    assert "Seat 4: call" not in shown


def test_an_announcement_that_forbids_a_raise_is_shown_with_its_reason_to_the_end():
    reason = "Seat 4: call 12,500, no raise: there has been no full raise since seat 4 acted"
    closed = {"call": 12_500, "min_raise_to": None, "max_raise_to": None, "pot_bet": None}
    text = " ".join(draw_panel(view_of(state(**closed, announcement=reason), TABLE), 36, 17).text.split())
    assert f"“{reason}”" in text


@pytest.mark.parametrize(("width", "height"), [(80, 5), (76, 5), (36, 17), (70, 17)])
@pytest.mark.parametrize("call", [20, 123_456_789])
def test_tda_47_why_there_is_no_raise_is_never_cut(width, height, call):
    reason = "20 more is less than the full raise of 30 (TDA 47)."
    closed = {"call": call, "min_raise_to": None, "max_raise_to": None, "may": ("call", "fold")}
    shown = draw_panel(view_of(state(**closed, why_no_raise=reason), TABLE), width, height)
    words = "".join(run.text if run.style == "warn" else " " for y in range(height) for run in shown.row(y)).split()
    assert " ".join(words) == f"NO RAISE: {reason}"


@pytest.mark.parametrize(("width", "height"), [(80, 5), (36, 17)])
def test_r_305_how_the_bets_are_taken_in_is_drawn_in_the_order_of_the_work(width, height):
    text = " ".join(draw_panel(view_of(three_pots(), TABLE), width, height).text.split())
    steps = [
        "take in the bets", "main 25 each from 1, 2, 3 and 4", "side 1 25 each from 1, 2 and 4",
        "side 2 50 each from 1 and 4", "back 200 to 4",
    ]  # fmt: skip
    assert [step for step in steps if step not in text] == []
    assert sorted(steps, key=text.index) == steps
    assert "IN THE POT" not in text


def test_many_pots_follow_one_another_where_there_is_no_row_for_each():
    pots = tuple(PotView(amount=100, seats=(9, 10)) for _ in range(6))
    pulls = tuple(PullView(seat=seat, amount=50, pot=pot) for pot in range(6) for seat in (9, 10))
    many = state(to_act=None, phase="round-over", pots=pots, pulls=(*pulls, PullView(seat=9, amount=7, pot=None)))
    text = " ".join(draw_panel(view_of(many, TABLE), 80, 5).text.split())
    assert "main 50 each from 9 and 10; side 1 50 each" in text
    assert text.endswith("side 5 50 each from 9 and 10; back 7 to 9")


@pytest.mark.parametrize("size", [(1, 1), (5, 3), (20, 8)])
def test_a_tiny_panel_takes_in_no_harm(size):
    assert draw_panel(view_of(three_pots(), TABLE), *size).height == size[1]
    assert draw_panel(pot_limit(), *size).height == size[1]


def test_r_307_the_whole_of_what_the_dealer_may_do_is_readable_in_both_layouts():
    seats = (SeatState(seat=1, stack=100, status="in"), SeatState(seat=10, stack=100, status="in"))
    passed = state(phase="round-over", street="predraw", to_act=None, seats=seats, first_next=10)
    for size in ((80, 5), (36, 17)):
        text = " ".join(draw_panel(view_of(passed, TABLE), *size).text.split())
        assert "Round over: D deals the next street, seat 10 opens it; P passes the hand out." in text


@pytest.mark.parametrize("size", SIZES)
def test_r_260_what_an_all_in_seat_can_win_is_on_its_plate_at_every_size(size):
    text = table_text(sample_state(TABLE), *size)
    assert text.count("ALL-IN") == 2
    assert "wins ≤ 400" in text
    assert "1,930" in text or "1930" in text


def test_what_an_all_in_seat_can_win_keeps_its_amount_when_room_is_short():
    seats = (SeatState(seat=4, stack=0, status="all-in", can_win=1_234_567),)
    text = table_text(state(seats=seats, to_act=None, button=4), 80, 13)
    assert "ALL-IN" in text
    assert "≤ 1234567" in text


def test_a_ruling_in_one_row_keeps_its_rule_and_what_goes_back():
    line = RulingLine(
        "4 call 10", ("returned 990",), (), "TDA-44", "A long sentence that cannot fit in what is left of it."
    )
    text = draw_rulings((line,), 60, 3).text
    assert "4 call 10" in text
    assert "returned 990" in text
    assert text.rstrip().endswith("TDA-44")


def test_a_ruling_with_room_has_below_it_what_does_not_fit_beside_it():
    line = RulingLine("4 call 10", (), (), "TDA-44", "One chip and no word is a call.")
    assert "4 call 10  One chip and no word is a call." in draw_rulings((line,), 60, 8).text.splitlines()[0]
    assert draw_rulings((line,), 40, 8).text.splitlines()[1].strip() == "One chip and no word is a call."


def test_in_two_rows_all_acts_of_the_hand_are_seen():
    acts = tuple(RulingLine(what, (), (), "", "") for what in ("4 call 10", "3 fold", "2 fold"))
    assert draw_rulings(acts, 80, 2).text.splitlines() == ["› 4 call 10", "  3 fold · 2 fold"]


def test_sensors_that_do_not_work_come_first():
    lines = (Line("●", "reader-1", "good"), Line("✖", "reader-2 offline", "bad"))
    assert draw_sensors(lines, 40, 3).text.splitlines()[0] == "✖ reader-2 offline"


def test_the_header_tells_a_lost_connection_in_words():
    view = view_of(state(), TABLE)
    assert "● live" in draw_header(view, None, 80).text
    assert "✖ no connection" in draw_header(view, "NO BROKER since 1 s", 80).text


@pytest.mark.parametrize("width", [40, 80, 120])
def test_help_is_always_among_the_keys(width):
    assert draw_keys(footer(state()), width).text.rstrip().endswith("? help")


@pytest.mark.parametrize("palette", [Palette.dark(TABLE), Palette.contrast()], ids=["dark", "contrast"])
def test_every_style_that_is_drawn_has_its_colours(palette):
    view = view_of(sample_state(TABLE), TABLE)
    canvases = [
        draw_table(TABLE, view, Places.of(TABLE, 83, 25), None),
        draw_table(TABLE, view, Places.of(TABLE, 83, 25), "NO BROKER since 1 s"),
        draw_panel(view, 36, 17),
        draw_panel(view_of(three_pots(), TABLE), 36, 17),
        draw_rulings(view.rulings, 80, 10),
        draw_header(view, "x", 120),
        draw_keys(footer(state()), 120),
    ]
    used = {run.style for canvas in canvases for y in range(canvas.height) for run in canvas.row(y)}
    assert used - set(palette.styles()) == set()


@pytest.mark.parametrize("felt_colour", ["#24476b", "#ffffff", "#e8e8a0"])
def test_white_can_be_read_on_any_felt(felt_colour):
    from textual.color import Color

    bright = TABLE.model_copy(update={"felt": TABLE.felt.model_copy(update={"colour": felt_colour})})
    palette = Palette.dark(bright)
    assert Color.parse(palette.text).get_contrast_text(1).hex == "#000000"
    assert contrast(Color.parse(palette.text), Color.parse(palette.inner)) >= 4.5


def contrast(a, b):
    """The ratio of WCAG 2.1, 1.4.3: 4.5 is its minimum for text."""

    def luminance(colour):
        parts = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in colour.normalized]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    light, dark = sorted((luminance(a), luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)

"""The canvas: cells, cutting, and text that comes from strangers."""

import pytest

from table_controller.console.canvas import Canvas, fit, width_of, wrap
from table_controller.console.digits import HEIGHT, large, large_width


def test_text_beyond_the_border_is_cut_off():
    canvas = Canvas(5, 2)
    canvas.put(3, 0, "long", "text")
    canvas.put(-1, 1, "long", "text")
    canvas.put(0, 7, "below", "text")
    assert canvas.text == "   lo\nong"


def test_neighbours_of_one_style_are_one_run():
    canvas = Canvas(6, 1)
    canvas.put(1, 0, "ab", "bold")
    canvas.put(3, 0, "c", "bold")
    assert list(canvas.row(0)) == [(" ", "page"), ("abc", "bold"), ("  ", "page")]


def test_control_characters_cannot_reach_the_terminal():
    canvas = Canvas(12, 1)
    canvas.put(0, 0, "a\x1b[2J\nb", "text")
    assert canvas.text == "a�[2J�b"


def test_a_wide_character_takes_two_cells():
    canvas = Canvas(4, 1)
    canvas.put(0, 0, "王b", "text")
    assert canvas.text == "王b"
    assert [len(run.text) for run in canvas.row(0)] == [2, 1]
    assert width_of("王b") == 3


@pytest.mark.parametrize(
    ("text", "width", "fitted"),
    [("Marguerite", 10, "Marguerite"), ("Marguerite", 5, "Marg…"), ("王王王", 4, "王…"), ("ab", 0, "")],
)
def test_text_is_shortened_to_fit(text, width, fitted):
    assert fit(text, width) == fitted


def test_a_sentence_is_wrapped_and_its_last_line_shortened():
    assert wrap("one two three four", 9, 2) == ["one two", "three fo…"]
    assert wrap("one", 9, 2) == ["one"]
    assert wrap("one", 0, 2) == []


def test_large_digits_are_three_rows_of_one_width():
    rows = large("1,234,567,890—")
    assert len(rows) == HEIGHT
    assert {len(row) for row in rows} == {large_width("1,234,567,890—")}
    assert len({large(digit) for digit in "0123456789"}) == 10

"""Textual's packets and a page's strokes as bytes: whole, in pieces, too long, and none at all."""

from __future__ import annotations

import itertools
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.drivers._byte_stream import ByteStream

from table_controller.web.packets import (
    LONGEST,
    LONGEST_META,
    LONGEST_OPENING,
    OPENING,
    NoPackets,
    Packets,
    Shown,
    Told,
    focused,
    sized,
    typed,
)
from table_controller.web.strokes import MOST_TYPED, Stroke, size_in, stroke_in


def packet(kind: bytes, payload: bytes) -> bytes:
    return kind + len(payload).to_bytes(4, "big") + payload


def read(*pieces: bytes) -> tuple[bytes, list[str]]:
    """What is shown, and what was told, of what came in these pieces."""
    now, shown, told = Packets(), b"", list[str]()
    for piece in pieces:
        now, found = now.fed(piece)
        for one in found:
            match one:
                case Shown(data):
                    shown += data
                case Told(kind):
                    told.append(kind)
    return shown, told


WHOLE = (
    b"warning: something\n" + OPENING + packet(b"D", "Seat 3 · 300".encode()) + packet(b"M", b'{"type": "open_url"}')
    + packet(b"P", b"a file") + packet(b"D", b"") + packet(b"D", b"to call") + packet(b"M", b'{"type": "exit"}')
)  # fmt: skip


def test_a_screen_is_read_and_a_file_is_not() -> None:
    assert read(WHOLE) == ("Seat 3 · 300to call".encode(), ["open_url", "exit"])


@given(st.lists(st.integers(0, len(WHOLE)), max_size=12))
def test_it_does_not_matter_in_which_pieces_it_comes(cuts: list[int]) -> None:
    at = [0, *sorted(cuts), len(WHOLE)]
    assert read(*(WHOLE[a:b] for a, b in itertools.pairwise(at))) == read(WHOLE)


def test_a_piece_of_a_long_screen_is_passed_on_before_the_rest_has_come() -> None:
    now, _ = Packets().fed(OPENING + b"D" + (1_000_000).to_bytes(4, "big"))
    now, found = now.fed(b"x" * 1000)
    assert found == (Shown(b"x" * 1000),)
    assert (now.held, now.left) == (b"", 999_000)


@pytest.mark.parametrize(
    "garbage",
    [
        b"x" * (LONGEST_OPENING + 1),
        OPENING + b"X\0\0\0\1a",
        OPENING + b"D" + (LONGEST + 1).to_bytes(4, "big"),
        OPENING + b"M" + (LONGEST_META + 1).to_bytes(4, "big"),
        OPENING + packet(b"M", b"no JSON"),
        OPENING + packet(b"M", b"[" * 10_000),
        OPENING + packet(b"M", b"\xff\xfe\xfa"),
    ],
)
def test_what_is_not_textuals_is_refused(garbage: bytes) -> None:
    with pytest.raises(NoPackets):
        read(garbage)


@pytest.mark.parametrize("said", [b"[]", b"3", b"{}", b'{"type": 3}'])
def test_what_a_program_says_without_a_type_is_nothing(said: bytes) -> None:
    assert read(OPENING + packet(b"M", said)) == (b"", [""])


@given(st.binary(max_size=200))
def test_no_bytes_make_it_fall(data: bytes) -> None:
    try:
        now, _ = Packets(open=True).fed(data)
    except NoPackets:
        return
    assert len(now.held) < LONGEST_META


def test_textual_reads_what_is_written_here() -> None:
    written = typed("3 ü") + sized(100, 30) + focused(True) + focused(False)
    found = [(one.type, one.payload) for one in ByteStream().feed(written)]  # type: ignore[attr-defined]
    assert found[0] == ("D", "3 ü".encode())
    assert [json.loads(payload) for kind, payload in found[1:] if kind == "M"] == [
        {"type": "resize", "width": 100, "height": 30}, {"type": "focus"}, {"type": "blur"},
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "stroke"),
    [
        ('["typed", "\\u001b[17~"]', Stroke(typed("\x1b[17~"), by_hand=True)),
        ('["size", 100, 30]', Stroke(sized(100, 30), by_hand=False)),
        ('["focus", true]', Stroke(focused(True), by_hand=False)),
    ],
)
def test_what_a_page_says_is_a_packet_for_the_console(text: str, stroke: Stroke) -> None:
    assert stroke_in(text) == stroke


@pytest.mark.parametrize(
    "text",
    [
        "", "x", "{}", "[]", '["typed"]', '["typed", ""]', '["typed", 3]', '["typed", "a", "b"]', '["quit"]',
        '["typed", "\\ud83d"]', json.dumps(["typed", "x" * (MOST_TYPED + 1)]), '["size", 100]', '["size", 19, 30]',
        '["size", 1e9, 30]', '["size", 100, 100000]', '["size", true, true]', '["focus", 1]', "[" * 5000,
        '["deliver_chunk_request", {"key": "a", "size": 9}]',
    ],
)  # fmt: skip
def test_what_a_page_never_says_is_none(text: str) -> None:
    assert stroke_in(text) is None


@pytest.mark.parametrize(
    ("columns", "rows", "size"),
    [
        ("100", "30", (100, 30)), ("19", "30", None), ("401", "30", None), ("100", "", None), ("-100", "30", None),
        ("1e2", "30", None), ("9" * 5000, "30", None), ("²", "30", None), ("100", "201", None),
    ],
)  # fmt: skip
def test_a_size_in_an_address_is_one_that_a_screen_can_have(
    columns: str, rows: str, size: tuple[int, int] | None
) -> None:
    assert size_in(columns, rows) == size

"""What is clicked in dialogs: named keys, rows to choose from, a pad of digits, a keyboard. Each click is a key."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from typing import NamedTuple

from textual.events import Click
from textual.geometry import Size
from typing_extensions import override

from table_controller.console.canvas import Canvas, width_of, wrap
from table_controller.console.hints import key_action, key_named, spots
from table_controller.console.layout import LOW, layout_of
from table_controller.console.snapshot import Snapshot
from table_controller.console.widgets.drawn import Drawn, Fitted

FINGER_ROWS = 3
DIGITS = "1234567890"
_RANKS, _SUITS = "23456789TJQKA", "♠♥♦♣⌫"
_LETTERS = ("1234567890", "qwertyuiop", "asdfghjkl'", "zxcvbnm.,:-")
_SHIFT = "⇧"
_BELOW = (_SHIFT, "⌫", "Space", "Enter", "Esc")
_SMALL = (*_LETTERS, _BELOW)
_CAPITALS = (*(row.upper() for row in _LETTERS), _BELOW)
_LEAST, _AROUND, _TURN = 3, 7, 7
"""Rows of a menu that are always shown; rows that its dialog needs beside them; columns for the keys that turn it."""
_GAP, _REASON = "  ", "   "
_NAMES = {
    "⌫": "backspace", "/": "slash", "'": "apostrophe", ".": "full_stop", ",": "comma", ":": "colon", "-": "minus",
    "♠": "s", "♥": "h", "♦": "d", "♣": "c",
}  # fmt: skip


class KeyHints(Fitted):
    """The keys of a dialog in words; a click on one is that key."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.lines: tuple[str, ...] = ()

    def say(self, lines: Sequence[str]) -> None:
        """Shows these lines."""
        self.lines = tuple(lines)
        self.redraw()

    @override
    def content(self, snapshot: Snapshot) -> object:
        return self.lines

    @property
    def for_fingers(self) -> bool:
        """Whether the screen has room for targets of several rows."""
        return layout_of(*self.screen.size) not in LOW

    @override
    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return sum(self._high(line) for line in self._wrapped(width))

    @override
    def draw(self, snapshot: Snapshot, width: int, height: int) -> Canvas:
        canvas = Canvas(width, height, "surface")
        top = 0
        for line in self._wrapped(width):
            high = self._high(line)
            canvas.put(0, top + high // 2, line, "surface-text")
            for spot in spots(line):
                x, cells = width_of(line[: spot.start]), width_of(line[spot.start : spot.start + spot.length])
                if high > 1:
                    canvas.fill(x, top, cells, high, "button")
                canvas.put(x, top + high // 2, line[spot.start : spot.start + spot.length], "button")
                canvas.answer(x, top, cells, high, key_action(spot.key))
            top += high
        return canvas

    def _wrapped(self, width: int) -> list[str]:
        return [part for line in self.lines for part in wrap(line, max(width, 1), 4)]

    def _high(self, line: str) -> int:
        return FINGER_ROWS if self.for_fingers and spots(line) else 1


class Choice(NamedTuple):
    """A row to choose: its key and words, why it is not possible now, and other keys that its words name."""

    key: str
    words: str
    closed: str = ""
    named: tuple[str, ...] = ()

    def lines(self, width: int) -> list[str]:
        """The row whole, on as many lines as that takes; the reason begins a line where it has no room beside it."""
        row = f"{self.key}{_GAP}{self.words}"
        reason = f"✖ {self.closed}" if self.closed else ""
        beside = f"{row}{_REASON}{reason}"
        if reason and width_of(beside) <= width:
            return [beside]
        return [*_hung(row, width), *(_hung(_GAP + " " + reason, width) if reason else ())]


def _hung(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, max(width, _LEAST), subsequent_indent=_GAP + " ", drop_whitespace=True) or [""]


class Choices(Drawn):
    """Rows of which a key or a click chooses one, none of them cut; those that have no room come after PgDn."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._choices: tuple[Choice, ...] = ()
        self._top = self._shown = 0

    def offer(self, choices: Sequence[Choice]) -> None:
        """Shows these rows, from the first one on where they are others than before."""
        if [one.words for one in choices] != [one.words for one in self._choices]:
            self._top = 0
        self._choices = tuple(choices)
        self.redraw()
        self.refresh(layout=True)

    def turn(self, pages: int) -> None:
        """To the rows that have no room, or back."""
        self.scroll_rows(pages * self._shown)

    def scroll_rows(self, rows: int) -> None:
        """So many rows further down, or up again."""
        laid, room = self._laid(self.size.width), self._room
        last = len(laid)
        while last and sum(map(len, laid[last - 1 :])) <= room:
            last -= 1
        self._top = max(0, min(self._top + rows, last))
        self.redraw()

    @property
    def _room(self) -> int:
        """So many lines does the screen leave beside title, problem, hint, questions and border."""
        asked = self.screen.query_one(OpenQuestions)
        around = _AROUND if layout_of(*self.screen.size) in LOW else _AROUND + FINGER_ROWS
        return max(_LEAST, self.screen.size.height - around - (asked.size.height if asked.display else 0))

    def _laid(self, width: int) -> list[list[str]]:
        """The lines of each row; where not all have room, beside the keys that turn the page."""
        whole = [choice.lines(width) for choice in self._choices]
        if sum(map(len, whole)) <= self._room:
            return whole
        return [choice.lines(width - _TURN) for choice in self._choices]

    @override
    def content(self, snapshot: Snapshot) -> object:
        return self._choices

    @override
    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return min(sum(map(len, self._laid(width))), self._room)

    @override
    def draw(self, snapshot: Snapshot, width: int, height: int) -> Canvas:
        canvas = Canvas(width, height, "surface")
        laid = self._laid(width)
        y, place = 0, self._top
        while place < len(laid) and y + len(laid[place]) <= height:
            self._draw_row(canvas, y, self._choices[place], laid[place])
            y, place = y + len(laid[place]), place + 1
        self._shown = place - self._top
        if self._top:
            canvas.right(0, "PgUp ▲", "button")
            canvas.answer(width - 6, 0, 6, 1, key_action("pageup"))
        if place < len(laid):
            canvas.right(height - 1, "PgDn ▼", "button")
            canvas.answer(width - 6, height - 1, 6, 1, key_action("pagedown"))
        return canvas

    @staticmethod
    def _draw_row(canvas: Canvas, top: int, choice: Choice, lines: Sequence[str]) -> None:
        key = key_named(choice.key)
        for y, line in enumerate(lines, top):
            canvas.put(0, y, line, "surface-dim" if choice.closed else "surface-text")
            if key is not None:
                canvas.answer(0, y, canvas.width, 1, key_action(key))
            for named in choice.named:
                if (word := re.search(rf"(?<= ){named} [^·]*[^· ]", line)) is not None:
                    canvas.put(width_of(line[: word.start()]), y, word[0], "button")
                    canvas.answer(width_of(line[: word.start()]), y, width_of(word[0]), 1, key_action(named))


class Keyboard(Drawn):
    """Rows of keys to click, each as wide as the row has room for."""

    def __init__(self, rows: Sequence[Sequence[str]]) -> None:
        super().__init__()
        self._rows = rows

    @property
    def rows(self) -> Sequence[Sequence[str]]:
        """What is printed on the keys."""
        return self._rows

    @override
    def content(self, snapshot: Snapshot) -> object:
        return None

    @property
    def _high(self) -> int:
        room = self.screen.size.height - 14
        return 1 if layout_of(*self.screen.size) in LOW else max(1, min(FINGER_ROWS, room // len(self.rows)))

    @override
    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return self._high * len(self.rows)

    @override
    def draw(self, snapshot: Snapshot, width: int, height: int) -> Canvas:
        canvas = Canvas(width, height, "surface")
        high = self._high
        for place, row in enumerate(self.rows):
            share = width / len(row)
            for column, printed in enumerate(row):
                left, right = round(column * share), round((column + 1) * share) - 1
                canvas.fill(left, place * high, right - left, high - (high > 1), "button")
                canvas.centre(place * high + (high - (high > 1)) // 2, printed, "button-key", middle=(left + right) / 2)
                canvas.answer(left, place * high, right - left, high, self.action_of(printed))
        return canvas

    def action_of(self, printed: str) -> str:
        """What a click on a key asks for."""
        return key_action(_NAMES.get(printed) or key_named(printed) or printed)


class DigitPad(Keyboard):
    """Digits to click, in one row or where there is room in four; ``extra`` keys stand beside the 0."""

    def __init__(self, extra: str = "") -> None:
        self._extra = extra
        super().__init__(())

    @property
    @override
    def rows(self) -> Sequence[Sequence[str]]:
        if layout_of(*self.screen.size) in LOW:
            return (DIGITS + self._extra,)
        return "123", "456", "789", f"{self._extra[:1]}0{self._extra[1:]}"


class LetterPad(Keyboard):
    """Letters to click, a capital after ⇧; shown where the dialog was opened by a click, or once it is clicked."""

    def __init__(self) -> None:
        super().__init__(_SMALL)

    @override
    async def on_click(self, click: Click) -> None:
        """⇧ is no key of the dialog: it changes what the next click on a letter is."""
        if self._canvas.action_at(click.x, click.y) != _SHIFT:
            self._show(_SMALL)
            return
        click.prevent_default()
        click.stop()
        self._show(_SMALL if self.rows is _CAPITALS else _CAPITALS)

    @override
    def action_of(self, printed: str) -> str:
        if printed == _SHIFT:
            return _SHIFT
        return key_action(printed) if len(printed) == 1 and printed.isalpha() else super().action_of(printed)

    def _show(self, rows: Sequence[Sequence[str]]) -> None:
        self._rows = rows
        self.redraw()


class CardPad(Keyboard):
    """Ranks and suits to click."""

    def __init__(self) -> None:
        super().__init__((_RANKS, _SUITS))


class OpenQuestions(Fitted):
    """The questions that a dialog would cover, but for the one that it asks itself."""

    def __init__(self, *, id: str | None = None, own: str = "") -> None:
        super().__init__(id=id)
        self._own = own

    @property
    def _questions(self) -> tuple[tuple[str, str], ...]:
        asked = self.snapshot.view.questions if self.snapshot is not None else ()
        return tuple(one for one in asked if one[0] != self._own)

    @property
    def asks(self) -> bool:
        """Whether any question is open."""
        return bool(self._questions)

    @override
    def content(self, snapshot: Snapshot) -> object:
        return snapshot.view.questions

    @override
    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self._lines(width))

    @override
    def draw(self, snapshot: Snapshot, width: int, height: int) -> Canvas:
        canvas = Canvas(width, height, "question")
        for y, line in enumerate(self._lines(width)):
            canvas.put(0, y, line, "question")
        return canvas

    def _lines(self, width: int) -> list[str]:
        asked = [
            f"? {sentence} Esc, then {answers}" if " = " in answers else f"? {sentence} {answers}"
            for sentence, answers in self._questions
        ]
        return [line for one in asked for line in wrap(one, max(width, 1), 3)]

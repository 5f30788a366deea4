"""The screen: answers by keys, the explanation, the score, and one stored picture of each state."""

import os
import pty
import select
import signal
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from betline.options import UserError
from table_controller.training import picture
from table_controller.training.screen.app import Felt, Sheet, TrainApp

DOCUMENTS = Path(__file__).parents[3] / "docs" / "train"


@pytest.fixture(autouse=True)
def colours(monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("COLORTERM", "truecolor")


def sheet(app: TrainApp) -> str:
    widget = app.query_one(Sheet)
    return widget.paint(app.shown, *widget.size).text


async def answer(pilot, key: str) -> None:
    for pressed in picture.keys_for(pilot.app, key):
        await pilot.press(pressed)
    await pilot.pause()


async def test_a_sitting_is_answered_by_keys_to_its_end() -> None:
    app = picture.sample()
    kept: list[int] = []
    app._keep = lambda cards: kept.append(len(cards))
    async with app.run_test(size=(80, 24)) as pilot:
        await answer(pilot, "wrong")
        assert "✖ Wrong. The answer: a call." in sheet(app)
        assert "TDA 44" in sheet(app)
        assert not app.query_one(Felt).display
        await answer(pilot, "enter")
        assert app.query_one(Felt).display
        await answer(pilot, "right")
        assert "✓ Right: 600." in sheet(app)
        await pilot.press("enter", "enter")  # what is told is left once, and nothing is answered by it
        assert "Who can win side pot 2?" in sheet(app)
        await answer(pilot, "right")
        await answer(pilot, "enter")
        assert "How do you rule it?" in sheet(app)  # what was missed comes back
        await answer(pilot, "right")
        await answer(pilot, "enter")
        assert "2 of 3 right at the first try" in sheet(app)
        assert kept == [1, 2, 3, 3]
        await answer(pilot, "enter")
        assert app.shown.sitting.asked == 0
        await pilot.press("q")
    assert app.return_value == 0


async def test_an_amount_is_typed_digit_by_digit() -> None:
    app = picture.sample(names=(picture.QUESTIONS[1],))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("enter")
        assert "Type an amount in digits." in sheet(app)
        await pilot.press("7", "0", "backspace", "0", "x", "0")
        assert "Amount: 700▏" in sheet(app)
        await pilot.press("enter")
        assert "Wrong. The answer: 600. Not 700." in sheet(app)


@pytest.mark.nightly
async def test_what_is_too_long_is_scrolled() -> None:
    app = picture.sample(names=(picture.QUESTIONS[1],))
    async with app.run_test(size=(80, 24)) as pilot:
        await answer(pilot, "right")
        assert "↓ more" in sheet(app)
        assert "It is a raise. To how much?" not in sheet(app)
        await pilot.press("pagedown", "pagedown")
        assert "It is a raise. To how much?" in sheet(app)
        await pilot.press("pageup", "pageup")
        assert sheet(app).startswith(" ✓ Right")


@pytest.mark.nightly
async def test_a_record_that_cannot_be_written_is_said_on_the_screen() -> None:
    app = picture.sample(names=(picture.QUESTIONS[0],))

    def full(_: object) -> None:
        raise UserError("the disk is full: this sitting is not kept.", 1)

    app._keep = full
    async with app.run_test(size=(120, 40)) as pilot:
        await answer(pilot, "right")
        assert "the disk is full: this sitting is not kept." in sheet(app)


@pytest.mark.one_in(6)
@pytest.mark.parametrize("name", picture.SHOTS)
async def test_the_pictures_of_the_documents_are_the_screen_of_today(name: str) -> None:
    stored = (DOCUMENTS / f"{name}.svg").read_text(encoding="utf-8")

    assert stored == await picture.picture(picture.SHOTS[name])


@pytest.mark.one_in(6)
@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=["narrow", "wide"])
@pytest.mark.parametrize("keys", [(), ("1",), ("f1",)], ids=["question", "answer", "help"])
def test_screen(snap_compare, size, keys) -> None:
    assert snap_compare(picture.sample(), press=keys, terminal_size=size)


async def test_sigterm_leaves_an_answer_as_the_key_does() -> None:
    before = signal.signal(signal.SIGTERM, lambda *_: None)  # else a fault would end the tests
    app = picture.sample()
    try:
        async with app.run_test(size=(80, 24)) as pilot:
            await answer(pilot, "wrong")
            os.kill(os.getpid(), signal.SIGTERM)
            for _ in range(20):
                await pilot.pause(0.01)
            assert app._exit
            assert app.return_value == 0
    finally:
        signal.signal(signal.SIGTERM, before)


@pytest.mark.nightly
def test_sigterm_puts_the_terminal_right(tmp_path: Path) -> None:
    outer, inner = pty.openpty()
    before, shown = termios.tcgetattr(inner), b""
    line = [sys.executable, "-m", "betline", "train", "--seed", "7"]
    environment = {**os.environ, "HOME": str(tmp_path), "TERM": "xterm-256color"}
    with subprocess.Popen(line, stdin=inner, stdout=inner, stderr=inner, env=environment) as trained:
        while b"\x1b[?1049h" not in shown and trained.poll() is None:
            shown += os.read(outer, 65536)
        os.write(outer, b"1")
        shown += os.read(outer, 65536)
        trained.terminate()
        while trained.poll() is None:
            if select.select([outer], [], [], 0.05)[0]:
                shown += os.read(outer, 65536)
    while select.select([outer], [], [], 0.05)[0]:
        shown += os.read(outer, 65536)
    assert trained.returncode == 0
    assert termios.tcgetattr(inner) == before
    assert shown.rfind(b"\x1b[?1049l") > shown.rfind(b"\x1b[?1049h") >= 0
    os.close(inner)
    os.close(outer)

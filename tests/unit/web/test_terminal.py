"""The program behind a console's page: what it is started with, and that it ends with all that it has started."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import textwrap
import time
from pathlib import Path

import psutil
import pytest

from betline.supervise import child_line
from table_controller.web import terminal
from table_controller.web.packets import NoPackets, sized, typed
from table_controller.web.terminal import DRIVER, Terminal, environment

OPENS = r'import sys, os; w = os.write; w(1, b"__GANGLION__\n")'
WAIT_S = 20.0


def says(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    """In place of the console: a program of these lines, which has opened the packets."""
    program = "\n".join((OPENS, *map(textwrap.dedent, lines)))
    monkeypatch.setattr(terminal, "child_line", lambda words: [sys.executable, "-c", program, *words])


async def all_of(console: Terminal) -> bytes:
    return b"".join([piece async for piece in console.shown()])


async def gone(pid: int) -> bool:
    """Whether a process ends soon."""
    deadline_s = time.monotonic() + WAIT_S
    while time.monotonic() < deadline_s:
        with contextlib.suppress(psutil.NoSuchProcess):
            if psutil.Process(pid).status() != psutil.STATUS_ZOMBIE:
                await asyncio.sleep(0.02)
                continue
        return True
    return False


async def test_it_is_started_on_a_screen_and_takes_what_is_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    says(
        monkeypatch,
        """
        def show(b): w(1, b"D" + len(b).to_bytes(4, "big") + b)
        show(" ".join(os.environ[name] for name in ("TEXTUAL_DRIVER", "COLUMNS", "ROWS")).encode())
        show(" ".join(("", *sys.argv[1:])).encode())
        show(os.read(0, 100))
        w(1, b"M" + (16).to_bytes(4, "big") + b'{"type": "exit"}')
        """,
    )
    console = await Terminal.start(("console", "--table", "home-six"), 100, 30)
    assert await console.give(typed("f"))
    assert await all_of(console) == f"{DRIVER} 100 30 console --table home-six".encode() + typed("f")
    await console.end()
    assert not await console.give(sized(100, 30))


async def test_it_ends_with_all_that_it_has_started_though_it_does_not_want_to(monkeypatch: pytest.MonkeyPatch) -> None:
    says(
        monkeypatch,
        """
        import signal, subprocess
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        deaf = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(flush=True); time.sleep(600)"
        child = subprocess.Popen([sys.executable, "-c", deaf], stdout=subprocess.PIPE)
        child.stdout.readline()
        b = str(child.pid).encode()
        w(1, b"D" + len(b).to_bytes(4, "big") + b)
        signal.pause()
        """,
    )
    console = await Terminal.start((), 100, 30)
    child = int(await anext(aiter(console.shown())))
    began_s = time.monotonic()
    await console.end()
    assert terminal.ENDS_S <= time.monotonic() - began_s < terminal.ENDS_S + WAIT_S
    assert await gone(console.pid)
    assert await gone(child)


async def test_one_that_waits_for_its_reader_still_ends_in_order(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    mark = tmp_path / "ended"
    says(
        monkeypatch,
        f"""
        import signal
        def end(*_): open({str(mark)!r}, "w").close(); os._exit(0)
        signal.signal(signal.SIGTERM, end)
        b = b"x" * 4_000_000
        w(1, b"D" + len(b).to_bytes(4, "big") + b)
        """,
    )
    console = await Terminal.start((), 100, 30)
    await anext(aiter(console.shown()))
    await console.end()
    assert mark.exists()


async def test_what_nobody_reads_stays_in_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    says(
        monkeypatch,
        """
        b, done = b"x" * 30_000, 0
        while True:
            w(1, b"D" + len(b).to_bytes(4, "big") + b); done += 1
            w(2, (str(done) + chr(10)).encode())
        """,
    )
    console = await Terminal.start((), 100, 30)
    await anext(aiter(console.shown()))
    last, now = b"", b"1"
    while last != now:
        last, now = now, console._words[-8:]
        await asyncio.sleep(0.3)
    written = int(now.split()[-1])
    await console.end()
    assert written * 30_000 < 500_000


async def test_addresses_and_files_that_it_wants_to_open_are_kept_back(monkeypatch: pytest.MonkeyPatch) -> None:
    says(
        monkeypatch,
        """
        def tell(b): w(1, b"M" + len(b).to_bytes(4, "big") + b)
        for i in range(30): tell(b'{"type": "open_url", "url": "http://elsewhere.example"}')
        tell(b'{"type": "deliver_file_start", "key": "k"}')
        w(1, b"P" + (6).to_bytes(4, "big") + b"secret")
        w(1, b"D" + (4).to_bytes(4, "big") + b"shown"[:4])
        """,
    )
    console = await Terminal.start((), 100, 30)
    assert await all_of(console) == b"show"
    await console.end()
    assert console.refused == ["open_url"] * 9 + ["deliver_file_start"]


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (b"Traceback of ours\nbetline: The broker does not answer.\n", "The broker does not answer."),
        (b"Traceback of ours\n/home/ann/secret.toml\n", ""),
        (b"", ""),
    ],
)
async def test_its_last_sentence_is_kept_and_nothing_else(
    monkeypatch: pytest.MonkeyPatch, said: bytes, words: str
) -> None:
    says(monkeypatch, f"w(2, {said!r})")
    console = await Terminal.start((), 100, 30)
    assert await all_of(console) == b""
    assert await console.last_words() == words
    await console.end()


async def test_what_is_no_console_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    says(monkeypatch, 'w(1, b"usage: nothing of the kind")')
    console = await Terminal.start((), 100, 30)
    with pytest.raises(NoPackets):
        await all_of(console)
    await console.end()


async def test_the_real_console_says_in_a_sentence_what_it_cannot_do() -> None:
    console = await Terminal.start(("console", "--table", "no-such-table"), 100, 30)
    assert await all_of(console) == b""
    assert "no-such-table" in await console.last_words()
    await console.end()


def test_its_command_line_is_the_servers_own_words_and_its_environment_the_servers() -> None:
    words = child_line(("console", "--table", "home-six"))
    assert words[1:] == ["-m", "betline.supervise", str(os.getpid()), "console", "--table", "home-six"]
    made = environment({"PATH": "/bin", "TEXTUAL": "debug,devtools", "TEXTUAL_LOG": "/tmp/log"}, 100, 30)
    assert made == {
        "PATH": "/bin",
        "TERM": "xterm-256color",
        "TEXTUAL_DRIVER": DRIVER,
        "TEXTUAL_COLOR_SYSTEM": "truecolor",
        "COLUMNS": "100",
        "ROWS": "30",
    }

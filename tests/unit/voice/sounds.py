"""Sound for the tests of this folder: tones, how loud a clip is, programs in the place of players, a speech server."""

from __future__ import annotations

import array
import json
import math
import shutil
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from betline.options import Address
from table_controller.voice.clip import Clip

RATE_HZ = 22_050
needs_espeak = pytest.mark.skipif(
    shutil.which("espeak-ng") is None, reason="espeak-ng is not installed (apt install espeak-ng): no sound to measure"
)


def tone(seconds: float = 0.1, loudness: int = 8000) -> Clip:
    """A hum."""
    samples = array.array("h", (int(loudness * math.sin(i / 8)) for i in range(int(seconds * RATE_HZ))))
    return Clip(RATE_HZ, 1, samples.tobytes())


def loudness(clip: Clip) -> float:
    """The root mean square of its samples; 32,767 is the most there can be."""
    samples = array.array("h", clip.pcm)
    return math.sqrt(sum(one * one for one in samples) / max(1, len(samples)))


def fake_player(folder: Path, name: str, body: str) -> None:
    """A program of that name which runs some lines of Python; `data` is what it was given to play."""
    path = folder / name
    path.write_text(f"#!{sys.executable}\nimport sys, time, os\ndata = sys.stdin.buffer.read()\n{body}\n")
    path.chmod(0o755)


def recorder(folder: Path, name: str = "aplay") -> Callable[[], list[bytes]]:
    """A player that keeps what it plays; gives the sounds in their order, each once it is whole."""
    kept = folder / "played"
    kept.mkdir()
    keep = f"""path = os.path.join({str(kept)!r}, f'{{time.monotonic_ns():020d}}')
with open(path + '.part', 'wb') as file:
    file.write(data)
os.rename(path + '.part', path)"""
    fake_player(folder, name, keep)
    return lambda: [path.read_bytes() for path in sorted(kept.iterdir()) if path.suffix != ".part"]


def message(kind: str, data: dict[str, Any] | None = None, payload: bytes = b"", *, inline: bool = False) -> bytes:
    """The bytes of a Wyoming message as the servers of Home Assistant write them."""
    header: dict[str, Any] = {"type": kind, "version": "1.7.2"}
    more = b""
    if data and inline:
        header["data"] = data
    elif data:
        more = json.dumps(data, ensure_ascii=False).encode()
        header["data_length"] = len(more)
    if payload:
        header["payload_length"] = len(payload)
    return json.dumps(header).encode() + b"\n" + more + payload


def info(*voices: tuple[str, str]) -> bytes:
    """What a Piper server says that it can do."""
    listed = [
        {"name": name, "languages": [language], "installed": True, "attribution": {"name": "rhasspy", "url": ""}}
        for name, language in voices
    ]
    return message("info", {"asr": [], "tts": [{"name": "piper", "installed": True, "voices": listed}]})


def spoken(clip: Clip, pieces: int = 3) -> bytes:
    """A clip as a server sends it."""
    form = {"rate": clip.rate_hz, "width": 2, "channels": clip.channels}
    step = len(clip.pcm) // pieces // 2 * 2
    cut = [clip.pcm[at : at + step] for at in range(0, len(clip.pcm), step)]
    chunks = b"".join(message("audio-chunk", {**form, "timestamp": 0}, piece) for piece in cut)
    return message("audio-start", form) + chunks + message("audio-stop", {"timestamp": 0})


@contextmanager
def server(*answers: bytes) -> Iterator[tuple[Address, list[dict[str, Any]]]]:
    """A speech server that gives these answers in turn, whoever asks; with all that it was asked."""
    asked: list[dict[str, Any]] = []
    left = list(answers)
    listening = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        while left:
            try:
                line, _ = listening.accept()
            except OSError:
                return
            with line, line.makefile("rb") as file:
                while left and (header := file.readline()):
                    request = json.loads(header)
                    request["data"] = json.loads(file.read(request.get("data_length", 0)) or b"{}")
                    asked.append(request)
                    line.sendall(left.pop(0))

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield Address("127.0.0.1", listening.getsockname()[1]), asked
    finally:
        listening.shutdown(socket.SHUT_RDWR)
        listening.close()
        thread.join(2)

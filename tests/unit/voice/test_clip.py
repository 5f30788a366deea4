"""WAV files, also those that were written to a pipe and bear no true lengths."""

import struct

import pytest

from table_controller.voice.clip import Clip, SpeechError, from_wav
from tests.unit.voice.sounds import tone

PIPED = 0x7FFF_F000


def wav(pcm: bytes, length: int | None = None, form: tuple[int, ...] = (1, 1, 22_050, 44_100, 2, 16)) -> bytes:
    size = len(pcm) if length is None else length
    return b"".join(
        (
            struct.pack("<4sI4s", b"RIFF", size + 36, b"WAVE"),
            struct.pack("<4sIHHIIHH", b"fmt ", 16, *form),
            struct.pack("<4sI", b"LIST", 3) + b"abc\0",
            struct.pack("<4sI", b"data", size) + pcm,
        )
    )


def test_a_clip_is_the_same_after_a_file() -> None:
    clip = tone()
    assert from_wav(clip.to_wav()) == clip
    assert clip.seconds == pytest.approx(0.1, abs=0.001)


def test_a_file_from_a_pipe_ends_where_its_bytes_end() -> None:
    assert from_wav(wav(b"\1\0" * 100, PIPED)) == Clip(22_050, 1, b"\1\0" * 100)


def test_half_a_sample_at_the_end_is_left_out() -> None:
    assert from_wav(wav(b"\1\0\2", PIPED)).pcm == b"\1\0"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"RIFF",
        b"no sound at all, but some text",
        wav(b"\1\0")[:30],
        wav(b"\1\0", form=(1, 1, 22_050, 22_050, 1, 8)),
        wav(b"\1\0", form=(3, 1, 22_050, 88_200, 4, 32)),
        wav(b"\1\0", form=(1, 0, 22_050, 44_100, 2, 16)),
        b"RIFF\0\0\0\0WAVEdata\2\0\0\0ab",
    ],
)
def test_what_is_no_sound_is_refused_in_one_sentence(data: bytes) -> None:
    with pytest.raises(SpeechError, match=r"^The speech program .*\.$"):
        from_wav(data)

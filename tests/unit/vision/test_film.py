"""A film on disk: what is written, by whom it can be read, how it ends, and what is refused."""

import contextlib
import json
import os
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from betline.broker import free_port
from betline.bus import MemoryBus, MemoryHub
from betline.front_door import run
from betline.joining import BrokerChoice
from betline.options import DONE, FAILED
from betline.settings import load_table
from betline.topics import Namespace
from betline.units import NS_PER_MS
from tests.unit.vision.filming import STEP_NS, filmed, hand_over, learn
from tests.unit.vision.scene import Painter, Scene
from vision.cli import _film
from vision.detect.detector import make_detector
from vision.film import keeper as keeping
from vision.film.keeper import RESERVE_BYTES, FilmKeeper, refuse_if_full
from vision.film.labels import Label, Mark, read_labels, truth_lines, write_labels
from vision.film.record import BesideTheTable, film_camera, head_of
from vision.film.store import FilmError, open_film
from vision.imaging.encoded import decode
from vision.imaging.sources import Frame
from vision.service.service import VisionService


@pytest.fixture
def painter() -> Painter:
    return Painter()


def pictures(painter: Painter, count: int) -> list[tuple[Any, int, int]]:
    return [(painter.paint(Scene()), at * STEP_NS, at + 1) for at in range(count)]


def test_each_picture_has_the_time_at_which_it_was_taken(tmp_path: Path, painter: Painter) -> None:
    shown = [one for one in pictures(painter, 8) if one[2] not in (3, 4)]  # two were lost

    filmed(tmp_path / "film", shown)
    film = open_film(tmp_path / "film")

    assert [frame.number for frame in film.frames] == [0, 1, 2, 5, 6, 7, 8]
    assert [frame.t_ms for frame in film.frames] == [0, *((t + STEP_NS) / NS_PER_MS for _, t, _ in shown)]
    assert film.whole
    picture = decode(film.jpeg(film.frames[3]))
    assert picture is not None
    assert picture.shape == shown[2][0].shape


def test_only_its_owner_can_read_a_film(tmp_path: Path, painter: Painter) -> None:
    filmed(tmp_path / "film", pictures(painter, 3))
    film = open_film(tmp_path / "film")
    write_labels(film.folder, read_labels(film.folder, film.head.id))

    assert stat.S_IMODE(film.folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in film.folder.iterdir()} == {0o600}


def test_no_file_ever_has_what_lies_beyond_the_rail(
    tmp_path: Path, painter: Painter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every write of the program is looked at, temporary files too: each JPEG in them is black in the corner."""
    written: list[bytes] = []
    write = os.write
    monkeypatch.setattr(os, "write", lambda handle, data: written.append(bytes(data)) or write(handle, data))
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    shown = [(picture.copy(), t, n) for picture, t, n in pictures(painter, 4)]
    for picture, _, _ in shown:
        picture[:40, :40] = np.random.default_rng(1).integers(0, 255, (40, 40, 3), np.uint8)

    filmed(tmp_path / "film", shown)

    jpegs = [decode(data) for data in written if data.startswith(b"\xff\xd8")]
    assert len(jpegs) == 5
    assert all(one is not None and one[:32, :32].max() < 8 for one in jpegs)
    assert list((tmp_path / "temporary").iterdir()) == []


def test_a_film_ends_after_its_time(tmp_path: Path, painter: Painter) -> None:
    keeper = filmed(tmp_path / "film", pictures(painter, 12), seconds=0.2)

    assert keeper.why == "The film is as long as it was to be."
    assert open_film(tmp_path / "film").length_ms < 200


@pytest.mark.nightly
def test_a_film_ends_before_the_disk_is_full_and_keeps_what_it_has(tmp_path: Path, painter: Painter) -> None:
    free = iter([RESERVE_BYTES + 10, RESERVE_BYTES - 1])
    keeper = FilmKeeper(tmp_path / "film", head_of(painter.table, None, {}), 60, free=lambda: next(free))
    learn(keeper, painter.paint(Scene()))
    for picture, t_ns, number in pictures(painter, keeping.LOOK_EVERY + 5):
        hand_over(keeper, picture, t_ns, number)
    keeper.close()

    assert "nearly full" in keeper.why
    assert len(open_film(tmp_path / "film").frames) == keeping.LOOK_EVERY


def test_a_disk_that_refuses_ends_the_film_with_a_sentence(
    tmp_path: Path, painter: Painter, monkeypatch: pytest.MonkeyPatch
) -> None:
    keeper = FilmKeeper(tmp_path / "film", head_of(painter.table, None, {}), 60)
    learn(keeper, painter.paint(Scene()))
    shown = pictures(painter, 4)
    hand_over(keeper, *shown[0])

    def full(handle: int, data: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    for one in shown[1:]:
        hand_over(keeper, *one)
    keeper.close()
    monkeypatch.undo()

    assert keeper.why == "The film has ended: the disk takes no more (No space left on device)."
    assert len(open_film(tmp_path / "film").frames) == 2


def test_an_hour_that_does_not_fit_is_refused_with_the_minutes_that_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    camera = load_table().cameras[0]
    usage = type("Usage", (), {"free": 3_000_000_000})
    monkeypatch.setattr(keeping.shutil, "disk_usage", lambda _: usage)

    with pytest.raises(FilmError, match=r"takes some 12\.9 GB.* 2\.0 GB for it.*--minutes 9\b"):
        refuse_if_full(camera, 30, 3600, tmp_path / "new")
    assert refuse_if_full(camera, 15, 540, tmp_path / "new").fits


_KILLED = """
import sys, time
from pathlib import Path
from tests.unit.vision.filming import hand_over, learn, STEP_NS
from tests.unit.vision.scene import Painter, Scene
from vision.film.keeper import FilmKeeper
from vision.film.record import head_of
painter = Painter()
keeper = FilmKeeper(Path(sys.argv[1]), head_of(painter.table, None, {}), 60)
picture = painter.paint(Scene())
learn(keeper, picture)
for at in range(100000):
    hand_over(keeper, picture, at * STEP_NS, at + 1)
    print(at, flush=True)
"""


@pytest.mark.nightly
def test_a_film_whose_program_was_killed_can_be_read(tmp_path: Path) -> None:
    folder = tmp_path / "film"
    program = subprocess.Popen(
        [sys.executable, "-c", _KILLED, str(folder)], stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[3]
    )
    assert program.stdout is not None
    for line in program.stdout:
        if int(line) >= 5:
            break
    program.kill()
    program.wait()
    program.stdout.close()

    film = open_film(folder)

    assert not film.whole
    assert len(film.frames) >= 6
    assert all(decode(film.jpeg(frame)) is not None for frame in film.frames)


def test_a_line_and_a_picture_that_were_cut_off_are_left_out(tmp_path: Path, painter: Painter) -> None:
    filmed(tmp_path / "film", pictures(painter, 5))
    lines, part = tmp_path / "film" / "frames.jsonl", tmp_path / "film" / "part-000.mjpeg"
    whole = lines.read_bytes()
    lines.write_bytes(whole[:-9])
    assert len(open_film(tmp_path / "film").frames) == 5

    lines.write_bytes(whole)
    part.write_bytes(part.read_bytes()[:-100])
    assert len(open_film(tmp_path / "film").frames) == 5


def test_a_folder_that_is_not_empty_is_not_filmed_into(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear")

    with pytest.raises(FilmError, match="is not empty: name a new folder"):
        FilmKeeper(tmp_path, head_of(load_table(), None, {}), 60)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[]", "is no film"),
        ("{", "cannot be read"),
        ('{"film": "holiday"}', "is no film"),
        ('{"film": "betline film", "version": 9}', "film of version 9, this Betline reads 1"),
        ('{"film": "betline film", "version": 1}', "cannot be used"),
    ],
)
def test_what_is_no_film_is_refused_with_a_sentence(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "film.json").write_text(text)

    with pytest.raises(FilmError, match=said):
        open_film(tmp_path)


def test_a_films_head_has_no_address_no_reader_and_no_login(tmp_path: Path, painter: Painter) -> None:
    camera = painter.table.cameras[0].model_copy(update={"source": "rtsp://anna:secret@10.1.2.3/live"})
    table = painter.table.model_copy(update={"cameras": (camera,)})
    assert table.readers

    filmed(tmp_path / "film", pictures(painter, 2), table)

    text = (tmp_path / "film" / "film.json").read_text()
    assert "secret" not in text
    assert "10.1.2.3" not in text
    assert open_film(tmp_path / "film").head.table.readers == ()
    assert not any(reader.port in text for reader in table.readers)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"labels": "betline film labels", "version": 0, "film": "x"}', "has version 0, this Betline reads 1"),
        ("{", "cannot be read"),
        ('{"labels": "betline film labels", "version": 1, "film": "x"}', "belongs to another film"),
        ('{"labels": "betline film labels", "version": 1, "film": "f", "clips": [{}]}', "cannot be used"),
    ],
)
def test_labels_of_another_version_or_film_are_refused(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "labels.json").write_text(text)

    with pytest.raises(FilmError, match=said):
        read_labels(tmp_path, "f")


def test_a_string_is_a_motion_of_the_bet_before_it() -> None:
    marks = (
        Mark(t_ms=100, seat=4, what="bet"),
        Mark(t_ms=900, seat=4, what="string"),
        Mark(t_ms=950, seat=5, what="bet"),
    )
    clip = Label(from_ms=0, to_ms=1000, kind="act", answer="acts", marks=marks)

    lines = [(line["event"], line["seat"], line["motions"]) for line in truth_lines([clip])]

    assert lines == [("bet_settled", 4, 2), ("string_suspect", 4, 0), ("bet_settled", 5, 1)]


class Silent:
    """A camera that another program has."""

    dropped, ended, problem = 0, False, "The camera gives no pictures: usb:0 cannot be opened."

    def read(self, timeout_s: float) -> Frame | None:
        time.sleep(0.001)
        return None

    def close(self) -> None:
        """Nothing is held."""


def test_a_camera_that_another_program_has_is_named_with_the_way_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vision.film.record.SILENT_S", 0.02)
    keeper = FilmKeeper(tmp_path / "film", head_of(load_table(), None, {}), 60)
    try:
        with pytest.raises(FilmError, match=r"usb:0 cannot be opened.*vision run --film DIR"):
            film_camera(Silent(), keeper, threading.Event(), lambda: None, lambda _: None)
    finally:
        keeper.close()


@pytest.mark.nightly
def test_a_camera_that_gave_nothing_leaves_the_folders_name_free_for_the_next_try(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever plugs the camera in types the same line again."""
    (tmp_path / "mine").mkdir()
    for folder in (tmp_path / "film", tmp_path / "mine"):
        line = ["film", "record", "-o", str(folder), "--source", str(tmp_path / "none.avi"), "--without-bus"]
        assert run([*line, "--minutes", "0.1"]) == FAILED
        first = capsys.readouterr().err
        assert run([*line, "--minutes", "0.1"]) == FAILED

        assert capsys.readouterr().err == first
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def test_a_picture_that_cannot_be_kept_ends_the_film_with_a_sentence(
    tmp_path: Path, painter: Painter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table's camera program goes on: nothing waits for a thread that has died."""
    keeper = FilmKeeper(tmp_path / "film", head_of(load_table(), None, {}), 60)
    learn(keeper, painter.paint(Scene()))

    def refuse(*_: object) -> None:
        raise cv2.error("no such picture")

    monkeypatch.setattr("vision.film.keeper.cv2.imencode", refuse)
    hand_over(keeper, painter.paint(Scene()), STEP_NS, 1)

    assert keeper.ended
    assert "a picture cannot be kept" in keeper.summary()
    for number in range(2, 30):
        keeper.see(Frame(painter.paint(Scene()), number * STEP_NS, number))
    keeper.close()
    assert len(open_film(tmp_path / "film").frames) == 1


@pytest.mark.nightly
@pytest.mark.parametrize("t_ms", ["Infinity", "NaN", "-5.0", "1e300"])
def test_a_picture_of_no_time_is_left_out(tmp_path: Path, painter: Painter, t_ms: str) -> None:
    """A received film is no more believed than a damaged one."""
    filmed(tmp_path / "film", pictures(painter, 3))
    lines = tmp_path / "film" / "frames.jsonl"
    *whole, last = lines.read_text().splitlines()
    said = json.loads(last)["t_ms"]
    lines.write_text("\n".join([*whole, last.replace(f'"t_ms":{said}', f'"t_ms":{t_ms}')]) + "\n")

    assert [frame.number for frame in open_film(tmp_path / "film").frames] == [0, 1, 2]


def test_any_player_shows_a_part_of_a_film(tmp_path: Path, painter: Painter) -> None:
    filmed(tmp_path / "film", pictures(painter, 3))

    capture = cv2.VideoCapture(str(tmp_path / "film" / "part-000.mjpeg"))
    count = 0
    while capture.read()[0]:
        count += 1
    capture.release()

    assert count == 4
    assert json.loads((tmp_path / "film" / "end.json").read_text())["frames"] == 4


@pytest.fixture
def learnt_quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.film.veil.LEARN_EVERY_NS", 1)


@pytest.fixture
def clip(tmp_path: Path, painter: Painter) -> Path:
    """A second of the empty table, as a camera's recording."""
    file = tmp_path / "table.avi"
    size = painter.calibration.width_px, painter.calibration.height_px
    writer = cv2.VideoWriter(str(file), cv2.CAP_OPENCV_MJPEG, cv2.VideoWriter.fourcc(*"MJPG"), 60.0, size)
    for _ in range(45):
        writer.write(painter.paint(Scene()))
    writer.release()
    return file


@pytest.mark.nightly
@pytest.mark.usefixtures("learnt_quickly")
def test_the_verb_films_and_says_what_there_is_now(
    tmp_path: Path, clip: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = ["film", "record", "-o", str(tmp_path / "film"), "--source", str(clip), "--without-bus", "--minutes", "0.1"]

    assert run([*line, "--check"]) == DONE
    assert not (tmp_path / "film").exists()
    assert run(line) == DONE

    said = capsys.readouterr()
    assert "fits into" in said.out
    assert "has ended" in said.err
    assert f"betline film label {tmp_path / 'film'}" in said.err
    assert len(open_film(tmp_path / "film").frames) > 10
    assert run(line) == FAILED
    assert "is not empty: name a new folder" in capsys.readouterr().err


def test_without_a_broker_a_film_needs_to_be_told_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = ["film", "record", "-o", str(tmp_path / "film"), "--broker", "127.0.0.1:1", "--minutes", "1"]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("betline.joining.VISIT_S", 0.2)
        assert run(line) == FAILED

    assert "--without-bus" in capsys.readouterr().err
    assert not (tmp_path / "film").exists()


def test_the_camera_program_films_what_its_detector_gets(tmp_path: Path, painter: Painter) -> None:
    frames: list[Frame | None] = [Frame(painter.paint(Scene()), at * STEP_NS, at) for at in range(6)]
    given: list[int] = []
    bus = MemoryBus(MemoryHub(), Namespace("test", painter.table.name), "overhead")
    source = Given(frames)
    service = VisionService(
        painter.table, bus, source, make_detector(painter.table), filmed=lambda frame: given.append(frame.number)
    )

    service.run()

    assert given == [0, 1, 2, 3, 4, 5]


class Given:
    """A camera that gives some frames and ends."""

    dropped, problem = 0, ""

    def __init__(self, frames: list[Frame | None]) -> None:
        self._frames = frames

    @property
    def ended(self) -> bool:
        return not self._frames

    def read(self, timeout_s: float) -> Frame | None:
        return self._frames.pop(0)

    def close(self) -> None:
        """Nothing is held."""


def test_a_film_that_ends_beside_the_table_is_closed_and_said_once(tmp_path: Path, painter: Painter) -> None:
    said: list[str] = []
    keeper = FilmKeeper(tmp_path / "film", head_of(painter.table, None, {}), 0.1)
    film = BesideTheTable(keeper, said.append)
    learn(keeper, painter.paint(Scene()))
    for picture, t_ns, number in pictures(painter, 8):
        film.see(Frame(picture, t_ns, number))
        keeper.drain()

    assert len(said) == 1
    assert said[0].startswith("The film is as long as it was to be.")
    assert open_film(tmp_path / "film").whole


def test_a_film_ends_in_time_also_while_the_camera_gives_no_pictures(tmp_path: Path, painter: Painter) -> None:
    keeper = FilmKeeper(tmp_path / "film", head_of(painter.table, None, {}), 10)
    learn(keeper, painter.paint(Scene()))

    keeper.look_at_clock(9_000_000_000)
    assert not keeper.ended
    keeper.look_at_clock(12_000_000_000)
    assert keeper.ended
    keeper.close()


def test_what_lay_on_the_readers_before_the_first_picture_is_in_the_film(tmp_path: Path, painter: Painter) -> None:
    keeper = FilmKeeper(tmp_path / "film", head_of(painter.table, None, {}), 10)
    keeper.hear(-9_000_000_000, "chips", {"zone": "seat-3", "chips": {"red-5": 2}})
    learn(keeper, painter.paint(Scene()))
    keeper.hear(1_000_000_000, "chips", {"zone": "seat-3", "chips": {}})
    keeper.close()

    assert [(one.t_ms, one.body["chips"]) for one in open_film(tmp_path / "film").heard] == [
        (0.0, {"red-5": 2}),
        (1033.0, {}),
    ]


def test_a_folder_that_is_taken_costs_the_film_and_not_the_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The supervisor starts a camera program that died again, with the same words."""
    (tmp_path / "film.json").write_text("{}")
    table = load_table()

    with contextlib.ExitStack() as stack:
        see = _film(tmp_path, 1, table, None, None, BrokerChoice(), Namespace("test", table.name), stack)
    see(Frame(np.zeros((720, 1280, 3), np.uint8), 0, 1))

    assert "There is no film" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["film.json"]


@pytest.mark.nightly
def test_a_run_is_not_started_where_its_film_cannot_be_made(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[str] = []
    monkeypatch.setattr("betline.supervise.Supervisor.start", lambda _, name, words: started.append(name))
    (tmp_path / "film.json").write_text("{}")

    assert run(
        ["run", "--broker", f"127.0.0.1:{free_port()}", "--film", str(tmp_path), "--logs", str(tmp_path / "logs")]
    )
    assert "is not empty: name a new folder" in capfd.readouterr().err
    assert started == []

"""Pictures around every act: what a stretch holds, the folder's bounds, and what a person is shown of it."""

import json
import os
import time
from pathlib import Path

import cv2
import numpy as np
import pytest

from betline.bus import MemoryBus, MemoryHub
from betline.front_door import run
from betline.messages.devices import LineEvent, LineEventType
from betline.topics import Namespace
from tests.unit.vision.scene import FRAME_NS, Chip, Painter, Scene, film
from vision.clips import store
from vision.clips.keeper import Bounds, RingKeeper
from vision.clips.ring import Kept, Ring, Stretch
from vision.clips.store import RingError
from vision.detect.detector import make_detector
from vision.imaging.sources import Frame
from vision.service.service import VisionService

S = 1_000_000_000
PAINTER = Painter()
JPEG = cv2.imencode(".jpg", np.full((36, 64, 3), 90, np.uint8))[1].tobytes()


def told(at_s: float, number: int = 1, event: LineEventType = "bet_settled", seat: int = 5) -> LineEvent:
    at_ns = round(at_s * S)
    return LineEvent(
        id=f"overhead-1-{number}", event=event, seat=seat, t_first_ns=at_ns, t_confirm_ns=at_ns, conf=0.9, frame=1
    )


def frame(at_s: float, wall_ms: int = 1_700_000_000_000) -> Kept:
    return Kept(round(at_s * S), wall_ms + round(at_s * 1000), JPEG)


def through(events: dict[int, LineEvent], seconds: int) -> list[Stretch]:
    """The stretches of ten frames a second, with events at tenths of a second."""
    ring, ended = Ring(), []
    for tenth in range(seconds * 10):
        if stretch := ring.take(frame(tenth / 10)):
            ended.append(stretch)
        if tenth in events:
            ring.act(events[tenth])
    return ended


def span(stretch: Stretch) -> tuple[float, float]:
    return stretch.frames[0].t_ns / S, stretch.frames[-1].t_ns / S


def test_a_stretch_begins_3_s_before_its_act_and_ends_2_s_after_it() -> None:
    (stretch,) = through({100: told(10)}, 20)

    assert span(stretch) == (7.0, 12.0)
    assert len(stretch.frames) == 51
    assert [event.id for event in stretch.events] == ["overhead-1-1"]


def test_acts_that_follow_each_other_share_a_stretch() -> None:
    (stretch,) = through({100: told(10), 115: told(11.5, 2, "bet_amended")}, 20)

    assert span(stretch) == (7.0, 13.5)
    assert len(stretch.events) == 2


def test_a_stretch_is_closed_after_20_s_and_the_next_one_begins() -> None:
    first, second = through({tenth: told(tenth / 10, tenth) for tenth in range(50, 300, 15)}, 40)

    assert span(first) == (2.0, 22.0)
    assert {event.id for event in first.events}.isdisjoint({event.id for event in second.events})


def test_a_hand_alone_is_no_act() -> None:
    assert through({100: told(10, event="hand_entered"), 110: told(11, event="light_changed")}, 20) == []


def kept(folder: Path, at_s: float, number: int) -> Path:
    return store.write(folder, Stretch([frame(at_s), frame(at_s + 1)], [told(at_s, number)]))


def test_pictures_can_be_seen_by_their_owner_only(tmp_path: Path) -> None:
    path = kept(tmp_path / "rings", 0, 17)

    assert [folder.stat().st_mode & 0o777 for folder in (path, path.parent)] == [0o700, 0o700]


def test_a_stretch_is_written_by_time_and_event_and_found_by_either(tmp_path: Path) -> None:
    path = kept(tmp_path, 0, 17)

    assert path.name == "20231114T221320.000Z-overhead-1-17"
    shown = store.found(tmp_path, "overhead-1-17")
    assert shown == store.found(tmp_path, "20231114T2213")
    assert shown.seats == (5,)
    assert [(file.read_bytes(), wall_ms) for file, wall_ms in shown.frames] == [
        (JPEG, 1_700_000_000_000),
        (JPEG, 1_700_000_001_000),
    ]
    with pytest.raises(RingError, match="ring list"):
        store.found(tmp_path, "overhead-1-1")


def test_the_oldest_go_first_where_there_is_too_much(tmp_path: Path) -> None:
    sizes = [sum(file.stat().st_size for file in kept(tmp_path, at, at).iterdir()) for at in range(4)]

    assert store.bound(tmp_path, sum(sizes[2:]), 14, time.time()) == 2
    assert [shown.events[0]["id"] for shown in store.listed(tmp_path)] == ["overhead-1-2", "overhead-1-3"]
    assert store.bound(tmp_path, sum(sizes[2:]), 14, time.time()) == 0


def test_what_is_too_old_goes(tmp_path: Path) -> None:
    old, _ = kept(tmp_path, 0, 1), kept(tmp_path, 1, 2)
    long_ago_s = time.time() - 15 * 86_400
    os.utime(old / store.INDEX, (long_ago_s, long_ago_s))

    assert store.bound(tmp_path, 10**9, 14, time.time()) == 1
    assert [shown.events[0]["id"] for shown in store.listed(tmp_path)] == ["overhead-1-2"]


def test_what_is_no_stretch_is_neither_listed_nor_deleted(tmp_path: Path) -> None:
    kept(tmp_path, 0, 1)
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "mine.txt").write_text("mine")
    broken = kept(tmp_path, 1, 2)
    (broken / store.INDEX).write_text("{")

    assert len(store.listed(tmp_path)) == 1
    store.bound(tmp_path, 0, 14, time.time())
    assert [path.name for path in tmp_path.iterdir()] == ["notes"]


class Script:
    """A source that gives the frames of a list, at the pace at which they are read."""

    dropped = 0
    problem = ""

    def __init__(self, frames: list[Frame]) -> None:
        self._frames = frames

    @property
    def ended(self) -> bool:
        return not self._frames

    def read(self, timeout_s: float) -> Frame | None:
        time.sleep(0.005)
        return self._frames.pop(0)

    def close(self) -> None:
        self._frames.clear()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the service keeps of one push at seat 5."""
    chips = [Chip(PAINTER.place(5, 0, 75))]
    push = [
        (0.8, lambda _: Scene()),
        (0.5, lambda share: Scene(arms=[PAINTER.reach(5, -200 + 240 * share)])),
        (0.4, lambda share: Scene(chips=chips, arms=[PAINTER.reach(5, 40 - 300 * share)])),
        (0.8, lambda _: Scene(chips=chips)),
    ]
    start_ns = time.monotonic_ns()
    frames = [Frame(PAINTER.paint(scene), t_ns, at) for at, (t_ns, scene) in enumerate(film(push, start_ns))]
    path = tmp_path_factory.mktemp("state") / "rings"
    keeper = RingKeeper(path, Bounds())
    bus = MemoryBus(MemoryHub(), Namespace("test", PAINTER.table.name), "overhead")
    VisionService(PAINTER.table, bus, Script(frames), make_detector(PAINTER.table), rings=keeper).run()
    keeper.close()
    assert (keeper.problem, keeper.written, keeper.dropped) == ("", 1, 0)
    return path


@pytest.mark.nightly
def test_the_service_keeps_the_pictures_of_a_push(folder: Path) -> None:
    (shown,) = store.listed(folder)

    assert [event["event"] for event in shown.events] == ["chips_crossing", "bet_settled"]
    assert 20 <= len(shown.frames) <= 26  # ten a second of 2.5 s
    last = cv2.imread(str(shown.frames[-1][0]))
    assert last is not None
    assert last.shape == (PAINTER.table.cameras[0].height_px // 2, PAINTER.table.cameras[0].width_px // 2, 3)
    assert shown.frames[-1][1] - shown.frames[0][1] == pytest.approx(2400, abs=150)


@pytest.mark.nightly
def test_a_person_lists_shows_and_exports(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (shown,) = store.listed(folder)
    event = str(shown.events[1]["id"])
    where = ["--rings", str(folder)]

    assert run(["vision", "ring", "list", *where]) == 0
    assert f"{shown.name}  seat 5  chips crossing, bet settled" in capsys.readouterr().out
    assert run(["vision", "ring", "list", *where, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["frames"] == len(shown.frames)
    sheet, copy, filmed = tmp_path / "sheet.png", tmp_path / "copy", tmp_path / "film.mp4"
    assert run(["vision", "ring", "show", event, *where, "--sheet", str(sheet)]) == 0
    assert "bet_settled" in capsys.readouterr().out
    assert cv2.imread(str(sheet)) is not None
    assert run(["vision", "ring", "export", event, str(copy), *where]) == 0
    assert len(list(copy.glob("*.jpg"))) == len(shown.frames)
    assert run(["vision", "ring", "export", event, str(filmed), *where]) == 0
    assert cv2.VideoCapture(str(filmed)).get(cv2.CAP_PROP_FRAME_COUNT) == len(shown.frames)
    capsys.readouterr()
    assert run(["vision", "ring", "export", event, str(filmed), *where]) == 1
    assert run(["vision", "ring", "show", "overhead-9-9", *where]) == 1
    assert capsys.readouterr().err.count("\n") == 2


def test_a_folder_that_cannot_be_written_is_a_problem_and_no_end(tmp_path: Path) -> None:
    (tmp_path / "rings").write_text("a file")
    keeper = RingKeeper(tmp_path / "rings", Bounds())
    keeper.see(Frame(PAINTER.paint(Scene()), FRAME_NS, 1))
    keeper.act(told(0))
    keeper.close()

    assert keeper.written == 0
    assert "cannot be kept" in keeper.problem

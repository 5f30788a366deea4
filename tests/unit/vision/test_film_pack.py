"""A film as one file: what is in it, what a house confirms, and what of a received one is refused."""

import errno
import hashlib
import json
import stat
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from betline.front_door import run
from betline.options import DONE, FAILED
from tests.unit.vision.filming import filmed
from tests.unit.vision.scene import Painter, Scene
from vision.film.labels import Label, Labels, Mark, read_labels, write_labels
from vision.film.pack import AFTER_MS, BEFORE_MS, BEGIN_MS, CONSENT, kept_frames, pack, unpack
from vision.film.store import Film, FilmError, Kept, open_film

EVERY_NS = 500_000_000


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Film:
    """Half a minute at two pictures a second, with one clip in its last seconds."""
    painter = Painter()
    folder = tmp_path_factory.mktemp("pack") / "film"
    filmed(folder, ((painter.paint(Scene()), at * EVERY_NS, at + 1) for at in range(60)))
    found = open_film(folder)
    (folder / "bus.jsonl").write_text('{"t_ms": 1, "what": "ruled", "body": {"seat": 3}}\n')
    clip = Label(
        from_ms=24_000, to_ms=27_000, kind="act", answer="acts", marks=(Mark(t_ms=25_000, seat=2, what="bet"),)
    )
    unsure = Label(from_ms=12_000, to_ms=13_000, kind="quiet", answer="unsure")
    write_labels(folder, Labels(film=found.head.id, clips=(unsure, clip)))
    return found


@pytest.fixture(scope="module")
def packed(film: Film) -> Path:
    out = film.folder.parent / "tuesday.film"
    pack(film, out, "0.1")
    return out


def test_what_is_kept_are_the_clips_with_some_seconds_around_them_and_the_beginning() -> None:
    frames = [Kept(at, at * 1000.0, 0, 0, 1) for at in range(61)]
    clip = Label(from_ms=30_000, to_ms=33_000, kind="act", answer="nothing")

    kept = {int(frame.t_ms) for frame in kept_frames(frames, [clip])}

    begin = set(range(0, int(BEGIN_MS) + 1, 1000))
    assert kept == begin | set(range(30_000 - int(BEFORE_MS), 33_000 + int(AFTER_MS) + 1, 1000))


def test_clips_that_overlap_are_kept_once_in_order_however_they_are_given() -> None:
    frames = [Kept(at, at * 500.0, 0, 0, 1) for at in range(400)]
    starts = (150_000, 60_000, 61_000, 20_000, 190_000, 62_000)
    clips = [Label(from_ms=at, to_ms=at + 4000, kind="act", answer="nothing") for at in starts]
    spans = [(0.0, BEGIN_MS), *((clip.from_ms - BEFORE_MS, clip.to_ms + AFTER_MS) for clip in clips)]

    expected = [frame for frame in frames if any(a <= frame.t_ms <= b for a, b in spans)]

    assert list(kept_frames(frames, clips)) == expected


@pytest.mark.nightly
def test_packing_writes_nothing_beside_the_film(film: Film, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A film of an hour is 13 GB: a second copy of it would fill the disk that the table writes to."""

    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("tempfile.TemporaryFile", refuse)
    pack(film, tmp_path / "tuesday.film", "0.1")

    assert unpack(tmp_path / "tuesday.film", tmp_path / "got").clips == 1


def test_a_pack_that_the_disk_cannot_hold_is_refused_before_it_is_begun(
    film: Film, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vision.film.pack.free_bytes", lambda _: 1000)

    with pytest.raises(FilmError, match=r"GB, and .* has 0\.0 GB: name a place on a larger disk"):
        pack(film, tmp_path / "tuesday.film", "0.1")
    assert list(tmp_path.iterdir()) == []


def test_a_received_film_with_a_text_beyond_all_measure_is_refused_unread(
    packed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with zipfile.ZipFile(packed) as file:
        head = len(file.read("film.json"))
    monkeypatch.setattr("vision.film.pack.MOST_TEXT_BYTES", head - 1)

    with pytest.raises(FilmError, match=r"film\.json is larger than any film's"):
        unpack(packed, tmp_path / "got")


@pytest.mark.nightly
def test_the_lines_of_a_long_film_are_not_all_in_memory_while_it_is_opened(film: Film, tmp_path: Path) -> None:
    """An hour has 108,000 pictures and as many lines of the bus: only what is kept of them may grow."""
    (tmp_path / "film.json").write_text((film.folder / "film.json").read_text())
    (tmp_path / "part-000.mjpeg").write_bytes(b"x" * 100)
    row = '{"number":%d,"t_ms":%d.5,"part":0,"at":0,"size":9,"moves":[],"hidden":false}\n'
    (tmp_path / "frames.jsonl").write_text("".join(row % (at, at) for at in range(20_000)))
    said = '{"t_ms":%d,"what":"chips","body":{"zone":"seat-3","chips":{"red-5":1,"green-25":2}}}\n'
    (tmp_path / "bus.jsonl").write_text("".join(said % at for at in range(20_000)))

    tracemalloc.start()
    found = open_film(tmp_path)
    now, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert (len(found.frames), len(found.heard)) == (20_000, 20_000)
    assert now < 20_000 * 400
    assert most - now < 1_000_000


@pytest.mark.nightly
def test_a_film_comes_back_as_it_was_packed(film: Film, packed: Path, tmp_path: Path) -> None:
    found = unpack(packed, tmp_path / "got")
    got = open_film(tmp_path / "got")

    by_time = {frame.t_ms: frame for frame in film.frames}
    assert len(got.frames) == found.frames < len(film.frames)
    assert all(got.jpeg(frame) == film.jpeg(by_time[frame.t_ms]) for frame in got.frames)
    assert [one.answer for one in read_labels(got.folder, got.head.id).clips] == ["acts"]
    assert found.consent == CONSENT
    assert found.licence == "CC-BY-4.0"


def test_a_pack_has_nothing_of_the_bus_and_nothing_of_this_machine(packed: Path) -> None:
    with zipfile.ZipFile(packed) as file:
        names = {one.filename for one in file.infolist()}
        assert names == {"manifest.json", "film.json", "labels.json", "frames.jsonl", "part-000.mjpeg"}
        assert {one.date_time for one in file.infolist()} == {(1980, 1, 1, 0, 0, 0)}
    assert stat.S_IMODE(packed.stat().st_mode) == 0o600


def test_a_received_film_is_for_its_owner_only(packed: Path, tmp_path: Path) -> None:
    unpack(packed, tmp_path / "got")

    assert stat.S_IMODE((tmp_path / "got").stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in (tmp_path / "got").iterdir()} == {0o600}


def rewritten(packed: Path, to: Path, change: Callable[[str, bytes], list[tuple[str, bytes]]]) -> Path:
    """The pack with entries changed, added or left out."""
    with zipfile.ZipFile(packed) as old, zipfile.ZipFile(to, "w") as new:
        for info in old.infolist():
            for name, data in change(info.filename, old.read(info)):
                new.writestr(name, data)
    return to


def flip(name: str, data: bytes) -> list[tuple[str, bytes]]:
    return [(name, data[:-1] + bytes([data[-1] ^ 1]) if name == "part-000.mjpeg" else data)]


def climb(name: str, data: bytes) -> list[tuple[str, bytes]]:
    extra = [("../climbed", b"x")] if name == "manifest.json" else []
    return [(name, data), *extra]


def lose(name: str, data: bytes) -> list[tuple[str, bytes]]:
    return [] if name == "labels.json" else [(name, data)]


def manifest(**said: Any) -> Callable[[str, bytes], list[tuple[str, bytes]]]:
    def change(name: str, data: bytes) -> list[tuple[str, bytes]]:
        return [(name, json.dumps(json.loads(data) | said).encode() if name == "manifest.json" else data)]

    return change


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (flip, "part-000.mjpeg is not as it was written"),
        (climb, "its files are not those of its manifest"),
        (lose, "its files are not those of its manifest"),
        (manifest(version=2), "has version 2, this Betline reads 1"),
        (manifest(pack="holiday"), "no film of Betline"),
        (manifest(frames=1), "does not hold what its manifest says"),
        (manifest(files=[{"name": "/etc/passwd", "size": 1, "sha256": "0" * 64}]), "is damaged"),
        (lambda name, data: [("other.json", b"{}")] if name == "manifest.json" else [], "no film of Betline"),
    ],
)
def test_a_film_that_was_changed_is_refused_and_leaves_nothing(
    packed: Path, tmp_path: Path, change: Callable[[str, bytes], list[tuple[str, bytes]]], said: str
) -> None:
    broken = rewritten(packed, tmp_path / "broken.film", change)

    with pytest.raises(FilmError, match=said):
        unpack(broken, tmp_path / "got")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["broken.film"]


def test_a_damaged_manifest_that_is_said_to_be_compressed_is_refused(packed: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.film"
    with zipfile.ZipFile(broken, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("manifest.json", b"{}" * 5000)
    data = bytearray(broken.read_bytes())
    begin = 30 + len("manifest.json")
    data[begin : begin + 8] = b"\xff" * 8
    broken.write_bytes(data)

    with pytest.raises(FilmError, match="no film of Betline"):
        unpack(broken, tmp_path / "got")


def test_a_picture_that_would_be_too_large_is_refused(packed: Path, tmp_path: Path) -> None:
    """Hashes fit, but one picture says to be of another size than the camera's."""
    with zipfile.ZipFile(packed) as file:
        part, text = file.read("part-000.mjpeg"), json.loads(file.read("manifest.json"))
    at = part.index(b"\xff\xc0")
    large = part[: at + 5] + b"\xff\xff\xff\xff" + part[at + 9 :]
    for entry in text["files"]:
        if entry["name"] == "part-000.mjpeg":
            entry["sha256"] = hashlib.sha256(large).hexdigest()
    new = {"manifest.json": json.dumps(text).encode(), "part-000.mjpeg": large}
    bomb = rewritten(packed, tmp_path / "bomb.film", lambda name, data: [(name, new.get(name, data))])

    with pytest.raises(FilmError, match="is no JPEG of 1280x720"):
        unpack(bomb, tmp_path / "got")


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 nonsense", b"\x00" * 5000])
def test_what_is_no_pack_is_refused_with_a_sentence(
    tmp_path: Path, content: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "x.film").write_bytes(content)

    assert run(["film", "check", str(tmp_path / "x.film")]) == FAILED
    said = capsys.readouterr().err
    assert "ask for it again" in said
    assert "Traceback" not in said


def test_nothing_is_packed_before_the_house_has_said_that_all_agree(
    film: Film, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.film"

    assert run(["film", "pack", str(film.folder), "-o", str(out)]) != DONE
    assert not out.exists()
    assert "--consent" in capsys.readouterr().err

    assert run(["film", "pack", str(film.folder), "-o", str(out), "--consent"]) == DONE
    assert run(["film", "check", str(out)]) == DONE
    assert "Everybody whose hands can be seen" in capsys.readouterr().out


def test_a_film_without_labels_is_not_packed(tmp_path: Path) -> None:
    painter = Painter()
    filmed(tmp_path / "film", [(painter.paint(Scene()), 0, 1)])

    with pytest.raises(FilmError, match="Nothing is labelled"):
        pack(open_film(tmp_path / "film"), tmp_path / "x.film", "0.1")
    assert not (tmp_path / "x.film").exists()


def test_a_film_can_be_packed_onto_a_stick(film: Film, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """FAT has no links."""

    def refuse(*_: object) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr("os.link", refuse)
    out = tmp_path / "tuesday.film"

    pack(film, out, "0.1")

    assert unpack(out, tmp_path / "got").clips == 1
    with pytest.raises(FilmError, match="is there already"):
        pack(film, out, "0.1")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["got", "tuesday.film"]


def test_a_file_that_is_there_is_not_packed_over(film: Film, packed: Path) -> None:
    before = packed.read_bytes()

    with pytest.raises(FilmError, match="is there already"):
        pack(film, packed, "0.1")
    assert packed.read_bytes() == before

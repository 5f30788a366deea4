"""The question page: which clips are asked about, what a labeller sees, what is kept, and who may look."""

import http.client
import itertools
import json
import stat
import urllib.parse
from pathlib import Path
from typing import Any

import pytest

from betline.bus import MemoryBus, MemoryHub
from betline.front_door import run
from betline.messages.devices import ChipEvidence, LineEvent, ZoneChips
from betline.messages.table import Ruling
from betline.options import DONE
from betline.topics import RULING, SEAT_LINE, ZONE_CHIPS, Namespace, topic
from tests.unit.vision.filming import STEP_NS, filmed
from tests.unit.vision.scene import Painter, Scene
from vision.film.hearing import CAMERA, CHIPS, RULED, Hearing, account, is_act
from vision.film.labels import Label, Mark, read_labels
from vision.film.moments import MOST_MS, chosen, windows
from vision.film.page import MOST_BYTES, LabelPage
from vision.film.session import Session
from vision.film.store import FilmError, Heard, open_film


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A short film of the painted table."""
    painter = Painter()
    folder = tmp_path_factory.mktemp("label") / "film"
    filmed(folder, ((painter.paint(Scene()), at * STEP_NS * 5, at + 1) for at in range(12)))
    return folder


@pytest.fixture
def session(kept: Path) -> Session:
    (kept / "labels.json").unlink(missing_ok=True)
    return Session(open_film(kept), None, None)


def ask(page: LabelPage, path: str, body: Any = None, host: str = "", token: str = "") -> tuple[int, bytes]:
    parts = urllib.parse.urlsplit(page.url)
    way = (f"/{token}/" if token else parts.path) + path
    connection = http.client.HTTPConnection(parts.netloc, timeout=5)
    try:
        text = None if body is None else body if isinstance(body, str) else json.dumps(body)
        connection.request("GET" if body is None else "POST", way, text, {"Host": host} if host else {})
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


# --- which clips ------------------------------------------------------------------------------------------------------


def test_the_clips_are_the_whole_film_without_gap_or_overlap() -> None:
    cut = windows(120_000, [3000, 3100, 40_000, 41_000, 100_000, *range(60_000, 90_000, 500)])

    assert (cut[0].from_ms, cut[-1].to_ms) == (0, 120_000)
    assert all(a.to_ms == b.from_ms for a, b in itertools.pairwise(cut))
    assert all(one.to_ms - one.from_ms <= MOST_MS for one in cut)
    acts = [one for one in cut if one.kind == "act"]
    assert all(any(one.holds(t) for one in acts) for t in (3000, 3100, 40_000, 41_000, 60_000, 75_000, 100_000))
    assert {one.kind for one in cut if one.holds(20_000) or one.holds(110_000)} == {"quiet"}


def test_a_film_without_movement_is_asked_about_too() -> None:
    assert {one.kind for one in windows(30_000, [])} == {"quiet"}


def test_who_asks_for_more_goes_on_with_the_clips_that_were_asked_about_before() -> None:
    cut = windows(3_600_000, range(0, 3_600_000, 9000))
    few, more = chosen(cut, "a" * 16, 20, 10), chosen(cut, "a" * 16, 50, 30)

    assert len([one for one in few if one.kind == "act"]) == 20
    assert set(few) < set(more)
    assert list(more) == sorted(more, key=lambda one: one.from_ms)
    assert set(chosen(cut, "b" * 16, 20, 10)) != set(few)


def test_what_the_camera_reported_chooses_no_clip_and_is_not_shown() -> None:
    heard = (
        Heard(1000, CAMERA, {"event": "bet_settled", "seat": 3}),
        Heard(1100, RULED, {"seat": 3, "ruling": "bet", "to": 20, "source": "chips"}),
        Heard(1200, RULED, {"seat": 4, "ruling": "fold", "to": 0, "source": "keyed"}),
        Heard(1300, CHIPS, {"zone": "seat-3", "chips": {"red-5": 4}}),
    )

    assert [is_act(one) for one in heard] == [False, False, True, True]
    assert [line["words"] for line in account(heard, 0, 5000)] == [
        "dealer keyed seat 4: fold",
        "reader of seat 3: +4 red-5; 4 chips now",
    ]


def test_the_readers_account_of_a_clip_begins_with_what_lay_there_before() -> None:
    heard = (
        Heard(0, CHIPS, {"zone": "seat-3", "chips": {"red-5": 4}}),
        Heard(9000, CHIPS, {"zone": "seat-3", "chips": {"red-5": 1, "black-100": 1}}),
    )

    assert account(heard, 8000, 10_000) == [
        {"t_ms": 9000, "words": "reader of seat 3: +1 black-100, -3 red-5; 2 chips now"}
    ]


def test_of_the_bus_no_name_and_no_chips_number_is_taken_down() -> None:
    hub, names = MemoryHub(), Namespace("test", "six")
    taken: list[tuple[str, dict[str, Any]]] = []
    Hearing(MemoryBus(hub, names, "film"), lambda _, what, body: taken.append((what, dict(body))))
    table = MemoryBus(hub, names, "controller")
    chip = ChipEvidence(uid="E004015306A22D70", chip_type="red-5", hits=3, rounds=3, missed=0)
    snapshot = ZoneChips(zone="seat-2", reader="r", round_no=1, chips=(chip, chip), last_byte_ns=5)
    for round_no in (1, 2):
        again = snapshot.model_copy(update={"round_no": round_no})
        table.publish(topic(ZONE_CHIPS, "seat-2"), again)
    table.publish(topic(ZONE_CHIPS, "badge"), snapshot.model_copy(update={"zone": "badge"}))
    ruling = Ruling(
        hand_no=1, act_no=2, street="flop", seat=2, ruling="call", source="keyed", sentence="Anna says", by="Anna"
    )
    table.publish(topic(RULING), ruling)
    line = LineEvent(
        id="overhead-1", event="bet_settled", seat=2, t_first_ns=1, t_confirm_ns=2, conf=0.9, frame=7, motions=1
    )
    table.publish(topic(SEAT_LINE, 2), line)

    assert [what for what, _ in taken] == [CHIPS, RULED, CAMERA]
    assert taken[0][1] == {"zone": "seat-2", "chips": {"red-5": 2}}
    assert "Anna" not in str(taken)
    assert "E004" not in str(taken)


# --- the page ---------------------------------------------------------------------------------------------------------


def test_the_page_shows_a_clip_and_keeps_its_answer(session: Session) -> None:
    with LabelPage(session) as page:
        assert b"What happened here?" in ask(page, "")[1]
        film = json.loads(ask(page, "film.json")[1])
        clip = json.loads(ask(page, "clip/0")[1])
        assert ask(page, "picture/0/3")[1].startswith(b"\xff\xd8")
        mark = {"t_ms": clip["frames"][3], "seat": 2, "what": "toss"}
        assert ask(page, "clip/0", {"answer": "acts", "marks": [mark]})[0] == 200

    labels = read_labels(session.film.folder, session.film.head.id)
    assert film["clips"] == len(session.clips)
    assert labels.clips[0].marks == (Mark.model_validate(mark),)
    again = Session(session.film, None, None)
    assert again.answered == 1
    assert again.clip(0)["given"]["marks"] == [mark]


def test_an_answer_cannot_say_which_clip_it_is_of(session: Session) -> None:
    clip = session.clips[0]
    with LabelPage(session) as page:
        ask(page, "clip/0", {"answer": "nothing", "from_ms": 0.5, "to_ms": 77_000, "kind": "act"})

    (label,) = session.labels.clips
    assert (label.from_ms, label.to_ms, label.kind) == (clip.from_ms, clip.to_ms, clip.kind)


def test_an_answer_can_be_changed_and_taken_back(session: Session) -> None:
    with LabelPage(session) as page:
        for said in ({"answer": "unsure"}, {"answer": "nothing"}):
            assert ask(page, "clip/0", said)[0] == 200
        assert [one.answer for one in session.labels.clips] == ["nothing"]
        assert ask(page, "clip/0", {"answer": None})[0] == 200

    assert read_labels(session.film.folder, session.film.head.id).clips == ()


@pytest.mark.nightly
@pytest.mark.parametrize(
    "said",
    [
        "{",
        "[]",
        {"answer": "maybe"},
        {"answer": "acts", "marks": []},
        {"answer": "nothing", "marks": [{"t_ms": 100, "seat": 1, "what": "bet"}]},
        {"answer": "acts", "marks": [{"t_ms": 999_999, "seat": 1, "what": "bet"}]},
        {"answer": "acts", "marks": [{"t_ms": 100, "seat": 11, "what": "bet"}]},
        {"answer": "acts", "marks": [{"t_ms": 100, "seat": 1, "what": "bluff"}]},
        {"answer": "nothing", "extra": 1},
    ],
)
def test_an_answer_that_does_not_fit_changes_nothing(session: Session, said: Any) -> None:
    with LabelPage(session) as page:
        status, text = ask(page, "clip/0", said)

    assert status == 400
    assert json.loads(text)["sentence"]
    assert read_labels(session.film.folder, session.film.head.id).clips == ()


def test_the_page_is_for_who_knows_its_address_on_this_machine_only(session: Session) -> None:
    with LabelPage(session) as page:
        assert page.url.startswith("http://127.0.0.1:")
        token = urllib.parse.urlsplit(page.url).path.strip("/")
        assert len(token) >= 20
        assert ask(page, "film.json", token="x" * len(token))[0] == 403
        assert ask(page, "clip/0", {"answer": "nothing"}, token="x" * len(token))[0] == 403
        assert ask(page, "film.json", host="evil.example")[0] == 403
        assert ask(page, "clip/0", {"answer": "nothing"}, host="evil.example:80")[0] == 403
        assert ask(page, "clip/99")[0] == 404
        assert ask(page, "picture/0/9999")[0] == 404
        assert ask(page, "../../etc/passwd")[0] == 404
        assert ask(page, "clip/0", "x" * (MOST_BYTES + 1))[0] == 413
    assert session.labels.clips == ()


def test_a_browser_that_goes_away_or_a_lost_film_prints_no_traceback(
    session: Session, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A browser breaks off the pictures of a clip that is left; the stick with the film may be pulled out."""

    def lost(*_: object) -> bytes:
        raise FilmError("A picture cannot be read.")

    def gone(*_: object) -> bytes:
        raise BrokenPipeError

    with LabelPage(session) as page:
        monkeypatch.setattr(Session, "picture", lost)
        assert ask(page, "picture/0/0")[0] == 404
        monkeypatch.setattr(Session, "picture", gone)
        with pytest.raises((http.client.HTTPException, OSError)):
            ask(page, "picture/0/0")
        assert ask(page, "film.json")[0] == 200

    assert capsys.readouterr().err == ""


def test_the_key_that_stops_ends_the_page(session: Session) -> None:
    with LabelPage(session) as page:
        assert not page.finished.is_set()
        ask(page, "end", {})
        assert page.finished.is_set()


def test_a_port_that_is_taken_is_named(session: Session) -> None:
    with LabelPage(session) as page, pytest.raises(FilmError, match=f"port {page.port}.*name another one"):
        LabelPage(session, page.port)


def test_a_label_that_contradicts_itself_is_no_label() -> None:
    with pytest.raises(ValueError, match="to_ms must be after from_ms"):
        Label(from_ms=5, to_ms=5, kind="act", answer="nothing")


def test_the_secret_of_the_page_is_in_no_command_line(
    kept: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Everybody on a machine sees with what a browser was started."""
    opened: list[tuple[str, str, int]] = []

    def browser(address: str) -> None:
        printed = capsys.readouterr().out
        url = printed.partition("The page: ")[2].strip()
        door = Path(urllib.parse.unquote(urllib.parse.urlsplit(address).path))
        assert url in door.read_text()
        opened.append((url.rstrip("/").rpartition("/")[2], address, stat.S_IMODE(door.stat().st_mode)))
        raise KeyboardInterrupt

    monkeypatch.setattr("webbrowser.open", browser)

    assert run(["film", "label", str(kept)]) == DONE

    ((secret, address, mode),) = opened
    assert len(secret) > 15
    assert secret not in address
    assert mode == 0o600
    assert not list(kept.glob("*.html"))

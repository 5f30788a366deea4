"""A film of the virtual table, labelled over HTTP by what the scene knows, scored like the scene itself."""

import http.client
import json
import urllib.parse
from pathlib import Path
from typing import Any

import pytest

from betline.options import DONE
from betline.units import NS_PER_MS, NS_PER_S
from tests.unit.vision.filming import STEP_NS, filmed
from virtual_table.bench import scoring
from virtual_table.bench.own_film.score import reported, score
from virtual_table.bench.scoring import Said
from virtual_table.films.film import Film
from virtual_table.films.film_script import script_of
from virtual_table.films.truth import TrueEvent
from vision.detect.detector import make_detector
from vision.film.labels import ASKED, Label, Mark, read_labels, truth_lines
from vision.film.page import LabelPage
from vision.film.session import Session
from vision.film.store import open_film

OFFSET_MS = STEP_NS / NS_PER_MS
WHAT = {
    "bet_settled": "bet",
    "string_suspect": "string",
    "chips_retracted": "back",
    "tap_suspect": "tap",
    "cards_mucked": "fold",
    "pot_swept": "sweep",
}
EVENING = """
seed: 5
table: home-six
end_pause: 1.5
acts:
  - { act: push, seat: 2, chips: [3] }
  - { act: push, seat: 5, chips: [2], pause: -0.6 }
  - { act: tap, seat: 4, pause: 0.3 }
  - { act: pull_back, seat: 2, chips: [1], pause: 0.5 }
  - { act: sweep, pause: 0.6 }
"""


def ask(url: str, path: str, body: Any = None) -> tuple[int, Any]:
    """One request of the page, as the browser makes it."""
    parts = urllib.parse.urlsplit(url)
    connection = http.client.HTTPConnection(parts.netloc, timeout=5)
    try:
        connection.request(
            "GET" if body is None else "POST", parts.path + path, None if body is None else json.dumps(body)
        )
        answer = connection.getresponse()
        content = answer.read()
        return answer.status, json.loads(content) if answer.headers["Content-Type"] == "application/json" else content
    finally:
        connection.close()


def answer_by_truth(url: str, events: list[TrueEvent]) -> None:
    """Answers each clip as somebody who sees all that happened, marking the picture next to each act."""
    _, film = ask(url, "film.json")
    for at in range(film["clips"]):
        _, clip = ask(url, f"clip/{at}")
        marks = []
        for event in events:
            t_ms = event.t_s * 1000 + OFFSET_MS
            if event.event in WHAT and event.judged and clip["from_ms"] <= t_ms < clip["to_ms"]:
                shown = min(clip["frames"], key=lambda frame_ms, t_ms=t_ms: abs(frame_ms - t_ms))
                marks.append({"t_ms": shown, "seat": event.seat, "what": WHAT[event.event]})
        said = {"answer": "acts" if marks else "nothing", "marks": marks}
        assert ask(url, f"clip/{at}", said) == (200, {"sentence": None})


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[TrueEvent], list[Said]]:
    """The film's folder, what happened, and what the detector says of the camera's own pictures."""
    film = Film(script_of(EVENING, "evening"))
    detector = make_detector(film.table)
    said: list[Said] = []

    def shown() -> Any:
        for shot in film.shots():
            t_ns = round(shot.stamp_s * NS_PER_S)
            for one in detector.process(shot.picture, t_ns, shot.number):
                said.append(Said(one.seat, one.kind, one.t_first_ns / NS_PER_MS, motions=one.motions))
            yield shot.picture, t_ns, shot.number

    folder = tmp_path_factory.mktemp("evening") / "film"
    filmed(folder, shown(), film.table)
    return folder, list(film.events), said


@pytest.mark.nightly
def test_a_film_labelled_on_its_page_is_scored_like_the_scene_that_it_shows(
    evening: tuple[Path, list[TrueEvent], list[Said]], capsys: pytest.CaptureFixture[str]
) -> None:
    folder, events, said = evening
    film = open_film(folder)
    with LabelPage(Session(film, None, None)) as page:
        answer_by_truth(page.url, events)
    truth = [Said(one.seat, one.event, one.t_s * 1000, motions=one.motions, judged=one.judged) for one in events]
    true, heard = scoring.judged([one for one in truth if one.event in ASKED], [s for s in said if s.event in ASKED])
    expected = scoring.by_class([scoring.match(true, heard)])

    found = score(read_labels(folder, film.head.id).clips, *reported(film, lambda *_: None))

    assert found.classes == expected
    assert expected["bet_settled"].right == 2
    assert expected["chips_retracted"].right == 1
    assert found.clips["unsure"] == 0

    from betline.front_door import run

    assert run(["film", "score", str(folder), "--json"]) == DONE
    printed = json.loads(capsys.readouterr().out)
    assert printed["per_class"]["bet_settled"]["right"] == 2
    assert printed["per_class"]["bet_settled"]["recall_95"] == list(scoring.wilson(2, 2))


def test_the_labels_of_a_film_have_the_form_of_a_films_truth() -> None:
    clip = Label(from_ms=0, to_ms=5000, kind="act", answer="acts", marks=(Mark(t_ms=1200, seat=3, what="bet"),))

    (line,) = truth_lines([clip])

    assert line == TrueEvent(1.2, 1.2, 3, "bet_settled", motions=1).line()

"""The detector's numbers set by a person: their ranges, their effect while it runs, the echo, and the file."""

import re
import time
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path

import cv2
import pytest

import vision
from betline.bus import HOST_CLOCK, HostClock, MemoryBus, MemoryHub, Received
from betline.front_door import run
from betline.geometry import Point
from betline.messages.common import Reply
from betline.messages.devices import Tune, Tuning
from betline.options import UserError
from betline.topics import DEVICE_TUNE, DEVICE_TUNED, DEVICE_TUNING, Namespace, topic
from betline.units import NS_PER_MS, NS_PER_S
from tests.unit.vision.scene import FRAME_NS, Chip, Painter, Scene
from vision.detect.detector import Detector, make_detector
from vision.places.snapshot import SpotSnapshot
from vision.service.tuner import Tuner
from vision.tuning import adjustments as tuning
from vision.tuning import command as tune_command
from vision.tuning.adjustments import KNOBS, TuningError, tuned
from vision.tuning.command import TuneClient, described, given
from vision.tuning.thresholds import Thresholds

PAINTER = Painter()
NAMES = Namespace("test", PAINTER.table.name)


def test_every_number_but_the_chips_diameter_has_a_range_around_its_default_and_a_sentence() -> None:
    assert set(KNOBS) == {field.name for field in fields(Thresholds)} - {"chip_diameter_mm"}
    for knob in KNOBS.values():
        assert knob.least <= knob.default <= knob.most, knob
        assert knob.least < knob.most, knob
        assert knob.meaning.endswith("."), knob
        assert knob.name.rpartition("_")[2] not in ("mm", "ms", "chips", "cards", "share") or knob.name.endswith(
            knob.unit
        ), knob


def test_every_number_decides_something() -> None:
    used = "".join(path.read_text() for path in Path(vision.__file__).parent.rglob("*.py"))
    assert [name for name in KNOBS if not re.search(rf"(thresholds|limits)\.{name}\b", used)] == []


@pytest.mark.parametrize("name", KNOBS)
def test_a_value_beyond_its_range_is_refused_with_the_range(name: str) -> None:
    knob = KNOBS[name]
    for value in (knob.least - 1, knob.most + 1, float("nan")):
        with pytest.raises(TuningError, match=f"give {knob.least:g} to {knob.most:g} {knob.unit}"):
            tuned(Thresholds(), {name: value})


def test_what_contradicts_itself_is_refused() -> None:
    with pytest.raises(TuningError, match="whole number of ms"):
        tuned(Thresholds(), {"quiet_ms": 270.5})
    with pytest.raises(TuningError, match="did you mean quiet_ms"):
        tuned(Thresholds(), {"quit_ms": 270})
    with pytest.raises(TuningError, match="no number chip_diameter_mm"):
        tuned(Thresholds(), {"chip_diameter_mm": 40})
    with pytest.raises(TuningError, match="weak_level may not be more than strong_level, which is 24"):
        tuned(Thresholds(), {"weak_level": 25})
    assert tuned(Thresholds(), {"weak_level": 25, "strong_level": 40}).strong_level == 40
    with pytest.raises(TuningError, match=r"gone_cards may not be more than lying_cards, which is 0\.6"):
        tuned(Thresholds(), {"gone_cards": 0.7})
    with pytest.raises(TuningError, match="slab_least_long_mm may not be more than slab_most_long_mm, which is 110"):
        tuned(Thresholds(), {"slab_most_long_mm": 110})


def resting(*, chips: int) -> Detector:
    """A detector that has learnt its felt, with chips at seat 5 in a row away from the line."""
    detector = make_detector(PAINTER.table)
    lie = [Chip(PAINTER.place(5, 45 * at - 45, 60)) for at in range(chips)]
    for number in range(60):
        scene = Scene() if number < 20 else Scene(chips=lie)
        detector.process(PAINTER.paint(scene), number * FRAME_NS, number)
    return detector


def footprints(detector: Detector) -> int:
    return next(seat.footprints for seat in detector.view() if seat.seat == 5)


@pytest.mark.nightly
def test_what_lies_is_measured_again_by_the_new_numbers_and_nothing_is_told_of_it() -> None:
    detector = resting(chips=2)
    assert footprints(detector) == 2
    picture = PAINTER.paint(Scene(chips=[Chip(PAINTER.place(5, 45 * at - 45, 60)) for at in range(2)]))

    detector.tune(tuned(detector.thresholds, {"line_dead_band_mm": 60}))
    halved = next(seat.area_mm2 for seat in detector.view() if seat.seat == 5)
    told = [detector.process(picture, (60 + number) * FRAME_NS, 60 + number) for number in range(60)]
    detector.tune(tuned(detector.thresholds, {"line_dead_band_mm": 8}))
    told += [detector.process(picture, (120 + number) * FRAME_NS, 120 + number) for number in range(60)]

    whole = next(seat.area_mm2 for seat in detector.view() if seat.seat == 5)
    assert 0 < halved < 0.75 * whole
    assert footprints(detector) == 2
    assert not any(told)


@pytest.mark.nightly
def test_a_longer_quiet_settles_later() -> None:
    def settles_ms(quiet_ms: int) -> float:
        detector = make_detector(PAINTER.table)
        for number in range(25):
            detector.process(PAINTER.paint(Scene()), number * FRAME_NS, number)
        detector.tune(tuned(detector.thresholds, {"quiet_ms": quiet_ms}))
        for number in range(25, 120):
            # Longer than a step, a chip from nowhere is told once it has been quiet.
            picture = PAINTER.paint(Scene(chips=[Chip(PAINTER.place(5, 0, 75))]))
            if detector.process(picture, number * FRAME_NS, number):
                return (number - 25) * FRAME_NS / 1e6
        raise AssertionError("nothing settled")

    assert settles_ms(270) + 400 < settles_ms(800)


SEAT = 6
PLACES = PAINTER.card_places(SEAT)


class Cards:
    """A detector that has learnt the felt and sees cards at one seat's spot, or where else they lie."""

    def __init__(self) -> None:
        self.detector = make_detector(PAINTER.table)
        self.number = 0
        self.see(1.0, [])

    def see(self, seconds: float, cards: Sequence[Point], scene: Scene | None = None) -> list[str]:
        """What is told meanwhile."""
        told: list[str] = []
        for _ in range(round(seconds * 30)):
            picture = PAINTER.lay_cards(PAINTER.paint(scene or Scene()), cards)
            seen = self.detector.process(picture, self.number * FRAME_NS, self.number)
            told += [one.kind for one in seen if one.seat is not None]
            self.number += 1
        return told

    def tune(self, **values: float) -> None:
        self.detector.tune(tuned(self.detector.thresholds, values))

    @property
    def spot(self) -> SpotSnapshot:
        return next(spot for spot in self.detector.snapshot().spots if spot.seat == SEAT)


@pytest.mark.nightly
def test_a_longer_quiet_looks_at_a_spot_later() -> None:
    def looked_at(quiet_ms: int) -> bool:
        table = Cards()
        table.tune(place_quiet_ms=quiet_ms)
        table.see(0.8, PLACES[:1])
        return table.spot.holds == "1 card"

    assert looked_at(270)
    assert not looked_at(1500)


@pytest.mark.nightly
def test_a_spot_that_reaches_otherwise_learns_its_felt_again_and_tells_nothing_of_it() -> None:
    table = Cards()
    told = table.see(0.8, PLACES[:1]) + table.see(0.8, PLACES)
    before = table.spot.place
    table.tune(card_spot_side_mm=100, card_spot_deep_mm=90)
    learning = table.spot
    told += table.see(1.0, PLACES)

    assert learning.phase == "learning"
    assert learning.place.x1 - learning.place.x0 < 0.75 * (before.x1 - before.x0)
    assert (table.spot.phase, table.spot.holds) == ("rest", "cards")
    assert told == ["cards_dealt"]
    table.tune(card_spot_side_mm=100, quiet_ms=300)
    assert table.spot.phase == "rest"
    told += table.see(0.8, []) + table.see(0.8, PLACES[:1]) + table.see(0.8, PLACES)
    assert told == ["cards_dealt", "cards_dealt"]


@pytest.mark.nightly
def test_the_muck_and_the_pot_reach_as_far_as_is_said_at_once() -> None:
    table = Cards()
    x, y = PAINTER.table.muck_mm

    def found() -> str:
        """What a card 150 mm beside the muck's middle is, and then two chips."""
        table.see(1.0, [(x + 150, y)])
        words = table.detector.snapshot().middle.found
        table.see(1.0, [])
        return words

    assert found() == "nothing new"
    table.tune(muck_reach_mm=200)
    assert found() == "cards in the muck"
    wide = cv2.countNonZero(table.detector.snapshot().middle.pot)
    table.tune(pot_margin_mm=0)
    assert cv2.countNonZero(table.detector.snapshot().middle.pot) < wide


def test_numbers_of_cards_and_pot_are_set_answered_and_echoed() -> None:
    desk = Desk(None)

    assert desk.ask("muck_reach_mm", 150).sentence == "muck_reach_mm is 150 mm, it was 110 mm."
    assert desk.ask("push_wait_ms", 6000, at=2).ok
    assert desk.ask("pair_cards", 1.5, at=3).sentence == "pair_cards is 1.5 cards, it was 1.3 cards."
    assert desk.ask("splash_wait_ms", -1, at=4).code == "refused"
    limits = desk.detector.thresholds
    assert (limits.muck_reach_mm, limits.push_wait_ms, limits.pair_cards) == (150.0, 6000, 1.5)
    assert {one.name: one.value for one in desk.echoes()[-1].values if one.value != one.default} == {
        "muck_reach_mm": 150.0,
        "push_wait_ms": 6000.0,
        "pair_cards": 1.5,
    }


class Desk:
    """A tuner on a bus in memory, and a listener."""

    def __init__(self, file: Path | None, persons: HostClock = HOST_CLOCK) -> None:
        hub = MemoryHub()
        self.persons = persons
        self.heard: list[Received] = []
        self.told: list[str] = []
        self.detector = make_detector(PAINTER.table)
        self.person = MemoryBus(hub, NAMES, "person", clock=persons)
        self.person.subscribe(DEVICE_TUNED, self.heard.append)
        self.person.subscribe(DEVICE_TUNING, self.heard.append)
        self.tuner = Tuner(self.detector, MemoryBus(hub, NAMES, "overhead"), "overhead", file, self.told.append)
        self.tuner.open()
        self.heard.clear()

    def ask(self, name: str, value: float | None, *, keep: bool = False, at: int = 1, life_ms: int = 5000) -> Reply:
        expires_ms = self.persons.wall_ns() // NS_PER_MS + life_ms
        asked = Tune(id=f"command-{at}", expires_ms=expires_ms, name=name, value=value, keep=keep)
        self.person.publish(topic(DEVICE_TUNE, "overhead"), asked)
        self.tuner.obey()
        return [one.body for one in self.heard if isinstance(one.body, Reply)][-1]

    def echoes(self) -> list[Tuning]:
        return [one.body for one in self.heard if isinstance(one.body, Tuning)]


def test_a_number_is_set_answered_and_echoed() -> None:
    desk = Desk(None)

    reply = desk.ask("quiet_ms", 400)

    assert (reply.ok, reply.sentence) == (True, "quiet_ms is 400 ms, it was 270 ms.")
    assert desk.detector.thresholds.quiet_ms == 400
    assert isinstance(desk.detector.thresholds.quiet_ms, int)
    (echo,) = desk.echoes()
    assert {(one.name, one.value, one.kept) for one in echo.values if one.value != one.default} == {
        ("quiet_ms", 400.0, False)
    }
    assert desk.told == ["overhead: quiet_ms is 400 ms, it was 270 ms."]
    assert desk.ask("quiet_ms", None, at=2).ok
    assert desk.detector.thresholds == make_detector(PAINTER.table).thresholds


@pytest.mark.parametrize("hours", [-6, 6])
def test_a_person_whose_clocks_are_hours_off_tunes_it_and_comes_too_late_as_anybody(hours: int) -> None:
    off_ns = hours * 3600 * NS_PER_S
    desk = Desk(None, HostClock(lambda: time.monotonic_ns() + off_ns, lambda: time.time_ns() - off_ns))
    assert desk.ask("quiet_ms", 400).ok
    assert desk.ask("quiet_ms", 300, at=2, life_ms=-1).code == "expired"


def test_a_refusal_changes_and_echoes_nothing() -> None:
    desk = Desk(None)
    before = desk.detector.thresholds

    assert desk.ask("quiet_ms", 5).code == "refused"
    assert desk.ask("quiet_ms", 400, at=2, life_ms=-1).code == "expired"
    assert desk.ask("quiet_ms", 400, at=3, keep=True).code == "no-file"
    assert desk.ask("nothing", 400, at=4).code == "refused"

    assert desk.detector.thresholds == before
    assert desk.echoes() == desk.told == []


def test_a_command_that_arrives_twice_is_obeyed_once_and_answered_twice() -> None:
    desk = Desk(None)
    desk.ask("quiet_ms", 400)
    desk.ask("quiet_ms", 500, at=2)

    reply = desk.ask("quiet_ms", 400)

    assert reply.sentence == "quiet_ms is 400 ms, it was 270 ms."
    assert desk.detector.thresholds.quiet_ms == 500
    assert len(desk.echoes()) == 2


def test_a_command_for_another_camera_is_not_obeyed() -> None:
    desk = Desk(None)
    asked = Tune(id="command-1", expires_ms=2**60, name="quiet_ms", value=400)
    desk.person.publish(topic(DEVICE_TUNE, "side"), asked)
    desk.tuner.obey()

    assert desk.heard == []


def test_what_is_kept_is_taken_again_and_what_is_not_is_forgotten(tmp_path: Path) -> None:
    file = tmp_path / "tuning" / "table.toml"
    desk = Desk(file)
    desk.ask("quiet_ms", 400, keep=True)
    desk.ask("rest_ms", 1200, at=2)
    desk.ask("hand_margin_mm", 20, keep=True, at=3)

    assert tuning.read(file) == {"quiet_ms": 400.0, "hand_margin_mm": 20.0}
    assert {one.name for one in desk.echoes()[-1].values if not one.kept} == {"rest_ms"}
    desk.ask("quiet_ms", None, keep=True, at=4)
    assert tuning.read(file) == {"hand_margin_mm": 20.0}


@pytest.mark.parametrize("text", ["quiet_ms = 5", "quiet_ms = true", 'quiet_ms = "slow"', "loud_ms = 5", "quiet_ms ="])
def test_a_file_that_was_spoilt_is_named(text: str, tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text(text)

    with pytest.raises(TuningError, match=r"table\.toml"):
        tuning.read(file)


class Answering(MemoryBus):
    """A person's bus behind which the camera obeys at once."""

    tuner: Tuner

    def publish(self, at, body) -> None:  # type: ignore[no-untyped-def]
        super().publish(at, body)
        if isinstance(body, Tune):
            self.tuner.obey()


def test_a_person_asks_and_sets_over_the_bus() -> None:
    hub = MemoryHub()
    detector = make_detector(PAINTER.table)
    tuner = Tuner(detector, MemoryBus(hub, NAMES, "overhead"), "overhead", None, lambda _: None)
    tuner.open()
    bus = Answering(hub, NAMES, "tune")
    bus.tuner = tuner

    shown = {value.name: described(value) for value in TuneClient(bus, "overhead").numbers()}
    assert shown["rest_ms"].startswith("rest_ms             900 ms   (300 to 10000)\n    A sector without motion")
    assert TuneClient(bus, "overhead").set("rest_ms", 1000, keep=False) == "rest_ms is 1000 ms, it was 900 ms."
    changed = {value.name: described(value) for value in TuneClient(bus, "overhead").numbers()}["rest_ms"]
    assert "1000 ms   (300 to 10000, default 900, until the next start)" in changed
    with pytest.raises(UserError, match="give 300 to 10000 ms"):
        TuneClient(bus, "overhead").set("rest_ms", 1, keep=False)


def test_a_camera_that_is_not_there_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tune_command, "WAIT_S", 0.05)

    with pytest.raises(UserError, match="start betline vision run"):
        TuneClient(MemoryBus(MemoryHub(), NAMES, "tune"), "overhead").set("rest_ms", 1000, keep=False)


def test_a_value_is_a_number_or_the_default() -> None:
    assert (given("1.5"), given("default")) == (1.5, None)
    with pytest.raises(UserError, match="number, or default"):
        given("much")


def test_what_was_kept_is_taken_at_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "kept.toml"
    monkeypatch.setattr(tuning, "default_path", lambda _: file)
    tuning.keep(file, {"quiet_ms": 400.0})

    assert run(["vision", "detect", "--video", str(tmp_path / "missing.mp4")]) == 1
    assert "quiet_ms 400" in capsys.readouterr().err
    file.write_text("quiet_ms = 1")
    assert run(["vision", "detect", "--video", str(tmp_path / "missing.mp4")]) == 2


@pytest.mark.parametrize("words", [[], ["quiet_ms", "--list"], ["quiet_ms", "--keep"], ["quiet_ms", "slow"]])
def test_tune_with_wrong_words_says_what_to_give(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["vision", "tune", *words]) == 2
    assert "ive" in capsys.readouterr().err

"""The report of one run in its four forms, and the line that it is judged by."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from betline.chromium import PHONE, TV, Chromium, Screen
from firmware_bridge.conform.check import Outcome
from firmware_bridge.conform.checks import CHECKS, results_of
from firmware_bridge.conform.drawing import histogram, timeline
from firmware_bridge.conform.evidence import Entry, Session, Stage
from firmware_bridge.conform.junit import as_junit
from firmware_bridge.conform.kit import GEN2_AIR_MS, ISO15693_AIR_MS, Reckoning, flipped
from firmware_bridge.conform.kits.catalogue import KITS
from firmware_bridge.conform.line import line_seen
from firmware_bridge.conform.page import as_page
from firmware_bridge.conform.report import Report, Subject, as_json, as_text
from firmware_bridge.conform.runner import Person, Run, Wanted
from firmware_bridge.protocols.catalogue import FAMILIES
from tests.browser import browser, needs_chromium  # noqa: F401
from tests.unit.firmware_bridge.conform.simulated import UIDS, SimulatedPlace
from tests.unit.project.imports import ROOT
from virtual_table.readers.behaviour import Behaviour
from virtual_table.readers.catalogue import virtual_reader
from virtual_table.readers.faults import FaultPlan

KIT = KITS["feig"]
SUBJECT = Subject(
    "feig", "FEIG OBID i-scan HF", KIT.page, "/dev/tty<1>", 38_400, "E", "2026-11-28T05:00:00+00:00",
    {"betline": "1", "python": "3", "system": "Linux"}, "reader & <b>hub</b>",
)  # fmt: skip


def report(faults: FaultPlan | None = None) -> Report:
    tags = [(uid, 1, 0.8) for uid in UIDS["feig"][:12]]
    behaviour = Behaviour(faults=faults or FaultPlan())
    place = SimulatedPlace(virtual_reader("feig", lambda: tags, behaviour, 1), FAMILIES["feig"].traits.line)
    evidence = Run(place, FAMILIES["feig"], KIT, Wanted(rounds=8), Person()).evidence()
    return Report(SUBJECT, evidence, results_of(evidence, KIT))


@pytest.fixture(scope="module")
def good() -> Report:
    return report()


@pytest.fixture(scope="module")
def noisy() -> Report:
    return report(FaultPlan(garbage=0.5))


def test_the_same_reader_gives_the_same_report(good: Report) -> None:
    again = report()

    assert as_page(again, KIT) == as_page(good, KIT)
    assert (as_json(again), as_junit(again), as_text(again)) == (as_json(good), as_junit(good), as_text(good))


def test_the_document_has_every_check_with_manual_and_figures(good: Report, noisy: Report) -> None:
    said = json.loads(as_json(good))

    assert [one["id"] for one in said["checks"]] == [check.id for check in CHECKS]
    assert all(one["manual"] and one["source"] and one["seen"] and one["how"] for one in said["checks"])
    assert (said["good"], said["firmware"], said["serial"]) == (True, "2.0", "00000001")
    assert sum(said["counts"].values()) == len(CHECKS)
    assert json.loads(as_json(noisy))["good"] is False


def test_junit_has_a_case_a_check_with_failures_and_what_was_skipped(noisy: Report) -> None:
    root = ET.fromstring(as_junit(noisy))
    suite = root.find("testsuite")
    assert suite is not None
    cases = {case.get("name"): case for case in suite.iter("testcase")}

    assert list(cases) == [check.id for check in CHECKS]
    assert int(suite.get("failures", "")) == len(list(suite.iter("failure"))) == noisy.counts[Outcome.FAILED] > 0
    assert int(suite.get("skipped", "")) == len(list(suite.iter("skipped"))) == noisy.counts[Outcome.NOT_TRIED] > 0
    failure = cases["noise"].find("failure")
    assert failure is not None
    assert "bytes" in failure.get("message", "")
    assert "hardware_docs" in (failure.text or "")


def test_what_a_reader_says_cannot_break_the_xml(good: Report) -> None:
    strange = Report(Subject("feig", "t", "p", "\x00\x1b[31m<&\ud800", 1, "E", "now", {}), good.evidence, good.results)

    assert ET.fromstring(as_junit(strange)).find("testsuite") is not None


def test_the_terminal_says_limit_and_manual_of_what_failed(noisy: Report) -> None:
    text = as_text(noisy)

    assert re.search(r"FAIL +Nothing between frames +\d+ bytes at \d+ places", text)
    assert "limit: none" in text
    assert text.splitlines()[-1] == noisy.summary
    assert noisy.summary.startswith("Not yet fit for a table: ")


class Page(HTMLParser):
    """Elements, and every attribute that could fetch something."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[str] = []
        self.fetched: list[str] = []
        self.rows: list[str | None] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        self.fetched += [
            name for name, _ in attrs if name in ("src", "href", "xlink:href", "srcset", "action", "style")
        ]
        self.fetched += [name for name, _ in attrs if name.startswith("on")]
        self.rows += [value for name, value in attrs if name == "id"]


def test_the_page_is_one_file_without_scripts_or_anything_from_elsewhere(noisy: Report) -> None:
    text = as_page(noisy, KIT)
    page = Page(text)

    assert not {"script", "link", "img", "iframe", "object", "embed", "b"} & set(page.elements)
    assert page.fetched == []
    assert "http" not in text.replace("</", "")
    assert "url(" not in text
    assert "@import" not in text
    assert page.elements.count("svg") == 2
    assert page.rows == [check.id for check in CHECKS]
    assert "reader &amp; &lt;b&gt;hub&lt;/b&gt;" in text


def test_pictures_are_left_out_where_no_round_was_complete() -> None:
    silent = Stage("nothing", None, Session(0.0, 1.0))

    assert histogram(silent, KIT, 0.3) == timeline(silent, 0.3) == ""


# --- the line ---------------------------------------------------------------------------------------------------------

REQUEST = bytes.fromhex("07 FF B0 01 00 1C 56")
REPLY = bytes.fromhex("11 00 B0 00 01 03 00 E0 04 01 53 06 A2 2D 70 BF 2B")


def tape(*pieces: tuple[float, bytes]) -> list[Entry]:
    return [Entry(0.0, True, REQUEST), *(Entry(at_ms, False, data) for at_ms, data in pieces)]


def test_a_silence_within_a_frame_is_the_time_between_its_reads_less_that_of_the_bytes() -> None:
    seen = line_seen(tape((10.0, REPLY[:7]), (50.0, REPLY[7:])), KIT.ear(), 1.0, KIT.begins)

    assert [(one.reads, one.silence_ms) for one in seen.frames] == [(2, 30.0)]
    assert seen.answer_ms == (10.0,)
    assert (seen.damaged, seen.noise_bytes, seen.told, seen.repeated) == (0, 0, 1, 0)


def test_bytes_around_an_answer_are_noise_and_in_its_place_they_are_damage() -> None:
    noisy = line_seen(tape((10.0, b"\x99\x98" + REPLY + b"\x97")), KIT.ear(), 1.0, KIT.begins)
    broken = line_seen(tape((10.0, flipped(REPLY, 9))), KIT.ear(), 1.0, KIT.begins)
    short = line_seen(tape((10.0, REPLY[:-4])), KIT.ear(), 1.0, KIT.begins)

    assert (noisy.noise_bytes, noisy.noise_runs, noisy.damaged) == (3, 2, 0)
    assert (broken.noise_bytes, broken.damaged, broken.unanswered) == (0, 1, 1)
    assert (short.noise_bytes, short.damaged, short.unanswered) == (0, 1, 1)


@pytest.mark.parametrize(("tags", "ms"), [(0, 10), (1, 14), (20, 183), (30, 281), (60, 551), (200, 1752)])
def test_the_air_is_reckoned_between_and_beyond_the_known_counts(tags: int, ms: float) -> None:
    assert Reckoning(0.0, ISO15693_AIR_MS).round_ms(tags, 0.3) == pytest.approx(ms)


def test_the_reckoned_air_is_that_of_the_page_on_readers() -> None:
    page = (ROOT / "hardware_docs" / "readers.md").read_text(encoding="utf-8")

    for times in (ISO15693_AIR_MS, GEN2_AIR_MS):
        assert " | ".join(map(str, times[1:])) + " |" in page


def test_the_sources_of_the_manual_are_pages_that_exist() -> None:
    says = [one.says for one in CHECKS] + [said for kit in KITS.values() for said in kit.says.values()]

    for said in says:
        named = re.findall(r"hardware_docs/[\w/.-]+\.md", said.source)
        assert named, said
        assert all((ROOT / page).exists() for page in named), said


@needs_chromium
@pytest.mark.nightly
@pytest.mark.parametrize("screen", [PHONE, TV], ids=["phone", "screen"])
def test_the_page_fits_its_screen_and_a_browser_has_nothing_to_complain_of(
    browser: Chromium,  # noqa: F811
    noisy: Report,
    tmp_path: Path,
    screen: Screen,
) -> None:
    file = tmp_path / "report.html"
    file.write_text(as_page(noisy, KIT), encoding="utf-8")
    page = browser.page(screen)

    page.open(file.as_uri())
    page.wait_for("document.readyState === 'complete'")

    assert page.value("document.documentElement.scrollWidth") <= screen.width
    assert page.value("[...document.querySelectorAll('svg')].every(one => one.getBoundingClientRect().height > 30)")
    assert page.complaints() == []

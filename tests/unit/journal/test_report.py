"""`betline report` and `journal verify --head`: a hand on paper, and whether the journal is still the printed one."""

import json
import re
import shutil
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from betline.front_door import run
from table_controller.accounts.report.making import Pictures, recalled
from table_controller.accounts.report.page import Head, Made, report_html
from table_controller.journal.reader import JournalReader
from tests.unit.journal.test_export import Table


def disputed(folder: Path) -> Path:
    """A journal with a hand in which one oversized chip is a call; its file."""
    table = Table(folder, {"1": 2000, "2": 2000, "3": 2000}, {"limit": "no-limit", "blinds": [50, 100]})
    table.acts((1, "raise", 300))
    table.acts((2, "call"), (3, "fold"))
    table.keys("deal")
    table.acts((2, "check"))
    assert table.desk.key("says", seat=1, text="bet 400").ok
    table.acts((2, "fold"))
    table.export("any.csv")
    return folder / "t.journal"


def made(journal: Path, *more: str) -> tuple[int, str]:
    out = journal.parent / "hand.html"
    status = run(["report", "1", "--journal", str(journal), "-o", str(out), *more])
    return status, out.read_text(encoding="utf-8") if out.exists() else ""


def text_of(html: str) -> str:
    return unescape(re.sub(r"<[^>]+>", " ", html))


def head_of(html: str) -> str:
    found = re.search(r"verify --head (\d+:[0-9a-f]{64})", html)
    assert found
    return found[1]


def test_a_report_has_acts_rulings_stacks_and_the_text_of_the_rules_that_were_cited(tmp_path: Path) -> None:
    status, html = made(disputed(tmp_path))
    said = text_of(html)
    assert status == 0
    for words in ("t, hand 1", "Seat 1 raises to 300", "Seat 2 calls 300", "Seat 1 won 700", "Stacks when it began"):
        assert words in said
    assert "2,000" in said
    assert "Rules that were cited" in said
    assert re.search(r"TDA[ -]\d+", said.partition("Rules that were cited")[2])


def test_a_report_loads_nothing_and_is_its_owners_only(tmp_path: Path) -> None:
    _, html = made(disputed(tmp_path))
    assert not re.findall(r"(?:src|href)=\"(?!data:)", html)
    assert "<script" not in html
    assert (tmp_path / "hand.html").stat().st_mode & 0o777 == 0o600


def test_the_code_on_a_report_is_the_command_that_checks_it(tmp_path: Path) -> None:
    _, html = made(disputed(tmp_path))
    command = f"betline journal verify --head {head_of(html)}"
    path = re.search(r'<path d="([^"]+)" fill="#000"', html)
    assert path
    dark = {(int(y), int(x)) for x, y in re.findall(r"M(\d+),(\d+)h1", path[1])}
    side = max(y for y, _ in dark) + 5
    picture = np.full((side, side), 255, np.uint8)
    for y, x in dark:
        picture[y, x] = 0
    large = np.kron(picture, np.ones((8, 8), np.uint8))
    assert cv2.QRCodeDetector().detectAndDecode(large)[0] == command


def verify(journal: Path, head: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    capsys.readouterr()
    status = run(["journal", "verify", "--journal", str(journal), "--head", head])
    captured = capsys.readouterr()
    return status, captured.out + captured.err


def test_a_journal_that_was_written_since_is_still_the_one_of_the_print(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal = disputed(tmp_path)
    head = head_of(made(journal)[1])
    assert verify(journal, head, capsys)[0] == 0
    earlier = next(JournalReader(journal).entries(4))
    status, said = verify(journal, f"{earlier.seq}:{earlier.hash}", capsys)
    assert status == 0
    assert f"Entry {earlier.seq} is the one of the print" in said


def test_a_journal_that_was_written_anew_is_named_though_its_chain_holds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "other").mkdir()
    head = head_of(made(disputed(tmp_path))[1])
    table = Table(tmp_path / "other", {"1": 2000, "2": 1000, "3": 2000}, {"limit": "no-limit", "blinds": [50, 100]})
    table.acts((1, "raise", 300), (2, "call"), (3, "fold"))
    table.keys("deal")
    table.acts((2, "check"), (1, "bet", 400), (2, "fold"))
    table.export("any.csv")
    status, said = verify(tmp_path / "other" / "t.journal", head, capsys)
    assert status == 1
    assert "is not the one of the print" in said or "This journal has no entry" in said


def test_an_entry_that_the_journal_has_not_reached_and_a_head_that_is_none_are_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal = disputed(tmp_path)
    status, said = verify(journal, f"9999:{'0' * 64}", capsys)
    assert status == 1
    assert "This journal has no entry 9999" in said
    status, said = verify(journal, "12:abc", capsys)
    assert status == 2
    assert "--head is SEQ:HASH" in said


def test_the_json_of_verify_says_whether_the_print_holds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    journal = disputed(tmp_path)
    head = head_of(made(journal)[1])
    capsys.readouterr()
    assert run(["journal", "verify", "--journal", str(journal), "--head", head, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["printed"]["holds"] is True
    assert run(["journal", "verify", "--journal", str(journal), "--head", f"3:{'0' * 64}", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["printed"]["holds"] is False


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["9"], 1, "There is no hand 9"),
        (["1", "-o", "dispute.doc"], 2, "ends in .html or .pdf"),
    ],
)
def test_a_report_that_cannot_be_made_is_refused_in_a_sentence(
    words: list[str], status: int, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: Any
) -> None:
    journal = disputed(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert run(["report", *words, "--journal", str(journal)]) == status
    assert said in capsys.readouterr().err
    assert not list(tmp_path.glob("hand-*"))


def test_no_report_is_made_of_a_journal_that_does_not_hold(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    journal = disputed(tmp_path)
    content = journal.read_bytes()
    changed = content.replace(b'"to":300', b'"to":301')
    assert changed != content
    journal.write_bytes(changed)
    status, html = made(journal)
    assert (status, html) == (1, "")
    assert "No report is made" in capsys.readouterr().err


def ring(folder: Path, event: str) -> bytes:
    """A stretch of three pictures as the camera's program keeps it, the event at the second; that picture."""
    stretch = folder / "t.rings" / "20260101T000000.000Z-x"
    stretch.mkdir(parents=True)
    for number in range(3):
        (stretch / f"{number:04d}.jpg").write_bytes(b"\xff\xd8picture %d" % number)
    frames = [{"file": f"{number:04d}.jpg", "wall_ms": number, "t_ns": number * 1000} for number in range(3)]
    index = {"events": [{"id": event, "seat": 1, "t_first_ns": 1100}], "frames": frames}
    (stretch / "ring.json").write_text(json.dumps(index), encoding="utf-8")
    return b"\xff\xd8picture 1"


def test_an_acts_pictures_are_in_the_report_and_those_that_are_gone_are_said(tmp_path: Path) -> None:
    journal = disputed(tmp_path)
    picture = ring(tmp_path, "e-7")
    pictures = Pictures(tmp_path / "t.rings")
    assert (pictures.of("e-7"), pictures.of("e-8")) == (picture, None)
    with JournalReader(journal) as reader:
        hand = recalled(reader, 1)
    first = hand.entries[0].seq
    html = report_html(
        replace(hand, pictures={first: ("e-7", "e-8")}), {}, Made("t", "t", 0, Head(1, "0" * 64), ""), "", pictures.of
    )
    assert html.count("data:image/jpeg;base64,") == 1
    assert "Picture e-8 is not kept." in html


def test_a_stretch_that_cannot_be_read_leaves_the_others(tmp_path: Path) -> None:
    ring(tmp_path, "e-7")
    broken = tmp_path / "t.rings" / "broken"
    broken.mkdir()
    (broken / "ring.json").write_text("{", encoding="utf-8")
    assert Pictures(tmp_path / "t.rings").of("e-7") is not None


@pytest.mark.nightly
@pytest.mark.skipif(shutil.which("chromium") is None, reason="Chromium is not installed")
def test_a_report_as_a_pdf_is_one(tmp_path: Path) -> None:
    out = tmp_path / "dispute.pdf"
    assert run(["report", "1", "--journal", str(disputed(tmp_path)), "-o", str(out)]) == 0
    assert out.read_bytes().startswith(b"%PDF-")

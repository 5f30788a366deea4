"""Each alert and each finding of the doctor has its line on the page of trouble, and no line is about another."""

from __future__ import annotations

import ast
import re

import pytest

from tests.unit.docs.alert_codes import alert_codes, codes_of
from tests.unit.docs.checkout import ROOT

PAGE = (ROOT / "docs" / "trouble.md").read_text(encoding="utf-8")
ALERTS, FINDINGS = PAGE.split("## What `betline doctor` finds")
DOCTORS = ("betline/doctor", "firmware_bridge/doctor.py", "vision/doctor.py")
LINE = re.compile(r"^\| `([a-z-]+)` \| [^|]+ \| [^|]+ \|$", re.MULTILINE)
FINDING = re.compile(r"^\| ([a-z ]+) \| [^|]+ \| [^|]+ \|$", re.MULTILINE)


def findings() -> set[str]:
    """What the doctor names in its answers; a reader is named by its own id."""
    found = set()
    for where in DOCTORS:
        path = ROOT / where
        for file in [path] if path.is_file() else sorted(path.glob("*.py")):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                name = getattr(getattr(node, "func", None), "id", "")
                if name in ("ok", "warning", "fault", "skipped") and isinstance(node, ast.Call) and node.args:
                    what = node.args[0]
                    if isinstance(what, ast.Constant):
                        found.add(str(what.value))
    return found


def test_every_alert_has_its_line() -> None:
    listed = LINE.findall(ALERTS)

    assert sorted(alert_codes() - set(listed)) == []
    assert sorted(set(listed) - alert_codes()) == []
    assert len(listed) == len(set(listed))


def test_every_finding_of_the_doctor_has_its_line() -> None:
    listed = [one for one in FINDING.findall(FINDINGS) if one != "finding"]

    assert sorted(findings() - set(listed)) == []
    assert sorted(set(listed) - findings()) == []


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ('draft.alert(Alert(severity="info", code="late", seat=1, sentence="x"))', "late"),
        ('WHY = "late"\nAlert(severity="info", code=WHY, sentence="x")', "late"),
        ('A, B = "early", "late"\nAlert(code=B)', "late"),
        ('self._notices.stands("late", "x")', "late"),
        ('ruled(alerts=("late",) if over else ())', "late"),
        ('def say(draft, code):\n    draft.alert(Alert(code=code))\n\nsay(draft, "late")', "late"),
        ('_SENTENCES = {"late": "x"}', "late"),
    ],
)
def test_a_code_is_found_however_it_is_raised(source: str, code: str) -> None:
    assert list(codes_of(source)) == [code]

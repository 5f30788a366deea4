"""What the repository cites is in the repository: no page, no folder and no note of somebody's own desk."""

from __future__ import annotations

import re
from pathlib import Path

from tests.unit.docs.checkout import ROOT, texts

PAGE = re.compile(r"(?<![\w/.-])((?:\.\./)*[\w][\w/.-]*\.md)\b")
ELSEWHERE = re.compile(
    r"\bseeds? 00\d|^\s*source: .*\bseeds?\b"
    r"|\b(?:CASES|DESIGN|STYLE|HARDWARE|VISION|RULES|HOUSE|HOUSE_RULES|[A-Z]+_FINDINGS)\.md"
)


def test_every_page_that_is_cited_exists() -> None:
    lost = {
        f"{path}:{number}: {name}"
        for path, text in texts()
        for number, line in enumerate(text.splitlines(), start=1)
        for name in PAGE.findall(line)
        if not (_is_made_up(path, name) or _exists(path, name))
    }

    assert not lost, "Cite a page by its path from the root: " + "; ".join(sorted(lost))


def test_nothing_names_a_place_outside_the_repository() -> None:
    own = Path("tests/unit/docs/test_citations.py")
    named = {
        f"{path}:{number}: {match[0]}"
        for path, text in texts()
        if path != own
        for number, line in enumerate(text.splitlines(), start=1)
        for match in ELSEWHERE.finditer(line)
    }

    assert not named, "Bring what is needed into a page of docs or hardware_docs and cite that: " + "; ".join(
        sorted(named)
    )


def _is_made_up(path: Path, name: str) -> bool:
    """Tests name pages that are nowhere."""
    return path.parts[0] == "tests" and "/" not in name


def _exists(path: Path, name: str) -> bool:
    """From the root, from the folder of the file that cites it, or any page of that name where it has no folder."""
    if "/" not in name and any(any((ROOT / folder).rglob(name)) for folder in ("docs", "hardware_docs")):
        return True
    return any((base / name).is_file() for base in (ROOT, ROOT / path.parent))

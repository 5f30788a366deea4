"""The Markdown pages of the checkout: their headings as anchors, their links, their fenced blocks."""

import re
from collections.abc import Iterator
from pathlib import Path

from tests.unit.project.imports import ROOT

FENCED = re.compile(
    r"^(?P<fence>```+|~~~+)(?P<kind>[^\n`]*)\n(?P<text>.*?)^(?P=fence)[ \t]*$", re.MULTILINE | re.DOTALL
)
CODE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)", re.DOTALL)
INLINE = re.compile(r"\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)")
DEFINED = re.compile(r"^\[[^\]]+\]:\s+(\S+)", re.MULTILINE)
HEADING = re.compile(r"^#{1,6}\s+(.+?)\s*#*\s*$", re.MULTILINE)
LINKED = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)


def pages(root: Path = ROOT) -> Iterator[Path]:
    """Every Markdown page, those of `.github` too; none of caches and environments."""
    for path in sorted(root.rglob("*.md")):
        folders = path.relative_to(root).parts[:-1]
        if not any(folder.startswith(".") and folder != ".github" for folder in folders):
            yield path


def blocks(text: str, kind: str) -> list[str]:
    """The contents of fenced blocks of a kind, such as `yaml`."""
    return [found["text"] for found in FENCED.finditer(text) if found["kind"].strip() == kind]


def links(text: str) -> list[str]:
    """The targets of all links and pictures outside code."""
    prose = CODE.sub("", FENCED.sub("", text))
    return [*INLINE.findall(prose), *DEFINED.findall(prose)]


def anchors(text: str) -> set[str]:
    """What a link may name after `#`, made of the headings as GitHub makes it."""
    seen: dict[str, int] = {}
    found: set[str] = set()
    for heading in HEADING.findall(FENCED.sub("", text)):
        words = LINKED.sub(r"\1", heading).lower()
        anchor = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        number = seen.get(anchor, 0)
        seen[anchor] = number + 1
        found.add(f"{anchor}-{number}" if number else anchor)
    return found


def broken_links(page: Path) -> list[str]:
    """The links of a page whose file or heading is not there."""
    text = page.read_text(encoding="utf-8")
    broken = []
    for link in links(text):
        if SCHEME.match(link):
            continue
        name, _, anchor = link.partition("#")
        target = page if not name else page.parent / name
        if not target.exists() or (
            anchor and target.suffix == ".md" and anchor not in anchors(target.read_text(encoding="utf-8"))
        ):
            broken.append(link)
    return broken

"""The command lines that the pages print, and what the real parsers of `betline` say of them."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from betline.front_door import VERBS, room_of
from tests.unit.docs.checkout import ROOT

FENCE = re.compile(r"^(?P<indent> *)(?P<fence>```+|~~~+)(?P<kind>[^\n`]*)$")
MARK = re.compile(r"^<!-- (?P<mark>[a-z]+) -->$")
BEFORE = r"(?:sudo (?:-u \S+ )?)?(?:env )?(?:[A-Z_]+=\S+ )*"
INLINE = re.compile(rf"`({BEFORE}(?:betline|\./run) [^`\n]+(?:\n[^`\n]+)?)`")
PROGRAM = re.compile(rf"^(?:\$ )?{BEFORE}(?:/\S+/)?(?:betline|\./run|\.venv/bin/betline) (?P<rest>.+)$")
END = re.compile(r"(?:^|\s)(?:\||\|\||&&|&|;|[0-9]?>{1,2}|<)(?:\s|$)|;\s")
SHELL = frozenset({"sh", "bash", "console", ""})
OF_RUN = frozenset({"test", "docs"})
"""What `run` does itself: its own tests are tests/unit/project/test_run.py."""


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced or indented block of a page, with the mark of the comment that stands before it."""

    page: str
    line: int
    text: str
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Command:
    """One call of `betline`: its words after the program."""

    page: str
    line: int
    words: tuple[str, ...]


def blocks(text: str, page: str) -> Iterator[Block]:
    """The blocks of shell of a page: those fenced as such, and those that are indented by four."""
    lines = text.splitlines()
    at = 0
    while at < len(lines):
        fence = FENCE.match(lines[at])
        begin = at
        if fence:
            at += 1
            while at < len(lines) and lines[at].strip() != fence["fence"]:
                at += 1
            if fence["kind"].strip() in SHELL:
                inside = [line[len(fence["indent"]) :] for line in lines[begin + 1 : at]]
                before = MARK.match(lines[begin - 1]) if begin else None
                yield Block(page, begin + 2, "\n".join(inside), before["mark"] if before else "")
        elif lines[at].startswith("    ") and (not at or not lines[at - 1].strip()):
            while at + 1 < len(lines) and lines[at + 1].startswith("    "):
                at += 1
            yield Block(page, begin + 1, "\n".join(line[4:] for line in lines[begin : at + 1]))
        at += 1


def commands(text: str, page: str) -> Iterator[Command]:
    """Every call of `betline` that a page prints, in blocks and in the running text."""
    prose = text
    for block in blocks(text, page):
        prose = prose.replace(block.text, "\n" * block.text.count("\n"))
        joined = re.sub(r"\\\n\s*", " ", block.text)
        for number, line in enumerate(joined.splitlines()):
            yield from _calls(line, page, block.line + number)
    for found in INLINE.finditer(prose):
        yield from _calls(" ".join(found[1].split()), page, prose.count("\n", 0, found.start()) + 1)


def _calls(line: str, page: str, number: int) -> Iterator[Command]:
    """The calls of a line of shell; a comment and what stands after it is not read."""
    for part in re.split(r"\s(?:&&|\|\|?|;)\s", re.sub(r"(?:^|\s)#.*$", "", line)):
        found = PROGRAM.match(part.strip())
        if found:
            words = shlex.split(END.split(found["rest"], maxsplit=1)[0], comments=True)
            yield Command(page, number, tuple(words))


def complaint(words: tuple[str, ...]) -> str:
    """What is wrong with a command line by the program's own parsers; empty if it can be typed so."""
    name, *rest = words
    if name in OF_RUN or name.startswith("-") or not name.islower():
        return ""
    if name not in VERBS:
        return f"there is no verb {name}"
    room, called = room_of(VERBS[name]), list(rest) if VERBS[name].group else list(words)
    while hasattr(room, "commands") and called:
        word = called.pop(0)
        if word.startswith("-") or not word.replace("-", "").isalpha() or word.isupper():
            return ""  # --help, or "..." for any of them
        if word not in room.commands:
            return f"betline {name} has no {word}"
        room = room.commands[word]
    try:
        context = room.context_class(room, info_name=name)
        room.make_parser(context).parse_args([word for word in called if word != "..."])
    except Exception as error:
        if not hasattr(error, "format_message"):  # what typer raises for a wrong command line
            raise
        return " ".join(error.format_message().split())
    return ""


def documents() -> Iterator[Path]:
    """The pages that people read: all of the site, and the README."""
    yield from sorted(ROOT.glob("*.md"))
    for folder in ("docs", "hardware_docs"):
        yield from sorted((ROOT / folder).rglob("*.md"))

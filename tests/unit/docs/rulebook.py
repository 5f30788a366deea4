"""Fills in what the rule book takes from elsewhere: options from the house rules, examples from the cases.

``python -m tests.unit.docs.rulebook`` rewrites `docs/rulebook.md`. Prose is never touched: only the lines that begin
with `- House options:`, `- Entries:` and `- Cases:`, and the table of options.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel

from betline.cases import Case, Expect
from betline.settings import HouseRules, load_house_rules
from tests.cases.all_cases import CASES

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "rulebook.md"
PROFILES = ("tda", "cash", "home")
MOST_LISTED = 8
"""Cases that an entry lists by name; of more it says how many."""

HEADING = re.compile(r"^### (R-\d{3}|TDA (?:RP-)?\d+)$")
GENERATED = ("- House options:", "- Entries:", "- Cases:")
OPTIONS = re.compile(r"(<!-- options -->\n).*?(<!-- /options -->)", re.DOTALL)

_OPTION = re.compile(r"\boptions?:? ([a-z_]+)")
_R = re.compile(r"\bR-(\d{3})(?: to R-(\d{3}))?\b")
_PARAGRAPH = r"(?:RP-)?\d{1,2}(?!\d)(?:-[A-Z]\d?)?(?![\w%])"
_TDA = re.compile(rf"\bTDA[ -]({_PARAGRAPH}(?:(?:,? and |, ?| to |/| \+ | ){_PARAGRAPH})*)")


def cited(text: str) -> tuple[str, ...]:
    """The rules that a text cites, in its order, each once: `R-054`, `TDA 45-A`; ranges are written out."""
    found: list[tuple[int, str]] = []
    for match in _R.finditer(text):
        first, last = int(match[1]), int(match[2] or match[1])
        found += [(match.start(), f"R-{number:03}") for number in range(first, last + 1)]
    for match in _TDA.finditer(text):
        numbers = re.findall(_PARAGRAPH, match[1])
        found += [(match.start(), f"TDA {number}") for number in numbers]
        for first, last in re.findall(r"(\d+)(?:-[A-Z]\d?)? to (\d+)", match[1]):
            found += [(match.start(), f"TDA {number}") for number in range(int(first), int(last))]
    return tuple(dict.fromkeys([number for _, number in sorted(found, key=lambda item: item[0])]))


def rule_of(citation: str) -> str:
    """The entry where a citation is told: that of the whole rule for one of its paragraphs."""
    if citation.startswith("TDA RP-"):
        return "-".join(citation.split("-")[:2])
    return citation.partition("-")[0] if citation.startswith("TDA") else citation


@dataclass(frozen=True, slots=True)
class Shown:
    """What a case says of itself: the rules that it cites, and the options that it sets."""

    id: str
    cites: frozenset[str]
    options: frozenset[str]


def shown(case: Case) -> Shown:
    """What a case cites in its source, its note and its expectations, and how its house differs from the profiles."""
    texts = [case.source, case.note]
    for entry in case.play:
        if isinstance(entry, Expect):
            texts += [str(rule) for rule in _named(entry)]
    named = set(_OPTION.findall(f"{case.source}; {case.note}")) & set(HouseRules.model_fields)
    house = dict(case.setup.house)
    nearest = min(_profiles(), key=lambda profile: sum(house[key] != profile[key] for key in house))
    differs = {key for key in house if house[key] != nearest[key]}
    return Shown(case.id, frozenset(cited("; ".join(texts))), frozenset(named | differs))


@cache
def _profiles() -> tuple[dict[str, Any], ...]:
    return tuple([dict(load_house_rules(profile)) for profile in PROFILES])


def _named(expect: Expect) -> Iterable[object]:
    rules = expect.values.get("cites", ())
    return sorted(rules) if isinstance(rules, frozenset) else ()


@dataclass(frozen=True, slots=True)
class Entry:
    """One rule of the page as people wrote it."""

    number: str
    lines: tuple[str, ...]
    """What follows the heading, without what is generated and without empty lines at the end."""

    @property
    def text(self) -> str:
        """The rule itself, after its title in bold."""
        return " ".join([line for line in self.lines if line and not line.startswith("-")])

    @property
    def source(self) -> str:
        """Where the rule comes from; empty for a TDA rule, which is its own source."""
        return next((line.removeprefix("- Source: ") for line in self.lines if line.startswith("- Source: ")), "")


def entries(page: str) -> tuple[Entry, ...]:
    """The rules of the page, in its order."""
    found: list[Entry] = []
    blocks = re.split(r"^(?=##)", page, flags=re.MULTILINE)
    for block in blocks:
        head, *rest = block.rstrip("\n").split("\n")
        if match := HEADING.match(head):
            kept = [line for line in rest if not line.startswith(GENERATED)]
            found.append(Entry(match[1], tuple(kept)))
    return tuple(found)


def filled(page: str, cases: Iterable[Shown]) -> str:
    """The page with its options and cases as they are now."""
    known = tuple(cases)
    rules = entries(page)
    blocks = [_block(block, rules, known) for block in re.split(r"^(?=##)", page, flags=re.MULTILINE)]
    return OPTIONS.sub(lambda match: match[1] + "\n".join(option_table()) + "\n" + match[2], "".join(blocks))


def _block(block: str, rules: tuple[Entry, ...], cases: tuple[Shown, ...]) -> str:
    found = entries(block)
    if not found:
        return block
    (entry,) = found
    lines = [block.split("\n", 1)[0], *entry.lines]
    while lines[-1] == "":
        lines.pop()
    if not lines[-1].startswith("-"):
        lines.append("")
    options = options_on(entry.number)
    if options:
        lines.append(f"- House options: {', '.join(f'`{name}` ({values(name)})' for name in options)}.")
    if used := entries_from(entry.number, rules):
        lines.append(f"- Entries: {', '.join(f'[{number}](#{number.lower()})' for number in used)}.")
    if examples := examples_of(entry, cases):
        named = [f"`{case}`" for case in examples[:MOST_LISTED]]
        more = len(examples) - MOST_LISTED
        lines.append(f"- Cases: {', '.join(named)}{f' and {more} more' if more > 0 else ''}.")
    while lines[-1] == "":
        lines.pop()
    return "\n".join(lines) + "\n\n"


def options_on(rule: str) -> tuple[str, ...]:
    """The house options whose description names a rule."""
    return tuple([
        name for name, info in HouseRules.model_fields.items() if rule in cited(info.description or "")
    ])  # fmt: skip


def entries_from(rule: str, rules: Iterable[Entry]) -> tuple[str, ...]:
    """The entries that come from a TDA rule."""
    return tuple([entry.number for entry in rules if rule in [rule_of(source) for source in cited(entry.source)]])


def examples_of(entry: Entry, cases: Iterable[Shown]) -> tuple[str, ...]:
    """The cases that show a rule, those that name it itself before those of its options and its source."""
    options = set(options_on(entry.number))
    sources = [citation for citation in cited(entry.source) if citation.startswith("TDA")]
    ranked: list[tuple[int, str]] = []
    for case in cases:
        if any(rule_of(citation) == entry.number for citation in case.cites):
            ranked.append((0, case.id))
        elif options & case.options:
            ranked.append((1, case.id))
        elif any(_within(citation, source) for citation in case.cites for source in sources):
            ranked.append((2, case.id))
    return tuple([name for _, name in sorted(ranked, key=lambda item: item[0])])


def _within(citation: str, source: str) -> bool:
    """Whether a case's citation lies within the paragraph that an entry comes from."""
    return citation == source or (citation.startswith(source) and not citation[len(source)].isdigit())


def option_table() -> Iterator[str]:
    """One line an option: its values, what the profiles set, and the rules that it bears on."""
    profiles = [load_house_rules(profile) for profile in PROFILES]
    yield f"| option | values | {' | '.join(PROFILES)} | rules |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for name, info in HouseRules.model_fields.items():
        links = [f"[{rule}](#{rule.lower()})" for rule in cited(info.description or "")]
        cells = [f"`{written(getattr(profile, name))}`" for profile in profiles]
        yield f"| `{name}` | {values(name)} | {' | '.join(cells)} | {', '.join(links)} |"


def values(option: str) -> str:
    """What an option can be, shortly: the words of a list, or the kind of value."""
    return ", ".join(dict.fromkeys(_values(HouseRules.model_fields[option].annotation)))


def _values(annotation: Any) -> Iterator[str]:
    if annotation is bool:
        yield from ("true", "false")
    elif annotation is int:
        yield "a number"
    elif annotation is type(None):
        yield "none"
    elif get_origin(annotation) is Literal:
        yield from (str(value) for value in get_args(annotation))
    elif get_origin(annotation) is tuple:
        yield "[least, most]"
    elif isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield "a table"
    else:
        for part in get_args(annotation):
            if not _is_check(part):
                yield from _values(part)


def _is_check(part: object) -> bool:
    """What pydantic keeps beside a type in `Annotated`."""
    return not (isinstance(part, type) or get_args(part))


def written(value: object) -> str:
    """A value as a settings file has it."""
    if isinstance(value, BaseModel):
        items = value.model_dump(exclude_unset=True).items()
        return "{" + ", ".join(f"{key}: {written(item)}" for key, item in items) + "}"
    if isinstance(value, tuple):
        return "[" + ", ".join(written(item) for item in value) + "]"
    if value is None or isinstance(value, bool):
        return "none" if value is None else str(value).lower()
    return str(value)


def current() -> str:
    """The page as it is to be."""
    return filled(PAGE.read_text(encoding="utf-8"), [shown(case) for case in CASES])


if __name__ == "__main__":
    PAGE.write_text(current(), encoding="utf-8")

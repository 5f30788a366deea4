"""`docs/rules.md`: every rule of the rule table, from the table itself and from the cases that it decides.

``python -m table_controller.tools.rule.pages`` writes it; a test holds it to the code.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import yaml

from betline.cases import Expect, read_cases
from betline.rule_texts import text_of
from betline.settings import HouseRules
from betline.steps import Act, ClockExpired, Step, step_to_mapping
from table_controller.betting import Illegal
from table_controller.rulings import RulingKind, Table
from table_controller.rulings.acts import book, chips, declared, gestures, order, readings
from table_controller.rulings.redo import corrections
from table_controller.rulings.values import motions
from table_controller.rulings.values import situation as situations
from table_controller.tools.rule.texts import meaning_of

ROOT = Path(__file__).resolve().parents[3]
DOCUMENT = ROOT / "docs" / "rules.md"
CASES = ROOT / "tests" / "cases"
FIRST = ("rulings.yaml", "betting.yaml", "own_chips.yaml", "own_words.yaml")
"""Files whose cases are the examples, where there is one in them: those that hardly change."""

RULE_ID = re.compile(r"\b(TDA)[ -](\d+)|\bR-(\d+)")
Rule = Callable[..., Any]

HEAD = """\
# The rules on acts, one by one

An act of the player in turn (chips, words, a tap, cards pushed away) is put to the rules of this table from the top;
**the first that answers decides**. Each is one function of that name in `table_controller/rulings`. `betline rule`
explains the ruling on one act: the rule that decided, its arithmetic, and what other house options would have made of
it. R-numbers are those that the code and the house options cite; TDA numbers are those of the 2024 text.

First the words and chips that count are settled: the first of words and chips binds (TDA 40); chips of later motions
count only after a declared amount (TDA 56; option `raise_motions`); chips carried back in the hand count as `commit`
says (R-050).

This page is written by `.venv/bin/python -m table_controller.tools.rule.pages`; a test compares it with the code and
the cases.
"""


@dataclass(slots=True)
class Seen:
    """What the cases show of a rule."""

    case: str = ""
    step: Step | None = None
    sentence: str = ""
    offers: set[str] = field(default_factory=set)
    asked: bool = False
    """The floor was asked."""


def page() -> str:
    """The document."""
    seen = seen_in_cases()
    around = [rule for rule in own_functions(book) if not rule.__name__.startswith("_") and rule is not book.decide]
    lines = [HEAD, "## By number", "", "| stands in | rules |", "| --- | --- |"]
    lines += [
        f"| {_shown(number)} | {', '.join(_link(rule) for rule in rules)} |"
        for number, rules in _by_number((*book.RULES, *around))
    ]
    lines += ["", "## The table, in its order", ""]
    for place, rule in enumerate(book.RULES, start=1):
        lines += _section(f"{place}. ", rule, seen.get(rule.__name__, Seen()))
    lines += ["## Asked before the table", ""]
    for rule in around:
        lines += _section("", rule, seen.get(rule.__name__, Seen()))
    lines += ["## Around the table", "", "| function | what it says |", "| --- | --- |"]
    for module in (motions, order, corrections):
        for rule in own_functions(module):
            if RULE_ID.search(meaning_of(rule)):
                lines.append(f"| `{module.__name__.rpartition('.')[2]}.{rule.__name__}` | {meaning_of(rule)} |")
    return "\n".join(lines) + "\n"


@cache
def seen_in_cases() -> dict[str, Seen]:
    """For each rule by name the first case in which it decides, and what it offered the floor."""
    found: dict[str, Seen] = {}
    for case in sorted(read_cases([CASES]), key=lambda case: case.file.name not in FIRST):
        try:
            table = Table.begin(case.setup)
        except Illegal:
            continue
        for entry in case.play:
            if isinstance(entry, Expect):
                continue
            outcome = table.apply(entry)
            table = outcome.table
            for ruling in (outcome.ruling, *[settled.ruling for settled in outcome.settled]):
                if not isinstance(entry, Act | ClockExpired) or ruling is None or not ruling.rule:
                    continue
                seen = found.setdefault(ruling.rule, Seen())
                seen.offers.update([re.sub(r"\d+", "N", offer) for offer in ruling.offers])
                if not seen.case or (not seen.asked and ruling.offers):
                    seen.case, seen.step, seen.sentence = case.id, entry, ruling.sentence
                seen.asked = seen.asked or bool(ruling.offers)
    return found


def _section(place: str, rule: Rule, seen: Seen) -> list[str]:
    options = options_read(rule)
    lines = [f"### {place}{_title(rule)}", "", meaning_of(rule), ""]
    lines += [f"- Stands in: {', '.join(_shown(number) for number in stands_in(rule)) or 'no rule of its own'}."]
    lines += [f"- {_shown(number)}: {text_of(number)}" for number in stands_in(rule) if text_of(number)]
    if options:
        named = [f"`{option}` ({HouseRules.model_fields[option].description})" for option in options]
        lines += [f"- House options: {', '.join(named)}."]
    if asks_the_floor(rule):
        listed = f" It offers {', '.join(f'`{offer}`' for offer in sorted(seen.offers))}." if seen.offers else ""
        lines += [f"- The floor decides where the rule says so.{listed}"]
    if seen.step is not None:
        step = yaml.safe_dump(step_to_mapping(seen.step), default_flow_style=True, width=1000, sort_keys=False).strip()
        lines += [f"- Example: case `{seen.case}`, `{step}`: {seen.sentence}"]
    return [*lines, ""]


def stands_in(rule: Rule) -> tuple[str, ...]:
    """The rule numbers of a rule, those of its docstring first, then those that its verdicts name."""
    numbers = _numbers(meaning_of(rule))
    for function in _reached(rule, (chips, declared, gestures, readings, book)):
        for node in ast.walk(_tree(function)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and RULE_ID.fullmatch(node.value):
                numbers.append(node.value)
    return tuple(dict.fromkeys(numbers))


def options_read(rule: Rule) -> tuple[str, ...]:
    """The house options that a rule or what it calls reads, in the order of HouseRules."""
    read = {
        node.attr
        for function in _reached(rule, (chips, declared, gestures, readings, situations, book))
        for node in ast.walk(_tree(function))
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) in ("s.house", "house")
    }
    return tuple([option for option in HouseRules.model_fields if option in read])


def asks_the_floor(rule: Rule) -> bool:
    """Whether a rule may leave the decision to the floor."""
    return (
        any(
            isinstance(node, ast.Attribute) and ast.unparse(node) == f"RulingKind.{RulingKind.FLOOR.name}"
            for function in _reached(rule, (chips, declared, gestures))
            for node in ast.walk(_tree(function))
        )
        or rule.__module__ == book.__name__
    )


def _reached(rule: Rule, modules: Iterable[ModuleType]) -> list[Rule]:
    """A rule and the functions of these modules that it calls, but for the rule table itself."""
    names = {module.__name__ for module in modules}
    reached, waiting = [], [rule]
    while waiting:
        function = waiting.pop(0)
        if function in reached:
            continue
        reached.append(function)
        for node in ast.walk(_tree(function)):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
                continue
            called = vars(sys.modules[function.__module__]).get(node.func.id)
            if inspect.isfunction(called) and called.__module__ in names - {book.__name__}:
                waiting.append(called)
    return reached


@cache
def _tree(function: Rule) -> ast.AST:
    return ast.parse(textwrap.dedent(inspect.getsource(function)))


def own_functions(module: ModuleType) -> Iterator[Rule]:
    """The functions of a module in their order, without those that it imports."""
    for function in vars(module).values():
        if inspect.isfunction(function) and function.__module__ == module.__name__:
            yield function


def _by_number(rules: Iterable[Rule]) -> list[tuple[str, list[Rule]]]:
    found: dict[str, list[Rule]] = {}
    for rule in rules:
        for number in stands_in(rule):
            found.setdefault(number, []).append(rule)
    return sorted(found.items(), key=lambda item: (not item[0].startswith("TDA"), int(item[0].rpartition("-")[2])))


def _numbers(text: str) -> list[str]:
    """The rule numbers of a text, those of a list such as "TDA 40, 44" among them."""
    found: list[str] = []
    for group in re.findall(r"\(([^()]*)\)", text):
        for part in group.split(";"):
            if part.strip().startswith("TDA"):
                found += [f"TDA-{number}" for number in re.findall(r"(?<![A-Z\d])(\d+)", part)]
            found += re.findall(r"R-\d+", part)
    return found


def _title(rule: Rule) -> str:
    return rule.__name__.replace("_", " ")


def _link(rule: Rule) -> str:
    place = f"{book.RULES.index(rule) + 1}-" if rule in book.RULES else ""
    return f"[{_title(rule)}](#{place}{rule.__name__.replace('_', '-')})"


def _shown(number: str) -> str:
    return number.replace("TDA-", "TDA ")


if __name__ == "__main__":
    DOCUMENT.write_text(page(), encoding="utf-8")

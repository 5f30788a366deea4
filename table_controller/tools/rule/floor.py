"""`docs/floor.md`: every place where a ruling is left to the floor, beside its rule text.

``python -m table_controller.tools.rule.floor`` writes it; a test compares it with the rule table, so
that no place is missing.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from typing import Any, NamedTuple

import yaml

from betline.settings import HouseRules
from betline.steps import step_to_mapping
from table_controller.rulings.acts import book, order
from table_controller.tools.rule.pages import ROOT, Seen, asks_the_floor, options_read, own_functions, seen_in_cases
from table_controller.tools.rule.texts import meaning_of

DOCUMENT = ROOT / "docs" / "floor.md"


class Left(NamedTuple):
    """What a rule text says, and why a human is asked there."""

    rule: str
    text: str
    why: str


_FORBIDDEN = "The rule binds the player, but the cards may be gone; what becomes of the hand takes judgement."
LEFT: dict[str, Left] = {
    "fold_after_pulling_back": Left(
        "TDA 46-B",
        "clearly pulling back a prior bet chip binds a player to call or raise; he or she may not put the chip(s) back "
        "out and fold",
        _FORBIDDEN,
    ),
    "fold_after_declaring": Left(
        "TDA 51-A",
        "General verbal declarations in turn (such as “call” or “raise”) commit a player to the full current action",
        _FORBIDDEN,
    ),
    "amount_stays_unclear": Left(
        "TDA 57",
        "if a declared bet can reasonably have multiple meanings, it will be ruled the highest reasonable amount",
        "Where no reasonable amount is within the pot the text does not decide; a house may leave it to the floor.",
    ),
    "tiny_chip": Left(
        "TDA 41",
        "will be interpreted at TDs discretion, including being ruled a full call",
        "Only somebody who saw it can say whether a tiny chip meant anything.",
    ),
    "undercall": Left(
        "TDA 51-B",
        "In other situations, TD’s discretion applies ... at TDs discretion they may forfeit the amount of the "
        "intended undercall and fold",
        "Heads-up or facing the opening bet the rule decides; facing a raise with several players, a person does.",
    ),
    "splashed_without_an_amount": Left(
        "Wikipedia, R-068",
        "splashing the pot prevents other players from verifying the bet amount",
        "The chips cannot be told apart from those that were already in the pot.",
    ),
    "chips_with_unclear_words": Left(
        "TDA 40-A",
        "In unclear situations or where verbal and chips are contradictory, the TD will determine the bet based on the "
        "circumstances and Rule 1",
        "The words came first, and nobody understood them.",
    ),
    "carried_over_the_line": Left(
        "R-050, TDA 42",
        "It is the responsibility of players to make their intentions clear",
        "Only where the house leaves a forward motion that made somebody act to the floor.",
    ),
    "overtaken": Left(
        "TDA 53-B",
        "the OOT action is binding. Action backs up and the floor will rule on how to treat the skipped hand",
        "The act binds, but the bet has grown since, and the text does not say for how much it binds.",
    ),
    "clock_of_a_bound_seat": Left(
        "TDA 29, 46-B, 51-A",
        "General verbal declarations in turn (such as “call” or “raise”) commit a player to the full current action",
        "The clock would fold the hand, yet the player is bound to a bet, raise or call.",
    ),
    "skipped_hand": Left(
        "TDA 53-B",
        "the floor will rule on how to treat the skipped hand, including ruling a dead hand or limiting to "
        "non-aggressive action as the TD sees fit under the circumstances",
        "No sensor knows whether the player had time to speak up.",
    ),
    "call_of_an_unknown_amount": Left(
        "TDA 59-B",
        "the TD will rule the bet as best fits the situation including possibly obliging B to call any amount",
        "The text names no amount.",
    ),
    "statement_about_future_action": Left(
        "TDA 59-A",
        "At TDs discretion they may be binding and/or penalized",
        "The floor decides whether it binds, and as what.",
    ),
}
"""By the function that asks; the texts are quoted."""

HEAD = """\
# Where the floor decides

A ruling waits for the floor exactly at the places of this page: each is a function of `table_controller/rulings`, with
the text of the rule that leaves it to a person. A test finds the places in the rule table, so that none is missing
here, and checks that a case shows each. While a ruling waits, acts of other seats are held (R-048). The floor
chooses what is on offer, or rules otherwise by name and reason.

This page is written by `.venv/bin/python -m table_controller.tools.rule.floor`.
"""

UNASKED: tuple[tuple[str, str], ...] = (
    ("TDA 40-A, words and chips that contradict each other",
     "The first binds; together, clear words do. Where it matters the dealer is asked which came first (R-040). "
     "Words that nobody understood are asked about as above."),
    ("TDA 49, accepted action: “Rule 1 may apply”", "The caller owes the full correct bet."),
    ("TDA 51-C, undercalls in sequence",
     "The first is asked about; the act of the next is held and then ruled on by itself, which asks again if it is "
     "still an undercall."),
    ("TDA 52, how long an error is corrected",
     "The rule decides; `corrects` and `records` list what is ruled otherwise."),
    ("TDA 57, unofficial terms and gestures", "Words that are not understood are not an act and raise an alert."),
    ("TDA 62, a chip found behind an all-in",
     "It is not in the pot and does not save the player: the dealer counts the stack. The floor may rule that it is "
     "part of the accepted action, as a `raise` to the total with it."),
    ("penalties (TDA 41, 53-A, 54-C, 58, 59-A; R-225)", "Alerts report the act; people give penalties."),
)  # fmt: skip
"""What the texts leave to a person without a ruling that waits, and what the table does there."""

TAIL = """\
## What the texts leave to a human without a question

Nothing waits here; the floor may rule otherwise on any act (console: Y; TDA 1), and the journal keeps both rulings.

| rule | what the table does |
| --- | --- |
"""


def page() -> str:
    """The document."""
    seen = seen_in_cases()
    parts = [HEAD, "## The places", ""]
    for rule in places():
        parts += _section(rule, seen.get(rule.__name__, Seen()))
    rows = "".join([f"| {rule} | {what} |\n" for rule, what in UNASKED])
    return "\n".join((*parts, TAIL)) + rows


def places() -> tuple[Callable[..., Any], ...]:
    """The functions that ask the floor: those of the rule table, those around it, those on acts out of turn."""
    around = [rule for rule in own_functions(book) if rule.__name__ in LEFT]
    of_order = [rule for rule in own_functions(order) if _makes_a_question(rule)]
    return (*[rule for rule in book.RULES if asks_the_floor(rule)], *around, *of_order)


def _makes_a_question(function: Callable[..., Any]) -> bool:
    """Whether a function itself comes to a verdict that waits for the floor."""
    return any(
        isinstance(node, ast.keyword) and node.arg == "kind" and ast.unparse(node.value) == "RulingKind.FLOOR"
        for node in ast.walk(ast.parse(inspect.getsource(function)))
    )


def _section(rule: Callable[..., Any], seen: Seen) -> list[str]:
    left = LEFT[rule.__name__]
    lines = [f"### {rule.__name__.replace('_', ' ')}", "", meaning_of(rule), ""]
    lines += [f"- {left.rule}: “{left.text}”.", f"- {left.why}"]
    lines += [f"- On offer: {', '.join(f'`{offer}`' for offer in sorted(seen.offers))}."]
    options = options_read(rule)
    if options:
        lines += [
            f"- House options: {', '.join(f'`{one}` ({HouseRules.model_fields[one].description})' for one in options)}."
        ]
    if seen.step is not None:
        step = yaml.safe_dump(step_to_mapping(seen.step), default_flow_style=True, width=1000, sort_keys=False).strip()
        lines += [f"- Example: case `{seen.case}`, `{step}`: {seen.sentence}"]
    return [*lines, ""]


if __name__ == "__main__":
    DOCUMENT.write_text(page(), encoding="utf-8")

"""House rules: the handful on which houses differ, each in plain words with what follows from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from betline.settings import load_house_rules
from betline.settings.load import PROFILES
from betline.setup.question import Answers, Choice, Found, Question

_PROFILES = {
    "home": Choice("home", "A home game", "Forgiving: short calls are made up, chips may come in several motions."),
    "cash": Choice("cash", "A cardroom's cash game", "Straddles, rake and missed blinds as most rooms have them."),
    "tda": Choice("tda", "A tournament", "The rules of the Tournament Directors Association, as written."),
}


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A house option on which houses differ; the choices' values are the option's."""

    option: str
    asks: str
    means: str
    choices: tuple[Choice, ...]


DISAGREEMENTS: Final = (
    Disagreement(
        "commit",
        "When is a bet made?",
        "A player moves chips over the betting line. (R-050)",
        (
            Choice("cross-line", "As soon as they cross the line", "Chips carried back in the hand count as bet."),
            Choice("cross-and-release", "When they are released beyond it", "Chips carried back are no bet."),
            Choice("floor", "The floor decides", "Chips carried back stop play until somebody decides."),
        ),
    ),
    Disagreement(
        "raise_motions",
        'After "raise" without an amount: in how many motions?',
        "Chips in two motions with nothing said are always a string bet: the first motion counts. (R-052, R-053)",
        (
            Choice("single", "One", "Whatever comes later is given back."),
            Choice("call-then-raise", "The call, then the raise", "The call may be put out first."),
            Choice("multi-after-raise", "As many as they like", "All that is put out counts."),
        ),
    ),
    Disagreement(
        "half_standard",
        "Too few chips for a full raise, nothing said: what is it?",
        "A bet of 10, and somebody puts out 16; a full raise is to 20. (R-058)",
        (
            Choice("true", "From half a raise on, a raise", "16 must be made 20; 14 is a call, 4 go back."),
            Choice("false", "Always a call", "16 is a call and 6 go back, unless raise was said."),
        ),
    ),
    Disagreement(
        "big_blind_overchip",
        "The big blind adds one large chip to its blind. Raise?",
        "Elsewhere one chip that is too large, with nothing said, is always a call. (R-064)",
        (
            Choice("raise", "A raise", "It counts as a bet, by what the chip is worth."),
            Choice("check", "A check", "The chip goes back."),
        ),
    ),
    Disagreement(
        "undercall",
        "Fewer chips than the call: what is owed?",
        "A bet of 20, somebody puts out 10 and says nothing. (R-240)",
        (
            Choice("tda", "As the TDA says", "Heads-up or against an opening bet the full call; else the floor."),
            Choice("bound", "The full call, if the raise was known", "Who did not know of the raise may take it back."),
            Choice("full-call", "Always the full call", "10 more are owed, whatever the player knew."),
            Choice("floor", "The floor decides", "Play stops until somebody decides."),
        ),
    ),
    Disagreement(
        "straddle_positions",
        "Who may straddle?",
        "A blind raise before the cards; that player acts last before the flop. (R-195)",
        (
            Choice("none", "Nobody"),
            Choice("utg", "The seat after the big blind"),
            Choice("button", "The button"),
            Choice("utg-or-button", "Either of these two", "The button's goes before the other."),
            Choice("button-or-cutoff", "The button, or the seat before it"),
            Choice("any", "Any seat", "The Mississippi straddle."),
        ),
    ),
    Disagreement(
        "missed_blinds",
        "A player comes back after missing the blinds. What is posted?",
        "(R-193)",
        (
            Choice("none", "Nothing", "As in tournaments, where absent players are dealt in."),
            Choice("big-live-small-dead", "Both blinds", "The big one counts as a bet, the small goes to the pot."),
            Choice("one-per-hand", "Both, one a hand"),
            Choice("single-big", "One big blind", "Whatever was missed."),
        ),
    ),
    Disagreement(
        "chop_blinds",
        "Everybody folds to the blinds. May they take them back?",
        "Then the hand is over without a flop. (R-204)",
        (
            Choice("true", "Yes, if both want to", "The dealer keys it."),
            Choice("false", "No", "They play the hand."),
        ),
    ),
    Disagreement(
        "run_it",
        "After an all-in: how often may the board be run?",
        "Each run wins its part of the pot. (R-268)",
        (
            Choice("1", "Once"),
            Choice("2", "Twice, if all in it agree"),
            Choice("3", "Up to three times, if all in it agree"),
        ),
    ),
    Disagreement(
        "button_rule",
        "A player leaves the blinds. How does the button move?",
        "(R-185 to R-188)",
        (
            Choice("dead", "Dead button", "The big blind moves by one; the button may be at an empty seat."),
            Choice("moving", "Moving button", "The button always goes to the next player."),
            Choice("simplified", "The next players in turn", "Easiest to deal; somebody may miss a blind."),
        ),
    ),
)  # fmt: skip


def questions(answers: Answers, _found: Found) -> tuple[Question, ...]:
    """The profile, then each disagreement with the profile's own answer preselected."""
    profile = answers.get("house.profile", "home")
    usual = usual_options(profile)
    return (
        Question(
            "house.profile",
            "Which rules do you start from?",
            "A set of answers to every rule; the next questions ask where houses differ most.",
            tuple(_PROFILES[name] for name in ("home", "cash", "tda")),
            "home",
        ),
        *(
            Question(f"house.{one.option}", one.asks, one.means, one.choices, usual[one.option])
            for one in DISAGREEMENTS
        ),
    )


@cache
def usual_options(profile: str) -> Mapping[str, str]:
    """What a profile says where houses differ."""
    rules = load_house_rules(profile if profile in PROFILES else "home")
    return {one.option: _word(getattr(rules, one.option)) for one in DISAGREEMENTS}


def house_text(answers: Answers) -> str:
    """The house-rules file: the profile, and below it what this house decides otherwise or has confirmed."""
    usual = usual_options(answers["house.profile"])
    lines = [
        "# House rules: all that is not said here is as in the profile; every option: docs/rulebook.md.",
        f'profile = "{answers["house.profile"]}"  # home, cash or tda',
    ]
    for one in DISAGREEMENTS:
        value = answers[f"house.{one.option}"]
        choice = next(choice for choice in one.choices if choice.value == value)
        said = f"{choice.label}{f': {choice.means}' if choice.means else ''}"
        line = f"{one.option} = {_toml(value)}"
        lines += ["", f"# {one.asks} {said}", f"# {line}  (as in the profile)" if value == usual[one.option] else line]
    return "\n".join(lines) + "\n"


def _word(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _toml(value: str) -> str:
    return value if value in ("true", "false") or value.isdigit() else f'"{value}"'

"""The voice: whether the table speaks, and in which language."""

from __future__ import annotations

from betline.setup.question import Answers, Choice, Found, Question

OFF = "off"
_LANGUAGES = (
    Choice(OFF, "No voice", "What is announced stands on the console and the seats' displays."),
    Choice("en", "English"),
    Choice("de", "German"),
    Choice("fr", "French"),
    Choice("es", "Spanish"),
)


def language_of(answers: Answers) -> str | None:
    """The language in which the table speaks; None where it does not, or nothing was answered yet."""
    said = answers.get("voice.language", OFF)
    return None if said == OFF else said


def questions(_answers: Answers, _found: Found) -> tuple[Question, ...]:
    """The language."""
    return (
        Question(
            "voice.language",
            "Is it said aloud what is announced?",
            "The action, bets and raises; needs a loudspeaker and the package espeak-ng, or a Piper server.",
            _LANGUAGES,
            OFF,
        ),
    )

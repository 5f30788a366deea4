"""Alerts say first what to do: each sentence begins with a verb, whichever sensor or part raises it."""

import ast
from pathlib import Path

import pytest

import table_controller
from table_controller.session.sensors import Sensor
from table_controller.session.session import _SEEN

ROOM = Path(table_controller.__file__).parent
TO_DO = {
    "ask", "bring", "calibrate", "call", "change", "check", "clear", "compare", "count", "find", "give", "go", "have",
    "hold", "key", "look", "move", "pay", "plug", "push", "put", "restart", "see", "spread", "take", "tell", "turn",
}  # fmt: skip
"""What an alert may ask for first."""


def first_word(sentence):
    """The first word after whom it is about, such as ``Seat 3:``."""
    head, colon, rest = sentence.partition(": ")
    about = colon and head.split()[0] in ("Seat", "The", "Pot", "Tray", "{}")
    return (rest if about else sentence).split()[0].strip(",:").lower()


def written(path):
    """The sentences that a module gives to alerts, holes as {}: of each its line and its text."""
    for node in ast.walk(ast.parse(path.read_text())):
        targets = node.targets if isinstance(node, ast.Assign) else ()
        if any(isinstance(one, ast.Name) and one.id == "sentence" for one in targets):
            yield node.lineno, _text(node.value)


def _text(node):
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(part.value if isinstance(part, ast.Constant) else "{}" for part in parts)
    return ""


SENTENCES = [
    pytest.param(text, id=f"{path.stem}:{line}")
    for path in sorted((ROOM / "sensing" / "alerts").glob("*.py"))
    for line, text in written(path)
    if text
]


def test_the_sentences_of_the_felt_are_found():
    assert len(SENTENCES) > 20


@pytest.mark.parametrize("sentence", SENTENCES)
def test_an_alert_of_the_felt_says_first_what_to_do(sentence):
    word = first_word(sentence)
    assert word in TO_DO or word == "{}", sentence


@pytest.mark.parametrize("kind", sorted(_SEEN))
def test_what_the_camera_saw_says_first_what_to_do(kind):
    assert first_word(_SEEN[kind]) in TO_DO


@pytest.mark.parametrize("kind", ["bridge", "reader", "camera"])
@pytest.mark.parametrize("condition", ["stale", "offline"])
def test_a_sensor_that_is_down_says_first_what_to_do(kind, condition):
    sentence = Sensor("reader-5", kind, detail="no such port", condition=condition).alert.sentence
    assert first_word(sentence) == "key"
    assert "reader-5" in sentence
    assert "no such port" in sentence

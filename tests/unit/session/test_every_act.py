"""Every act of the vocabulary is done at the table and obeyed by the session; docs/adding-an-act.md goes by this."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from betline.fields import FieldError
from betline.messages.common import Reply
from betline.steps import COMMANDS, STEPS, Command, Setup, Step, command_args, verb_of
from betline.steps.codec import Form, record
from tests.unit.session.desk import FOUR, GAME, Desk


def least(schema: Mapping[str, Any]) -> Any:
    """The plainest data that a schema describes."""
    if "$ref" in schema:
        return GAME
    if "anyOf" in schema:
        return least(schema["anyOf"][0])
    if "enum" in schema:
        return schema["enum"][0]
    match schema["type"]:
        case "integer":
            return schema.get("minimum", 1)
        case "string":
            return "AsKd7c" if schema.get("format") == "cards" else "x"
        case "boolean":
            return True
        case "array":
            return [least(schema["items"])] * max(1, schema.get("minItems", 0))
    return {key: least(schema["properties"][key]) for key in schema.get("required", ())}


def plainest(cls: type[Any], form: Form) -> Iterator[Any]:
    """A value of the fields that are needed, and with each that may be left out one more, where the class allows it."""
    codec = record(cls, form)
    needed = least(codec.schema)
    for key in ("", *(key for key in codec.schema["properties"] if key not in needed)):
        try:
            yield codec.read({**needed, **({key: least(codec.schema["properties"][key])} if key else {})})
        except FieldError:
            continue


@pytest.fixture
def desk() -> Desk:
    desk = Desk()
    desk.begin()
    return desk


@pytest.mark.one_in(39)
@pytest.mark.parametrize("cls", STEPS, ids=verb_of)
def test_the_table_knows_every_step(desk: Desk, cls: type[Step]) -> None:
    table = desk.session.book.table
    assert table is not None
    for step in plainest(cls, "case"):
        error = table.apply(step).error
        assert error is None or (error.code and error.sentence.endswith("."))


@pytest.mark.one_in(3)
@pytest.mark.parametrize("cls", [cls for cls in COMMANDS if cls is not Setup], ids=verb_of)
def test_the_session_answers_every_command_in_a_hand_between_hands_and_without_a_table(cls: type[Command]) -> None:
    for command in plainest(cls, "bus"):
        between = Desk()
        between.begin()
        between.key("rest-folds")
        playing = Desk()
        playing.begin()
        for desk in (Desk(), playing, between):
            reply = desk.key(verb_of(cls), **command_args(command))
            assert isinstance(reply, Reply)
            assert reply.ok == (reply.code == "ok")
            assert reply.sentence.endswith((".", "?"))


def test_a_setup_is_answered_wherever_the_table_stands(desk: Desk) -> None:
    for _ in range(2):
        assert desk.key("setup", game=GAME, seats=FOUR, button=1).sentence == "Done."

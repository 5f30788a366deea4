"""The bus document: made from the code, valid by the official schema, kept up to date."""

import json
from pathlib import Path

import jsonschema
import pytest

from betline.asyncapi import DOCUMENT, document, text
from betline.bus.wire import encode
from betline.messages.common import Command, Envelope, Presence
from betline.steps import VERBS, SitDown, command_args
from betline.topics import KINDS

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def official():
    schema = json.loads((ROOT / "tests/data/asyncapi/asyncapi-3.0.0.schema.json").read_text())
    return jsonschema.Draft7Validator(schema)


def test_the_document_is_valid_by_the_official_schema(official):
    assert not list(official.iter_errors(document()))


def test_the_official_schema_would_refuse_a_wrong_one(official):
    wrong = document()
    wrong["operations"]["event"]["action"] = "publish"
    assert list(official.iter_errors(wrong))


def test_every_kind_of_topic_has_its_channel():
    assert len(document()["channels"]) == len(KINDS)
    assert document()["channels"]["seat-line"]["address"] == "betline/v1/{site}/{table}/seat/{seat}/line"


def test_a_message_as_sent_fits_its_payload_schema():
    whole = document()
    payload = {**whole["components"]["messages"]["Presence"]["payload"], "components": whole["components"]}
    sent = encode(Envelope(sender="x", boot_id="b", seq=0, ts_ms=1, mono_ns=1), Presence(state="online"))
    checker = jsonschema.Draft202012Validator(payload)
    assert not list(checker.iter_errors(json.loads(sent)))
    assert list(checker.iter_errors({**json.loads(sent), "state": "asleep"}))


def test_the_file_is_the_generated_document():
    assert (ROOT / DOCUMENT).read_text(encoding="utf-8") == text()


def test_every_verb_stands_there_with_its_arguments():
    whole = document()
    assert set(whole["channels"]["command"]["messages"]) == set(VERBS)
    assert whole["channels"]["command"]["parameters"]["verb"]["enum"] == list(VERBS)
    payload = {**whole["components"]["messages"]["sit-down"]["payload"], "components": whole["components"]}
    checker = jsonschema.Draft202012Validator(payload)
    command = Command(id="12345678", expires_ms=1, args=command_args(SitDown(seat=3, stack=400, player="Ann")))
    sent = json.loads(encode(Envelope(sender="x", boot_id="b", seq=0, ts_ms=1, mono_ns=1), command))
    assert not list(checker.iter_errors(sent))
    for wrong in ({"seat": 11, "stack": 400}, {"stack": 3}, {"seat": 3, "stack": 0}, {"seat": 3, "stack": 4, "x": 1}):
        assert list(checker.iter_errors({**sent, "args": wrong}))

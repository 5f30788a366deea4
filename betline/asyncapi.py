"""The bus as an AsyncAPI 3.0 document with its MQTT binding 0.2.0, from topics, messages and commands themselves.

``python -m betline.asyncapi`` writes ``hardware_docs/bus.asyncapi.json``.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic.json_schema import models_json_schema

from betline.messages.common import Body, Command, Envelope
from betline.settings import GameSettings
from betline.steps import VERBS, args_schema
from betline.topics import COMMAND, KINDS, ROOT, Role, TopicKind

DOCUMENT = "hardware_docs/bus.asyncapi.json"
_LEVEL_NAMES = {
    "zone": "zone",
    "zones": "zone",
    "view": "audience",
    "seat": "seat",
    "device": "device",
    "command": "verb",
    "reply": "command_id",
    "recall": "command_id",
    "sign-in": "sign_in_id",
    "sign-in-answer": "sign_in_id",
    "ask": "asker",
    "journals": "asker",
    "entries": "asker",
    "names": "asker",
    "erase": "asker",
    "erased": "asker",
}


def document() -> dict[str, Any]:
    """Every topic with its message, retention and quality of service; of commands every verb with its arguments."""
    bodies: list[type[Body]] = list(dict.fromkeys(kind.body for kind in KINDS))
    models = [(model, "validation") for model in (Envelope, GameSettings, *bodies)]
    _, schemas = models_json_schema(models, ref_template="#/components/schemas/{model}")  # type: ignore[arg-type]
    for body in bodies:
        schemas["$defs"][body.__name__].pop("additionalProperties")  # the envelope stands beside the body's fields
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Betline bus",
            "version": ROOT.rpartition("/")[2],
            "description": "JSON over MQTT 3.1.1. A message is one object: the envelope's fields and its body's.",
        },
        "defaultContentType": "application/json",
        "channels": {_name(kind): _channel(kind) for kind in KINDS},
        "operations": {_name(kind): _operation(kind) for kind in KINDS},
        "components": {
            "messages": {
                **{body.__name__: _message(body) for body in bodies if body is not Command},
                **{verb: _command(verb) for verb in VERBS},
            },
            "schemas": {**schemas["$defs"], **{_args_name(verb): args_schema(cls) for verb, cls in VERBS.items()}},
        },
    }


def text() -> str:
    """The document as it stands in ``hardware_docs``."""
    return json.dumps(document(), indent=1, ensure_ascii=False) + "\n"


def _name(kind: TopicKind) -> str:
    return kind.pattern.replace("/+/", "-").replace("/+", "").replace("/", "-")


def _channel(kind: TopicKind) -> dict[str, Any]:
    pattern = kind.pattern.split("/")
    varying = [_LEVEL_NAMES[pattern[pattern.index("+") - 1]]] if "+" in pattern else []
    levels = [f"{{{varying[0]}}}" if level == "+" else level for level in pattern]
    messages = list(VERBS) if kind is COMMAND else [kind.body.__name__]
    return {
        "address": "/".join((ROOT, "{site}", "{table}", *levels)),
        "description": kind.meaning,
        "parameters": {
            name: {"enum": list(VERBS)} if kind is COMMAND and name in varying else {}
            for name in ("site", "table", *varying)
        },
        "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in messages},
    }


def _accounts(roles: tuple[Role, ...]) -> str:
    return ", ".join("home where the table file allows buttons" if role == "button" else role for role in roles)


def _operation(kind: TopicKind) -> dict[str, Any]:
    return {
        "action": "send",
        "channel": {"$ref": f"#/channels/{_name(kind)}"},
        "description": f"Published by: {_accounts(kind.by)}. Read by: {_accounts(kind.to)}.",
        "bindings": {"mqtt": {"qos": kind.qos, "retain": kind.retained, "bindingVersion": "0.2.0"}},
    }


def _message(body: type[Body]) -> dict[str, Any]:
    both = [{"$ref": "#/components/schemas/Envelope"}, {"$ref": f"#/components/schemas/{body.__name__}"}]
    return {"title": body.__name__, "summary": (body.__doc__ or "").split("\n")[0], "payload": {"allOf": both}}


def _command(verb: str) -> dict[str, Any]:
    """The message of one verb: the command's own fields, and the arguments that the verb takes."""
    message = _message(Command)
    args = {"properties": {"args": {"$ref": f"#/components/schemas/{_args_name(verb)}"}}}
    return {
        "title": verb,
        "summary": (VERBS[verb].__doc__ or "").split("\n")[0],
        "payload": {"allOf": [*message["payload"]["allOf"], args]},
    }


def _args_name(verb: str) -> str:
    return f"{verb}-arguments"


if __name__ == "__main__":
    (Path(__file__).resolve().parent.parent / DOCUMENT).write_text(text(), encoding="utf-8")

"""The bus as an AsyncAPI 3.0 document with its MQTT binding 0.2.0, from the topics and messages themselves.

``python -m betline.asyncapi`` writes ``hardware_docs/bus.asyncapi.json``.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic.json_schema import models_json_schema

from betline.messages.common import Body, Envelope
from betline.topics import KINDS, ROOT, TopicKind

DOCUMENT = "hardware_docs/bus.asyncapi.json"
_LEVEL_NAMES = {"zone": "zone", "seat": "seat", "device": "device", "command": "verb", "reply": "command_id"}


def document() -> dict[str, Any]:
    """Every topic with its message, retention and quality of service."""
    bodies: list[type[Body]] = list(dict.fromkeys(kind.body for kind in KINDS))
    models = [(model, "validation") for model in (Envelope, *bodies)]
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
            "messages": {body.__name__: _message(body) for body in bodies},
            "schemas": schemas["$defs"],
        },
    }


def text() -> str:
    """The document as it stands in ``hardware_docs``."""
    return json.dumps(document(), indent=1, ensure_ascii=False) + "\n"


def _name(kind: TopicKind) -> str:
    return kind.pattern.replace("/+/", "-").replace("/+", "").replace("/", "-")


def _channel(kind: TopicKind) -> dict[str, Any]:
    first, *rest = kind.pattern.split("/")
    varying = [_LEVEL_NAMES[first]] if "+" in rest else []
    levels = [first, *(f"{{{varying[0]}}}" if level == "+" else level for level in rest)]
    return {
        "address": "/".join((ROOT, "{site}", "{table}", *levels)),
        "description": kind.meaning,
        "parameters": {name: {} for name in ("site", "table", *varying)},
        "messages": {kind.body.__name__: {"$ref": f"#/components/messages/{kind.body.__name__}"}},
    }


def _operation(kind: TopicKind) -> dict[str, Any]:
    return {
        "action": "send",
        "channel": {"$ref": f"#/channels/{_name(kind)}"},
        "bindings": {"mqtt": {"qos": kind.qos, "retain": kind.retained, "bindingVersion": "0.2.0"}},
    }


def _message(body: type[Body]) -> dict[str, Any]:
    both = [{"$ref": "#/components/schemas/Envelope"}, {"$ref": f"#/components/schemas/{body.__name__}"}]
    return {"title": body.__name__, "summary": (body.__doc__ or "").split("\n")[0], "payload": {"allOf": both}}


if __name__ == "__main__":
    (Path(__file__).resolve().parent.parent / DOCUMENT).write_text(text(), encoding="utf-8")

"""Messages as bytes, and the bookkeeping of their numbers: pure, shared by the broker's client and its twin."""

from __future__ import annotations

import json
from collections import OrderedDict, deque

from pydantic import ValidationError

from betline.messages.common import Body, Envelope
from betline.topics import Topic

MAX_BYTES = 256 * 1024
WILL_SEQ = -1
_REMEMBERED_PUBLISHERS = 256
_REMEMBERED_NUMBERS = 128
_ENVELOPE_KEYS = frozenset(Envelope.model_fields)


class Malformed(Exception):
    """A message that cannot be read; the text says why."""


def encode(envelope: Envelope, body: Body) -> bytes:
    """A message as JSON in UTF-8: the envelope's fields, then the body's."""
    return json.dumps(
        {**envelope.model_dump(), **body.model_dump(mode="json")}, separators=(",", ":"), ensure_ascii=False
    ).encode()


def decode(topic: Topic, payload: bytes) -> tuple[Envelope, Body]:
    """The envelope and body of a message on ``topic``; raises Malformed."""
    if len(payload) > MAX_BYTES:
        raise Malformed(f"{len(payload)} bytes are more than {MAX_BYTES}")
    try:
        data = json.loads(payload)
        if not isinstance(data, dict):
            raise Malformed("it is not a JSON object")
        envelope = Envelope.model_validate({key: data[key] for key in _ENVELOPE_KEYS if key in data})
        body = topic.kind.body.model_validate({key: value for key, value in data.items() if key not in _ENVELOPE_KEYS})
    except ValidationError as error:
        first = error.errors()[0]
        raise Malformed(f"{'.'.join(map(str, first['loc'])) or 'message'}: {first['msg']}") from None
    except (UnicodeDecodeError, ValueError, RecursionError) as error:
        raise Malformed(f"it is not JSON ({error})") from None
    return envelope, body


class Sequences:
    """Tells duplicates by the numbers of each publisher's life; bounded in memory, indifferent to order."""

    def __init__(self) -> None:
        self._publishers: OrderedDict[tuple[str, str], deque[int]] = OrderedDict()

    def is_new(self, envelope: Envelope) -> bool:
        """Whether this message was not seen before; the last will always counts as new."""
        if envelope.seq == WILL_SEQ:
            return True
        key = (envelope.sender, envelope.boot_id)
        seen = self._publishers.setdefault(key, deque(maxlen=_REMEMBERED_NUMBERS))
        self._publishers.move_to_end(key)
        if len(self._publishers) > _REMEMBERED_PUBLISHERS:
            self._publishers.popitem(last=False)
        if envelope.seq in seen:
            return False
        seen.append(envelope.seq)
        return True

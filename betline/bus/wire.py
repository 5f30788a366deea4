"""Messages as bytes, and the bookkeeping of their numbers: pure, shared by the broker's client and its twin."""

from __future__ import annotations

import json
from collections import OrderedDict, deque
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from betline.clock_offset import ClockOffset
from betline.messages.common import Body, Envelope
from betline.topics import COMMAND, DEVICE_TUNE, SIGN_IN, Topic

MAX_BYTES = 256 * 1024
WILL_SEQ = -1
_REMEMBERED_PUBLISHERS = 256
_REMEMBERED_NUMBERS = 128
_STRICT = (COMMAND, SIGN_IN, DEVICE_TUNE)
"""What a person asks."""
_ENVELOPE_KEYS = frozenset(Envelope.model_fields)


class Malformed(Exception):
    """A message that cannot be read; the text says why."""


def encode(envelope: Envelope, body: Body) -> bytes:
    """A message as JSON in UTF-8: the envelope's fields, then the body's."""
    return json.dumps(
        {**envelope.model_dump(), **body.model_dump(mode="json")}, separators=(",", ":"), ensure_ascii=False
    ).encode()


def decode(topic: Topic, payload: bytes) -> tuple[Envelope, Body, tuple[str, ...]]:
    """The envelope and body of a message on ``topic``, and the fields that this version does not know; or Malformed.

    A newer program may say more than we know of: that is left out, as betline/v1 may only ever gain fields. Of what a
    person asks every field must be known, since one that is not might change what is asked.
    """
    if len(payload) > MAX_BYTES:
        raise Malformed(f"{len(payload)} bytes are more than {MAX_BYTES}")
    try:
        data = json.loads(payload)
        if not isinstance(data, dict):
            raise Malformed("it is not a JSON object")
        envelope = Envelope.model_validate({key: data[key] for key in _ENVELOPE_KEYS if key in data})
        said = {key: value for key, value in data.items() if key not in _ENVELOPE_KEYS}
        body, unknown = _body(topic, said)
    except ValidationError as error:
        first = error.errors()[0]
        raise Malformed(f"{'.'.join(map(str, first['loc'])) or 'message'}: {first['msg']}") from None
    except (UnicodeDecodeError, ValueError, RecursionError) as error:
        raise Malformed(f"it is not JSON ({error})") from None
    return envelope, body, unknown


def _body(topic: Topic, said: dict[str, Any]) -> tuple[Body, tuple[str, ...]]:
    """The body without the fields that are not known; raises ValidationError."""
    model = topic.kind.body
    try:
        return model.model_validate(said), ()
    except ValidationError as error:
        findings = error.errors(include_url=False, include_context=False, include_input=False)
        if topic.kind in _STRICT or any(one["type"] != "extra_forbidden" for one in findings):
            raise
        for one in findings:
            _take_out(said, one["loc"])
    return model.model_validate(said), tuple(sorted({".".join(map(str, one["loc"])) for one in findings}))


def _take_out(said: Any, loc: tuple[int | str, ...]) -> None:
    """Removes what a path leads to; where it leads nowhere nothing, and the message stays as it was."""
    for part in loc[:-1]:
        try:
            said = said[part]
        except (KeyError, IndexError, TypeError):
            return
    if isinstance(said, dict):
        said.pop(loc[-1], None)


def ends_another_life(payload: bytes, boot_id: str) -> bool:
    """Whether a message says offline of a program of another life than this one."""
    try:
        said = json.loads(payload)
        return bool(said["state"] == "offline" and said["boot_id"] != boot_id)
    except (ValueError, TypeError, KeyError, RecursionError):
        return False


class Sequences:
    """Recognises duplicates by the numbers of each publisher's life; bounded in memory, in almost any order."""

    def __init__(self) -> None:
        self._publishers: OrderedDict[tuple[str, str], deque[int]] = OrderedDict()

    def is_new(self, envelope: Envelope) -> bool:
        """Whether this message was not seen before; the last will always counts as new.

        One that is older than all that are remembered is played back, or too late to be of use.
        """
        if envelope.seq == WILL_SEQ:
            return True
        key = (envelope.sender, envelope.boot_id)
        seen = self._publishers.setdefault(key, deque(maxlen=_REMEMBERED_NUMBERS))
        self._publishers.move_to_end(key)
        if len(self._publishers) > _REMEMBERED_PUBLISHERS:
            self._publishers.popitem(last=False)
        if envelope.seq in seen or (len(seen) == _REMEMBERED_NUMBERS and envelope.seq < min(seen)):
            return False
        seen.append(envelope.seq)
        return True


class SenderClocks:
    """The clock offset of each publisher's life, learned from what arrives; bounded in memory.

    A retained message from the broker's memory is no measure of an offset, and neither is a last will, which was
    written when its sender connected. A will says that the sender was lost: it may have slept, its clock standing
    still, so its offset is learned anew.
    """

    def __init__(self) -> None:
        self._offsets: dict[tuple[str, str], ClockOffset] = {}
        self._anew_from_ns: int | None = None

    def anew(self, from_ns: int) -> None:
        """Our own clock leapt: every offset is learned anew from messages that arrive from a time of it on."""
        self._anew_from_ns = from_ns

    def arrived(self, envelope: Envelope, arrived_ns: int, *, retained: bool) -> int:
        """Takes note of a message; returns what to add to its sender's times to have them on our clock."""
        if self._anew_from_ns is not None and arrived_ns >= self._anew_from_ns:
            self._anew_from_ns = None
            self._offsets.clear()
        key = (envelope.sender, envelope.boot_id)
        known = self._offsets.get(key)
        if envelope.seq == WILL_SEQ:
            self._offsets.pop(key, None)
        elif not retained:
            known = (
                ClockOffset.of(envelope.mono_ns, arrived_ns)
                if known is None
                else known.after(envelope.mono_ns, arrived_ns)
            )
            self._offsets.pop(key, None)  # whoever was heard last stands last
            self._offsets[key] = known
            if len(self._offsets) > _REMEMBERED_PUBLISHERS:
                del self._offsets[next(iter(self._offsets))]
        return arrived_ns - envelope.mono_ns if known is None else known.at(arrived_ns)

    @property
    def offsets(self) -> Mapping[str, ClockOffset]:
        """The offset of each sender's newest life."""
        return {sender: offset for (sender, _), offset in self._offsets.copy().items()}

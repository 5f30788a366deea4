"""Which messages a program speaks: a version that it says at its birth, and what to say where two are apart. Pure.

``betline/v1`` may only gain: a newer version has fields and kinds of topics more, and none with another meaning. What
would change a meaning would be ``betline/v2``, beside it. So programs of two versions work together; a reader leaves
out what it does not know, and counts that (`betline.bus.inbox.NEWER`).

The version stands among the capabilities of a birth, as those of older programs may have any words: they read it too.
"""

from __future__ import annotations

from typing import Final

from betline.messages.common import Birth

MESSAGES: Final = 2
"""Rises with each release that has a field or kind of topic more. 1 did not say it."""
FIRST: Final = 1
_WORD: Final = "messages-"


def own_capability() -> str:
    """What a program of this version says of its messages at its birth."""
    return f"{_WORD}{MESSAGES}"


def version_of(birth: Birth) -> int:
    """Which messages a program speaks; the first version where it says nothing of it."""
    said = [word.removeprefix(_WORD) for word in birth.capabilities if word.startswith(_WORD)]
    return max((int(one) for one in said if one.isdecimal()), default=FIRST)


def apart(name: str, birth: Birth) -> str:
    """What to tell people of a program whose messages are of another version; empty where they are of ours."""
    version = version_of(birth)
    if version == MESSAGES:
        return ""
    who = f"{name} is Betline {birth.version} and speaks messages {version}; this program speaks {MESSAGES}."
    if version > MESSAGES:
        return f"{who} What it says that is not known here is left out: update this program."
    return f"{who} It works on, and what is new is missing of it: update it when its table is closed."

"""What readers say that makes a round doubtful, and whether tags may be missing from it that no repetition brings."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Final


class Doubt(StrEnum):
    """A reader's reservation about the round that it has just told, or the bridge's about the line that brought it."""

    OVERFLOW = "overflow"
    """It had no room for more tags."""
    TIME_OVERFLOW = "time_overflow"
    """It had no time for more tags."""
    UNFINISHED = "unfinished"
    """It still told new tags when the bridge ended the round."""
    UNSETTLED = "unsettled"
    """Its inventory ended before a pass that heard nothing new and nothing damaged."""
    RF_ERROR = "rf_error"
    """It broke off while answers still collided."""
    ISO_ERROR = "iso_error"
    """A tag answered with an error in place of its number."""
    TOO_HOT = "too_hot"
    RETURN_LOSS = "return_loss"
    DAMAGED = "damaged"
    """Parts of its answer were lost on the line, each time that it was asked."""
    ACTIVE_MODE = "active_mode"
    """It reports tags as it likes, and never says that these are all."""
    NOT_ASLEEP = "not_asleep"
    """A card did not sleep when told to, and may stand before others."""
    NO_FIELD = "no_field"
    """Its field cannot be switched, so no card is told to sleep for another."""
    FELICA_CROWD = "felica_crowd"
    """More cards than slots to answer in."""
    RF_WARNING = "rf_warning"
    """Its antenna, its power or the noise is not as it should be; its inventory is complete all the same."""
    NOT_RESET = "not_reset"
    """It never answered the reset of its field: it may tell each tag once only, or reset the field by itself."""


HEALTH: Final = frozenset({Doubt.RF_WARNING, Doubt.NOT_RESET})
"""These say how a reader does, not that its inventory ended early: a tag that it misses is missed like any other."""

_WORDS: Final = {
    Doubt.OVERFLOW: "the reader has no room for all chips: take some away, or count them by hand",
    Doubt.TIME_OVERFLOW: "the reader's time was up before it had told all chips: take some away, or give it more time",
    Doubt.UNFINISHED: "the reader was not done with all chips when its round ended: it is asked for longer",
    Doubt.UNSETTLED: "the reader heard answers that it could not tell apart: look for what disturbs its antenna",
    Doubt.RF_ERROR: "the reader broke its inventory off: spread the chips, or set its response time to more",
    Doubt.ISO_ERROR: "a chip answers the reader with an error: find it and take it away",
    Doubt.TOO_HOT: "the reader is too hot and reads only a part: let it cool, or lower power_dbm in its settings",
    Doubt.RETURN_LOSS: "the antenna reflects the reader's power, which reads only a part: check antenna and cable",
    Doubt.DAMAGED: "the reader's answers come in damaged: check the cable",
    Doubt.ACTIVE_MODE: "the reader reports chips by itself and never says that these are all: set it to answer mode",
    Doubt.NOT_ASLEEP: "a card does not sleep when the reader tells it to, and may hide others: read fewer at once",
    Doubt.NO_FIELD: "the reader cannot switch its field, so it tells two cards at most: use another reader here",
    Doubt.FELICA_CROWD: "more FeliCa cards lie there than the reader can tell: take some away",
    Doubt.RF_WARNING: "the reader warns of its antenna, its power or noise: check antenna and cable",
    Doubt.NOT_RESET: "the reader does not answer the reset of its field: check its firmware",
}


def is_partial(doubts: Iterable[Doubt]) -> bool:
    """Whether tags may lie there that a repeated round leaves out again."""
    return not HEALTH.issuperset(doubts)


def sentence(doubt: Doubt) -> str:
    """What the reader says, and what to do."""
    return _WORDS[doubt]

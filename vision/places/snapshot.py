"""What the detector believes of the places beside the bet lines at one frame, to be looked at: plain values.

As in `snapshot` nothing is copied: masks are held that are replaced and never written to.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from betline.units import NS_PER_MS
from vision.imaging.pictures import Mask
from vision.places.card_places import Place
from vision.places.card_watch import Presence, SpotState
from vision.places.pot_watch import MiddleFound, MiddleSeen, MiddleState
from vision.tuning.thresholds import Thresholds

PlacePhase = Literal["learning", "unknown", "rest", "open", "frozen"]


@dataclass(frozen=True, slots=True, eq=False)
class SpotSnapshot:
    """One seat's card spot; ``lying`` marks what lay there when it was last looked at: (H, W) uint8, 0 or 255, cut to
    the place's crop.
    """

    seat: int
    place: Place
    state: SpotState
    lying: Mask
    phase: PlacePhase
    reason: str

    @property
    def holds(self) -> str:
        """What is believed to lie there, in a few words; empty where nothing does."""
        return _holds(self.state)


@dataclass(frozen=True, slots=True, eq=False)
class MiddleSnapshot:
    """The middle of the felt; ``pot`` and ``muck`` are the parts of its crop that are watched as such, like ``lying``
    (H, W) uint8, 0 or 255.

    ``found`` is what the last look at it showed that was new, in a few words, and ``found_ns`` the time of that look;
    None where there was none yet.
    """

    place: Place
    pot: Mask
    muck: Mask
    state: MiddleState
    lying: Mask
    phase: PlacePhase
    reason: str
    found: str
    found_ns: int | None


def hindrance(frozen: str | None, *, ready: bool, blind: bool) -> tuple[PlacePhase, str] | None:
    """Why nothing is reported of a place now, None where it is; ``frozen`` is why of no place."""
    if frozen is not None:
        return "frozen", ""
    if not ready:
        return "learning", "waits for stillness"
    return ("unknown", "not looked at since the view came back") if blind else None


def spot_explained(
    state: SpotState, seen: Presence | None, t_ns: int, thresholds: Thresholds
) -> tuple[PlacePhase, str]:
    """The phase of a card spot with known felt, and what it waits for; ``seen`` is None where nothing moved."""
    if state.open:
        arms = () if seen is None else _arms(own=seen.own, dealer=seen.dealer, other=seen.other)
        return "open", _waits(arms, t_ns - state.loud_ns, thresholds)
    if state.throw is not None:
        return "open", "gone, to the muck?"
    return "rest", "in the player's hand" if state.held else ""


def middle_explained(
    state: MiddleState, seen: MiddleSeen | None, t_ns: int, thresholds: Thresholds
) -> tuple[PlacePhase, str]:
    """The phase of the middle with known felt, and what it waits for; ``seen`` is None where nothing moved."""
    if state.open:
        arms = (
            ()
            if seen is None
            else (*_arms(dealer=seen.dealer), *(f"arm of seat {one}" for one in sorted(seen.players)))
        )
        return "open", _waits(arms, t_ns - state.loud_ns, thresholds)
    if state.taken is not None:
        return "open", "chips taken, whose stacks?"
    if state.splash is not None:
        return "open", f"chips of seat {state.splash.seat}: thrown, or its bet"
    return "rest", ""


def found_words(found: MiddleFound) -> str:
    """What a look at the middle showed, in a few words."""
    words = []
    if found.chips:
        words.append(f"{found.chips} new chip{'' if found.chips == 1 else 's'}, {found.chips_mm2:.0f} mm2")
    if found.pot_lost_mm2 > 0:
        words.append(f"pot lost {found.pot_lost_mm2:.0f} mm2")
    if found.in_muck:
        words.append("cards in the muck")
    if found.strange is not None:
        words.append(f"strange thing by seat {found.strange[0]}")
    return "; ".join(words) or "nothing new"


def _holds(state: SpotState) -> str:
    cards = ("", "1 card", "cards")[state.cards]
    words = (cards, "protector seen" if state.protector else "", "strange thing" if state.strange else "")
    return ", ".join(word for word in words if word)


def _arms(*, own: bool = False, dealer: bool = False, other: bool = False) -> tuple[str, ...]:
    whose = ((own, "the player's arm"), (dealer, "the dealer's arm"), (other, "another's arm"))
    return tuple(words for there, words in whose if there)


def _waits(arms: tuple[str, ...], still_ns: int, thresholds: Thresholds) -> str:
    if arms:
        return ", ".join(arms)
    if still_ns <= 0:
        return "something moves"
    if still_ns < thresholds.place_quiet_ms * NS_PER_MS:
        return f"still for less than {thresholds.place_quiet_ms} ms"
    return "waits to be looked at"

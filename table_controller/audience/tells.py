"""What the house lets an audience be told unasked."""

from __future__ import annotations

from dataclasses import dataclass

from betline.messages.views import Audience
from betline.settings.house_rules import HouseRules


@dataclass(frozen=True, slots=True, kw_only=True)
class Tells:
    """What may be told unasked; everything else is for who asks the dealer."""

    stacks: bool
    """What a seat has before it, and what gives that away: a maximum that is a stack, an all-in to call (R-247)."""
    stack_of_caller: bool
    """The same of the seat to act while it faces an all-in."""
    all_ins: bool
    """The amount of an all-in that is faced (R-290)."""
    pot: bool
    """The size of the pot, in games where it may be counted (R-160)."""
    uncounted_pot: bool
    """The size of the pot in the other games too."""
    pot_bet: bool
    """What betting the pot comes to, which gives the size of the pot away (R-150)."""
    suspicions: bool
    """Alerts, questions and sensors: what is asked of the dealer, and what somebody is suspected of."""

    @classmethod
    def to(cls, audience: Audience, house: HouseRules, *, late: bool = False) -> Tells:
        """What `audience` may be told by this house; a `late` stream is so far behind that amounts help nobody.

        Whoever may bet the pot must know how much that is: its own player is always told.
        """
        deals = audience in ("dealer", "floor")
        everything = deals or (audience == "stream" and late)
        pot = everything or house.pot_announcement == "always"
        return cls(
            stacks=everything or house.stack_display == "public",
            stack_of_caller=everything
            or house.stack_display == "public"
            or (audience == "player" and house.stack_display == "facing-all-in"),
            all_ins=everything or house.announce_all_in == "always",
            pot=pot,
            uncounted_pot=everything,
            pot_bet=pot or audience == "player",
            suspicions=deals,
        )

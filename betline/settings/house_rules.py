"""The house rules: every option where cardrooms disagree, by its standard name, and the profiles that set them.

That an option parses does not say that it is honoured: the room that would need it refuses it with the reason when a
hand first does.
"""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, StrictBool, StrictInt, model_validator

from betline.settings.model import Settings, none_word


def _tuples_or_none(value: object) -> object:
    """Lists as tuples, all the way down: what a validator has had in hands is not JSON to pydantic any more."""
    if isinstance(value, list):
        return tuple([_tuples_or_none(item) for item in value])
    if isinstance(value, dict):
        return {key: _tuples_or_none(item) for key, item in value.items()}
    return none_word(value)


def _off_word(value: object) -> object:
    """YAML reads an unquoted ``off`` as false."""
    return "off" if value is False else value


def _digit_word(value: object) -> object:
    if isinstance(value, bool):  # which Python would take for 1
        return str(value).lower()
    return int(value) if isinstance(value, str) and value.isdigit() else value


Amount = Annotated[int, Field(ge=0, strict=True)]
NoneOrAmount = Annotated[Annotated[int, Field(gt=0, strict=True)] | None, BeforeValidator(none_word)]
Milliseconds = Annotated[int, Field(ge=0, strict=True)]


def _least_first(value: tuple[int, int]) -> tuple[int, int]:
    if value[0] > value[1]:
        raise ValueError("must name the least before the most")
    return value


Range = Annotated[tuple[Amount, Amount], AfterValidator(_least_first)]


class KillTrigger(Settings):
    """What makes the next hand a kill pot (R-127); exactly one of the three."""

    pot_at_least: int | None = Field(default=None, gt=0)
    scoop_at_least: int | None = Field(default=None, gt=0)
    wins: int | None = Field(default=None, gt=0)

    @model_validator(mode="after")
    def _is_one_thing(self) -> Self:
        if len(self.model_fields_set) != 1:
            raise ValueError("needs one of pot_at_least, scoop_at_least and wins")
        return self


def _rising(value: tuple[tuple[int, int], ...] | None) -> tuple[tuple[int, int], ...] | None:
    if value is not None and list(value) != sorted(set(value)):
        raise ValueError("must name smaller pots first, each once")
    return value


class PotRake(Settings):
    """What the house takes out of the pots of a hand (R-285): a percentage up to a cap or fixed steps, and a drop."""

    percent: float | None = Field(default=None, gt=0, le=20)
    cap: int | None = Field(default=None, ge=0)
    cap_big_blinds: float | None = Field(default=None, gt=0)
    steps: Annotated[tuple[tuple[Amount, Amount], ...] | None, AfterValidator(_rising)] = Field(
        default=None, min_length=1, description="how large the pots of a hand must be together, and what is taken then"
    )
    drop: int | None = Field(default=None, gt=0, description="once a hand, beside the rest: a jackpot drop")
    no_flop_no_drop: bool = False

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if self.percent is not None and self.steps is not None:
            raise ValueError("takes one of percent and steps")
        if self.percent is None and self.model_fields_set & {"cap", "cap_big_blinds"}:
            raise ValueError("cap and cap_big_blinds belong to percent")
        if self.cap is not None and self.cap_big_blinds is not None:
            raise ValueError("takes one of cap and cap_big_blinds")
        return self

    @property
    def takes_nothing(self) -> bool:
        """No way of taking chips out of a pot is named."""
        return self.percent is None and self.steps is None and self.drop is None


class RakeFrom(PotRake):
    """The rake from a number of players on, until the next entry; players are those dealt in."""

    players: int = Field(ge=2, le=10)

    @model_validator(mode="after")
    def _takes_something(self) -> Self:
        if self.takes_nothing:
            raise ValueError("needs percent, steps or drop")
        return self


class Rake(PotRake):
    """What the house takes (R-285): out of the pots, alike or by the number of players, or a time charge."""

    time: int | None = Field(default=None, gt=0)
    minutes: int | None = Field(default=None, gt=0)
    by_players: tuple[RakeFrom, ...] | None = Field(default=None, min_length=1)

    @model_validator(mode="after")
    def _is_one_thing(self) -> Self:
        if (self.time is None) != (self.minutes is None):
            raise ValueError("time and minutes belong together")
        if (not self.takes_nothing) + (self.time is not None) + (self.by_players is not None) != 1:
            raise ValueError("needs one of percent, steps, drop, time and by_players; drop goes with percent or steps")
        if self.takes_nothing and "no_flop_no_drop" in self.model_fields_set:
            raise ValueError("no_flop_no_drop belongs to percent, steps and drop")
        counts = [entry.players for entry in self.by_players or ()]
        if counts != sorted(set(counts)):
            raise ValueError("by_players must name fewer players first, each number once")
        return self

    def of_pots(self, players: int) -> PotRake | None:
        """What is taken out of the pots of a hand that was dealt to so many; None where nothing is."""
        if self.by_players is not None:
            return next((entry for entry in reversed(self.by_players) if entry.players <= players), None)
        return None if self.takes_nothing else self


class BombPot(Settings):
    """A hand that begins on the flop with an ante from everybody (R-303); ante 0 is asked each time."""

    ante: int = Field(ge=0)
    button_moves: bool


class HouseRules(Settings):
    """Every option, as docs/rulebook.md lists them; the rule's number stands in each description."""

    form: Literal["tournament", "cash"] = Field(description="R-294")

    commit: Literal["cross-line", "cross-and-release", "floor"] = Field(description="R-050")
    motion_gap_ms: Milliseconds = Field(description="R-051, R-045")
    raise_motions: Literal["single", "call-then-raise", "multi-after-raise"] = Field(description="R-053")
    bare_raise_amount: Literal["to", "by"] = Field(description="R-024")
    half_standard: StrictBool = Field(description="R-058")
    same_denomination_exempt: StrictBool = Field(description="R-060")
    big_blind_overchip: Literal["raise", "check"] = Field(description="R-064")
    big_blind_swap: Literal["raise", "check"] = Field(description="R-064")
    ambiguous_amount: Literal["at-most-pot", "below-pot"] = Field(description="R-031")
    unclear_amount: Literal["lowest", "minimum", "ask", "floor"] = Field(default="lowest", description="R-031")
    undercall: Literal["tda", "bound", "full-call", "floor"] = Field(description="R-240")

    short_open_all_in: Literal["add-minimum", "to-minimum"] = Field(description="R-084")
    short_all_in: Literal["full", "half"] = Field(description="R-100, R-104")
    max_raises: Annotated[Literal[3, 4, 5, 6] | None, BeforeValidator(none_word)] = Field(description="R-121")
    heads_up_cap: Literal["always", "off-if-round-started-heads-up", "off-if-heads-up-before-cap"] = Field(
        description="R-121"
    )
    straddle_counts_as_raise: StrictBool = Field(description="R-122")
    stud_open_pair_double: StrictBool = Field(description="R-130")

    pot_limit_preflop: Literal["true-pot", "assumed-call"] = Field(description="R-155")
    pot_limit_small_blind: Literal["as-call", "as-pot"] = Field(description="R-156")
    small_blind: Literal["live", "dead"] = Field(description="R-156")
    short_blind_pot: Literal["full", "actual"] = Field(description="R-157")
    pot_limit_overbet: Literal["return", "stands", "stands-when-all-acted"] = Field(description="R-153")
    pot_below_minimum: Literal["minimum-bet", "no-bet"] = Field(description="R-151")
    pot_round_to: NoneOrAmount = Field(description="R-158")
    pot_limit_ante: Literal["counted", "not-counted"] = Field(
        default="counted", description="R-150, R-180, whether the one ante of the table is in the pot before the flop"
    )

    big_blind_ante_order: Literal["blind-first", "ante-first"] = Field(description="R-180")
    three_blind_first: Literal["on-button", "left-of-button"] = Field(description="R-181")
    button_rule: Literal["dead", "moving", "simplified"] = Field(description="R-185 to R-188")
    moving_both_due: Literal["big-now-small-next", "post-both"] = Field(description="R-187")
    three_to_two: Literal["big-blind-moves", "simplified"] = Field(description="R-189")
    replacement: Literal["pay-in-stead", "sit-out", "live-big-blind"] = Field(description="R-191")
    new_player: Literal["post", "post-in-limit", "wait", "free"] = Field(description="R-192")
    missed_blinds: Literal["none", "big-live-small-dead", "one-per-hand", "single-big"] = Field(description="R-193")
    absent_players: Literal["dealt-in", "sit-out"] = Field(description="R-194")
    big_blind_must_cover: Literal["none", "small-blind", "small-blind-and-ante"] = Field(description="R-203")
    chop_blinds: StrictBool = Field(description="R-204")

    straddle_positions: Literal["none", "utg", "button", "utg-or-button", "button-or-cutoff", "any"] = Field(
        description="R-195"
    )
    straddle_size: Literal["exact", "at-least"] = Field(description="R-195")
    heads_up_straddle: StrictBool = Field(default=True, description="R-195, whether two players straddle")
    short_straddle: Literal["refused", "full", "as-put"] = Field(
        default="refused", description="R-195, an all-in straddle for less: what the others then match"
    )
    straddle_min_raise: Literal["increment", "double"] = Field(description="R-196")
    restraddles: Amount = Field(description="R-197")
    restraddle_size: Literal["double", "min-raise"] = Field(description="R-197")
    mississippi_order: Literal["left-of-straddle", "left-of-big-blind"] = Field(description="R-198")
    mississippi_restraddle: Literal["left", "right"] = Field(description="R-198")
    sleepers: StrictBool = Field(description="R-199")
    rock: StrictBool = Field(description="R-200")
    mandatory_straddle: StrictBool = Field(description="R-201")

    kill: Annotated[Literal["half", "full"] | Annotated[StrictInt, Field(gt=0)] | None, BeforeValidator(none_word)] = (
        Field(description="R-127")
    )
    kill_trigger: Annotated[KillTrigger | None, BeforeValidator(none_word)] = Field(description="R-127")
    kill_acts: Literal["last", "in-turn"] = Field(description="R-128")
    kill_in_blind: Literal["kill-only", "both", "defer-blind"] = Field(description="R-128")

    bring_in_tie: Literal["suit", "position"] = Field(description="R-202")
    bring_in_equal: Literal["may-raise", "live-option"] = Field(description="R-202")

    out_of_turn: Literal["tda", "wsop-heads-up"] = Field(description="R-220, R-223")
    all_in_hands_open: Literal["required", "optional"] = Field(description="R-008")
    odd_chip: Literal["left-of-button", "high-card-suit"] = Field(description="R-264")

    stakes: Literal["table", "open"] = Field(description="R-280, R-283")
    buy_in: Annotated[Range | None, BeforeValidator(_tuples_or_none)] = Field(
        description="R-281, least and most in big blinds"
    )
    buy_in_most: Literal["range", "biggest-stack"] = Field(
        default="range", description="R-281, the most of buy_in, or the biggest stack at the table where that is more"
    )
    rebuy_levels: Amount = Field(
        default=0, description="R-281, R-306, tournament: so many levels sell chips to who has none left, 0 is none"
    )
    lockout_minutes: Amount = Field(description="R-282")
    rake: Annotated[Rake | None, BeforeValidator(_tuples_or_none)] = Field(description="R-285")
    kitty: Annotated[Literal["lowest-chip"] | None, BeforeValidator(none_word)] = Field(description="R-284")
    clock_seconds: Amount = Field(description="R-288, 0 is no clock")
    clock_starts: Literal["asked", "each-turn"] = Field(
        default="asked", description="R-288, when the floor is asked for it, or by itself with each turn"
    )
    time_banks: Amount = Field(default=0, description="R-288, extensions of its clock that each player has")
    time_bank_seconds: Amount = Field(default=30, description="R-288, what one of them adds")
    pot_count: Literal["pot-limit-only", "always"] = Field(description="R-160")
    short_buys: Annotated[Literal["none", "any", 1], BeforeValidator(_digit_word)] = Field(description="R-281")
    cash_plays: StrictBool = Field(description="R-286")
    marker_least: Amount = Field(description="R-283")

    implied_passive: Literal["ask", "assume", "skipped"] = Field(description="R-039")
    substantial_action: Literal["tda", "wsop-live"] = Field(description="R-224")
    tiny_chip: Literal["floor", "call"] = Field(description="R-065")
    announce_all_in: Literal["on-request", "always"] = Field(description="R-290")
    pot_announcement: Literal["on-request", "always"] = Field(description="R-160")
    stack_display: Literal["facing-all-in", "on-request", "public"] = Field(description="R-247")
    voice: Annotated[Literal["off", "exceptions", "bets", "all"], BeforeValidator(_off_word)] = Field(
        description="R-290"
    )
    run_it: Annotated[Literal[1, 2, 3], BeforeValidator(_digit_word)] = Field(description="R-268")
    cards: Annotated[Literal["off", "board", "board-and-shown"], BeforeValidator(_off_word)] = Field(
        default="off", description="R-264, R-296, whether the board, or the board and shown hands, are keyed or read"
    )
    bomb_pot: Annotated[BombPot | None, BeforeValidator(none_word)] = Field(description="R-303")

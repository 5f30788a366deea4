"""Where Betline and PokerKit differ, why, and who says so: `docs/pokerkit.md` is made from this list.

A difference of the question that a hand asks is a correction of PokerKit's reckoning. What PokerKit asks, with the
corrections whose case it is, must be exactly what Betline asks; nothing else may differ. The differences of the course
of a hand and of its payment are found and bounded where the hands are played.
"""

from __future__ import annotations

from dataclasses import dataclass

from tests.peers import corrections
from tests.peers.corrections import Correction


@dataclass(frozen=True)
class Difference:
    """A named difference; `seen_in` are variants in which random hands reach it soon."""

    name: str
    betline: str
    pokerkit: str
    source: str
    seen_in: tuple[str, ...]
    correct: Correction | None = None


FIXED = ("fixed-limit-holdem", "omaha-8", "badugi", "triple-draw-2-7")
STUD = ("stud", "stud-8", "razz")
POT = ("pot-limit-holdem", "pot-limit-omaha", "courchevel", "pot-limit-omaha-8")
BIG = ("no-limit-holdem", "short-deck-holdem", "royal-holdem", "greek-holdem", *POT)

CORRECTIONS = (
    Difference(
        "short-blind",
        "A blind or straddle that a short stack posts is owed in full by the others, and raises add to the full one, "
        "as long as anybody else has chips.",
        "The largest bet really made is owed, and raises add to that.",
        "R-183 (WSOP Live 150)",
        (*BIG, *FIXED),
        corrections.blind_owed_in_full,
    ),
    Difference(
        "short-bring-in",
        "A bring-in that a short stack posts, or that nobody can post because the low card is all-in for the ante, is "
        "owed in full.",
        "The chips that the poster had are owed.",
        "R-202 (TDA RP-10-E; WSOP Live 217)",
        STUD,
        corrections.bring_in_owed_in_full,
    ),
    Difference(
        "straddle-raise",
        "A raise over a straddle adds at least what the straddle raised, or the whole straddle (`straddle_min_raise`).",
        "It adds the minimum bet, however large the straddle was.",
        "R-081, R-196 (Robert's Rules 14, no-limit rule 2)",
        BIG,
        corrections.straddle_raised,
    ),
    Difference(
        "short-opening",
        "With `short_open_all_in = to-minimum` an opening all-in below the minimum bet may be raised to the minimum.",
        "A raise adds the minimum bet to it (as `add-minimum`).",
        "R-084 (Robert's Rules 14, no-limit rule 2)",
        BIG,
        corrections.opened_short,
    ),
    Difference(
        "blind-below-the-bet",
        "Fixed limit: over a blind that is smaller than the bet one may complete to the bet, and that is no raise.",
        "A full bet is added to the blind.",
        "R-122, R-123 (Wikipedia, Betting in poker: a sub-minimum forced bet is called or completed)",
        FIXED,
        corrections.blind_below_the_bet,
    ),
    Difference(
        "completion",
        "Fixed limit: an all-in that does not count as a full bet or raise is completed: the least raise adds a bet to "
        "the last full one.",
        "A full bet is added to the all-in.",
        "R-104 (Robert's Rules 3, rule 6; WSOP Live 129)",
        ("numeral-211", "royal-rhode-island", "rhode-island"),
        corrections.completed,
    ),
    Difference(
        "reopening",
        "After an all-in that is no full bet or raise, a player who has acted (a check is an act) may raise only if "
        "what it faces since then is a full raise, in fixed limit half of one where the house says; short all-ins add "
        "up for each player.",
        "The first short all-in of a round reopens the betting to those who checked or called a blind; later the "
        "short all-ins in a row are added up alike for all, and half bets do not reopen.",
        "R-100, R-103, R-104 (TDA 47; Robert's Rules 3, rule 6 and 14, no-limit rules 3 and 5)",
        ("numeral-211", "badugi", "triple-draw-2-7", "fixed-limit-holdem"),
        corrections.reopened,
    ),
    Difference(
        "blind-is-a-bet",
        "Fixed limit: the blind is the bet that the raises follow, so three raises cap the first round.",
        "The blind is none, so the first round takes one raise more.",
        "R-121 (TDA 48; Wikipedia, Betting in poker: 20, 40, 60, 80)",
        FIXED,
        corrections.blind_is_a_bet,
    ),
    Difference(
        "short-all-in-uncounted",
        "Fixed limit: an all-in that does not count as a full raise is none of the raises that the cap counts.",
        "Every all-in above the bet is one of them.",
        "R-104, R-121 (Robert's Rules 3, rules 3 and 6)",
        ("rhode-island", "numeral-211", "royal-rhode-island", "badugi"),
        corrections.short_all_ins_uncounted,
    ),
    Difference(
        "straddle-counted",
        "With `straddle_counts_as_raise` a straddle is one of the raises of fixed limit.",
        "It is none.",
        "R-122 (Wikipedia, Betting in poker)",
        FIXED,
        corrections.straddles_counted,
    ),
    Difference(
        "house-cap",
        "The house says how many raises a round takes (`max_raises`).",
        "The game says it: a bet and three raises; in the small research games less.",
        "R-121 (Robert's Rules 3, rule 3; WSOP Live 126)",
        (*FIXED, *STUD),
        corrections.house_cap,
    ),
    Difference(
        "heads-up-cap",
        "The house may not cap raises between two players (`heads_up_cap`).",
        "They are capped always.",
        "R-121 (Robert's Rules 3, rule 4; WSOP Live 126)",
        ("leduc", "fixed-limit-holdem"),
        corrections.heads_up_uncapped,
    ),
    Difference(
        "assumed-call",
        "Pot-limit before the flop: with `pot_limit_preflop = assumed-call` smaller blinds count as the big blind in "
        "the pot until the big blind has acted.",
        "The chips really there count.",
        "R-155 (Wikipedia, Betting in poker; TDA 54-B is the other way)",
        POT,
        corrections.assumed_call,
    ),
    Difference(
        "missing-blind",
        "Pot-limit before the flop: with `short_blind_pot = full` a missing or short blind counts in full in the pot.",
        "The chips really there count.",
        "R-157 (TDA 54-B, 54-C)",
        POT,
        corrections.missing_blinds,
    ),
    Difference(
        "small-blind-counted",
        "Pot-limit: folded to the small blind, with `pot_limit_small_blind = as-pot` its own blind counts twice.",
        "It counts once.",
        "R-156 (Wikipedia, Betting in poker, older text)",
        POT,
        corrections.own_blind_counted,
    ),
    Difference(
        "pot-below-the-bet",
        "Pot-limit: with `pot_below_minimum = no-bet` nobody may bet while the pot is smaller than the minimum bet.",
        "The minimum bet is always open.",
        "R-151",
        POT,
        corrections.pot_below_the_bet,
    ),
)
"""In the order in which they correct each other."""

FIRST_TO_ACT = Difference(
    "first-to-act",
    "The first act is left of the last blind or straddle, however short its poster was; heads-up the button's.",
    "It is left of the largest bet really posted: after a short button straddle or blind elsewhere, and heads-up with "
    "equal blinds the big blind begins.",
    "R-002, R-004 (TDA 34-B)",
    (*BIG, *FIXED),
)
NO_QUESTION = Difference(
    "no-question",
    "Nobody is asked who alone has chips and has matched the bet: the betting is over.",
    "A big blind whose opponents are all-in for no more is asked to check.",
    "R-008",
    (*BIG, *FIXED),
)
COVERING = Difference(
    "covering",
    "As long as another player has chips everybody with chips owes the forced bet in full, even one whose bet covers "
    "all that the others have; what nobody can match comes back.",
    "Who covers all others is passed over in the first round.",
    "R-008, R-183 (WSOP Live 150), R-261",
    (*BIG, *FIXED),
)
UNFORCED_FOLD = Difference(
    "unforced-fold",
    "A fold with nothing to call is binding (and may be penalised).",
    "In tournament mode it is refused.",
    "R-035 (TDA 58)",
    (*BIG, *FIXED),
)
BRING_IN_FOLD = Difference(
    "bring-in-fold",
    "Where the low card is all-in for the ante the seat on its left comes in for the bring-in at least, or folds.",
    "It must post the bring-in and cannot fold.",
    "R-202 (TDA RP-10-E; WSOP Live 217)",
    STUD,
)
BLIND_BEFORE_ANTE = Difference(
    "blind-before-ante",
    "With `big_blind_ante_order = blind-first` a stack too short for both pays the blind before the table's ante.",
    "The ante is paid first; it is told the ante that is left.",
    "R-180 (TDA RP-11)",
    ("greek-holdem", "royal-holdem", "no-limit-holdem"),
)
FORFEIT_BLIND = Difference(
    "forfeit-blind",
    "What a folded blind had in stays in the pot, even where the all-in hands that remain had less.",
    "The part above the next largest bet goes back to the player who folded.",
    "R-260, R-261 (folded chips stay in their levels; only a bet or raise of a hand still in is uncalled)",
    (*BIG, *FIXED),
)
PAID_AT_ONCE = Difference(
    "paid-at-once",
    "A pot that one player alone can win is paid as soon as that is so.",
    "It is paid with the others, when the hands are shown.",
    "R-262 (Wikipedia, Betting in poker: the side pot is paid at once)",
    (*BIG, *FIXED),
)
ODD_UNITS = Difference(
    "odd-units",
    "Odd units go one each to the winners left of the button (`odd_chip = left-of-button`).",
    "One winner takes all that is odd of a pot.",
    "R-264 (TDA 20)",
    ("kuhn", *BIG, *FIXED, *STUD),
)
POTS_APART = Difference(
    "pots-apart",
    "Every pot is split by itself.",
    "Losing hands are killed first; pots that then have the same players are split as one.",
    "R-264 (TDA 21)",
    (*BIG, *FIXED, *STUD),
)
NO_LOW = Difference(
    "no-low",
    "High-low: a pot in which nobody eligible has a low goes to its high hand.",
    "Where somebody has a low for another pot, the low half of this one is shared by all who are left in it without a "
    "low: a bug.",
    "R-264 (TDA 21: every pot is split by itself, so among its own players)",
    ("omaha-8", "stud-8"),
)

DIFFERENCES = (
    *CORRECTIONS, FIRST_TO_ACT, NO_QUESTION, COVERING, UNFORCED_FOLD, BRING_IN_FOLD, BLIND_BEFORE_ANTE, FORFEIT_BLIND,
    PAID_AT_ONCE, ODD_UNITS, POTS_APART, NO_LOW,
)  # fmt: skip

NOT_PLAYED = {
    "Kuhn poker with more than an ante and a bet": "No house caps a round at no raise at all (`max_raises` is 3 to 6).",
    "Spread limit, cap games, kill pots with the kill acting last, sleepers, straddles that act last": (
        "PokerKit has no notion of them: they have cases and unit tests of their own."
    ),
    "Betting units above 1, rounded pots, dead small blinds": "PokerKit takes any whole amount and knows live blinds.",
    "A bring-in that equals the bet, an open pair on fourth street": "PokerKit refuses the one and lacks the other.",
    "Individual antes of different size": "PokerKit gives back what only the largest of them paid.",
    "Several boards, run-outs, rake": "They are no betting; the payouts have tests of their own.",
    "Acts out of turn, killed hands, undone and corrected bets": "PokerKit takes legal acts in turn only.",
}
"""What is not compared, and why."""

"""Whether a history ends with the stacks that its file records, and what is said where it does not."""

from __future__ import annotations

import json as json_text
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from betline import phh
from betline.phh import HandHistory, PhhError
from table_controller.betting import Hand, PayoutKind
from table_controller.tools.replay.cards import Disagreement
from table_controller.tools.replay.games import GAMES
from table_controller.tools.replay.oracle import NoOracle, pokerkit_stacks
from table_controller.tools.replay.play import Played, play
from table_controller.tools.replay.showdown import winners


@dataclass(frozen=True, slots=True)
class ReplayResult:
    """How a hand ended: stacks in the file's player order and whole units, the pots won, main pot first.

    `ok`: the file's own finishing stacks were reached, or, where it names none, those that PokerKit reaches. `error`
    says in one sentence what went wrong; then stacks and pots may be missing.
    """

    file: str
    ok: bool
    finishing_stacks: tuple[int, ...] | None
    pots: tuple[int, ...] | None
    error: str | None

    def as_json(self) -> dict[str, object]:
        """The JSON object of `betline replay --json`."""
        return {
            "file": self.file,
            "ok": self.ok,
            "finishing_stacks": None if self.finishing_stacks is None else list(self.finishing_stacks),
            "pots": None if self.pots is None else list(self.pots),
            "error": self.error,
        }


def replay(history: HandHistory) -> ReplayResult:
    """Play one hand to its end. What cannot be played is said in the result, never raised."""
    try:
        played = play(history)
        hand = _paid(played, history)
    except Disagreement as error:
        return ReplayResult(history.file, False, None, None, str(error))
    stacks = tuple([hand.stack(seat) for seat in sorted(hand.seats)])
    difference = _difference(history, stacks)
    if difference and played.doubts:
        difference = f"{difference.rstrip('.')}; {'; '.join(played.doubts)}."
    return ReplayResult(history.file, difference is None, stacks, _pots_won(hand), difference)


def replay_line(path: str | Path) -> dict[str, object]:
    """The JSON object of one file, as `betline replay --json` prints it."""
    return replay_file(path).as_json()


def replay_file(path: str | Path) -> ReplayResult:
    """Read and play one file; one that is no hand history is said in the result."""
    try:
        history = phh.load(path)
    except PhhError as error:
        return ReplayResult(str(path), False, None, None, str(error))
    return replay(history)


def replay_files(paths: Sequence[str | Path], *, json: bool = False) -> int:
    """Play files and print one line each; errors go to standard error. Exit status 0, or 1 when any did not agree."""
    failed = 0
    for path in paths:
        result = replay_file(path)
        failed += not result.ok
        if json:
            print(json_text.dumps(result.as_json()), flush=True)
        elif result.finishing_stacks is not None and result.pots is not None:
            stacks = " ".join(map(str, result.finishing_stacks))
            pots = " ".join(map(str, result.pots))
            print(f"{'OK' if result.ok else 'FAIL'} {path}: stacks {stacks}; pots {pots}", flush=True)
        if result.error is not None:
            place = "" if result.error.startswith(str(path)) else f"{path}: "
            print(f"{place}{result.error}", file=sys.stderr, flush=True)
    return 1 if failed else 0


def _paid(played: Played, history: HandHistory) -> Hand:
    """The hand with its pots paid."""
    hand = played.hand
    if hand.hand_over:
        return hand
    return hand.award(winners(hand, played.cards, GAMES[history.variant]))


def _pots_won(hand: Hand) -> tuple[int, ...]:
    amounts: dict[int, int] = {}
    for payout in hand.payouts:
        if payout.kind is PayoutKind.POT and payout.pot is not None:
            amounts[payout.pot] = amounts.get(payout.pot, 0) + payout.amount
    return tuple([amounts[number] for number in sorted(amounts)])


def _difference(history: HandHistory, stacks: tuple[int, ...]) -> str | None:
    """None where the stacks are those of the file, or of PokerKit where it names none; else what differs."""
    if history.finishing_stacks is not None:
        truth, whose = list(history.finishing_stacks), "the file records"
    else:
        try:
            truth, whose = pokerkit_stacks(history), "PokerKit reaches"
        except NoOracle as error:
            return f"The file names no finishing stacks and PokerKit cannot replay it: {error}."
    differences = [
        f"player {player} has {history.in_file_unit(ours)} and {whose} {history.in_file_unit(theirs)}"
        for player, (ours, theirs) in enumerate(zip(stacks, truth, strict=True), 1)
        if ours != theirs
    ]
    return f"Finishing stacks differ: {'; '.join(differences)}." if differences else None

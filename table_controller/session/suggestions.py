"""What the camera and the readers saw the dealer do, as the key that may come next; nothing follows from it alone."""

from __future__ import annotations

from betline.messages.table import Suggestion
from table_controller.sensing.progress import AWARD
from table_controller.sensing.state import SensingState


def suggestions(sensing: SensingState) -> tuple[Suggestion, ...]:
    """The next key, where something that was seen speaks for it."""
    cues, asked = sensing.cues, sensing.questions.values()
    match sensing.hand.phase:
        case "round-over" if cues.swept_from or _gathered(sensing):
            return (Suggestion(kind="deal", sentence="The bets are gathered: is the next street dealt?"),)
        case "showdown" if cues.pushed_to is not None and not any(one.kind == AWARD for one in asked):
            sentence = f"The pot was pushed to seat {cues.pushed_to}: award it?"
            return (Suggestion(kind="award", seat=cues.pushed_to, sentence=sentence),)
        case "hand-over" if cues.dealt_to:
            return (Suggestion(kind="next-hand", sentence="Cards are dealt: has the next hand begun?"),)
    return ()


def _gathered(sensing: SensingState) -> bool:
    """Whether the readers say that all bets of the round have left their seats."""
    bets = [account for account in sensing.accounts.values() if account.counted]
    return bool(bets) and all(account.gone.keys() == account.counted.keys() for account in bets)

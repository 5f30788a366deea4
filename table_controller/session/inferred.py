"""The passive thing that a seat does: as the dealer keys it, or as the felt and the camera imply (R-039)."""

from __future__ import annotations

from typing import Literal

from betline.messages.table import Alert
from betline.steps import Act
from table_controller.rulings.values.ruling import Refusal
from table_controller.sensing.order import named
from table_controller.session.draft import Draft

Unseen = Literal["keyed", "inferred"]


def take(draft: Draft, seats: tuple[int, ...], mucked: tuple[int, ...], seen: str = "") -> None:
    """These seats acted unseen, in turn order; stops before one for which the table refuses it, and says so.

    ``seen`` is what says that the round is over, where no later act does.
    """
    done: dict[str, list[int]] = {}
    for seat in seats:
        what = "folded: cards mucked" if seat in mucked else f"{_passive_of(draft)}, unseen"
        refusal = muck(draft, seat, "inferred") if seat in mucked else passive(draft, seat, "inferred")
        if refusal is not None:
            draft.alert(Alert(severity="error", code=refusal.code, seat=seat, sentence=refusal.sentence))
            break
        done.setdefault(what, []).append(seat)
    for what, those in done.items():
        why = f": {seen}" if seen else ""
        sentence = f"{named(tuple(those))} {what}{why}. U takes it back."
        draft.alert(Alert(severity="info", code="unreported", seat=those[0], sentence=sentence))


def passive(draft: Draft, seat: int, source: Unseen = "keyed") -> Refusal | None:
    """The seat to act checks where that costs nothing, else folds."""
    action: Literal["check", "fold"] = "check" if _passive_of(draft) == "checked" else "fold"
    return draft.apply(Act(seat=seat, action=action), source)


def muck(draft: Draft, seat: int, source: Unseen) -> Refusal | None:
    """The seat's cards went into the muck: it folds, also where a check is free."""
    return draft.apply(Act(seat=seat, gesture="muck"), source)


def muck_seen(draft: Draft, seat: int) -> None:
    """Says so where a hand went into the muck before its turn: it is no fold yet."""
    hand, mucked = draft.sensing.hand, draft.sensing.cues.mucked
    if seat in mucked and any(other not in mucked for other in hand.before(seat)):
        sentence = (
            f"Seat {seat}'s cards went into the muck before its turn: it folds when its turn has come and a later seat "
            f"acts. {seat} F folds it now."
        )
        draft.alert(Alert(severity="info", code="muck-out-of-turn", seat=seat, sentence=sentence))


def _passive_of(draft: Draft) -> Literal["checked", "folded"]:
    state = None if draft.table is None else draft.table.state
    return "checked" if state is not None and "check" in state.may else "folded"

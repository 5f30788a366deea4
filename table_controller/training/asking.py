"""Questions made of moments: what is asked, the right answer by the engine, and the choices. Pure but for a seed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Final, Literal, get_args

from betline.messages.table import TableState
from table_controller.training import felt, telling, wrong
from table_controller.training.kinds import acts, pots, turns
from table_controller.training.kinds.draft import Draft
from table_controller.training.moments import Moment
from table_controller.training.wrong import Choice

Mode = Literal["dealer", "player"]
MODES: tuple[Mode, ...] = get_args(Mode)
KINDS: Final = {
    "what": "what an act is",
    "amount": "to how much it is",
    "money": "what goes back or is owed",
    "say": "what the dealer says to the next player",
    "next": "who acts next",
    "call": "what a call costs",
    "least": "the least raise",
    "most": "the most that may be bet",
    "may": "whether a raise is open",
    "binding": "whether an act out of turn binds",
    "pots": "how much is in a pot",
    "who": "who can win a pot",
    "uncalled": "what goes back uncalled",
}
"""Every kind of question, by the word that topics name it by."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One question. Without choices an amount is typed."""

    id: str
    """The same in every sitting: what is learnt is kept by it."""
    mode: Mode
    topic: str
    kind: str
    moment: Moment
    scene: tuple[str, ...]
    asks: str
    table: TableState
    right: str
    """The meaning of the right choice, or the amount in digits."""
    choices: tuple[Choice, ...] = ()

    @property
    def right_text(self) -> str:
        """The right answer as it is shown."""
        return (
            f"{int(self.right):,}" if not self.choices else {one.meaning: one.text for one in self.choices}[self.right]
        )

    def meant(self, typed: str) -> str | None:
        """What was typed means: the number of a choice, or an amount; None where it is neither."""
        text = typed.strip().replace(",", "").replace(" ", "").replace("'", "")
        if not (text.isascii() and text.isdigit()):
            return None
        if not self.choices:
            return str(int(text))
        place = int(text)
        return self.choices[place - 1].meaning if 0 < place <= len(self.choices) else None


def questions_of(moment: Moment, topic: str, kinds: frozenset[str], mode: Mode, seed: int = 0) -> Iterator[Question]:
    """Every question of these kinds that a moment makes; `seed` only mixes the choices."""
    for kind, makers in _MAKERS.items():
        if kind in kinds and mode in makers:
            for draft in makers[mode](moment):
                yield _question(moment, topic, kind, mode, draft, seed)


def _question(moment: Moment, topic: str, kind: str, mode: Mode, draft: Draft, seed: int) -> Question:
    name = f"{mode}/{moment.house.name}/{moment.case}/{moment.number}/{kind}{draft.part or ''}"
    choices: tuple[Choice, ...] = ()
    if draft.keeps_order:
        choices = (
            (draft.right, *draft.wrong) if draft.right.meaning < draft.wrong[0].meaning else (*draft.wrong, draft.right)
        )
    elif draft.wrong:
        choices = wrong.mixed(draft.right, draft.wrong, Random(f"{seed}/{name}"))
    table = moment.after if draft.after else moment.before
    return Question(
        id=name, mode=mode, topic=topic, kind=kind, moment=moment,
        scene=telling.scene(moment, draft.you, ruled=draft.after), asks=draft.asks,
        table=felt.seen(table, pots=kind not in ("pots", "who"), acting=kind != "next"),
        right=draft.right.meaning, choices=choices,
    )  # fmt: skip


_Maker = Callable[[Moment], Iterator[Draft]]
_MAKERS: Final[dict[str, dict[Mode, _Maker]]] = {
    "what": {"dealer": acts.what, "player": acts.what_you_did},
    "amount": {"dealer": acts.how_much},
    "money": {"dealer": acts.money},
    "say": {"dealer": turns.say},
    "next": {"dealer": turns.next_seat},
    "call": {"player": turns.call},
    "least": {"dealer": partial(turns.least, mine=False), "player": partial(turns.least, mine=True)},
    "most": {"dealer": partial(turns.most, mine=False), "player": partial(turns.most, mine=True)},
    "may": {"player": turns.may},
    "binding": {"dealer": partial(acts.binding, mine=False), "player": partial(acts.binding, mine=True)},
    "pots": {"dealer": pots.pots},
    "who": {"dealer": pots.who},
    "uncalled": {"dealer": pots.uncalled},
}

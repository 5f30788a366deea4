"""What an act counts as: the physical act, the hand and the house rules in, a ruling out; and the table around it.

`Table.begin(setup)` and `Table.apply(step)` are the whole surface: frozen values in, frozen values out.
"""

from table_controller.rulings.redo.otherwise import RuledOtherwise
from table_controller.rulings.table import Outcome, Table
from table_controller.rulings.values.payouts import Push, payout_plan
from table_controller.rulings.values.ruling import Refusal, Ruling, RulingKind, Settled
from table_controller.rulings.values.state import Held, State

__all__ = [
    "Held", "Outcome", "Push", "Refusal", "RuledOtherwise", "Ruling", "RulingKind", "Settled", "State", "Table",
    "payout_plan",
]  # fmt: skip

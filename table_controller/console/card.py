"""The dealer's card: the key map as a page of hardware_docs.

``python -m table_controller.console.card > hardware_docs/console.md``
"""

from __future__ import annotations

import sys

from table_controller.console.keys import GROUPS, KEYS

_HEAD = """\
# The console: the dealer's card

What chips and camera tell is never keyed. `betline console` shows the table; these are its keys. The list is made from
the key map (`python -m table_controller.console.card`), and so is the help screen.

![The console in the middle of a hand](console.svg)

A number typed before a key belongs to it: `7 J` seat 7 acts, `165 B` bet or raise to 165, `2 U` two acts back. Esc
forgets the number. Every key is answered in one line above the keys: ✓ done, ✖ refused and why.
"""

_TAIL = """
Signs at a seat: ► to act, × folded, ◆ all-in, – sits out, `D` the button, `! owes` chips still to come from the player,
`! due` change still to go to the player, `≠ reads` what the antenna reads where it differs from the ruled bet,
`wins ≤` the most that an all-in seat can take of what lies in the middle now. Nothing is told by colour alone;
`NO_COLOR` is obeyed.

With the pot bet stands its sum: three times the last wager, the trail, what lay there when the round began, and what
rounding adds; `=` the whole of it where the seat cannot make it that.

When a round is over and its bets go into more than one pot, or some go back, the panel says how to take them in: the
main pot first, then the side pots, then what goes back to whom. `all to` names the one seat that can win a pot.

In the amount dialog: digits and Enter, M the minimum, P the pot bet (without a pot limit the maximum). In the award
dialog: digits are winners, 0 is seat 10, / parts a pot (high / low), Enter the next pot.

When broker or controller is lost a banner says since when, and the keys are off; both come back by themselves.
"""


def card() -> str:
    """The whole page."""
    lines = [_HEAD]
    for group, title in GROUPS.items():
        lines += [f"## {title}", "", "| key | what it does | a number before it |", "| --- | --- | --- |"]
        lines += [f"| {key.shown} | {key.meaning} | {key.number} |" for key in KEYS if key.group == group]
        lines.append("")
    return "\n".join(lines).rstrip("\n") + "\n" + _TAIL


if __name__ == "__main__":
    sys.stdout.write(card())

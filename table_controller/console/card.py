"""The dealer's card: the key map as a page of docs.

``python -m table_controller.console.card > docs/console.md``
"""

from __future__ import annotations

import sys

from betline.settings import shipped
from table_controller.console.asked import QUESTIONS
from table_controller.console.keymaps import FOLDER, load_keys
from table_controller.console.keys import GROUPS, STANDARD, keys_in_force, using
from table_controller.console.picture import FOLDER as FOLDER_OF_PICTURES
from table_controller.console.picture import SHOTS

_HEAD = """\
# The console: the dealer's card

What chips and camera show is never keyed. `betline console` shows the table; these are its keys. The list is made from
the key map (`python -m table_controller.console.card`), and so is the help screen.

![The console in the middle of a hand](console.svg)

A number typed before a key belongs to it: `7 J` seat 7 acts, `165 B` bet or raise to 165, `2 U` two acts back. Esc
forgets the number. Every key is answered in one line above the keys: ✓ done, ✖ refused and why.
"""

_TAIL = """
Signs at a seat: ► to act, × folded, ◆ all-in, – sits out, `D` the button, `! owes` chips still to come from the player,
`! due` change still to go to the player, `≠ reads` what the antenna reads where neither the ruled bet nor what is still
to come or to go explains it,
`muck?` cards in the muck that are no fold yet, `leaves after` the hand, `→ seat 7` after it, `waits 2` hands,
`wins ≤` the most that an all-in seat can take of what lies in the middle now. Of who comes and goes: `waits BB` for the
big blind, `posts`, `buys btn`, `away`, `penalty 2` (hands), `missed 10+5` (blinds owed), `! pick up` away too long,
`! rebuy` before the next hand. Of blind raises: `STR 20`, `SLEEPER 20`, `KILL 20`, `2 legs`, `ROCK`; `marker 300` is
borrowed. A `D` on an empty seat is a dead button. What an antenna reads is shown only once it has differed for two
seconds. Nothing is shown by colour alone; `NO_COLOR` is obeyed. F5 and `--theme` choose the colours: dark, light,
colour-blind (blue, orange and yellow, no red beside green), contrast.

All that keys do, mouse and touch do: each key at the bottom is a button, a row of the list of keys presses its key, a
tap on a seat opens its menu, on an answer gives it, on an alert marks it as seen; rows of menus and the keys that a
dialog names answer too. `#` is a pad for the number before a key. Who opens a line of words by a tap gets letters to
tap. From 32 rows on the buttons are three rows high: a touch screen of ten inches with 1280x800 pixels has about
106x33 characters at a font of 12x24. Where a dialog lies over a question it repeats the question.

With the pot bet stands its sum: three times the last wager, the trail, what lay there when the round began, and what
rounding adds; `=` the whole of it where the seat cannot make it that.

When a round is over and its bets go into more than one pot, or some go back, the panel says how to take them in: the
main pot first, then the side pots, then what goes back to whom. `all to` names the one seat that can win a pot. When
the pots are awarded it says how to pay them out: what the house takes, then every winner's part.
What the readers have seen taken in or pushed has a ✓.

A number and its key (`60 R`) need no Enter: one that comes within 1.5 s is dropped, for it would act for the next seat.
In the amount dialog: digits and Enter, M the minimum, P the pot bet (without a pot limit the maximum). In the award
dialog: digits are winners, 0 is seat 10, / parts a pot (high / low), Enter the next pot, or the next board of it.

When nobody can bet any more the panel leads through the rest: whose cards are turned up, then each street with its key.
Where the house allows it and all in the pot agree, `M I` runs the board two or three times; W then asks for each board.

M opens the menu of the table, `4 E` that of seat 4: a letter chooses, some ask for a line of words (examples stand
below it), those that are hard to take back ask once more. What is not possible now stands below
the rest, dim, with the whole reason; PgDn turns the page. Keys may be typed faster than a dialog opens.
Before the cards `4 G` straddles for the least of seat 4; chips that make a legal straddle are posted by themselves, and
chips that may be a sleeper are asked about. In stud `3 I` brings it in at seat 3, and D asks who opens the next street
(`3 D` says it in one go; P in that dialog: a pair is open).

What was wrong is put right in three ways. `M K` corrects a bet of this street, as the rules bind it: who called calls
the corrected bet. `M D` makes the record agree with the felt, on any street: what came after is ruled on again. Y is
the floor: where a ruling waits a digit decides, O rules otherwise; where none waits, it rules otherwise on what a seat
did last: a digit each for the act, for what it is (withdraw: the act does not count; live and dead: its hand; reopened:
it may raise), for who decides and why. Names and reasons of the lists stand under `[floor]` in the table file; others
are typed. It is answered with all that is ruled otherwise now: a line for each act, with `was` and the old ruling and
what its seat `puts in` or `gets back`; L has them in full. U takes it back whole.

F7 starts the clock of the seat to act with the time of the house, `60 F7` with another; it stands in the head line. F7
again gives more time: a time bank, where the house has them. It warns at 10 and 3 seconds. When the time is up it
asks, and Enter makes it a fold, or a check where that is free; it folds no hand by itself. `M T stop` calls it off.

Z lists the last hands. Right, or a click on an act, shows the table as it was after it, as large as the terminal: left
and right go from act to act, up and down from hand to hand, and where the camera has kept a picture of the act K shows
it. What was ruled then stands there, whatever the rules are today.

K shows what the camera sees, as large as the terminal: two pixels a character, twice a second, while it is open. The
line is yellow; a bet zone is outlined while something is open there; chips that the camera believes in are green, arms
red. A terminal with fewer than 256 colours says so in a sentence. Over a slow line leave it closed: a picture
takes about 100 kB where the terminal has 120 columns.

`betline console --plain` is the same console without a screen, for a screen reader, a pipe or a remote hand: every
change of the table is one line, a command is one line, and nothing is drawn. A key is typed by its number, its letter
or its word, and what belongs to it stands behind it or, as on the keys, before it: `2`, `c` or `call`; `3 165`,
`raise 165` or `165 b`; `7 j`; `4 e s 400 Ann`; `menu k 3 1200`. The numbers never change. The answers to a question
are 11 to 14. An empty line says again who acts, and what works now; `seats` lists the stacks; `?` lists every number;
`cancel` leaves what this console asks, and `sign in Ann 4711` signs in. When its input ends, it waits for the last
answer and ends too.

When broker or controller is lost a banner says since when, and the keys are off; both come back by themselves.
"""

_OTHER_KEYS = """\
`betline console --keys NAME|FILE` takes other keys: a shipped map, or a TOML file with a section `[keys]` whose lines
name an act and its keys, such as `fold = ["f", "x"]`; `map = "numpad"` begins with a shipped map, and what is not named
keeps its keys. Without the option `~/.config/betline/keys.toml` is taken where it is there, else `[keys]` of the
table's file. A key for two acts is refused with a sentence; digits, `-`, Backspace and Esc stay what they are. The
keys at the bottom, the list of keys and every sentence name the keys in force, and so does this page where it is made
for a map:
`python -m table_controller.console.card NAME`. The acts by name are:
"""


def card() -> str:
    """The whole page, with the keys in force."""
    lines = [_HEAD]
    for group, title in GROUPS.items():
        lines += [f"## {title}", "", "| key | what it does | a number before it |", "| --- | --- | --- |"]
        lines += [
            f"| {key.shown} | {key.meaning} | {key.number} |" for key in keys_in_force().keys if key.group == group
        ]
        lines.append("")
    lines += ["## What is asked", "", "| question | asked of | answers: Enter, O, F3, F4 |", "| --- | --- | --- |"]
    lines += [f"| `{kind}` | {when} | {answers} |" for kind, (when, answers) in QUESTIONS.items()]
    lines.append("")
    return "\n".join(lines).rstrip("\n") + "\n" + _TAIL + _maps() + _pictures()


def _pictures() -> str:
    """A picture of every screen and size."""
    links = (f"- [{shot.what}]({FOLDER_OF_PICTURES}/{name}.svg)" for name, shot in SHOTS.items())
    made = "Made by `python -m table_controller.console.picture docs/console`."
    return "\n".join(["", "## Every screen and size", "", made, "", *links, ""])


def _maps() -> str:
    """What the shipped key maps say otherwise."""
    lines = [
        "",
        "## Other keys",
        "",
        *_OTHER_KEYS.splitlines(),
        ", ".join(f"`{key.action}`" for key in STANDARD.keys) + ".",
        "",
        "| map | keys |",
        "| --- | --- |",
    ]
    for name in shipped(FOLDER):
        changed = [key for key in load_keys(name).keys if key != STANDARD.by_action[key.action]]
        keys = ", ".join(f"{key.action}: {' '.join(f'`{one}`' for one in key.shown.split())}" for key in changed)
        lines.append(f"| `{name}` | {keys} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    with using(load_keys(sys.argv[1]) if sys.argv[1:] else STANDARD):
        sys.stdout.write(card())

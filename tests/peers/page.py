"""`docs/pokerkit.md`, for people: made of the list that the tests go by.

`.venv/bin/python -m tests.peers.page` writes it.
"""

from __future__ import annotations

from pathlib import Path

from tests.peers.differences import DIFFERENCES, NOT_PLAYED
from tests.peers.variants import VARIANTS

PATH = Path(__file__).parents[2] / "docs" / "pokerkit.md"


TEXT = """\
# Where Betline and PokerKit differ, and who says so

[PokerKit](https://pokerkit.readthedocs.io) plays poker by rules of its own. Betline's betting engine plays random hands
in step with it: before every act both must name the same seat, the same call, the same least and most raise, the same
bets and stacks, and the same pots with the same players; at the end they must pay the same stacks. Where cardroom rules
say otherwise the difference is in this list, with its source. What PokerKit answers, corrected by the differences whose
case it is, must be Betline's answer exactly. R-numbers are the rules that the code cites.

`./run test tests/peers` plays some thousands of hands, `./run test tests/peers --hands 100000 --seed 7` as many as one
likes, others with each seed. A hand that fails says how it is played again, alone: `--hand no-limit-holdem/7/1234`.

This page is written by `.venv/bin/python -m tests.peers.page`; a test holds it to the list that the tests go by.

## Played

{variants}.

Two to nine players as the deck allows, stacks from one chip to 200 big bets, antes of everybody or of one for all, one
to three blinds, equal and odd ones, a missing small blind, a blind on the button, antes alone, straddles and
re-straddles, live and dead posts, minimum bets above and below the big blind, and the house options of betting.

PokerKit's class `FixedLimitOmahaHoldemHighLowSplitEightOrBetter` is pot-limit, because it inherits the wrong mixin: as
it is it is played as `pot-limit-omaha-8`, with the right mixin as `omaha-8`. Pot-limit hold'em, five-card Omaha,
Courchevel and Greek hold'em are put together from PokerKit's parts.

## Differences

| name | Betline | PokerKit | source |
| --- | --- | --- | --- |
{differences}

## Not played

| what | why |
| --- | --- |
{not_played}
"""


def page() -> str:
    differences = "\n".join(f"| {d.name} | {d.betline} | {d.pokerkit} | {d.source} |" for d in DIFFERENCES)
    not_played = "\n".join(f"| {what} | {why} |" for what, why in NOT_PLAYED.items())
    return TEXT.format(variants=", ".join(VARIANTS), differences=differences, not_played=not_played)


if __name__ == "__main__":
    PATH.write_text(page(), encoding="utf-8")

"""One hand of a journal on paper, for a dispute: one page of HTML that loads nothing.

It has acts, rulings with the rules they cite, evidence, pictures, and the head of the journal as a code, by which
`betline journal verify --head` finds whether the journal is still the one that was printed.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from html import escape

from betline.qr import svg
from betline.rule_texts import text_of
from table_controller.accounts.read import authors, by_whom, cards_in_words, sentence, time_of
from table_controller.accounts.recall import Recalled
from table_controller.journal.entries import Alerted, Recorded, Stepped

QR_MM = 38.0


@dataclass(frozen=True, slots=True)
class Head:
    """An entry of the journal with its hash: the whole journal up to there has that hash and no other."""

    seq: int
    hash: str

    @property
    def words(self) -> str:
        """As `--head` takes it."""
        return f"{self.seq}:{self.hash}"


@dataclass(frozen=True, slots=True)
class Made:
    """Of what journal the report is, and when it was made."""

    table: str
    journal: str
    at_ms: int
    head: Head
    sealed: str
    """What was found of the seal and the chain when the report was made."""


def report_html(
    hand: Recalled, names: Mapping[str, str], made: Made, style: str, picture_of: Callable[[str], bytes | None]
) -> str:
    """The report as one file; ``picture_of`` gives an event's JPEG where it is kept."""
    body = "\n".join((*_header(hand, made), *_seats(hand), *_acts(hand, names, picture_of), *_rules(hand)))
    title = escape(f"{made.table}, hand {hand.summary.hand_no}")
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>\n'
        f"<style>\n{style}</style></head><body>\n{body}\n</body></html>\n"
    )


def _header(hand: Recalled, made: Made) -> Iterator[str]:
    summary, command = hand.summary, f"betline journal verify --head {made.head.words}"
    won = "".join(f"<br>Seat {seat} won {amount:,}." for seat, amount in (summary.winners or {}).items())
    yield "<header><div>"
    yield f"<h1>{escape(made.table)}, hand {summary.hand_no}</h1>"
    yield f"<p>Began {escape(time_of(summary.began_ms)[:19])}, button seat {summary.button or 'none'}.</p>"
    yield f"<p>Pot {summary.pot:,}.{won}</p>" if summary.winners is not None else "<p>The hand goes on.</p>"
    if summary.cards:
        yield f"<p>Cards: {escape(cards_in_words(summary.cards))}.</p>"
    yield _small(f"Report of {time_of(made.at_ms)[:19]} from {made.journal}. {made.sealed}")
    yield f"</div><div>{svg(command, QR_MM)}</div></header>"
    yield _small(f"Journal up to entry {made.head.seq}. Is it still the one that was printed?")
    yield f"<code>{escape(command)}</code>"


def _small(text: str) -> str:
    return f'<div class="small">{escape(text)}</div>'


def _seats(hand: Recalled) -> Iterator[str]:
    seats = hand.summary.seats
    yield "<h2>Stacks when it began</h2><table>"
    yield "<tr>" + "".join(f"<th>Seat {seat}</th>" for seat in seats) + "</tr>"
    yield "<tr>" + "".join(f"<td>{stack:,}</td>" for stack in seats.values()) + "</tr></table>"


def _acts(hand: Recalled, names: Mapping[str, str], picture_of: Callable[[str], bytes | None]) -> Iterator[str]:
    keyed_by = authors(hand.commands, names)
    yield "<h2>What happened</h2><table><tr><th>Entry</th><th>Time</th><th>What, and how it was ruled</th></tr>"
    for one in hand.entries:
        kind = "alert" if isinstance(one.entry, Alerted) else "act"
        yield f'<tr class="{kind}"><td class="number">{one.seq}</td>'
        yield f'<td class="number">{escape(time_of(one.at_ms)[11:])}</td>'
        yield f"<td>{escape(f'{sentence(one, names)}{by_whom(one, keyed_by)}')}"
        yield from map(_small, hand.evidence.get(one.seq, ()))
        yield from (_figure(event, picture_of(event)) for event in hand.pictures.get(one.seq, ()))
        yield "</td></tr>"
    yield "</table>"


def _figure(event: str, jpeg: bytes | None) -> str:
    if jpeg is None:
        return _small(f"Picture {event} is not kept.")
    source = f"data:image/jpeg;base64,{b64encode(jpeg).decode()}"
    caption = f"<figcaption>{escape(event)}</figcaption>"
    return f'<figure><img src="{source}" alt="Picture of the camera">{caption}</figure>'


def _rules(hand: Recalled) -> Iterator[str]:
    cited = sorted({cite for one in hand.entries for cite in _cites(one)})
    if cited:
        yield "<h2>Rules that were cited</h2><dl>"
        yield from (f"<dt>{escape(cite)}</dt><dd>{escape(text_of(cite))}</dd>" for cite in cited)
        yield "</dl>"


def _cites(recorded: Recorded) -> Iterator[str]:
    if isinstance(recorded.entry, Stepped):
        for ruling in recorded.entry.rulings:
            yield from ruling.cites

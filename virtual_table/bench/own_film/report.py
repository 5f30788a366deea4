"""The score of a film as a person reads it."""

from __future__ import annotations

from virtual_table.bench.own_film.score import WIDE_MS, FilmScore, summed
from virtual_table.bench.scoring import TOLERANCE_MS, Score, wilson


def lines(found: FilmScore) -> list[str]:
    """The score as a person reads it."""
    rows = [("", "seen", "missed", "false", "recall (95 %)", "precision (95 %)")]
    rows += [_row(name.replace("_", " "), score) for name, score in found.classes.items()]
    rows.append(_row("together", summed(found.classes)))
    widths = [max(len(row[column]) for row in rows) for column in range(6)]
    table = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    right, of = found.motions
    clips = found.clips
    wide = summed(found.wide)
    return [
        *table,
        f"Within {WIDE_MS:.0f} ms instead of {TOLERANCE_MS:.0f}: seen {wide.right}, missed {wide.missed}, "
        f"false {wide.invented}.",
        f"Bets with the right number of motions: {right} of {of}.",
        f"Counted: {clips['acts'] + clips['nothing']} clips, {found.seconds:.0f} s; {clips['quiet']} of them where "
        f"nothing had moved, with {found.found_in_quiet} acts in them.",
        f"Not counted: {clips['unsure']} clips of which nobody could tell; {found.not_asked} reports of kinds that are "
        "not asked about (hands, amended bets, splashes, cards dealt and others).",
        *([f"{found.damaged} pictures are damaged and were left out."] if found.damaged else []),
    ]


def _row(name: str, score: Score) -> tuple[str, str, str, str, str, str]:
    there, said = score.right + score.missed, score.right + score.invented
    return (
        name,
        str(score.right),
        str(score.missed),
        str(score.invented),
        _share(score.right, there),
        _share(score.right, said),
    )


def _share(right: int, of: int) -> str:
    low, high = wilson(right, of)
    return f"{100 * right / of:.0f} % ({100 * low:.0f} to {100 * high:.0f})" if of else "none"

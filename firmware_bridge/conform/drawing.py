"""Two figures as SVG: how long the rounds took, and the bytes of one round on a line of time. Pure."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from statistics import median
from typing import Final

from firmware_bridge.conform.evidence import Entry, RoundSeen, Stage, uids_of
from firmware_bridge.conform.kit import Kit

WIDTH: Final = 720
_LEFT, _RIGHT = 92, 16
_BARS: Final = 24
_LABEL_PX: Final = 74


def histogram(stage: Stage, kit: Kit, byte_ms: float) -> str:
    """How many rounds took how long, with the ideal time and the limit; empty where too few rounds were complete."""
    times = [one.took_ms for one in stage.session.settled]
    if not times:
        return ""
    tags = len(uids_of(stage.session))
    ideal_ms, limit_ms = kit.reckoning.round_ms(tags, byte_ms), kit.reckoning.limit_ms(tags, byte_ms)
    step_ms = _nice(max(*times, limit_ms, 1.0) * 1.05 / _BARS)
    scale = (WIDTH - _LEFT - _RIGHT) / (step_ms * _BARS)
    counts = [0] * _BARS
    for took_ms in times:
        counts[min(int(took_ms / step_ms), _BARS - 1)] += 1
    top, base = 34, 150
    parts = [
        f'<rect class="bar" x="{_LEFT + number * step_ms * scale + 1:.1f}" y="{base - (base - top) * count / max(counts):.1f}" '
        f'width="{step_ms * scale - 2:.1f}" height="{(base - top) * count / max(counts):.1f}">'
        f"<title>{count} rounds of {number * step_ms:g} to {(number + 1) * step_ms:g} ms</title></rect>"
        for number, count in enumerate(counts)
        if count
    ]
    parts.append(_axis(base, step_ms * _BARS, scale, "ms"))
    parts.append(f'<text x="{_LEFT - 8}" y="{top + 5}" class="end">{max(counts)} rounds</text>')
    for value, name, css in ((ideal_ms, "ideal", "ideal"), (limit_ms, "limit", "limit")):
        x = _LEFT + value * scale
        parts.append(f'<line class="{css}" x1="{x:.1f}" x2="{x:.1f}" y1="{top - 8}" y2="{base}"/>')
        parts.append(f'<text x="{x:.1f}" y="{top - 14}" class="mid">{name} {value:.0f} ms</text>')
    words = f"{len(times)} rounds over {tags} tags, median {median(times):.0f} milliseconds"
    return _svg(184, words, parts)


def timeline(stage: Stage, byte_ms: float) -> str:
    """The bytes of the round that took the usual time: what the host sent, and each of its reads; empty without one."""
    chosen = _usual(stage.session.settled)
    if chosen is None:
        return ""
    ends_ms, begins_ms = chosen.ended_ms + 0.5, chosen.ended_ms - chosen.took_ms - 0.5
    entries = [one for one in stage.session.entries if begins_ms <= one.at_ms <= ends_ms]
    if not entries:
        return ""
    shown_ms = chosen.took_ms + 2
    scale = (WIDTH - _LEFT - _RIGHT) / shown_ms
    parts = [
        f'<text x="{_LEFT - 8}" y="37" class="end">host</text>',
        f'<text x="{_LEFT - 8}" y="77" class="end">reader</text>',
        f'<line class="lane" x1="{_LEFT}" x2="{WIDTH - _RIGHT}" y1="44" y2="44"/>',
        f'<line class="lane" x1="{_LEFT}" x2="{WIDTH - _RIGHT}" y1="84" y2="84"/>',
    ]
    parts += [_entry(one, begins_ms + 0.5, scale, byte_ms) for one in entries]
    parts.append(_axis(104, shown_ms, scale, "ms"))
    received = sum(len(one.data) for one in entries if not one.is_request)
    sent = sum(len(one.data) for one in entries if one.is_request)
    words = f"one round of {chosen.took_ms:.0f} milliseconds: {sent} bytes sent, {received} received in {len(entries)} pieces"
    return _svg(140, words, parts)


def _usual(rounds: Sequence[RoundSeen]) -> RoundSeen | None:
    return sorted(rounds, key=lambda one: one.took_ms)[len(rounds) // 2] if rounds else None


def _entry(one: Entry, begins_ms: float, scale: float, byte_ms: float) -> str:
    """A box as wide as the bytes took on the line: a request begins at its time, a read ends there."""
    wide_ms = len(one.data) * byte_ms
    left_ms = one.at_ms - begins_ms if one.is_request else one.at_ms - begins_ms - wide_ms
    css, y = ("sent", 24) if one.is_request else ("heard", 64)
    start = one.data[:12].hex(" ").upper() + (" ..." if len(one.data) > 12 else "")
    title = (
        f"{'sent' if one.is_request else 'read'} after {one.at_ms - begins_ms:.1f} ms, {len(one.data)} bytes: {start}"
    )
    return (
        f'<rect class="{css}" x="{_LEFT + max(left_ms, 0.0) * scale:.1f}" y="{y}" '
        f'width="{max(wide_ms * scale, 1.5):.1f}" height="20"><title>{html.escape(title)}</title></rect>'
    )


def _axis(y: int, most: float, scale: float, unit: str) -> str:
    step = _nice(most * _LABEL_PX / (WIDTH - _LEFT - _RIGHT))
    parts = [f'<line class="axis" x1="{_LEFT}" x2="{WIDTH - _RIGHT}" y1="{y}" y2="{y}"/>']
    for number in range(int(most / step) + 1):
        x = _LEFT + number * step * scale
        parts.append(f'<line class="axis" x1="{x:.1f}" x2="{x:.1f}" y1="{y}" y2="{y + 4}"/>')
        parts.append(f'<text x="{x:.1f}" y="{y + 18}" class="mid">{number * step:g} {unit}</text>')
    return "".join(parts)


def _nice(value: float) -> float:
    """The next of 1, 2, 5, 10, 20, 50 ..."""
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in (1.0, 2.0, 5.0, 10.0) if step * power >= value - 1e-9)


def _svg(height: int, words: str, parts: Sequence[str]) -> str:
    body = "".join(parts)
    return f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{html.escape(words)}">{body}</svg>'

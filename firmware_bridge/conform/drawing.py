"""Two figures as SVG: how long the rounds took, and the bytes of one round on a line of time. Pure."""

from __future__ import annotations

import html
import math
from collections import Counter
from collections.abc import Sequence
from itertools import dropwhile
from statistics import median
from typing import Final

from firmware_bridge.conform.evidence import Entry, RoundSeen, Stage, uids_of
from firmware_bridge.conform.kit import Kit

WIDTH: Final = 720
_LEFT, _RIGHT = 92, 40
_TOP, _BASE = 34, 150
_BARS: Final = 48
_LABEL_PX: Final = 74
_SLACK_MS: Final = 0.5
"""A round and its bytes are told by two looks at the clock."""


def histogram(stage: Stage, kit: Kit, byte_ms: float) -> str:
    """How many rounds took how long, with the reckoned time, and the limit where it is near; empty without rounds."""
    times = [one.took_ms for one in stage.session.settled]
    if not times:
        return ""
    tags = len(uids_of(stage.session))
    reckoned_ms, limit_ms = kit.reckoning.round_ms(tags, byte_ms), kit.reckoning.limit_ms(tags, byte_ms)
    step_ms = _nice(max(*times, reckoned_ms, 1.0) * 1.1 / _BARS)
    scale = (WIDTH - _LEFT - _RIGHT) / (step_ms * _BARS)
    counts = Counter(min(int(took_ms / step_ms), _BARS - 1) for took_ms in times)
    most = max(counts.values())
    parts = [_bar(number, count / most, count, step_ms, scale) for number, count in sorted(counts.items())]
    parts.append(_axis(_BASE, step_ms * _BARS, scale))
    parts.append(f'<text x="{_LEFT - 8}" y="{_TOP + 5}" class="end">{most} rounds</text>')
    marks = [(reckoned_ms, "reckoned"), *([(limit_ms, "limit")] if limit_ms <= step_ms * _BARS else [])]
    for value, name in marks:
        x = _LEFT + value * scale
        parts.append(f'<line class="{name}" x1="{x:.1f}" x2="{x:.1f}" y1="{_TOP - 8}" y2="{_BASE}"/>')
        parts.append(f'<text x="{x:.1f}" y="{_TOP - 14}" class="mid">{name} {value:.0f} ms</text>')
    words = f"{len(times)} rounds over {tags} tags, median {median(times):.0f} milliseconds"
    return _svg(_BASE + 34, words, parts)


def _bar(number: int, share: float, count: int, step_ms: float, scale: float) -> str:
    height = (_BASE - _TOP) * share
    x, wide = _LEFT + number * step_ms * scale + 1, step_ms * scale - 2
    title = f"{count} rounds of {number * step_ms:g} to {(number + 1) * step_ms:g} ms"
    box = f'x="{x:.1f}" y="{_BASE - height:.1f}" width="{wide:.1f}" height="{height:.1f}"'
    return f'<rect class="bar" {box}><title>{title}</title></rect>'


def timeline(stage: Stage, byte_ms: float) -> str:
    """The bytes of the round that took the usual time: what the host sent, and each of its reads; empty without one."""
    chosen = _usual(stage.session.settled)
    if chosen is None:
        return ""
    begins_ms = chosen.ended_ms - chosen.took_ms
    near = [one for one in stage.session.entries if begins_ms - _SLACK_MS <= one.at_ms <= chosen.ended_ms + _SLACK_MS]
    entries = list(dropwhile(lambda one: not one.is_request, near))
    while entries and entries[-1].is_request:
        entries.pop()  # the next round's
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
    parts += [_entry(one, begins_ms, scale, byte_ms) for one in entries]
    parts.append(_axis(104, shown_ms, scale))
    received = sum(len(one.data) for one in entries if not one.is_request)
    sent = sum(len(one.data) for one in entries if one.is_request)
    words = f"one round of {chosen.took_ms:.0f} milliseconds: {sent} bytes sent, {received} received"
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


def _axis(y: int, most: float, scale: float) -> str:
    step = _nice(most * _LABEL_PX / (WIDTH - _LEFT - _RIGHT))
    parts = [f'<line class="axis" x1="{_LEFT}" x2="{WIDTH - _RIGHT}" y1="{y}" y2="{y}"/>']
    for number in range(int(most / step) + 1):
        x = _LEFT + number * step * scale
        parts.append(f'<line class="axis" x1="{x:.1f}" x2="{x:.1f}" y1="{y}" y2="{y + 4}"/>')
        parts.append(f'<text x="{x:.1f}" y="{y + 18}" class="mid">{number * step:g} ms</text>')
    return "".join(parts)


def _nice(value: float) -> float:
    """The next of 1, 2, 5, 10, 20, 50 ..."""
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in (1.0, 2.0, 5.0, 10.0) if step * power >= value - 1e-9)


def _svg(height: int, words: str, parts: Sequence[str]) -> str:
    body = "".join(parts)
    return f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{html.escape(words)}">{body}</svg>'

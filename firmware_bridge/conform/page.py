"""The report as one HTML file: no scripts, nothing from elsewhere. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from itertools import groupby
from typing import Final

from firmware_bridge.conform.check import Outcome, Result, counted
from firmware_bridge.conform.drawing import histogram, timeline
from firmware_bridge.conform.evidence import uids_of
from firmware_bridge.conform.kit import Kit
from firmware_bridge.conform.report import Report

_SIGNS: Final = {
    Outcome.PASSED: ("good", "&#10003;", "passed"),
    Outcome.FAILED: ("bad", "&#10007;", "failed"),
    Outcome.NOT_TRIED: ("left", "&#8211;", "not tried"),
    Outcome.OBSERVED: ("seen", "&#9679;", "observed"),
}
_CSS: Final = """
:root { color-scheme: light; --ink: #1c2321; --soft: #5c6864; --line: #d5dbd8; --good: #12693f; --bad: #a8201a;
  --left: #6b7471; --seen: #235a97; --paper: #ffffff; --shade: #f4f6f5; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 74rem; padding: 2rem 1.5rem 3rem; background: var(--paper); color: var(--ink);
  font: 16px/1.45 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
h1 { font-size: 1.7rem; margin: 0 0 .2rem; }
h2 { font-size: 1.2rem; margin: 2.2rem 0 .6rem; }
p { margin: .3rem 0; }
.soft, .source { color: var(--soft); }
.verdict { margin: 1.2rem 0; padding: .9rem 1.1rem; border-left: .4rem solid; background: var(--shade);
  font-size: 1.1rem; }
.verdict.good { border-color: var(--good); } .verdict.bad { border-color: var(--bad); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1.2rem; margin: 0; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
table { width: 100%; border-collapse: collapse; table-layout: fixed; }
th, td { text-align: left; vertical-align: top; padding: .5rem .6rem; border-bottom: 1px solid var(--line);
  overflow-wrap: anywhere; }
thead th { color: var(--soft); font-weight: 600; font-size: .9rem; border-bottom-width: 2px; }
col.state { width: 7.2rem; } col.check { width: 26%; } col.says { width: 32%; }
.state { font-weight: 600; white-space: nowrap; }
tr.good .state { color: var(--good); } tr.bad .state { color: var(--bad); } tr.left .state { color: var(--left); }
tr.seen .state { color: var(--seen); } tr.bad { background: #fdf1f0; } tr.left td { color: var(--soft); }
.how, .source, .limit { font-size: .86rem; } .how { color: var(--soft); }
figure { margin: 1rem 0; } figcaption { color: var(--soft); font-size: .9rem; }
svg { width: 100%; max-width: 60rem; height: auto; display: block; }
svg text { font: 12px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; fill: var(--soft); }
svg .end { text-anchor: end; } svg .mid { text-anchor: middle; }
svg .bar, svg .heard { fill: var(--seen); } svg .sent { fill: #b5651d; }
svg .axis, svg .lane { stroke: var(--line); } svg .reckoned { stroke: var(--good); stroke-width: 1.5; }
svg .limit { stroke: var(--bad); stroke-width: 1.5; stroke-dasharray: 4 3; }
@media (max-width: 48rem) {
  body { padding: 1rem .8rem; } table, tbody, tr, td { display: block; } colgroup, thead { display: none; }
  tr { padding: .6rem 0; border-bottom: 1px solid var(--line); } td { border: 0; padding: .15rem 0; }
  td[data-name]::before { content: attr(data-name); display: block; color: var(--soft); font-size: .8rem; }
}
@media print { body { max-width: none; padding: 0; } tr, figure { break-inside: avoid; } }
"""


def as_page(report: Report, kit: Kit) -> str:
    """The whole file."""
    subject = report.subject
    title = f"Conformance of a reader: {subject.title}"
    good = "good" if report.good else "bad"
    return "\n".join(
        (
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(title)}</title>\n<style>{_CSS}</style>\n</head>\n<body>",
            f"<h1>{escape(title)}</h1>",
            f'<p class="soft">betline bridge conform, {escape(subject.began)}</p>',
            f'<p class="verdict {good}">{escape(report.summary)}</p>',
            _facts(report),
            *_figures(report, kit),
            *(
                _group(name, list(results))
                for name, results in groupby(report.results, lambda one: one.check.group.value)
            ),
            "</body>\n</html>\n",
        )
    )


def _facts(report: Report) -> str:
    subject, evidence = report.subject, report.evidence
    who = evidence.identity
    counts = ", ".join(f"{number} {name}" for name, number in report.counts.items() if number)
    stages = "; ".join(f"{one.name}: {counted(len(uids_of(one.session)), 'tag')} heard" for one in evidence.stages)
    facts = {
        "What answered": evidence.said or "nothing of this family",
        "Firmware": who.firmware if who else "",
        "Serial number": who.serial if who else "",
        "Port": f"{subject.port}, {subject.baud} baud, parity {subject.parity}"
        + (" (refused by the port)" if evidence.parity_refused else ""),
        "Antennas read": str(evidence.antennas),
        "What lay there": stages,
        "Note": subject.note,
        "Checks": counts,
        "Manual": subject.page,
        **{name.capitalize(): version for name, version in subject.versions.items()},
    }
    rows = (f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in facts.items() if value)
    return f"<dl>{''.join(rows)}</dl>"


def _figures(report: Report, kit: Kit) -> Iterable[str]:
    stage = report.evidence.fullest
    if stage is None:
        return
    tags = len(uids_of(stage.session))
    limit_ms = kit.reckoning.limit_ms(tags, report.evidence.byte_ms)
    drawn = (
        (
            histogram(stage, kit, report.evidence.byte_ms),
            f"How long the rounds over {counted(tags, 'tag')} took; more than {limit_ms:.0f} ms would be too long.",
        ),
        (
            timeline(stage, report.evidence.byte_ms),
            "One usual round on the line: what the host sent, and each of its reads, as wide as the bytes take.",
        ),
    )
    if any(svg for svg, _ in drawn):
        yield "<h2>Rounds</h2>"
    for svg, words in drawn:
        if svg:
            yield f"<figure>{svg}<figcaption>{escape(words)}</figcaption></figure>"


def _group(name: str, results: list[Result]) -> str:
    head = "<thead><tr><th>Outcome</th><th>Check</th><th>What the manual says</th><th>What was seen</th></tr></thead>"
    columns = '<colgroup><col class="state"><col class="check"><col class="says"><col></colgroup>'
    rows = "\n".join(_row(one) for one in results)
    return f"<h2>{escape(name)}</h2>\n<table>{columns}{head}<tbody>\n{rows}\n</tbody></table>"


def _row(result: Result) -> str:
    check, verdict, says = result.check, result.verdict, result.says
    css, sign, word = _SIGNS[verdict.outcome]
    limit = f'<p class="limit">Limit: {escape(check.limit)}</p>' if check.limit else ""
    return (
        f'<tr class="{css}" id="{check.id}"><td class="state">{sign} <span>{word}</span></td>'
        f'<td>{escape(check.title)}<p class="how">{escape(check.how)}</p></td>'
        f'<td data-name="What the manual says">{escape(says.text)}<p class="source">{escape(says.source)}</p></td>'
        f'<td data-name="What was seen">{escape(verdict.seen)}{limit}</td></tr>'
    )

"""The report as JUnit's XML, which CI servers show: a test case a check."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from firmware_bridge.conform.check import Outcome, Result
from firmware_bridge.conform.report import Report


def as_junit(report: Report) -> str:
    """A failed check is a failure, one that was not tried is skipped."""
    subject, counts = report.subject, report.counts
    failures, skipped = counts[Outcome.FAILED], counts[Outcome.NOT_TRIED]
    totals = {"tests": str(len(report.results)), "failures": str(failures), "errors": "0", "skipped": str(skipped)}
    root = ET.Element("testsuites", {"name": "betline bridge conform", **totals})
    suite = ET.SubElement(root, "testsuite", {"name": subject.protocol, "timestamp": subject.began, **totals})
    properties = ET.SubElement(suite, "properties")
    told = {"reader": report.evidence.said or "", "port": subject.port, "baud": str(subject.baud), **subject.versions}
    for name, value in told.items():
        ET.SubElement(properties, "property", {"name": name, "value": _plain(value)})
    for result in report.results:
        _case(suite, subject.protocol, result)
    ET.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _case(suite: ET.Element, protocol: str, result: Result) -> None:
    check, verdict = result.check, result.verdict
    where = f"{protocol}.{check.group.value.lower().replace(' ', '-')}"
    case = ET.SubElement(suite, "testcase", {"classname": where, "name": check.id, "time": "0"})
    seen = _plain(verdict.seen)
    if verdict.outcome is Outcome.FAILED:
        failure = ET.SubElement(case, "failure", {"message": seen, "type": "conform"})
        failure.text = _plain(f"limit: {check.limit}\nmanual: {result.says.text} ({result.says.source})")
    elif verdict.outcome is Outcome.NOT_TRIED:
        ET.SubElement(case, "skipped", {"message": seen})
    figures = "".join(f"\n{name}: {value}" for name, value in verdict.figures.items())
    ET.SubElement(case, "system-out").text = _plain(f"{check.title}: {verdict.seen}{figures}")


def _plain(text: str) -> str:
    """What a reader said of itself may hold characters that XML does not know."""
    return "".join(one if one.isprintable() or one == "\n" else "?" for one in text)

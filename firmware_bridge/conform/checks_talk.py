"""The judges of single requests: does it answer, who is it, and what does it make of what is wrong."""

from __future__ import annotations

from collections import Counter
from statistics import median
from typing import Final

from firmware_bridge.conform.check import Judge, Verdict, counted, failed, figure_of, judged, not_tried, observed
from firmware_bridge.conform.evidence import Evidence
from firmware_bridge.conform.kit import Kit

PROMPT_MS: Final = 150.0
"""The bridge waits so long for the answer to its harmless question (`ports.PROBE_MS`)."""


def answers(evidence: Evidence, kit: Kit) -> Verdict:  # noqa: ARG001 -- the shape of a judge
    if evidence.said is None:
        return failed(evidence.silence)
    return judged(True, f"{evidence.said}, at {evidence.baud} baud", baud=evidence.baud)


def identity(evidence: Evidence, kit: Kit) -> Verdict:
    who = evidence.identity
    if who is None or not who.firmware:
        return failed("it did not tell the version of its firmware")
    if kit.tells_serial and not who.serial:
        return failed(f"firmware {who.firmware}, but no serial number", firmware=who.firmware)
    serial = f", serial number {who.serial}" if who.serial else ", no serial number"
    return judged(True, f"firmware {who.firmware}{serial}", firmware=who.firmware, serial=who.serial)


def back_to_back(evidence: Evidence, kit: Kit) -> Verdict:  # noqa: ARG001
    times = [one.took_ms for one in evidence.probes if one.took_ms is not None]
    silent = len(evidence.probes) - len(times)
    if not times:
        return failed(f"none of {counted(len(evidence.probes), 'request')} was answered")
    figures = {"median_ms": figure_of(median(times)), "worst_ms": figure_of(max(times)), "unanswered": silent}
    seen = (
        f"{len(times)} of {len(evidence.probes)} answered, in {median(times):.0f} ms, at worst in {max(times):.0f} ms"
    )
    return judged(not silent and max(times) <= PROMPT_MS, seen, **figures)


def provoked(check_id: str) -> Judge:
    """The judge of a request that must fail: silence or a refusal is right, and the next request is answered."""

    def judge(evidence: Evidence, kit: Kit) -> Verdict:  # noqa: ARG001
        one = evidence.provoked[check_id]
        frames = [heard for heard in one.exchange.heard if not heard.unasked]
        obeyed = [heard for heard in frames if not heard.refuses]
        refused = len(frames) > len(obeyed)
        if obeyed and not refused:
            return failed(f"it answered as if the request were good: {obeyed[0].raw.hex(' ').upper()}")
        done = "it refused in words" if refused else "it kept silent"
        if not one.recovered:
            tries = next((n for n, after in enumerate(one.following, 1) if after.took_ms is not None), None)
            then = f"only request number {tries} after it was answered" if tries else "no request after it was answered"
            return failed(f"{done}, and {then}", refused=int(refused))
        after_ms = one.following[0].took_ms or 0.0
        seen = f"{done}; the next request was answered in {after_ms:.0f} ms"
        figures = {"refused": int(refused), "next_ms": figure_of(after_ms)}
        if check_id == "impossible-request" and not refused:
            return observed(f"{seen}. The bridge has to wait for its time-out where a refusal was due", **figures)
        return judged(True, seen, **figures)

    return judge


def unasked(evidence: Evidence, kit: Kit) -> Verdict:  # noqa: ARG001
    idle = evidence.idle
    if idle is None:
        return not_tried("nothing was listened to")
    strange = [one for one in idle.heard if not one.unasked]
    known = len(idle.heard) - len(strange)
    figures = {"listened_ms": round(idle.listened_ms), "frames": len(idle.heard), "noise_bytes": idle.noise_bytes}
    if strange or idle.noise_bytes:
        most = Counter(one.raw.hex(" ").upper() for one in strange).most_common(1)
        first = f", such as {most[0][0][:60]}" if most else ""
        seen = f"{counted(len(strange), 'frame')} and {counted(idle.noise_bytes, 'byte')} of noise came unasked{first}"
        return failed(seen, **figures)
    allowed = f"only {counted(known, 'frame')} that the family sends by itself" if known else "nothing"
    return judged(True, f"{allowed} in {idle.listened_ms / 1000:.1f} s", **figures)

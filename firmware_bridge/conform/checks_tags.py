"""The judges of rounds: are all tags heard, only those, each once, in time, and as strongly each time."""

from __future__ import annotations

from statistics import median, pstdev
from typing import Final

from firmware_bridge.conform.check import Judge, Verdict, counted, failed, figure_of, judged, not_tried, observed
from firmware_bridge.conform.evidence import Evidence, Session
from firmware_bridge.conform.kit import Kit
from firmware_bridge.conform.line import LineSeen, line_seen
from firmware_bridge.conform.lying import Lying, homes, lying

ROUNDS_TO_HEAR: Final = 3
MISSED_OF_ALL: Final = 0.05
"""The virtual tables of the trials are played with readers that miss so much (hardware_docs/readers.md)."""
FEW: Final = 2
"""So many missed answers prove nothing, however few there were."""
MISSED_OF_ONE: Final = 0.25
LOST_ROUNDS: Final = 0.01
SILENCE_MS: Final = 1500.0
"""A reader without a round for longer is stale (`[sensing]` of the table file)."""
NEIGHBOURS: Final = 0.1
SIZES: Final = {
    "inventory-0": (0, 0),
    "inventory-1": (1, 1),
    "inventory-few": (2, 10),
    "inventory-20": (11, 40),
    "inventory-60": (41, 10_000),
}
"""Which counts each of the checks of an inventory is about."""


def line_of(evidence: Evidence, kit: Kit) -> LineSeen:
    """What the tapes of all stages say."""
    seen = LineSeen()
    for stage in evidence.stages:
        rounds = stage.session.rounds
        skip_ms = rounds[0].ended_ms if rounds else 0.0
        seen += line_seen(stage.session.entries, kit.ear(), evidence.byte_ms, kit.begins, skip_ms=skip_ms)
    return seen


def inventory(check_id: str) -> Judge:
    """The judge of an inventory of that many tags."""
    low, high = SIZES[check_id]

    def judge(evidence: Evidence, kit: Kit) -> Verdict:  # noqa: ARG001
        found = [lying(stage) for stage in evidence.stages if stage.session.rounds]
        here = [one for one in found if low <= one.laid <= high]
        if not here:
            lay = ", ".join(str(one.laid) for one in found)
            wanted = str(low) if low == high else f"{low} to {high}"
            return not_tried(f"it needs {wanted} tags; {f'{lay} lay there' if lay else 'no round was complete'}")
        return _complete(max(here, key=lambda one: one.laid))

    return judge


def _complete(one: Lying) -> Verdict:
    figures = {"tags": one.laid, "heard": len(one.present), "rounds": one.rounds, "ghosts": len(one.ghosts)}
    if not one.laid:
        if one.ghosts:
            return failed(f"{counted(len(one.ghosts), 'tag')} heard where none lay, such as {one.ghosts[0]}", **figures)
        return judged(True, f"no tag in {counted(one.rounds, 'round')}", **figures)
    if len(one.present) < one.laid or one.needed is None:
        return failed(f"{len(one.present)} of {counted(one.laid, 'tag')} in {counted(one.rounds, 'round')}", **figures)
    figures |= {"rounds_to_hear_all": one.needed}
    whose = "the tag" if one.laid == 1 else f"all {one.laid} tags"
    return judged(one.needed <= ROUNDS_TO_HEAR, f"{whose} after {counted(one.needed, 'round')}", **figures)


def misses(evidence: Evidence, kit: Kit) -> Verdict:  # noqa: ARG001
    found = [one for stage in evidence.stages if (one := lying(stage)).present]
    if not found:
        return not_tried("no tag lay there")
    chances = sum(sum(one.chances.values()) for one in found)
    missed = chances - sum(sum(one.hits.values()) for one in found)
    worst = max(one.worst for one in found)
    figures = {
        "answers": chances,
        "missed": missed,
        "missed_percent": figure_of(100 * missed / max(chances, 1)),
        "worst_tag_percent": figure_of(100 * worst),
    }
    share = f"{figures['missed_percent']} %; of the worst tag {100 * worst:.0f} %"
    silent = sum(max(0, one.laid - len(one.present)) for one in found)
    never = f"; {counted(silent, 'tag')} that never answered not counted" if silent else ""
    seen = f"{missed} of {counted(chances, 'answer')} missed, {share}{never}"
    return judged(missed <= max(FEW, MISSED_OF_ALL * chances) and worst <= MISSED_OF_ONE, seen, **figures)


def ghosts(evidence: Evidence, kit: Kit) -> Verdict:  # noqa: ARG001
    found = [one for stage in evidence.stages if stage.session.rounds for one in (lying(stage),)]
    if not found:
        return not_tried("no round was complete")
    names = sorted({uid for one in found for uid in one.ghosts})
    if names:
        return failed(
            f"{counted(len(names), 'tag')} heard that does not lie there: {', '.join(names[:3])}", tags=len(names)
        )
    return judged(True, "none", tags=0)


def duplicates(evidence: Evidence, kit: Kit) -> Verdict:
    seen = line_of(evidence, kit)
    if not seen.told:
        return not_tried("no tag was reported")
    figures = {"reported": seen.told, "repeated": seen.repeated}
    words = f"{seen.repeated} of {counted(seen.told, 'report')} repeated a tag of the same inventory"
    return (
        observed(f"{words}, as it should be", **figures) if kit.repeats else judged(not seen.repeated, words, **figures)
    )


def round_times(evidence: Evidence, kit: Kit) -> Verdict:
    figures: dict[str, float | int | str] = {}
    words, good = [], True
    for stage in evidence.stages:
        home, there = homes(stage.session), lying(stage)
        antennas = sorted({one.antenna for one in stage.session.settled}, key=lambda one: one or 0)
        for antenna in antennas:
            times = [one.took_ms for one in stage.session.settled if one.antenna == antenna]
            tags = sum(home[uid] == antenna for uid in there.present)
            took_ms, limit_ms = median(times), kit.reckoning.limit_ms(tags, evidence.byte_ms)
            reckoned_ms = kit.reckoning.round_ms(tags, evidence.byte_ms)
            good = good and took_ms <= limit_ms
            on = f" on antenna {antenna}" if antenna is not None and len(antennas) > 1 else ""
            words.append(
                f"{counted(tags, 'tag')}{on} in {took_ms:.0f} ms (reckoned {reckoned_ms:.0f}, limit {limit_ms:.0f})"
            )
            name = f"tags_{tags}" + (f"_antenna_{antenna}" if on else "")
            figures |= {f"{name}_ms": figure_of(took_ms), f"{name}_reckoned_ms": figure_of(reckoned_ms)}
    return judged(good, "; ".join(words), **figures) if words else not_tried("too few rounds were complete")


def strength(evidence: Evidence, kit: Kit) -> Verdict:  # noqa: ARG001
    by_tag: dict[str, list[int]] = {}
    for stage in evidence.stages:
        home = homes(stage.session)
        for one in stage.session.rounds:
            for uid, rssi in one.strengths.items():
                if rssi is not None and one.antenna == home[uid]:
                    by_tag.setdefault(uid, []).append(rssi)
    values = [rssi for all_of_it in by_tag.values() for rssi in all_of_it]
    if not values:
        return not_tried("no strength was told")
    spread = max(pstdev(all_of_it) for all_of_it in by_tag.values())
    seen = f"{min(values)} to {max(values)} on the reader's scale; the least steady tag strays by {spread:.1f}"
    return observed(seen, least=min(values), most=max(values), deviation=figure_of(spread))


def rounds_lost(evidence: Evidence, kit: Kit) -> Verdict:  # noqa: ARG001
    sessions = [stage.session for stage in evidence.stages]
    rounds = sum(len(one.rounds) for one in sessions)
    lost = sum(len(one.failures) for one in sessions)
    why = sorted({one.sentence for session in sessions for one in session.failures})
    seen = f"{lost} of {counted(rounds + lost, 'round')} lost" + (f": {'; '.join(why)}" if why else "")
    return judged(bool(rounds) and lost <= LOST_ROUNDS * (rounds + lost), seen, rounds=rounds, lost=lost)


def endurance(evidence: Evidence, kit: Kit) -> Verdict:  # noqa: ARG001
    one = evidence.endurance
    if one is None:
        return not_tried("no long run was asked for: say --minutes 10")
    lost, rounds = len(one.failures), len(one.rounds)
    usual_ms = median([each.took_ms for each in one.rounds]) if one.rounds else 0.0
    figures: dict[str, float | int | str] = {
        "minutes": figure_of((one.ended_ms - one.began_ms) / 60_000),
        "rounds": rounds,
        "lost": lost,
        "silence_ms": round(one.silence_ms),
    }
    seen = (
        f"{lost} of {counted(rounds + lost, 'round')} lost in {figures['minutes']} min; "
        f"longest time without a round {one.silence_ms:.0f} ms"
    )
    good = bool(rounds) and lost <= LOST_ROUNDS * (rounds + lost) and one.silence_ms <= SILENCE_MS + usual_ms
    return judged(good, seen, **figures)


def cross_talk(evidence: Evidence, kit: Kit) -> Verdict:  # noqa: ARG001
    if evidence.antennas == 1:
        return not_tried("one antenna is read: say --antennas N for more")
    if evidence.alone:
        wrong = [text for one in evidence.alone for text in _elsewhere(one.session, one.antenna)]
        tried = f"a chip on each of {len(evidence.alone)} antennas alone"
    else:
        sessions = [stage.session for stage in evidence.stages]
        if not any(one.strengths for session in sessions for one in session.rounds):
            return not_tried("no tag lay on an antenna")
        wrong = [text for session in sessions for text in _elsewhere(session, None)]
        tried = "the tags that lay there"
    if wrong:
        return failed(f"{'; '.join(wrong[:3])}", cases=len(wrong))
    return judged(True, f"{tried}: heard by their own antenna only", cases=0)


def _elsewhere(session: Session, alone: int | None) -> list[str]:
    """Tags that more than a few rounds of another antenna heard; `alone` is where the one chip was laid."""
    found = []
    for uid, home in sorted(homes(session).items()):
        own = home if alone is None else alone
        for antenna in sorted({one.antenna for one in session.rounds if one.antenna is not None}):
            rounds = [one for one in session.rounds if one.antenna == antenna]
            heard = sum(uid in one.strengths for one in rounds)
            if antenna != own and heard > NEIGHBOURS * len(rounds):
                found.append(f"{uid} of antenna {own} is heard at antenna {antenna} in {heard} of {len(rounds)} rounds")
    if alone is not None and not any(one.strengths for one in session.rounds if one.antenna == alone):
        found.append(f"antenna {alone} does not hear the chip that was laid on it")
    return found

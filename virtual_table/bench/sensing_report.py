"""What the suite `sensing` prints: its JSON, and tables for people."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from betline.bench import Figure, Report
from virtual_table.laboratory.trial import ADVERSITIES, MODES, NOISES, PLAYED, Outcome, asked_in_words
from virtual_table.play.report import FEW_CHIPS, Waited, quantiles

USUAL: Final = NOISES[0]
ASKED_SHARE: Final = 0.01
READY_MS: Final = (100.0, 250.0)
ALONE_MS: Final = (250.0, 450.0)


class Policy(NamedTuple):
    """One way to wait, and what came of it."""

    name: str
    outcomes: Sequence[Outcome]


def report(
    outcomes: Sequence[Outcome],
    policies: Sequence[Policy] = (),
    lines: Sequence[str] = (),
    mucks: Mapping[float, Sequence[Outcome]] = MappingProxyType({}),
) -> Report:
    """The suite's report; ``lines`` are told first. ``mucks`` are outcomes by the share of false mucks."""
    usual = [one for one in outcomes if (one.plan.missed, one.plan.neighbour) == USUAL]
    json: dict[str, Any] = {
        **counted(outcomes),
        "by_mode": _by(outcomes, lambda one: one.plan.mode, dict.fromkeys(MODES)),
        "by_noise": _by(outcomes, lambda one: one.plan.noise, sorted({one.plan.noise for one in outcomes})),
        "by_trouble": {
            name: counted([one for one in outcomes if name in one.plan.adversities])
            for name in ADVERSITIES
            if any(name in one.plan.adversities for one in outcomes)
        },
        "by_policy": {policy.name: counted(policy.outcomes) for policy in policies},
        "by_false_mucks": {f"{share:.0%}": counted(some) for share, some in mucks.items()},
        "usual_noise": counted(usual),
        "wrong_ones": [
            {"seed": one.plan.seed, "hand": hand, "kind": wrong.kind, "seat": wrong.seat, "sentence": wrong.sentence}
            for one in outcomes
            for hand, wrong in one.wrongs
        ],
    }
    figures = (*_figures(outcomes, usual), *_figures_of_mucks(mucks))
    return Report(json, figures, (*lines, *_said(outcomes, policies), *_said_of_mucks(mucks)))


def report_of_waits(policies: Sequence[Policy]) -> Report:
    """What each way to wait costs in time and in errors, on the same trials and for each noise."""
    noises = sorted({one.plan.noise for policy in policies for one in policy.outcomes})
    groups = [
        Policy(f"{noise}: {policy.name}", [one for one in policy.outcomes if one.plan.noise == noise])
        for noise in noises
        for policy in policies
    ]
    json = {
        "by_wait": {
            policy.name: counted(policy.outcomes)
            | {"by_noise": _by(policy.outcomes, lambda one: one.plan.noise, noises)}
            for policy in policies
        }
    }
    lines = (*_table("how long to wait, on the same trials", policies), *_table("by noise", groups))
    return Report(json, (), lines)


def counted(outcomes: Iterable[Outcome]) -> dict[str, Any]:
    """The counts and times of some trials."""
    outcomes = list(outcomes)
    waited = [one for outcome in outcomes for one in outcome.waited if one.chips <= FEW_CHIPS]
    return {
        "acts": sum(one.acts for one in outcomes),
        "wrong": sum(len(one.wrongs) for one in outcomes),
        "asked": sum(one.asked for one in outcomes),
        "inferred_folds": sum(one.inferred_folds for one in outcomes),
        "inferred_wrong": sum(one.inferred_wrong for one in outcomes),
        "amended": sum(one.amended for one in outcomes),
        "played": {name: sum(one.played.get(name, 0) for one in outcomes) for name in PLAYED},
        "rest_to_ruling_ms": _times(waited, lambda one: one.rest_ms),
        "ready_to_ruling_ms": _times(waited, lambda one: one.ready_ms),
    }


def _times(waited: Sequence[Waited], of: Callable[[Waited], float]) -> dict[str, float | None]:
    found = quantiles([of(one) for one in waited])
    return {"p50": found["p50"], "p95": found["p95"]}


def _by(outcomes: Sequence[Outcome], key: Callable[[Outcome], str], names: Iterable[str]) -> dict[str, Any]:
    found = {name: [one for one in outcomes if key(one) == name] for name in names}
    return {name: counted(some) for name, some in found.items() if some}


def _figures(outcomes: Sequence[Outcome], usual: Sequence[Outcome]) -> Iterable[Figure]:
    every, most = counted(outcomes), counted(usual)
    yield Figure("wrong", f"{every['wrong']} of {every['acts']}", "0", every["wrong"] == 0)
    yield Figure("folds and checks inferred wrongly", str(every["inferred_wrong"]), "0", every["inferred_wrong"] == 0)
    share = most["asked"] / most["acts"] if most["acts"] else 0.0
    yield Figure("asked, at 5 % missed reads", _share(most), f"under {ASKED_SHARE:.0%}", share < ASKED_SHARE)
    yield Figure("amended by itself", str(every["amended"]))
    for mode, key, targets in (
        ("readers+camera", "ready_to_ruling_ms", READY_MS),
        ("readers", "rest_to_ruling_ms", ALONE_MS),
    ):
        times = counted([one for one in usual if one.plan.mode == mode])[key]
        for rank, target in zip(("p50", "p95"), targets, strict=True):
            since = "ready" if key.startswith("ready") else "rest"
            ms = times[rank]
            met = None if ms is None else ms < target
            yield Figure(f"{mode}: from {since} to the ruling, {rank}", _ms(ms), f"under {target:.0f} ms", met)


def _figures_of_mucks(mucks: Mapping[float, Sequence[Outcome]]) -> Iterable[Figure]:
    for share, some in mucks.items():
        found = counted(some)
        wrong, folds = found["inferred_wrong"], found["inferred_folds"]
        said = f"{wrong} wrong, {folds} folds inferred in {found['acts']} acts"
        yield Figure(f"inferred with {share:.0%} false mucks", said, "0 wrong", wrong == 0)


def _said_of_mucks(mucks: Mapping[float, Sequence[Outcome]]) -> Iterable[str]:
    for share, some in mucks.items():
        for one in some:
            if one.inferred_wrong:
                yield f"INFERRED WRONGLY with {share:.0%} false mucks: trial {one.plan.seed}, hand {one.hands}"


def _said(outcomes: Sequence[Outcome], policies: Sequence[Policy]) -> Iterable[str]:
    """Tables for people, and every wrong one with how it is played again."""
    groups: list[tuple[str, Sequence[Outcome]]] = []
    for mode in dict.fromkeys(MODES):
        groups.append((mode, [one for one in outcomes if one.plan.mode == mode]))
    for noise in sorted({one.plan.noise for one in outcomes}):
        groups.append((noise, [one for one in outcomes if one.plan.noise == noise]))
    for trouble in ADVERSITIES:
        groups.append((trouble, [one for one in outcomes if trouble in one.plan.adversities]))
    yield from _table("of all trials", [group for group in groups if group[1]])
    if policies:
        yield from _table("how long to wait, on the same trials", policies)
    played = counted(outcomes)["played"]
    yield f"Played: {', '.join(f'{name} {count}' for name, count in played.items())}."
    yield f"Asked: {asked_in_words(outcomes) or 'nothing'}."
    for one in outcomes:
        for hand, wrong in one.wrongs:
            yield f"WRONG: betline bench sensing --seed {one.plan.seed} --hand {hand}: {wrong.sentence}"
        if one.inferred_wrong:
            yield f"INFERRED WRONGLY: betline bench sensing --seed {one.plan.seed} --hand {one.hands}"
    yield f"{len(outcomes)} trials from number {outcomes[0].plan.seed} on, acts of 1 to {FEW_CHIPS} chips timed."


def _table(title: str, groups: Iterable[tuple[str, Sequence[Outcome]]]) -> Iterable[str]:
    yield ""
    heads = f"{'acts':>7}{'wrong':>7}{'asked':>14}{'inferred':>10}{'rest p50':>10}{'p95':>7}{'ready p50':>11}{'p95':>7}"
    yield f"{title:<36}{heads}"
    for name, some in groups:
        found = counted(some)
        rest, ready = found["rest_to_ruling_ms"], found["ready_to_ruling_ms"]
        times = (rest["p50"], rest["p95"], ready["p50"], ready["p95"])
        cells = [f"{'-' if ms is None else round(ms)}" for ms in times]
        yield (
            f"{name:<36}{found['acts']:>7}{found['wrong']:>7}{_share(found):>14}{found['inferred_wrong']:>10}"
            f"{cells[0]:>10}{cells[1]:>7}{cells[2]:>11}{cells[3]:>7}"
        )


def _share(found: dict[str, Any]) -> str:
    asked, acts = found["asked"], found["acts"]
    return f"{asked} ({asked / acts:.2%})" if acts else "-"


def _ms(value: float | None) -> str:
    return "-" if value is None else f"{value:.0f} ms"

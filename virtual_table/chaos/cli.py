"""The verb ``chaos``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from betline.options import DONE, FAILED, INTERRUPTED, JsonOption, UserError
from betline.together import refuse_given

if TYPE_CHECKING:
    from virtual_table.chaos.hunt import Finding, Hunt

app = typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode=None)


@app.callback()
def _chaos() -> None:
    """Random faults at simulated tables."""


@app.command()
def chaos(
    context: typer.Context,
    files: Annotated[
        list[Path] | None, typer.Argument(metavar="FILE...", help="Cases to play again; none: draw and play new ones.")
    ] = None,
    seed: Annotated[
        int, typer.Option("--seed", min=0, metavar="S", help="The number of the first case that is drawn.")
    ] = 1,
    minutes: Annotated[
        float, typer.Option("--minutes", min=0.01, max=10_000, metavar="M", help="How long cases are drawn and played.")
    ] = 1.0,
    table: Annotated[
        str | None, typer.Option("--table", metavar="FILE|NAME", help="The table of all cases. Default: it is drawn.")
    ] = None,
    write: Annotated[
        Path | None, typer.Option("--write", metavar="DIR", help="Write each shrunk case as a file into this folder.")
    ] = None,
    jobs: Annotated[
        int | None, typer.Option("--jobs", min=1, max=256, help="How many at once. Default: one a processor.")
    ] = None,
    as_json: JsonOption = False,
) -> int:
    """Break a simulated table: random plans of faults, and the shortest plan of what breaks it.

    Each case is a table, some random hands, people and a plan of faults (docs/faults.md), all decided by its number and
    played in simulated time. What breaks is shrunk: fewer events and hands, shorter, milder, until nothing can be left
    out. Status 0: nothing broke; 1: something did. Ctrl-C ends it, and what was found until then is told and written.

    Example: betline chaos

    Example: betline chaos --seed 1000 --minutes 10 --write found

    Example: betline chaos --table home-six --minutes 5 --json

    Example: betline chaos found/chaos-1017.toml
    """
    from virtual_table.chaos.hunt import Hunt, hunt, player, workers

    count = jobs or workers()
    if files:
        refuse_given(
            context, "seed", "minutes", "table", "write", because="is of no use with FILE: a case says it all itself."
        )
        return _play_again(files, count, as_json)
    if table is not None:
        _check(table)
    if write is not None:
        _make(write)
    found, written = Hunt(), dict[int, str]()

    def keep(finding: Finding) -> None:
        if write is not None:
            written[finding.drawn.seed] = _write(write, finding)

    try:
        with player(count) as plays:
            hunt(plays, seed, minutes, table, _say, into=found, keep=keep)
    except KeyboardInterrupt:  # a second one, while the players of the last cases were waited for
        found.stopped = True
    finally:
        typer.echo(_as_json(found, seed, written) if as_json else _as_text(found, seed, written))
    if found.stopped:
        return INTERRUPTED
    return FAILED if found.findings else DONE


def _play_again(files: list[Path], jobs: int, as_json: bool) -> int:
    import json

    from betline.counting import counted
    from virtual_table.chaos.case import load_case
    from virtual_table.chaos.hunt import player

    cases = [load_case(file) for file in files]
    broke = []
    with player(min(jobs, len(cases))) as plays:
        for file, (_, played) in zip(files, plays(cases), strict=True):
            broken = played.broken
            if broken is None:
                _say(f"{file}: holds, {counted(played.hands, 'hand')}, {counted(played.acts, 'act')}")
            else:
                _say(f"{file}: BROKE in hand {broken.hand} ({broken.kind}): {broken.sentence}")
                broke.append({"file": str(file), **_told(broken)})
    if as_json:
        typer.echo(json.dumps({"cases": len(cases), "broken": broke}))
    else:
        typer.echo(f"{counted(len(cases), 'case')}, {len(broke)} broke")
    return FAILED if broke else DONE


def _check(table: str) -> None:
    from betline.settings import load_table

    settings = load_table(table)
    if not settings.readers and not settings.cameras:
        raise UserError(f"The table {settings.name} has neither readers nor cameras: nothing can fail there.")


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"The folder {folder} cannot be made ({error.strerror}): give another --write.") from None


def _write(folder: Path, finding: Finding) -> str:
    file = folder / f"chaos-{finding.drawn.seed}.toml"
    try:
        file.write_text(_noted(finding).as_toml(), encoding="utf-8")
    except OSError as error:
        raise UserError(f"{file} cannot be written ({error.strerror}): make room, or give another --write.") from None
    return str(file)


def _noted(finding: Finding) -> Any:
    note = f"{finding.broken.kind}: {finding.broken.sentence}"
    return finding.case.model_copy(update={"note": note})


def _told(broken: Any) -> dict[str, Any]:
    from dataclasses import asdict

    return asdict(broken)


def _as_json(found: Hunt, seed: int, written: dict[int, str]) -> str:
    import json

    document = {
        "seed": seed,
        "cases": found.cases,
        "hands": found.hands,
        "acts": found.acts,
        "again": found.again,
        "stopped": found.stopped,
        "findings": [
            {
                **_told(one.broken),
                "drawn": one.drawn.seed,
                "tries": one.tries,
                "shrunk": one.shrunk,
                "case": one.case.as_data(),
                "file": written.get(one.drawn.seed),
            }
            for one in found.findings
        ],
    }
    return json.dumps(document)


def _as_text(found: Hunt, seed: int, written: dict[int, str]) -> str:
    from betline.counting import counted
    from virtual_table.chaos.hunt import played_so_far

    lines = [f"{played_so_far(found)}, from number {seed} on"]
    for one in found.findings:
        lines += ["", f"BROKE ({one.broken.kind}, hand {one.broken.hand}): {one.broken.sentence}"]
        shrunk = "shrunk" if one.shrunk else "not shrunk to the end"
        tries = "1 try" if one.tries == 1 else f"{one.tries} tries"
        lines += [f"case {one.drawn.seed}, {shrunk} in {tries}:", "", one.case.as_toml().rstrip()]
        if one.drawn.seed in written:
            lines += ["", f"play it again: betline chaos {written[one.drawn.seed]}"]
    again = f" and {found.again} that broke alike" if found.again else ""
    what = f"{len(found.findings)} found{again}" if found.findings else "nothing broke"
    stopped = "stopped: " if found.stopped else ""
    were = "was" if found.cases == 1 else "were"
    lines += ["", f"{stopped}{what} in {counted(found.cases, 'case')} that {were} played"]
    return "\n".join(lines)


def _say(sentence: str) -> None:
    typer.echo(f"chaos: {sentence}", err=True)

"""The room's journal: what stands in it, taking back, checking it and its draws, names that are taken out."""

from __future__ import annotations

import json as json_text
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from betline.options import FAILED, AnchorsOption, UserError
from cardroom.room import events as e
from cardroom.room import tournament
from cardroom.room.errors import RoomError
from cardroom.room.events import kind_of
from cardroom.room.room import Room
from cardroom.room.seeds import Seeds
from cardroom.room.verbs.checks import checked_draws, draw_proof, proof_broken
from cardroom.room.verbs.desk import Desk, time_of
from cardroom.room.verbs.holding import hold_tables
from cardroom.room.verbs.options import GameOption, ReasonOption, at_desk
from cardroom.room.verbs.timing import tell_clock
from cardroom.room.written import plain, undoing


@at_desk
def undo(desk: Desk) -> None:
    """Take the last step back, as long as no table has carried it out.

    Example: betline room undo
    """
    by = desk.signed_by("floor")
    with desk.journal() as journal:
        taken = list[e.Undone]()

        def decision(_: Room) -> list[e.Undone]:
            taken.extend(undoing(journal.happened()))
            return taken

        before = journal.room()
        room = desk.now(journal.append(decision, by))
        happened = journal.happened()
        gone, *brought = (happened[one.seq - 1] for one in taken)
    kind = kind_of(type(gone.event))
    for game in [one.name for one in room.games.values() if one.name in before.games]:
        if room.games[game].mark != before.games[game].mark:
            room = tell_clock(desk, room, game)
    hold_tables(desk, room, room.tables)
    with_it = [f"{one.seq} ({kind_of(type(one.event))})" for one in brought]
    data = {"undone": gone.seq, "kind": kind, "with": [one.seq for one in brought]}
    desk.tell(data, [f"Entry {gone.seq} ({kind}) is taken back{', with ' if with_it else ''}{', '.join(with_it)}."])


@at_desk
def log(
    desk: Desk, last: Annotated[int, typer.Option("--last", min=1, help="So many entries, the newest last.")] = 20
) -> None:
    """Show the room's journal; with --json one object a line.

    Example: betline room log --last 50
    """
    names = desk.names()
    with desk.journal() as journal:
        for one in journal.happened()[-last:]:
            event = plain(one.event)
            if desk.as_json:
                row = {
                    "seq": one.seq,
                    "at_ms": one.at_ms,
                    "by": one.by,
                    "kind": kind_of(type(one.event)),
                    "event": event,
                }
                typer.echo(json_text.dumps(row, ensure_ascii=False))
                continue
            said = " ".join(f"{key}={_said(value, names)}" for key, value in event.items() if value not in ("", None))
            typer.echo(f"{one.seq:>5}  {time_of(one.at_ms)}  {one.by:<12}  {kind_of(type(one.event))}  {said}"[:400])


def _said(value: object, names: dict[str, str]) -> str:
    return names.get(value, value) if isinstance(value, str) else json_text.dumps(value, ensure_ascii=False)


@at_desk
def verify(desk: Desk, anchors: AnchorsOption = None) -> None:
    """Check that nothing of the journal was changed, removed, put in between, cut off or forged, and every draw.

    Checked are the chain, the seal (by the key, which lies outside the journal), the names, and the anchors: heads that
    were published before. Those beside the journal are always used; --anchors names a file with more, for example one
    to which the messages of the topic "room" were written. Each draw is made once more from its seed, and the seed is
    held against the digest that was told before.

    Example: betline room verify --anchors room.log
    """
    with desk.journal() as journal:
        verdict = journal.verify(anchors)
        happened = journal.happened() if verdict.ok else ()
    draws = checked_draws(happened, desk.rules)
    wrong = next((one for one in draws if not one.same), None)
    untold = [one for one in draws if one.committed is None and not one.named]
    named, again = [one for one in draws if one.named], [one for one in draws if one.reason]
    sealed = "the seal holds" if verdict.sealed else "the seal was not checked"
    data = {
        "ok": verdict.ok and wrong is None,
        "entries": verdict.entries,
        "head": verdict.head.hash,
        "sentence": verdict.sentence,
        "sealed": verdict.sealed,
        "anchors": verdict.anchors,
        "notes": list(verdict.notes),
        "draws": [asdict(one) for one in draws],
    }
    lines = [
        f"{verdict.sentence} Entries {verdict.entries}, {sealed}, anchors {verdict.anchors}.",
        *verdict.notes,
        f"Draws {len(draws)}: not told beforehand {len(untold)}, from a seed that a person named {len(named)}, with a "
        f"reason {len(again)}.",
        *(f"Entry {one.seq}: {one.reason} (by {one.by})" for one in again),
        *(f"Entry {one.seq}: said in public: {one.public} (by {one.by})" for one in draws if one.public),
    ]
    desk.tell(data, lines if verdict.ok else ())
    if not verdict.ok:
        raise UserError(f"The room's journal {desk.path}: {verdict.sentence}", FAILED)
    if wrong is not None:
        raise UserError(
            f"The draw of entry {wrong.seq} is not what its seed gives, or the seed is not the one that was told; were "
            "the house's options changed?",
            FAILED,
        )


@at_desk
def commit(desk: Desk, game: GameOption = None, reason: ReasonOption = "") -> None:
    """Show the SHA-256 of the seed of a tournament's next draw, to be told before the list closes; make it if missing.

    With --reason another seed takes its place, and the reason stands in the journal.

    Example: betline room commit --game sunday

    Example: betline room commit --reason "the disk with the seed was lost" --by Ann
    """
    room = desk.room()
    of = tournament.tournament(room, desk.game(room, game).name)
    if of.name not in room.committed or reason:

        def decision(now: Room) -> tuple[e.Event, ...]:
            if of.name in now.committed and not reason:
                return ()
            return (e.DrawCommitted(game=of.name, digest=Seeds(desk.path).new(), reason=reason),)

        room = desk.decide(decision)
    digest = room.committed[of.name]
    desk.tell(
        {"game": of.name, "committed": digest}, [f"{of.name}: the seed of the next draw has the SHA-256 {digest}."]
    )


@at_desk
def proof(
    desk: Desk, entry: Annotated[int, typer.Argument(metavar="ENTRY", min=1, help="The draw's number, as verify says.")]
) -> None:
    """Print all of a draw as one JSON document: list, seats, seed, what was told before; check-draw needs no more.

    Example: betline room proof 42 > draw.json
    """
    with desk.journal() as journal:
        found = draw_proof(journal.happened(), entry, desk.rules)
        names = journal.names("player")
    people = {player: names.get(player, "") for player in found["players"]}
    typer.echo(json_text.dumps({**found, "names": people}, ensure_ascii=False))


@at_desk
def check_draw(
    desk: Desk,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What betline room proof has printed.")],
    told: Annotated[
        str, typer.Option("--told", metavar="SHA256", help="The digest as you saw it before the draw.")
    ] = "",
) -> None:
    """Check a draw from outside: is it from the seed that was told, and do list and seed give these seats?

    It needs the printed document alone, and no journal: anybody can run it.

    Example: betline room check-draw draw.json --told 5f1c...
    """
    try:
        given = json_text.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise RoomError("proof", f"{file} cannot be read ({error}); print it with betline room proof ENTRY.") from None
    wrong = proof_broken(given, told.lower())
    desk.tell(
        {"ok": not wrong, "problems": list(wrong)}, () if wrong else ("The draw is as its list and its seed give it.",)
    )
    if wrong:
        raise UserError(wrong[0], FAILED)


@at_desk
def erase(
    desk: Desk, player: Annotated[str, typer.Argument(metavar="PLAYER", help="The player or dealer, by name.")]
) -> None:
    """Erase the name of a player or dealer; the entries keep a number that says nothing of who it was.

    Example: betline room erase "Ann Lee"
    """
    who = desk.person(player)
    desk.signed_by("floor")
    if desk.room().is_here(who):
        raise RoomError("here", f"{player} has a seat; erase the name when the player has gone.")
    with desk.journal() as journal:
        journal.erase(who)
    desk.tell({"erased": who}, ["The name is erased."])

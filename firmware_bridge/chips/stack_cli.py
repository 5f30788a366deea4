"""The verbs of `betline chips` that put a stack on a reader: enrol and verify."""

from __future__ import annotations

import json as json_text
import sys
from dataclasses import asdict
from typing import Annotated

import typer

from betline.options import FAILED, JsonOption, UserError
from betline.settings import load_chip_set
from firmware_bridge.chips.enrol import Enrolment, Wanted
from firmware_bridge.chips.opened import (
    AntennaOption,
    BaudOption,
    ByOption,
    ChipSetOption,
    ExpectOption,
    PortOption,
    ProtocolOption,
    RegisterOption,
    denomination_of,
    listening_to,
    login,
    terminal,
    the_chips,
    writing,
)
from firmware_bridge.chips.report import verified, when
from firmware_bridge.chips.session import Unsettled, enrol_by_hand, enrol_unattended, now_ms, settled_stack
from firmware_bridge.chips.stack import STEADY_ROUNDS, Stack, counted


def enrol(
    port: PortOption,
    protocol: ProtocolOption,
    chip_set: ChipSetOption,
    denomination: Annotated[
        str, typer.Option("--denomination", metavar="KEY", help="Their type in the chip set: its key or its worth.")
    ],
    register: RegisterOption = None,
    expect: ExpectOption = None,
    timeout: Annotated[
        float | None, typer.Option("--timeout", metavar="S", min=1, help="No prompts: one stack, within S seconds.")
    ] = None,
    batch: Annotated[
        str | None, typer.Option("--batch", metavar="NAME", help="Name of the delivery; default date and time.")
    ] = None,
    by: ByOption = None,
    baud: BaudOption = None,
    antenna: AntennaOption = None,
    json: JsonOption = False,
) -> None:
    """Learn the UIDs of one denomination from stacks on a reader.

    With prompts, stack by stack: Enter enrols what lies there once it is stable, u undoes the last stack, q ends.
    Without (--timeout, --json, or no terminal to type at) one stack of --expect chips. Nothing is written of a stack
    that is not stable, not of the number expected, or in which a chip of another type, a retired or a hot one lies.

    Example: betline chips enrol --port usb:A50285BI --protocol feig --chip-set cash --denomination red-5 --expect 20
    """
    chips_in_force = load_chip_set(chip_set)
    key = denomination_of(chips_in_force, denomination)
    alone = json or timeout is not None or not sys.stdin.isatty()
    if alone and expect is None:
        raise UserError("Nobody is there to count the stack: say how many chips it has with --expect N.")
    enrolment = Enrolment(Wanted(key, batch or when(now_ms()), expect))
    user = by or login()
    with (
        writing(register, begins=True) as file,
        terminal(quiet=json, typing=not alone) as person,
        listening_to(port, protocol, baud, antenna) as listening,
    ):
        if not alone:
            done = enrol_by_hand(listening, file, enrolment, user, person)
            person.say(f"{done.count} chips enrolled as {key} in {file.path}.")
            return
        try:
            settled = enrol_unattended(listening, file, enrolment, user, timeout or 30.0, person)
        except Unsettled as error:
            raise UserError(f"{error} Nothing was written.", FAILED) from None
        known = file.chips()
    new, of_type = settled.chips, [chip for chip in known.values() if chip.chip_type == key]
    if not json:
        typer.echo(f"{len(new)} of {len(settled.stack.tags)} enrolled as {key}, {len(of_type)} in the register.")
        return
    uids = {chip.uid for chip in new}
    document = {
        "chip_set": chips_in_force.name,
        "chip_type": key,
        "batch": enrolment.wanted.batch,
        "enrolled": sorted(uids),
        "already": sorted(settled.stack.uids - uids),
        "strays": [tag.uid for tag in settled.stack.strays],
        "rounds": settled.rounds,
        "in_register": len(of_type),
        "register": str(file.path),
    }
    typer.echo(json_text.dumps(document))


def verify(
    port: PortOption,
    protocol: ProtocolOption,
    chip_set: ChipSetOption,
    register: RegisterOption = None,
    expect: ExpectOption = None,
    timeout: Annotated[float, typer.Option("--timeout", metavar="S", min=1, help="How long to wait for a stack.")] = 30,
    baud: BaudOption = None,
    antenna: AntennaOption = None,
    json: JsonOption = False,
) -> None:
    """Put a stack on a reader: which chips they are, what they are worth, which are unknown, retired or hot.

    Exit status 1 where one of them may not play.

    Example: betline chips verify --port /dev/ttyUSB0 --protocol feig --chip-set cash
    """
    chips_in_force = load_chip_set(chip_set)
    chips = the_chips(register)

    def shown(stack: Stack) -> str:
        return f"{counted(stack.tags)}, stable in {stack.steady} of {STEADY_ROUNDS} rounds"

    def unfit(stack: Stack) -> str | None:
        if stack.stable and expect in (None, len(stack.tags)):
            return None
        return f"{shown(stack)}{'' if expect is None else f', {expect} were expected'}."

    try:
        with (
            terminal(quiet=json, typing=False) as person,
            listening_to(port, protocol, baud, antenna) as listening,
        ):
            stack, _ = settled_stack(listening, timeout, unfit, lambda stack: person.progress(shown(stack)))
    except Unsettled as error:
        raise UserError(str(error), FAILED) from None
    found = verified(stack, chips, chips_in_force)
    bad = [one for one in found if not one.good]
    total = sum(one.value for one in found)
    if json:
        document = {"chips": [asdict(one) for one in found], "total": total, "good": not bad}
        typer.echo(json_text.dumps(document))
    else:
        for one in found:
            what = one.state if one.good or one.state != "active" else "not in the chip set"
            notes = " ".join(text for text in (one.name, f"({one.reason})" if one.reason else "") if text)
            typer.echo(f"{one.uid}  {one.chip_type or '-'}  {one.value}  {what}  {notes}".rstrip())
        typer.echo(f"{len(found)} chips worth {total}{f', {len(bad)} of them may not play' if bad else ''}")
    if bad:
        raise typer.Exit(FAILED)

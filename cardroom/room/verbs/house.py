"""What the house looks after: chips and counts, figures."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Final

import typer

from betline.joining import VISIT_S, BrokerChoice, join
from betline.messages.devices import ZoneChips
from betline.options import FAILED, RegisterOption, UserError, namespace
from betline.people.roll import read_staff
from betline.settings import ChipSet, load_chip_set
from cardroom.room import events as e
from cardroom.room.errors import RoomError
from cardroom.room.events import kind_of
from cardroom.room.room import Room
from cardroom.room.stock import FELT, TRAY, Line, counting, lines
from cardroom.room.tables import RAKE, SENDER, OnBus
from cardroom.room.verbs.desk import Desk, time_of
from cardroom.room.verbs.options import at_desk, wrong_usage
from firmware_bridge.chips.record import ChipState, RegisterError
from firmware_bridge.chips.register import read_chips, usual_register

READER: Final = "console"
"""The account of a table that may hear its antennas."""

ChipSetOption = Annotated[str, typer.Option("--chip-set", metavar="NAME|FILE", help="What the chips are worth.")]


@at_desk
def inventory(
    desk: Desk,
    chip_set: ChipSetOption = "cash",
    register: RegisterOption = None,
    take: Annotated[bool, typer.Option("--take", help="Read the tables now, and note it in the journal.")] = False,
    pits: Annotated[
        Path | None,
        typer.Option(
            "--pits", metavar="DIR", help="With --take: the folder of betline provision site; tables are read in pits."
        ),
    ] = None,
) -> None:
    """Show where the house's chips are by type: on felts, in trays, counted, off the felt; and what has changed.

    What antennas read does not cross the bridge to a site: there name with --pits the folder that betline provision
    site has made, and each table is read at the broker of its pit.

    Example: betline room inventory --take --chip-set cash

    Example: betline room inventory --take --pits site-files
    """
    values = load_chip_set(chip_set)
    if take:
        stock = _taken(desk, desk.room(), register or usual_register(), pits)
        room = desk.decide(lambda _: (stock,), "any")
    else:
        room = desk.room()
    found = lines(room.stock)
    if not found or room.stock.taken is None:
        raise RoomError("no-stock", "No stock was taken yet: betline room inventory --take reads the tables.")
    rows = [{**asdict(one), "value": values.value_of(one.chip_type)} for one in found]
    head = f"{'type':<16}{'house':>8}{'felt':>8}{'tray':>8}{'counted':>8}{'off felt':>9}{'worth':>12}{'drift':>8}"
    texts = [f"Taken at {time_of(room.stock.taken_ms)}.", head, *(_stock_line(one, values) for one in found)]
    below = [one.chip_type for one in found if one.off_felt < 0]
    if below:
        texts.append(f"More than there can be: {', '.join(below)}. Count again, and look for copies.")
    if room.stock.taken.unknown:
        texts.append(f"{room.stock.taken.unknown} tags answered that are no active chips of the register.")
    unread = room.stock.taken.unread
    if unread:
        texts.append(f"No antenna was heard at {', '.join(unread)}: all chips there count as off the felt.")
    taken = {"taken_ms": room.stock.taken_ms, "unknown": room.stock.taken.unknown, "unread": list(unread)}
    desk.tell({**taken, "types": rows}, texts)


def _taken(desk: Desk, room: Room, register: Path, pits: Path | None) -> e.StockTaken:
    """Where the chips are now: what every table on the bus reads, by the register.

    Raises RoomError (`no-antennas`) where no antenna at all is heard: that would be a stock without a chip.
    """
    try:
        chips = read_chips(register)
    except RegisterError as error:
        raise UserError(str(error), FAILED) from None
    registered = Counter(one.chip_type for one in chips.values())
    retired = Counter(one.chip_type for one in chips.values() if one.state is ChipState.RETIRED)
    where: dict[str, str] = {}
    strange = set[str]()
    on_bus = [name for name in sorted(room.tables) if not room.tables[name].by_hand]
    read = {name: chips_at(desk, name, pits) for name in on_bus}
    unread = tuple(name for name, zones in read.items() if not zones)
    if on_bus and len(unread) == len(on_bus):
        raise RoomError(
            "no-antennas",
            "No antenna of any table is heard here: start the bridges of the readers; at a site's broker say --pits "
            "DIR, the folder of betline provision site.",
        )
    for zones in read.values():
        for zone, snapshot in sorted(zones.items()):
            for one in snapshot.chips:
                known = chips.get(one.uid)
                if known is None or known.state is ChipState.RETIRED:
                    strange.add(one.uid)
                else:
                    where[one.uid] = TRAY if zone == TRAY else FELT
    seen = {
        place: dict(Counter(chips[uid].chip_type for uid, at in where.items() if at == place)) for place in (FELT, TRAY)
    }
    return e.StockTaken(
        registered=dict(registered), retired=dict(retired), seen=seen, unknown=len(strange), unread=unread
    )


def chips_at(desk: Desk, name: str, pits: Path | None) -> dict[str, ZoneChips]:
    """What each antenna of a table reads; raises RoomError and UserError.

    ``pits``: the folder of a provisioned site. Then the table is read at its own pit's broker, by its console's login
    there: what antennas read does not leave the pit.
    """
    if pits is None:
        return desk.tables.table(name).zones()
    logins = next((one for one in sorted(pits.glob(f"*/{name}")) if (one / READER).is_dir()), None)
    if logins is None:
        raise RoomError("no-login", f"There are no logins of table {name} in {pits}: name the folder of the site.")
    address = BrokerChoice(login=logins).address(READER)
    there = OnBus(join(address, namespace(desk.site, name), SENDER, patience_s=VISIT_S), name, desk.signs)
    try:
        return there.zones()
    finally:
        there.close()


def _stock_line(one: Line, values: ChipSet) -> str:
    value = values.value_of(one.chip_type)
    worth = "-" if value is None else str(value * one.off_felt)
    return (
        f"{one.chip_type:<16}{one.registered - one.retired:>8}{one.felt:>8}{one.tray:>8}{one.counted:>8}"
        f"{one.off_felt:>9}{worth:>12}{one.drift:>+8}"
    )


@at_desk
def count(
    desk: Desk,
    place: Annotated[str, typer.Argument(metavar="PLACE", help="What is counted: cage, or the tray of a table.")],
    chips: Annotated[list[str], typer.Argument(metavar="TYPE=NUMBER", help="How many of each type.")],
    shift: Annotated[str, typer.Option("--shift", metavar="NAME", help="Of which shift.")],
) -> None:
    """Count the chips of a place for a shift; two of the staff count, each by themselves, and sign with their PIN.

    The count holds when both have the same result. Of the first count only a digest is kept: the second cannot look.

    Example: betline room count cage red-5=120 green-25=80 --shift evening --by Ann

    Example: betline room count cage red-5=120 green-25=80 --shift evening --by Bob
    """
    counts = {}
    for one in chips:
        chip_type, _, number = one.rpartition("=")
        if not chip_type or not number.isdecimal():
            wrong_usage(f"{one}: write TYPE=NUMBER, as red-5=120.")
        counts[chip_type] = int(number)
    if not read_staff(desk.people):
        raise RoomError("no-staff", "Two of the staff sign a count, and nobody is enrolled: betline people add.")
    person = desk.signed_by("any")
    events = list[e.Event]()

    def decision(room: Room) -> list[e.Event]:
        events.append(counting(room.stock, place, shift, counts, person))
        return events

    desk.decide(decision, "any")
    done = events[0]
    data = {"place": place, "shift": shift, "result": kind_of(type(done))}
    if isinstance(done, e.CountsDiffer):
        raise UserError(f"The two counts of {place} differ: both are void, count again, both of you.", FAILED)
    line = "Signed by two." if isinstance(done, e.Counted) else "Noted. A second person counts now, without looking."
    desk.tell(data, [f"{place}, {shift}: {line}"])


@at_desk
def figures(desk: Desk) -> None:
    """Ask the tables for hands and rake, and show both by the hour, as far as two looks a minute apart allow.

    Example: betline room figures --json
    """
    room, samples, away = desk.room(), list[e.Event](), dict[str, str]()
    for table in sorted(room.tables):
        if room.tables[table].by_hand:
            continue
        try:
            state = desk.tables.table(table).state()
        except RoomError as error:
            away[table] = str(error)
            continue
        rake = state.house_money.get(RAKE, 0)
        samples.append(e.Sampled(table=table, journal=state.journal, hand_no=state.hand_no, rake=rake))
    if samples:
        room = desk.decide(lambda _: samples, "any")
    rows, texts = list[dict[str, object]](), list[str]()
    for table in sorted(room.tables):
        rate = room.samples.rate(table)
        row: dict[str, object] = {
            "table": table,
            "hands_per_hour": None,
            "rake_per_hour": None,
            "over_ms": None,
            "away": away.get(table),
        }
        if rate is not None:
            row |= {
                "hands_per_hour": round(rate.hands, 1),
                "rake_per_hour": round(rate.rake, 1),
                "over_ms": rate.over_ms,
            }
        rows.append(row)
        what = "not known yet" if rate is None else f"{rate.hands:.1f} hands, rake {rate.rake:.0f} an hour"
        texts.append(f"{table:<12}  {away.get(table, what)}")
    desk.tell(rows, texts or ["No table is open."])

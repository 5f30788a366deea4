"""A table's controller as a process: what it needs is opened, served with until a signal ends it, and closed."""

from __future__ import annotations

import gc
import signal
from pathlib import Path

from betline import topics
from betline.deck import read_deck
from betline.joining import join
from betline.metrics.serving import served
from betline.options import DONE, Address
from betline.people.rights import check_rights
from betline.people.roll import Roll
from betline.settings import TableSettings, load_chip_set, load_house_rules, load_staff_rules
from betline.tap import Tap
from betline.topics import Namespace, topic
from betline.watchdog import Watchdog
from table_controller.journal.store import Journal
from table_controller.service.controller import DEVICE, Controller, clock
from table_controller.service.taken import PROGRAM
from table_controller.session import Terms


def run_controller(
    table: TableSettings,
    address: Address,
    namespace: Namespace,
    journal_path: Path,
    key: Path | None = None,
    anchors: Path | None = None,
    people: Path | None = None,
    deck: Path | None = None,
    taps: Path | None = None,
    metrics: Address | None = None,
) -> int:
    """Runs a table's controller until SIGTERM or SIGINT; returns the exit status.

    The journal's seals are made with the `key`, its heads kept in `anchors`; both have usual places. `people` is the
    file of the staff; without one the table is open to everybody. `deck` is the file of the cards with tags. What it
    takes is noted in the folder `taps`; its figures are served at `metrics`.

    Raises SettingsError for chips or house rules that cannot be used, PeopleError for such a file of the staff,
    DeckError for such a file of cards, JournalError for such a journal, SecondController where another controller
    serves this table already, and UserError where the broker does not let it in.
    """
    chips = load_chip_set(table.chip_set)
    house = table.house.profile
    staff = check_rights(load_staff_rules(house), house)
    terms = Terms(table, load_house_rules(house, table.house.options), staff)
    roll = Roll(people)
    cards = {} if deck is None else read_deck(deck)
    now = clock()
    name = f"{namespace.site}/{namespace.table}"
    journal = Journal.open(journal_path, name, now.at_ms, now.mono_ns, key=key, anchors=anchors)
    try:
        bus = join(address, namespace, DEVICE, presence=topic(topics.STATUS), announces=False)
        try:
            tap = None if taps is None else Tap(taps, PROGRAM, bus.boot_id)
            controller = Controller(
                terms, chips, bus, journal, roll=roll, deck=cards, serves=Watchdog().serves, tap=tap
            )
            controller.start()
            for number in (signal.SIGTERM, signal.SIGINT):
                signal.signal(number, lambda *_: controller.stop())
            gc.freeze()  # what was loaded stays; to look it all over again takes 30 ms, in which nothing is ruled
            try:
                with served(metrics, bus, controller.timings):
                    controller.run()
            finally:
                controller.close()
        finally:
            bus.close()
    finally:
        journal.close()
    return DONE

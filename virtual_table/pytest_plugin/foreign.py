"""A reader that is no virtual one: on a port of this machine, in the place of a virtual reader of the table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from betline.settings import Reader, TableSettings
from firmware_bridge.protocols.catalogue import UnknownFamilyError, family
from virtual_table.pytest_plugin.failures import LabError
from virtual_table.table.identifiers import form_of
from virtual_table.table.things import WorldError

EXAMPLE: Final = "seat-3=/dev/ttyUSB0,protocol=feig"


@dataclass(frozen=True, slots=True)
class ForeignPort:
    """What the bridge opens (a path or a URL of pyserial), and what the reader there speaks."""

    port: str
    protocol: str | None = None
    """The family; None where it is the table file's."""
    baud: int | None = None
    """None where it is the family's own."""


def read_ports(options: tuple[str, ...]) -> dict[str, ForeignPort]:
    """The options `--betline-port PLACE=PORT[,protocol=NAME][,baud=N]`; raises LabError with a sentence."""
    found: dict[str, ForeignPort] = {}
    for option in options:
        place, _, rest = option.partition("=")
        port, *further = rest.split(",")
        said = dict(one.partition("=")[::2] for one in further)
        strange = sorted(set(said) - {"protocol", "baud"})
        baud = said.get("baud")
        if not place or not port or strange or not (baud is None or baud.isdigit()):
            raise LabError(f"--betline-port {option} cannot be read; write it as {EXAMPLE}.")
        found[place] = ForeignPort(port, said.get("protocol"), None if baud is None else int(baud))
    return found


def by_reader(table: TableSettings, ports: Mapping[str, ForeignPort]) -> dict[str, ForeignPort]:
    """The same by the reader's name in the table file, for a place that is named by its zone too; raises LabError."""
    serving = {antenna.zone: reader.id for reader in table.readers for antenna in reader.antennas}
    names = {reader.id for reader in table.readers}
    found: dict[str, ForeignPort] = {}
    for place, foreign in ports.items():
        name = place if place in names else serving.get(place)
        if name is None:
            known = ", ".join((*sorted(names), *sorted(serving)))
            raise LabError(f"The table {table.name} has no reader {place} and no zone of that name; it has {known}.")
        found[name] = foreign
    return found


def with_foreign(table: TableSettings, ports: Mapping[str, ForeignPort]) -> TableSettings:
    """The table with the families of its foreign readers; raises LabError for one that is not known.

    All chips of a virtual table have tags of one kind: where a foreign reader reads others than the table's readers
    do, all readers become of its family.
    """
    for foreign in ports.values():
        try:
            family(foreign.protocol or "feig")
        except UnknownFamilyError as error:
            raise LabError(f"{str(error)[:1].upper()}{str(error)[1:]}.") from None
    readers = [_as_foreign(reader, ports[reader.id]) if reader.id in ports else reader for reader in table.readers]
    try:
        form_of(readers)
    except WorldError:
        spoken = next(reader.protocol for reader in readers if reader.id in ports)
        others = ForeignPort("", spoken)
        readers = [reader if reader.id in ports else _as_foreign(reader, others) for reader in readers]
    return table.model_copy(update={"readers": tuple(readers)})


def _as_foreign(reader: Reader, foreign: ForeignPort) -> Reader:
    """The reader of the table file with the family and the speed of another one."""
    if foreign.protocol is None and foreign.baud is None:
        return reader
    protocol = foreign.protocol or reader.protocol
    baud = foreign.baud or family(protocol).traits.line.baud
    return reader.model_copy(update={"protocol": protocol, "baud": baud, "settings": {}})

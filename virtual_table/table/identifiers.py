"""The UIDs of the chips' tags, in the form that the air interface of the table's readers gives them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from random import Random
from types import MappingProxyType
from typing import Final

from betline.settings import Reader, is_for_chips
from virtual_table.table.things import WorldError


@dataclass(frozen=True, slots=True)
class TagForm:
    """The form of the UIDs of one air interface."""

    air: str
    prefix: str
    bits: int

    def mint(self, rng: Random) -> str:
        """A new UID, in upper-case hex."""
        return f"{self.prefix}{rng.getrandbits(self.bits):0{self.bits // 4}X}"


ISO15693: Final = TagForm("ISO 15693", "E004", 48)
ISO14443A: Final = TagForm("ISO 14443A", "04", 48)
UHF: Final = TagForm("UHF Gen2", "E280", 80)

_FORMS: Final[Mapping[str, TagForm]] = MappingProxyType(
    {"feig": ISO15693, "betline": ISO15693, "pn532": ISO14443A, "bb": UHF, "m6e": UHF, "chafon": UHF}
)


def form_of_family(protocol: str) -> TagForm:
    """The form of the tags that readers of a family read; raises KeyError for a name that is none."""
    return _FORMS[protocol]


def form_of(readers: Iterable[Reader]) -> TagForm:
    """The form of the tags that all these readers read; ISO 15693 if there are none. A reader of badges or
    cards alone reads no chips.

    Raises WorldError if they use different air interfaces: a chip of the virtual table has one tag.
    """
    of_chips = [one for one in readers if any(is_for_chips(antenna.zone) for antenna in one.antennas)]
    forms = {reader.protocol: _FORMS[reader.protocol] for reader in of_chips}
    if len(set(forms.values())) > 1:
        spoken = ", ".join(f"{name} speaks {form.air}" for name, form in sorted(forms.items()))
        raise WorldError(
            "mixed-air", f"The table's readers cannot all read the same chips ({spoken}): give it readers of one kind."
        )
    return next(iter(forms.values()), ISO15693)

"""The targets in the response to InListPassiveTarget."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.protocols.family import TagKind
from firmware_bridge.protocols.frame_error import FrameError
from firmware_bridge.protocols.pn532.frames import Code, Command
from firmware_bridge.protocols.pn532.targets import ListTargets, Modulation, Target, decode_targets, encode_targets

UID4, UID7 = bytes.fromhex("DE AD BE EF"), bytes.fromhex("04 11 22 33 44 55 66")
FELICA = bytes.fromhex("01 14 01 01 2E 3D 4C 5B 6A 79 88 01 20 22 04 27 67 4E FF 00 03")
TYPE_B = bytes.fromhex("01 50 DE AD BE EF 01 02 03 04 F7 71 85 01 00")


def a_cards() -> st.SearchStrategy[Target]:
    def card(uid: bytes, sel_res: int, ats: bytes) -> Target:
        return Target(Modulation.A_106, uid, 0x0044, sel_res, ats if sel_res & 0x20 else b"")

    uids = st.sampled_from((4, 7, 10)).flatmap(lambda length: st.binary(min_size=length, max_size=length))
    return st.builds(card, uids, st.integers(0, 0xFF), st.binary(max_size=20))


@given(st.lists(a_cards(), max_size=2))
def test_cards_of_iso14443a_survive_the_way_there(targets: list[Target]) -> None:
    assert decode_targets(encode_targets(targets), Modulation.A_106) == tuple(targets)


@given(st.lists(st.binary(min_size=8, max_size=8), max_size=2), st.sampled_from((b"", b"\x00\x03")))
def test_felica_cards_survive_the_way_there(uids: list[bytes], system: bytes) -> None:
    for modulation in (Modulation.FELICA_212, Modulation.FELICA_424):
        targets = tuple(Target(modulation, uid, rest=bytes(8) + system) for uid in uids)
        assert decode_targets(encode_targets(targets), modulation) == targets


@given(st.binary(max_size=80), st.sampled_from(Modulation))
def test_any_bytes_are_targets_or_a_frame_error(data: bytes, modulation: Modulation) -> None:
    try:
        targets = decode_targets(data, modulation)
    except FrameError:
        return
    assert len(targets) == data[0]


def test_felica_card_with_its_system_code() -> None:
    [card] = decode_targets(b"\x01" + FELICA, Modulation.FELICA_212)
    assert (card.uid.hex(), card.kind) == ("012e3d4c5b6a7988", TagKind.FELICA)


def test_card_of_iso14443b_by_its_pseudo_unique_identifier() -> None:
    [card] = decode_targets(b"\x01" + TYPE_B, Modulation.B_106)
    assert (card.uid.hex(), card.kind) == ("deadbeef", TagKind.ISO14443B)
    assert encode_targets([card]) == b"\x01" + TYPE_B


def test_card_of_iso14443_4_without_its_ats_is_read_too() -> None:
    data = bytes.fromhex("01 01 03 44 20 07") + UID7
    assert [card.uid for card in decode_targets(data, Modulation.A_106)] == [UID7]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ("", "truncated"),
        ("03", "targets"),
        ("01", "truncated"),
        ("01 02 00 04 08 04 DE AD BE EF", "target"),
        ("01 01 00 04 08 05 DE AD BE EF 00", "target"),
        ("01 01 00 04 08 04 DE AD BE", "truncated"),
        ("01 01 00 04 08 04 DE AD BE EF 00", "surplus"),
        ("01 01 03 44 20 04 DE AD BE EF 00", "target"),
        ("00 00", "surplus"),
    ],
)
def test_broken_lists_are_refused_with_their_reason(data: str, code: str) -> None:
    with pytest.raises(FrameError) as refused:
        decode_targets(bytes.fromhex(data), Modulation.A_106)
    assert refused.value.code == code


@pytest.mark.parametrize(
    "data", ["01 13 01 01 2E 3D 4C 5B 6A 79 88 01 20 22 04 27 67 4E FF 00", "01 12 02" + "00" * 16]
)
def test_broken_felica_answers_are_refused(data: str) -> None:
    with pytest.raises(FrameError) as refused:
        decode_targets(b"\x01" + bytes.fromhex(data), Modulation.FELICA_212)
    assert refused.value.code == "target"


def test_requests_survive_the_way_there_and_others_are_refused() -> None:
    for modulation in Modulation:
        for most in (1, 2):
            request = ListTargets(modulation, most)
            assert ListTargets.from_command(request.to_command()) == request
    for other in (b"\x03\x00", b"\x00\x00", b"\x02\x09", b"\x02"):
        with pytest.raises(FrameError):
            ListTargets.from_command(Command(Code.IN_LIST_PASSIVE_TARGET, other))
    with pytest.raises(FrameError):
        ListTargets.from_command(Command(Code.IN_DESELECT, b"\x01\x00"))

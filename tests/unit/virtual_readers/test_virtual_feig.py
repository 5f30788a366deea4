"""The virtual FEIG reader, byte for byte where frames are published, with the faults of hardware_docs/readers.md."""

from __future__ import annotations

import pytest

from firmware_bridge.protocols.feig.frames import Control, Reply, Request, reply_decoder
from firmware_bridge.protocols.feig.inventory import InventoryMode, StayQuiet, decode_data_sets
from virtual_table.readers.behaviour import Behaviour
from virtual_table.readers.faults import FaultPlan
from virtual_table.readers.feig import FeigSetup, VirtualFeigReader

UID = "E004015306A22D70"
INVENTORY = bytes.fromhex("07 FF B0 01 00 1C 56")
MORE = bytes.fromhex("07 FF B0 01 80 14 D2")
RESET = bytes.fromhex("05 FF 69 89 01")
UIDS = [f"E00401{number:010X}" for number in range(100)]


def reader(*uids: str, setup: FeigSetup | None = None, **behaviour: object) -> VirtualFeigReader:
    return VirtualFeigReader(lambda: [(uid, 1, 1.0) for uid in uids], Behaviour(**behaviour), 1, setup)


def ask(one: VirtualFeigReader, request: bytes, now_ms: float = 0.0) -> Reply:
    [(_, raw)] = one.receive(request, now_ms)
    return Reply.from_bytes(raw)


def found(reply: Reply, *, antenna_records: bool = False) -> list[str]:
    return [one.uid.hex().upper() for one in decode_data_sets(reply.data, antenna_records=antenna_records)]


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        ("07 FF B0 01 00 1C 56", "11 00 B0 00 01 03 00 E0 04 01 53 06 A2 2D 70 BF 2B"),
        ("02 00 09 FF B0 01 00 18 43", "02 00 13 00 B0 00 01 03 00 E0 04 01 53 06 A2 2D 70 64 6F"),
        ("05 FF 69 89 01", "06 00 69 00 F6 FA"),
        ("06 FF 52 00 0F 6E", "06 00 52 00 FC A8"),
    ],
)
def test_published_exchanges(request_: str, expected: str) -> None:
    [(delay_ms, raw)] = reader(UID).receive(bytes.fromhex(request_), 0.0)
    assert raw == bytes.fromhex(expected)
    assert delay_ms > 0


def test_empty_field_is_no_transponder() -> None:
    assert ask(reader(), INVENTORY).to_bytes() == bytes.fromhex("06 00 B0 01 5C 63")
    assert ask(reader(), bytes.fromhex("02 00 09 FF B0 01 00 18 43")).to_bytes() == bytes.fromhex(
        "02 00 08 00 B0 01 19 CE"
    )


def test_tag_that_was_read_is_mute_until_the_rf_reset() -> None:
    one = reader(UID)
    assert found(ask(one, INVENTORY)) == [UID]
    assert found(ask(one, INVENTORY)) == []
    ask(one, RESET)
    assert found(ask(one, INVENTORY)) == [UID]


def test_tag_that_was_taken_away_and_comes_back_is_read_again() -> None:
    there = [UID]
    one = VirtualFeigReader(lambda: [(uid, 1, 1.0) for uid in there])
    assert found(ask(one, INVENTORY)) == [UID]
    there.clear()
    assert found(ask(one, INVENTORY)) == []
    there.append(UID)
    assert found(ask(one, INVENTORY)) == [UID]


def test_tag_that_was_told_to_be_quiet_is_mute_until_the_rf_reset() -> None:
    one = reader(*UIDS[:3])
    quiet = StayQuiet(bytes.fromhex(UIDS[1])).to_request().to_bytes()
    assert ask(one, quiet).status == 0x00
    assert found(ask(one, INVENTORY)) == [UIDS[0], UIDS[2]]
    ask(one, RESET)
    assert sorted(found(ask(one, INVENTORY))) == UIDS[:3]
    assert ask(one, Request(Control.ISO_HOST_COMMAND, b"\x02\x01").to_bytes()).status == 0x81


def test_cpu_reset_is_acknowledged_and_then_the_reader_is_deaf_and_forgetful() -> None:
    one = reader(UID)
    assert found(ask(one, INVENTORY)) == [UID]
    assert ask(one, Request(Control.CPU_RESET).to_bytes(), 100.0) == Reply(Control.CPU_RESET, 0x00)
    assert one.receive(INVENTORY, 300.0) == []
    assert found(ask(one, INVENTORY, 600.0)) == [UID]


def test_reader_in_scan_mode_refuses_inventories() -> None:
    one = reader(UID, setup=FeigSetup(scan_mode=True))
    assert ask(one, INVENTORY).status == 0x82
    assert ask(one, RESET).status == 0x00


def test_collision_carries_no_tags() -> None:
    one = reader(UID, setup=FeigSetup(collision=1.0))
    reply = ask(one, INVENTORY)
    assert (reply.status, reply.data) == (0x0B, b"")


def test_software_version_is_told() -> None:
    reply = ask(reader(), bytes.fromhex("05 FF 65 E5 CB"))
    assert (reply.status, len(reply.data)) == (0x00, 8)


def test_reader_that_resets_by_itself_tells_all_tags_each_time() -> None:
    one = reader(UID, setup=FeigSetup(only_new=False))
    assert [found(ask(one, INVENTORY)) for _ in range(3)] == [[UID]] * 3


def test_more_than_24_tags_come_as_a_chain_of_standard_frames() -> None:
    one = reader(*UIDS[:60])
    replies = [ask(one, INVENTORY), ask(one, MORE), ask(one, MORE)]
    assert [reply.status for reply in replies] == [0x94, 0x94, 0x00]
    assert [len(found(reply)) for reply in replies] == [24, 24, 12]
    assert sorted(uid for reply in replies for uid in found(reply)) == UIDS[:60]
    assert not any(reply.advanced for reply in replies)
    assert ask(one, MORE).status == 0x01


def test_answer_beyond_255_bytes_is_an_advanced_frame() -> None:
    assert not ask(reader(*UIDS[:24]), INVENTORY).advanced
    reply = ask(reader(*UIDS[:25], setup=FeigSetup(sets_per_reply=255)), INVENTORY)
    assert reply.advanced
    assert len(found(reply)) == 25


def test_read_time_grows_with_the_tags() -> None:
    delays = [reader(*UIDS[:count]).receive(INVENTORY, 0.0)[0][0] for count in (0, 1, 10, 40)]
    assert delays == sorted(delays)
    assert delays[3] > 250


def test_request_that_comes_while_it_reads_is_answered_afterwards() -> None:
    one = reader(*UIDS[:20])
    [(first_ms, _)] = one.receive(INVENTORY, 0.0)
    [(second_ms, _)] = one.receive(RESET, 1.0)
    assert second_ms + 1.0 > first_ms


def test_damaged_request_gets_no_answer() -> None:
    one = reader(UID)
    assert one.receive(INVENTORY[:-1] + b"\x00", 0.0) == []
    assert found(ask(one, INVENTORY, 100.0)) == [UID]


def test_request_for_another_address_gets_no_answer() -> None:
    one = reader(UID, setup=FeigSetup(address=3))
    assert one.receive(Request(Control.RF_RESET, address=4).to_bytes(), 0.0) == []
    assert ask(one, Request(Control.RF_RESET, address=3).to_bytes()).address == 3
    assert ask(one, RESET).address == 3


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (Request(Control.ISO_HOST_COMMAND, b"\x01"), 0x81),
        (Request(Control.ISO_HOST_COMMAND, b"\x23\x00"), 0x82),
        (Request(Control.READER_INFO, b"\x00"), 0x80),
        (InventoryMode(antennas=0x02).to_request(), 0x11),
        (Request(Control.RF_ON_OFF), 0x81),
    ],
)
def test_what_it_does_not_know_is_refused_by_status(request_: Request, status: int) -> None:
    assert ask(reader(UID), request_.to_bytes()).status == status


def test_no_tag_is_powered_while_the_field_is_off() -> None:
    one = reader(UID)
    ask(one, Request(Control.RF_ON_OFF, b"\x00").to_bytes())
    assert found(ask(one, INVENTORY)) == []
    ask(one, Request(Control.RF_ON_OFF, b"\x01").to_bytes())
    assert found(ask(one, INVENTORY)) == [UID]


def test_selected_antenna_hears_its_own_tags_with_their_strength() -> None:
    one = VirtualFeigReader(lambda: [(UIDS[0], 1, 1.0), (UIDS[1], 2, 0.5)], Behaviour(antennas=2))
    reply = ask(one, InventoryMode(antennas=0b10).to_request().to_bytes())
    [data_set] = decode_data_sets(reply.data, antenna_records=True)
    assert [(read.uid, read.antenna, read.rssi) for read in data_set.to_tag_reads()] == [(UIDS[1], 2, 128)]


def rate(one: VirtualFeigReader, rounds: int = 2000) -> float:
    heard = 0
    for _ in range(rounds):
        ask(one, RESET)
        heard += len(found(ask(one, INVENTORY)))
    return heard / rounds


def test_tags_are_missed_at_the_rate_that_was_set() -> None:
    assert rate(reader(UID, missed=0.05)) == pytest.approx(0.95, abs=0.02)


def test_neighbours_tags_are_read_at_the_rate_that_was_set() -> None:
    one = VirtualFeigReader(lambda: [(UID, 1, 0.2)], Behaviour(neighbour=0.1), seed=2)
    assert rate(one) == pytest.approx(0.1, abs=0.03)


def test_rf_warning_carries_no_tags() -> None:
    reply = ask(reader(UID, rf_warning=1.0), INVENTORY)
    assert (reply.status, reply.data) == (0x84, b"")


def test_same_seed_same_bytes() -> None:
    def run() -> list[list[tuple[float, bytes]]]:
        plan = FaultPlan(garbage=0.3, damage=0.3, split=0.3, late=0.1, silence=0.1, truncate=0.1)
        one = reader(*UIDS[:10], missed=0.2, faults=plan)
        return [one.receive(request, 0.0) for request in (RESET, INVENTORY) * 50]

    assert run() == run()


@pytest.mark.parametrize("fault", ["garbage", "damage", "split", "late", "silence", "truncate"])
def test_each_fault_strikes_in_its_own_way(fault: str) -> None:
    [clean] = reader(UID).receive(INVENTORY, 0.0)
    pieces = reader(UID, faults=FaultPlan(**{fault: 1.0})).receive(INVENTORY, 0.0)
    sent = b"".join(raw for _, raw in pieces)
    expected = {
        "garbage": len(sent) > len(clean[1]) and sent.endswith(clean[1]),
        "damage": len(sent) == len(clean[1]) and reply_decoder().feed(sent, 0.0) == [],
        "split": len(pieces) == 2 and sent == clean[1] and pieces[1][0] > pieces[0][0],
        "late": sent == clean[1] and bool(pieces) and pieces[0][0] > clean[0] + 1000,
        "silence": pieces == [],
        "truncate": 0 < len(sent) < len(clean[1]) and clean[1].startswith(sent),
    }
    assert expected[fault]


def test_long_epc_is_an_iso18000_3m3_tag() -> None:
    epc = "30751FEB705C5904E3D50D70"
    [one] = decode_data_sets(ask(reader(epc), INVENTORY).data, antenna_records=False)
    assert (one.uid.hex().upper(), str(one.kind)) == (epc, "iso18000-3m3")

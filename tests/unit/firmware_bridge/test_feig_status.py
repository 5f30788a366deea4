"""The status table of hardware_docs/protocols/feig.md, in words."""

from __future__ import annotations

import pytest

from firmware_bridge.protocols.feig.status import CARRIES_DATA, meaning, sentence

DOCUMENTED = bytes.fromhex(
    "00 01 02 03 04 05 06 07 08 0A 0B 0E 0F 10 11 13 14 15 16 17 18 80 81 82 83 84 85 86 90 92 93 94 95 96 F1 F2 F8"
)


def test_exactly_the_documented_codes_have_words() -> None:
    assert bytes(code for code in range(256) if "undocumented" not in meaning(code)) == DOCUMENTED
    assert len({meaning(code) for code in DOCUMENTED}) == len(DOCUMENTED)


def test_data_come_with_these_codes_only() -> None:
    assert bytes(sorted(CARRIES_DATA)) == bytes.fromhex("00 83 84 93 94 95")


@pytest.mark.parametrize(("code", "words"), [(0x0B, "collision"), (0x82, "scan"), (0x13, "password"), (0x09, "09")])
def test_sentence_names_the_code_and_what_to_do(code: int, words: str) -> None:
    assert f"{code:02X}" in sentence(code)
    assert words in sentence(code)

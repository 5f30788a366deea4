"""The case format (docs/case-format.md): short stories at a table and what must be true after each line of them."""

from betline.cases.expect import Expect, ExpectedPot
from betline.cases.read import Case, CaseError, Entry, case_files, parse_cases, read_case, read_cases, read_file
from betline.cases.shipped import shipped_cases

__all__ = [
    "Case",
    "CaseError",
    "Entry",
    "Expect",
    "ExpectedPot",
    "case_files",
    "parse_cases",
    "read_case",
    "read_cases",
    "read_file",
    "shipped_cases",
]

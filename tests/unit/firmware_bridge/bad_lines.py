"""Faults of a line, of which each family bears so many."""

from __future__ import annotations

from virtual_table.readers.faults import FaultPlan

BB_FAULTS = {
    "garbage": FaultPlan(garbage=0.1),
    "damage": FaultPlan(damage=0.05),
    "truncate": FaultPlan(truncate=0.05),
    "split": FaultPlan(split=0.5, split_ms=30.0),
    "late": FaultPlan(late=0.02, late_ms=600.0),
    "all": FaultPlan(garbage=0.05, damage=0.05, truncate=0.02, split=0.3, late=0.002),
}
M6E_FAULTS = {
    "garbage": FaultPlan(garbage=0.1),
    "damage": FaultPlan(damage=0.03),
    "truncate": FaultPlan(truncate=0.03),
    "split": FaultPlan(split=0.5, split_ms=30.0),
    "silence": FaultPlan(silence=0.02),
    "late": FaultPlan(late=0.02, late_ms=1100.0),
    "all": FaultPlan(garbage=0.05, damage=0.02, truncate=0.01, split=0.3, late=0.002, silence=0.005),
}
PN532_FAULTS = {
    "garbage": FaultPlan(garbage=0.1),
    "damage": FaultPlan(damage=0.03),
    "truncate": FaultPlan(truncate=0.02),
    "split": FaultPlan(split=0.5, split_ms=30.0),
    "silence": FaultPlan(silence=0.01),
    "late": FaultPlan(late=0.005, late_ms=600.0),
    "all": FaultPlan(garbage=0.05, damage=0.02, truncate=0.01, split=0.3, late=0.001, silence=0.002),
}
CHAFON_FAULTS = {
    "garbage": FaultPlan(garbage=0.3),
    "damage": FaultPlan(damage=0.2),
    "truncate": FaultPlan(truncate=0.1),
    "split": FaultPlan(split=0.5, split_ms=30.0),
    "late": FaultPlan(late=0.05, late_ms=1500.0),
    "silence": FaultPlan(silence=0.05),
    "all": FaultPlan(garbage=0.1, damage=0.1, truncate=0.05, split=0.3, late=0.02, silence=0.02),
}
BETLINE_FAULTS = {
    "garbage": FaultPlan(garbage=0.2),
    "damage": FaultPlan(damage=0.1),
    "truncate": FaultPlan(truncate=0.1),
    "split": FaultPlan(split=0.5, split_ms=30.0),
    "silence": FaultPlan(silence=0.1),
    "late": FaultPlan(late=0.02, late_ms=1700.0),
    "all": FaultPlan(garbage=0.1, damage=0.05, truncate=0.05, split=0.3, silence=0.03, late=0.005),
}

"""Programs beside the live table: one ruling explained, hand histories, cases, benchmarks, the printed sheet."""

"""The benchmark book: all figures of one day on one machine, as data, a page and charts, and what got slower since."""

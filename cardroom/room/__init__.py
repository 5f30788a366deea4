"""Room work: who sits where, seat draws, waiting lists, tournaments, dealers, chips, and the journal of it all.

The core is pure: events (`events`) are folded into a `Room` (`room`), and each decision is a function from a room to
the events that it comes to. The shell is the journal's file (`journal`), the tables on the bus (`tables`), the verbs.
"""

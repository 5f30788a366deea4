"""`betline train`: situations from the cases, the ruling asked for, explained, scored, and what was missed again.

A functional core (`deck`, `moments`, `telling`, `asking`, `explaining`, `leitner`, `sitting`) without clock, files and
terminal; the right answers are the ruling engine's own, never typed by hand. Around it the person's record, the lines
of `--text` and `--json`, and the screen.
"""

"""The set-up on the screen: one question at a time, then what was written, then the test hand."""

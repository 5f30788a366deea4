"""The verbs of `betline room`, a module for each kind of work; `desk` is what they share."""

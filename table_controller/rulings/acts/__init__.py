"""From an act to its ruling: the book of rules, and acts in and out of turn."""

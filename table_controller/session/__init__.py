"""The session: the pure fold that joins what sensors saw, what people asked and what the table rules.

`Session.handle(input, now)` gives the next session, what the journal must hold before anything is published, and
what is to be published then. The durable part, `Book`, is a fold over journal entries: `fold.resume` makes it again at
a start.
"""

from table_controller.session.book import Book
from table_controller.session.inputs import Input, Keyed, Now, Present, Tick
from table_controller.session.session import Handled, Session
from table_controller.session.terms import Terms

__all__ = [
    "Book",
    "Handled",
    "Input",
    "Keyed",
    "Now",
    "Present",
    "Session",
    "Terms",
    "Tick",
]

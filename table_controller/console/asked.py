"""The questions that the controller asks, for the dealer's card, and what an answer is called on the screen."""

from __future__ import annotations

QUESTIONS: dict[str, tuple[str, str]] = {
    "unreported": ("chips of a later seat: did those before it act unseen?", "yes · out of turn · no bet (one chip)"),
    "mucked": ("cards went into the muck, and nobody has acted since", "folded · still in"),
    "count": (
        "a stack that is not what the books say; nobody's chips act before",
        "what lies there · what the books say",
    ),
    "key-or-felt": (
        "other chips than were keyed; after 3 s the key stands",
        "as the chips would be ruled · keep the key",
    ),
    "before-cards": ("chips that lay there before the cards were keyed out", "raise (call, bet) · straddle · no bet"),
    "protector": ("a chip that has lain there since long before the turn", "no bet · bet"),
    "house-chips": ("chips that came from the tray or the pot", "no bet · bet"),
    "moved-chips": ("chips of another seat's bet or base line", "no bet · bet"),
    "unseen-chips": ("chips in a zone that nobody read when the street began", "bet · no bet"),
    "other-hand": ("chips that another seat's hand brought", "no bet · bet"),
    "dead-money": ("chips worth just the ante or dead blind that the seat may still owe", "no bet · bet"),
    "hand-on-chips": ("a hand has stayed on its chips for 4 s", "as it lies"),
    "early-chips": ("chips that came before the street was keyed", "bet · no bet"),
    "award": ("the pot was pushed to a seat at the showdown", "award it"),
    "which-first": ("words and chips that differ", "the words · the chips · both at once"),
    "straddle": ("chips before the cards that may be a sleeper", "straddle or sleeper · no bet"),
    "amount": ("a bet that no reader counts, or chips of which only a part may be one", "key the act"),
    "rules-changed": ("today's rules rule otherwise on the hand in progress", "as recorded · as today"),
    "rebuy": (
        "before the next hand: a seat with nothing left, or less than the big blind",
        "rebuy (`300 B`: so much) · leaves, or plays on · sits out",
    ),
    "clock": ("the player's clock has run out", "fold (check) · time bank, or more time"),
    "floor": ("a ruling that only the floor can make", "Y"),
}
"""By kind: when it is asked, and its answers in the order of Enter, O, F3 and F4."""

_CALLED = {"passive": "yes", "award": "award it"}


def answer_called(choice: str) -> str:
    """An answer as the screen has it."""
    return _CALLED.get(choice, choice.replace("-", " ").replace(":", " "))

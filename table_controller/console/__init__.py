"""The dealer's console: a client of the bus like any other, drawn with Textual.

From the bus to the screen: ``client`` (the bus's thread) -> ``app`` -> ``view`` (what is shown, as values) -> the
drawings in ``drawing`` -> the widgets. From a key to the bus: ``keys`` -> ``intents`` (what a key means now) -> ``app``
-> ``client``. Widgets never touch the bus.
"""

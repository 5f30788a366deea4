"""``python -m betline``: the same as the ``betline`` command."""

from betline.front_door import main

main()

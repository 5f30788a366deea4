"""``python -m virtual_table`` is ``betline world``."""

import sys

from betline.front_door import main

if __name__ == "__main__":
    main(["world", *sys.argv[1:]])

"""``python -m table_controller`` is ``betline controller``."""

import sys

from betline.front_door import main

if __name__ == "__main__":
    main(["controller", *sys.argv[1:]])

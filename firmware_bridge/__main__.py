"""`python -m firmware_bridge ...` is `betline bridge ...`."""

import sys

from betline.front_door import main

main(["bridge", *sys.argv[1:]])

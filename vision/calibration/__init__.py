"""Where on the felt a pixel lies: lens, markers, the procedure, its file, and what a camera cannot see."""

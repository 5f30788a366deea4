"""The parts of the table screen drawn on canvases: pure functions of a view and a size."""

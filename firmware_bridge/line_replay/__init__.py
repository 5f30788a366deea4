"""A recorded table's serial lines, decoded once more and held against what the bridge published."""

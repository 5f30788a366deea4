"""The controller's benchmark suites, which `betline bench` finds by name."""

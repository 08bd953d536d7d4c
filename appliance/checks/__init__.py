"""Self-tests that every ``doctor`` has, and how findings are shown."""

"""What changes, as events for browsers: a snapshot, then what has changed since, with ids so that a reconnect misses nothing."""

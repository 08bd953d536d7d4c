"""Settings in layers, the files they come from, and the last good ones."""

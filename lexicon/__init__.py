"""Word lists as memory-mapped DAWGs: not built yet; their place in the house."""

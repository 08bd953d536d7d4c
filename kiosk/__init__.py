"""The challenge station: not built yet; its place in the house."""

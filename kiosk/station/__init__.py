"""The station as one value, and its wired board. Pure."""

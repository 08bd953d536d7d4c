"""Shared by all serial devices: line settings, time limits, errors."""

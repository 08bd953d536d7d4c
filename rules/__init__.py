"""Shared by clock, station and hall: sides, durations, contacts and rulebooks. Pure except for reading rulebook files."""

"""Layered settings, their files, and the last good copies."""

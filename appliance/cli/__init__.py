"""Shared parts of the programs' command lines."""

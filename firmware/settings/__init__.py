"""The director's settings: files and options in layers over the defaults, checked together."""

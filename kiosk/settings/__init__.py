"""The director's settings of the station: files and options in layers over the defaults, checked together."""

"""Developer programs: they make files of this repository, and stand in for devices. Not packaged."""

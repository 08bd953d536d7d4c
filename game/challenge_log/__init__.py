"""The rows of a station's log, as station and hall read them: their form and their hash chain."""

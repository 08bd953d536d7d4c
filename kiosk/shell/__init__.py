"""The shell of the station: window, pins, lexicon, log and printer around the pure station, and the loop that turns."""

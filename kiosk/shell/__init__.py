"""The station's shell: window, pins, lexicon, log and printer around the pure station, and the main loop."""

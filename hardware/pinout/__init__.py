"""A board in the terminal: the header, hole by hole."""

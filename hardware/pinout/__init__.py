"""A board on the terminal: the header hole by hole."""

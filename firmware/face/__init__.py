"""The face: a pure view of the game for both players, and when it next changes."""

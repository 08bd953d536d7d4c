"""The table menu: what both players call with two buttons and the bar. Pure, like the game."""

"""From contact edges to events: debounce, long press, chord, and the meaning of each gesture. Pure, like the game."""

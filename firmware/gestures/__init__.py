"""From contact edges to events: debounce, long press, chord, and what each gesture means. Pure, as the game is."""

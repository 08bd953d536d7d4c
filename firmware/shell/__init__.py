"""The shell: what turns hardware into events, and the game into a picture. Thin; all judgement is in the core."""

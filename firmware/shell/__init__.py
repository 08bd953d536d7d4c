"""The shell: hardware inputs become events, the game becomes a picture. It is thin; all decisions are in the core."""

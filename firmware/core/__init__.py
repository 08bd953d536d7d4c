"""The pure game: frozen values, time as an argument; nothing here sleeps, reads a clock, draws or logs."""

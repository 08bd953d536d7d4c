"""Hardware drivers: buttons, lamps, buzzer, LED displays, printer, each with a shipped fake; and the boards that connect them."""

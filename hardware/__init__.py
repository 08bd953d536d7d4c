"""Hardware drivers: buttons, lamps, buzzer, LED displays, printer; and the boards that connect them."""

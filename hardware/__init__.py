"""Everything that touches the world: buttons, lamps, buzzer, each with its shipped fake, and the boards they hang on."""

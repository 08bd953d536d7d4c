"""gpiozero pin factories, changed so that every edge has an integer instant."""

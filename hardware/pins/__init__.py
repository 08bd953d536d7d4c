"""Pin factories: gpiozero's, so changed that every edge comes with an integer instant."""

"""A hall under load: real table clocks without pins or screens, real links, a real broker with TLS, a real listener; and what they reach."""

"""A default hall on one machine for trying out: a broker, two clocks, a station and the desk, on the loopback, deleted at the end."""

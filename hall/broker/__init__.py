"""The broker: mosquitto's configuration, and a broker of one's own for trials and tests."""

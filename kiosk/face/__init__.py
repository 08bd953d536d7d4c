"""The face of the station: the state as a ``Page`` of words and targets, without places and colours. Pure."""

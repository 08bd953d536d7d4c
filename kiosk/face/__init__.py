"""The face of the station: the state as a ``Page``, in words and targets, before anybody decides where they stand or how they look. Pure."""

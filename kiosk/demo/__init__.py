"""The demonstration: the real station with the practice list, in a window, or headless by a scripted challenge; alone or beside the table clock."""

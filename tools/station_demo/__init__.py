"""The demo: the real station with the practice list, in a window, or headless with scripted challenges; alone or beside the table clock."""

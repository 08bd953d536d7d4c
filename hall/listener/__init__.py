"""The listener: takes in what all devices report, keeps their rows, answers their beats, and asks for what is missing."""

"""What outlives a program that crashes: a record in memory, and a sentinel that notes when the program ended. A power cut takes both; the disk is for that."""

"""What stands on a bare panel before a program's first picture, and between its end and its next start: the program's name, and nothing else."""

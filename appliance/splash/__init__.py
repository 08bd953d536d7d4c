"""The splash screen: the program's name on a bare panel before its first picture and between its end and next start."""

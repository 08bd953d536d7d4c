"""Runs inside the emulated machine, where a test has written it: the least that opens a window with pygame on a bare panel and shows a picture in it."""

import os
import socket

# SDL's own choice draws nothing there.
os.environ["SDL_FRAMEBUFFER_ACCELERATION"] = "opengles2"

import pygame

pygame.display.init()
surface = pygame.display.set_mode((0, 0), pygame.FULLSCREEN)
surface.fill("white")
pygame.display.flip()
with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notifications:
    notifications.sendto(b"READY=1", "\0" + os.environ["NOTIFY_SOCKET"][1:])
while True:
    pygame.event.wait()

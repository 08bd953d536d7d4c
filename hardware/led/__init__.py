"""Serial LED modules: pictures, protocol, port, and an emulator."""

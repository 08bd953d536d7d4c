"""The proxy of the simulation forwards with a delay, and ends in order however many connections are open."""

from __future__ import annotations

import logging
import multiprocessing
import socket
import socketserver
import threading
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests.processes import PATIENCE_S
from tools.simulate.proxy import ProxyPlan, ProxyReady, forward
from tools.simulate.worker import EndProcess

CONNECTIONS = 50


class _Echo(socketserver.BaseRequestHandler):
    def handle(self) -> None:
        while data := self.request.recv(100):
            self.request.sendall(data)


@pytest.fixture
def echo_port() -> Iterator[int]:
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), _Echo) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_address[1]
        server.shutdown()
        thread.join(PATIENCE_S)


def test_it_ends_with_open_connections_and_logs_no_error(echo_port: int, caplog: pytest.LogCaptureFixture) -> None:
    ours, its = multiprocessing.Pipe()
    proxy = threading.Thread(target=forward, args=(ProxyPlan("127.0.0.1", echo_port, (0.001, 0.01)), its))
    with caplog.at_level(logging.ERROR), ExitStack() as stack:
        proxy.start()
        ready = ours.recv()
        assert isinstance(ready, ProxyReady)
        clients = [stack.enter_context(socket.create_connection(("127.0.0.1", ready.port), PATIENCE_S)) for _ in range(CONNECTIONS)]
        for client in clients:
            client.sendall(b"x")
        assert [client.recv(1) for client in clients] == [b"x"] * CONNECTIONS
        ours.send(EndProcess())
        proxy.join(PATIENCE_S)
    assert not proxy.is_alive()
    assert caplog.records == []

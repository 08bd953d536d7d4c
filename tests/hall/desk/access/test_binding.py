from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from hall.desk.access.accounts import UnsafeBind
from hall.desk.access.connections import allowed_hosts, require_safe_bind
from hall.keys.pages import PageFiles, write_page_certificate


@pytest.fixture
def files(tmp_path: Path) -> PageFiles:
    return write_page_certificate(tmp_path, "club", tmp_path, ("hall-pc.local", "10.1.2.3", "fd00::7"), datetime.now(UTC))


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "hall-pc.local", "localhost.example"])  # noqa: S104 - refused
def test_a_network_is_refused_without_a_certificate(host: str, files: PageFiles) -> None:
    with pytest.raises(UnsafeBind) as refused:
        require_safe_bind(host, None)
    assert refused.value.where == host
    require_safe_bind(host, files)


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.9", "::1", "localhost"])
def test_this_machine_needs_none(host: str) -> None:
    require_safe_bind(host, None)


def test_a_request_may_ask_for_the_certificates_names(files: PageFiles) -> None:
    assert allowed_hosts(None) == ("localhost", "127.0.0.1", "::1", "[::1]")
    assert set(allowed_hosts(files)) >= {"hall-pc.local", "10.1.2.3", "fd00::7", "[fd00::7]", "localhost"}

"""The certificate of the desk's pages, shown in real handshakes."""

import socket
import ssl
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePublicKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from hall.errors import HallError
from hall.keys.pages import PAGE_DAYS, PageAuthority, PageFiles, hosts_of, page_authority, write_page_certificate

NOW = datetime.now(UTC)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "desk-1").mkdir()
    return tmp_path


def issued(folder: Path, *hosts: str) -> PageFiles:
    return write_page_certificate(folder, "club", folder / "desk-1", hosts, NOW)


def shaken_hands(files: PageFiles, authority: Path, name: str) -> None:
    server = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    server.load_cert_chain(files.certificate, files.key)
    client = ssl.create_default_context(cafile=authority)
    ours, theirs = socket.socketpair()

    def serve() -> None:
        with ours:
            try:
                with server.wrap_socket(ours, server_side=True) as connection:
                    connection.recv(1)
            except (ssl.SSLError, ConnectionError):
                pass

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        with theirs, client.wrap_socket(theirs, server_hostname=name):
            pass
    finally:
        thread.join()


def test_a_browser_that_trusts_the_authority_opens_the_pages_and_another_name_or_authority_is_refused(folder: Path, tmp_path: Path) -> None:
    for name in (names := ("hall-pc", "hall-pc.local", "192.168.7.1")):
        shaken_hands(issued(folder, *names), page_authority(folder), name)
    files = issued(folder, "hall-pc")
    with pytest.raises(ssl.SSLCertVerificationError, match=r"(?i)hostname"):
        shaken_hands(files, page_authority(folder), "hall-pc.local")
    (tmp_path / "other" / "desk-1").mkdir(parents=True)
    issued(tmp_path / "other", "hall-pc")
    with pytest.raises(ssl.SSLCertVerificationError):
        shaken_hands(files, page_authority(tmp_path / "other"), "hall-pc")


@pytest.mark.parametrize("host", ["bank.example", "8.8.8.8"])
def test_whoever_steals_the_authoritys_key_can_vouch_for_no_other_site(folder: Path, host: str) -> None:
    files = issued(folder, "hall-pc")
    # With the key in hand: past our own check.
    authority = PageAuthority.new("club", ["hall-pc"], NOW)
    page_authority(folder).write_bytes(authority.certificate.public_bytes(Encoding.PEM))
    key, certificate = authority.issue("club", [host], NOW)
    files.key.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    files.certificate.write_bytes(certificate.public_bytes(Encoding.PEM))
    with pytest.raises(ssl.SSLCertVerificationError, match="permitted subtree"):
        shaken_hands(files, page_authority(folder), host)


def test_it_is_what_phones_take_and_a_later_one_needs_no_new_trust(folder: Path) -> None:
    files = issued(folder, "hall-pc")
    for path in (files.certificate, page_authority(folder)):
        certificate = x509.load_pem_x509_certificate(path.read_bytes())
        # Browsers take no Ed25519.
        assert isinstance(certificate.public_key(), EllipticCurvePublicKey)
    page = x509.load_pem_x509_certificate(files.certificate.read_bytes())
    # Apple's limit is 825 days from the beginning.
    assert page.not_valid_after_utc - page.not_valid_before_utc <= timedelta(days=PAGE_DAYS + 1) <= timedelta(days=825)
    assert [oct(each.stat().st_mode & 0o777) for each in (files.key, page_authority(folder).with_name("ca.key"))] == ["0o600"] * 2
    # A later certificate needs no new trust.
    issued(folder, "hall-pc")
    trusted = page_authority(folder).read_bytes()
    shaken_hands(issued(folder, "hall-pc", "10.1.2.3"), page_authority(folder), "10.1.2.3")
    assert page_authority(folder).read_bytes() == trusted


def test_another_kind_of_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "https.pem").write_bytes(b"hello")
    with pytest.raises(HallError) as refused:
        hosts_of(tmp_path / "https.pem")
    assert refused.value.found == "another kind of file"

"""X.509 certificates (RFC 5280) of a house's own authority: for its servers, and for each program that logs in."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import ip_address

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

AUTHORITY_DAYS = 3650
DAYS = 730
RENEW_DAYS = 30
"""A certificate with fewer days left is made anew."""
BEFORE = datetime.timedelta(hours=1)
"""Certificates count from an hour ago, for a machine whose clock is behind."""


class NotPem(Exception):
    """A file is no certificate or key of ours."""


@dataclass(frozen=True, slots=True)
class Signed:
    """A certificate and its private key."""

    cert: x509.Certificate
    key: ec.EllipticCurvePrivateKey

    @classmethod
    def read(cls, cert_pem: str, key_pem: str) -> Signed:
        """From PEM; raises NotPem where either cannot be read, or they do not belong together."""
        try:
            cert = x509.load_pem_x509_certificate(cert_pem.encode())
            key = serialization.load_pem_private_key(key_pem.encode(), None)
        except (ValueError, TypeError):
            raise NotPem from None
        if not isinstance(key, ec.EllipticCurvePrivateKey) or key.public_key() != cert.public_key():
            raise NotPem
        return cls(cert, key)

    @property
    def cert_pem(self) -> str:
        """The certificate as PEM."""
        return self.cert.public_bytes(serialization.Encoding.PEM).decode()

    @property
    def key_pem(self) -> str:
        """The private key as PEM, not encrypted: its file is the owner's only."""
        return self.key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        ).decode()

    @property
    def ends(self) -> datetime.datetime:
        """When the certificate expires."""
        return self.cert.not_valid_after_utc

    def is_good(self, authority: Signed, now: datetime.datetime, days: int = RENEW_DAYS) -> bool:
        """Whether this authority signed it, and it counts for so many days more."""
        try:
            self.cert.verify_directly_issued_by(authority.cert)
        except (ValueError, TypeError, InvalidSignature):
            return False
        return self.cert.not_valid_before_utc <= now and self.ends - now >= datetime.timedelta(days=days)

    def names_hosts(self, hosts: Iterable[str]) -> bool:
        """Whether it was made for all these hosts."""
        try:
            named = self.cert.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        except x509.ExtensionNotFound:
            return False
        return all(_alternative(host) in named for host in hosts)


def new_authority(name: str, now: datetime.datetime) -> Signed:
    """An authority of one's own."""
    key = ec.generate_private_key(ec.SECP256R1())
    usage = _usage(key_cert_sign=True, crl_sign=True)
    made = (
        _begun(_named(name), _named(name), key, now, AUTHORITY_DAYS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )
    return Signed(made.sign(key, hashes.SHA256()), key)


def for_server(authority: Signed, name: str, hosts: Iterable[str], now: datetime.datetime) -> Signed:
    """A certificate for a server, `broker` or `web`, that is reached under these names and addresses."""
    alternatives = x509.SubjectAlternativeName([_alternative(host) for host in hosts])
    return _signed(authority, name, now, ExtendedKeyUsageOID.SERVER_AUTH, alternatives)


def for_program(authority: Signed, user: str, now: datetime.datetime) -> Signed:
    """A certificate by which a program shows that it is this user."""
    return _signed(authority, user, now, ExtendedKeyUsageOID.CLIENT_AUTH, None)


def revocations(authority: Signed, serials: Iterable[int], now: datetime.datetime) -> str:
    """The list of certificates that no longer count, as PEM.

    It holds as long as the authority: an expired list would lock everybody out.
    """
    listed = (
        x509.CertificateRevocationListBuilder()
        .issuer_name(authority.cert.subject)
        .last_update(now - BEFORE)
        .next_update(authority.ends)
    )
    for serial in sorted(set(serials)):
        revoked = x509.RevokedCertificateBuilder().serial_number(serial).revocation_date(now - BEFORE).build()
        listed = listed.add_revoked_certificate(revoked)
    return listed.sign(authority.key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM).decode()


def revoked_in(crl_pem: str, authority: Signed) -> frozenset[int]:
    """The serial numbers of such a list; raises NotPem where it is not this authority's."""
    try:
        listed = x509.load_pem_x509_crl(crl_pem.encode())
    except ValueError:
        raise NotPem from None
    if not listed.is_signature_valid(authority.key.public_key()):
        raise NotPem
    return frozenset(one.serial_number for one in listed)


def _signed(
    authority: Signed,
    name: str,
    now: datetime.datetime,
    purpose: x509.ObjectIdentifier,
    alternatives: x509.SubjectAlternativeName | None,
) -> Signed:
    key = ec.generate_private_key(ec.SECP256R1())
    days = min(DAYS, (authority.ends - now).days)
    made = (
        _begun(_named(name), authority.cert.subject, key, now, days)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(digital_signature=True), critical=True)
        .add_extension(x509.ExtendedKeyUsage([purpose]), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(authority.key.public_key()), critical=False)
    )
    if alternatives is not None:
        made = made.add_extension(alternatives, critical=False)
    return Signed(made.sign(authority.key, hashes.SHA256()), key)


def _begun(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey, now: datetime.datetime, days: int
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - BEFORE)
        .not_valid_after(now + datetime.timedelta(days=days))
    )


def _named(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name[:64])])


def _usage(*, digital_signature: bool = False, key_cert_sign: bool = False, crl_sign: bool = False) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=digital_signature,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=key_cert_sign,
        crl_sign=crl_sign,
        encipher_only=False,
        decipher_only=False,
    )


def _alternative(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(host))
    except ValueError:
        return x509.DNSName(host)

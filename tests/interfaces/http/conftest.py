"""Fixtures of several tests over HTTP."""

import pytest

from tests.interfaces.http.issuer import run_issuer


@pytest.fixture(scope="module")
def issuer():
    """An issuer of tokens for all tests of a module."""
    with run_issuer() as issuer_server:
        yield issuer_server

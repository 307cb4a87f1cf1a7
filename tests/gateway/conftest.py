"""Declares the toy's key as a setting, as in the tests of the transport."""

from tests.transport.conftest import _declared_key

__all__ = ["_declared_key"]

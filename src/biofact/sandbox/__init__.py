"""Serves the sources' stand-ins on loopback: routes, limits, faults, recordings."""

from biofact.sandbox.control import LoggedRequest, SandboxProcess
from biofact.sandbox.faults import EVERYDAY, Fault, Latency
from biofact.sandbox.sandbox import Sandbox, serve

__all__ = ["EVERYDAY", "Fault", "Latency", "LoggedRequest", "Sandbox", "SandboxProcess", "serve"]

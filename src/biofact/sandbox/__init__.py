"""Serves the sources' stand-ins on loopback: routes, limits, faults, recordings."""

from biofact.sandbox.control import LoggedRequest
from biofact.sandbox.faults import Fault
from biofact.sandbox.latency import EVERYDAY, Latency
from biofact.sandbox.process import SandboxProcess
from biofact.sandbox.sandbox import Sandbox, serve

__all__ = ["EVERYDAY", "Fault", "Latency", "LoggedRequest", "Sandbox", "SandboxProcess", "serve"]

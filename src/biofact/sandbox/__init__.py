"""Serves the sources' stand-ins on loopback: routes, limits, faults, recordings."""

from biofact.sandbox.control import Asked
from biofact.sandbox.faults import Fault
from biofact.sandbox.latency import EVERYDAY, Latency
from biofact.sandbox.process import SandboxProcess
from biofact.sandbox.sandbox import Sandbox, serve

__all__ = ["EVERYDAY", "Asked", "Fault", "Latency", "Sandbox", "SandboxProcess", "serve"]

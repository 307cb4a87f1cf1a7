"""The service's side of E-utilities: what NCBI would answer, over a database that a source stands in for."""

from biofact.sandbox.dialects.eutils.database import HistoryServer, ServedDatabase
from biofact.sandbox.dialects.eutils.limit import NcbiLimit
from biofact.sandbox.dialects.eutils.replay import EutilsReplay
from biofact.sandbox.dialects.eutils.standin import EutilsStandIn

__all__ = ["EutilsReplay", "EutilsStandIn", "HistoryServer", "NcbiLimit", "ServedDatabase"]

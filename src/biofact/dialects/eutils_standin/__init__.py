"""The service's side of E-utilities: what NCBI would answer, over a database that a source stands in for."""

from biofact.dialects.eutils_standin.database import Database, History
from biofact.dialects.eutils_standin.limit import NcbiLimit
from biofact.dialects.eutils_standin.replay import EutilsReplay
from biofact.dialects.eutils_standin.standin import EutilsStandIn

__all__ = ["Database", "EutilsReplay", "EutilsStandIn", "History", "NcbiLimit"]

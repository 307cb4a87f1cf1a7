"""Names and structures to ranked compounds, page by page."""

from biofact.sources.chembl.search import notices
from biofact.sources.chembl.search.pages import List, Page, Pages, Place
from biofact.sources.chembl.search.queries import SEARCH, plan
from biofact.sources.chembl.search.ranking import ranked
from biofact.sources.chembl.search.structures import Structure, recognised

__all__ = ["SEARCH", "List", "Page", "Pages", "Place", "Structure", "notices", "plan", "ranked", "recognised"]

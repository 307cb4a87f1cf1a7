"""A literature review from goal to report in one run, which goes on where it was stopped, whatever stopped it."""

from biofact.literature.review.defaults import CRITERIA, SCHEMA
from biofact.literature.review.errors import FolderRefused, WriteFailed
from biofact.literature.review.folder import Folder
from biofact.literature.review.plan import RULES, ReviewPlan
from biofact.literature.review.progress import OnProgress
from biofact.literature.review.run import ReviewResult, review

__all__ = [
    "CRITERIA",
    "RULES",
    "SCHEMA",
    "Folder",
    "FolderRefused",
    "OnProgress",
    "ReviewPlan",
    "ReviewResult",
    "WriteFailed",
    "review",
]

"""A literature review from goal to report in one run, which goes on where it was stopped, whatever stopped it."""

from biofact.literature.review.defaults import CRITERIA, SCHEMA
from biofact.literature.review.errors import NotWritten, Refused
from biofact.literature.review.folder import Folder
from biofact.literature.review.plan import RULES, Plan
from biofact.literature.review.progress import Tell
from biofact.literature.review.run import Reviewed, review

__all__ = ["CRITERIA", "RULES", "SCHEMA", "Folder", "NotWritten", "Plan", "Refused", "Reviewed", "Tell", "review"]

"""Reads the parameters of a request, and refuses what NCBI refuses or ignores."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from biofact.sandbox.dialects.eutils import replies
from biofact.sandbox.dialects.eutils.database import HistoryServer, ServedDatabase
from biofact.sandbox.standin import Refusal, Reply, ServiceRequest, unknown_parameters

LARGEST_RETMAX = 10_000
INVALID_IDS_MESSAGE = "Some IDs have invalid value and were omitted. Maximum ID value 18446744073709551615"


@dataclass(frozen=True, slots=True)
class EutilsRequest:
    """One request to one program, such as esearch."""

    program: str
    raw: ServiceRequest
    database: ServedDatabase
    history: HistoryServer

    def text(self, name: str, default: str = "") -> str:
        """The last value of a parameter."""
        return self.raw.value(name, default)

    @property
    def is_json(self) -> bool:
        """Whether the request wants JSON; the default is XML."""
        mode = self.text("retmode", "xml")
        if mode not in {"xml", "json"}:
            raise bad_request(f"the sandbox writes {self.program} as xml or json, not {mode!r}.")
        return mode == "json"

    def number(self, name: str, default: int) -> int:
        """A number among the parameters."""
        text = self.text(name) or str(default)
        if not text.isdecimal():
            raise bad_request(f"{name} should be a number, not {text!r:.40}.")
        return int(text)

    def failure(self, message: str, *, status: int = 200) -> Refusal:
        """The program's own ERROR."""
        is_json = self.text("retmode") == "json"
        return Refusal(replies.failure(self.program, message, is_json=is_json, status=status))

    def ids(self) -> list[str]:
        """The IDs of the request in their order, each once, without empty ones."""
        parts = (part.strip() for value in self.raw.values("id") for part in value.split(","))
        return list(dict.fromkeys(uid for uid in parts if uid))

    def history_uids(self) -> list[str] | None:
        """The IDs from History; None when the request does not refer to it."""
        query_key, web_env = self.text("query_key"), self.text("WebEnv")
        if not (query_key and web_env):  # one without the other refers to nothing
            return None
        uids = self.history.sets(self.database.name, web_env).get(query_key)
        if uids is None:
            raise self.failure(f"Unable to obtain query #{query_key:.20}", status=400)
        return list(uids)

    def page(self, uids: list[str], default_retmax: int = LARGEST_RETMAX) -> list[str]:
        """The part of ``uids`` that ``retstart`` and ``retmax`` ask for."""
        start = self.number("retstart", 0)
        return uids[start : start + min(self.number("retmax", default_retmax), LARGEST_RETMAX)]


@dataclass(frozen=True, slots=True)
class Program:
    """One of the E-utilities: its parameters, and the function that answers."""

    name: str
    parameters: str
    """The names of the parameters, with blanks between."""
    answer: Callable[[EutilsRequest], Reply]
    database_parameter: str = "db"
    needs_database: bool = True
    extension: str = "fcgi"

    def check(self, request: ServiceRequest) -> None:
        """Refuse parameters that the program does not have.

        NCBI ignores them, which hides a typo (UPSTREAMS 2.1); the sandbox does not.
        """
        names = sorted({name for name, _ in request.params} - {*self.parameters.split()} - _COMMON)
        if names:
            raise unknown_parameters(
                bad_request(f"{self.name} has no parameter {', '.join(names)}; NCBI would ignore it."), names
            )


_COMMON = frozenset({"db", "retmode", "tool", "email", "api_key", "usehistory", "idtype", "version"})
"""The last three have a meaning in some programs, and clients send them to all (recorded: efetch with ``usehistory``).

Our databases have no accessions for ``idtype`` to choose.
"""


def as_documented(request: ServiceRequest) -> ServiceRequest:
    """The request with ``WebEnv`` as NCBI documents it: Biopython's tutorial has ``webenv``, which works as well."""
    params = (("WebEnv" if name == "webenv" else name, value) for name, value in request.params)
    return replace(request, params=tuple(params))


def bad_request(message: str) -> Refusal:
    """A plain refusal, in the form that NCBI has for a missing parameter."""
    return Refusal(replies.text_reply(f"Bad Request (400): {message}", status=400))

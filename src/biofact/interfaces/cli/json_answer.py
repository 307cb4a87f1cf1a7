"""The one JSON document of a command: a tool's answer as agents get it, or the pages or rows of several. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from biofact.interfaces.answer import ToolAnswer
from biofact.interfaces.cli.rows import INPUT, is_record
from biofact.interfaces.cli.writers import whole_list
from biofact.interfaces.result_json import Body


@dataclass(slots=True)
class JsonAnswer:
    """Collects answers. ``is_of_many``: there is more than one question; ``has_inputs``: each row needs its input,
    which an entry of a batch does not.
    """

    is_of_many: bool
    has_inputs: bool
    has_provenance: bool
    _pages: list[ToolAnswer] = field(default_factory=list)
    _rows: list[Body] = field(default_factory=list)
    _notices: list[Body] = field(default_factory=list)
    """What no row says of itself."""

    def add(self, answer: ToolAnswer, rows: Sequence[Body]) -> None:
        """Take an answer and the rows that it became."""
        if self.is_of_many:
            self._rows += rows if self.has_inputs else map(without_input, rows)
        if not answer.is_failure:
            self._pages.append(answer)
            self._notices += [] if is_record(answer.body, rows) else answer.body.get("notices", ())

    def document(self) -> Body | None:
        """All of it; None where there is nothing but a failure."""
        if self.is_of_many:
            size = len(self._rows)
            whole: Body = {"items": self._rows, "pagination": whole_list(size)}
        elif not self._pages:
            return None
        else:
            whole = _merged([page.body for page in self._pages])
        if self._notices:
            whole["notices"] = list({str(notice): notice for notice in self._notices}.values())
        return {**whole, **self._provenance()}

    def _provenance(self) -> Body:
        origins = [page.provenance for page in self._pages if page.provenance]
        if not self.has_provenance or not origins:
            return {}
        first, *others = origins
        return {"provenance": {**first, "others": [*first.get("others", ()), *others]} if others else first}


def without_input(row: Body) -> Body:
    """An entry of a batch as the tool gives it, in the order of its inputs."""
    return {name: value for name, value in row.items() if name != INPUT}


def _merged(pages: Sequence[Body]) -> Body:
    """Pages of one list as one, lists put behind each other."""
    first, *others = pages
    whole: dict[str, Any] = dict(first)
    for page in others:
        for name, value in page.items():
            whole[name] = [*whole.get(name, ()), *value] if isinstance(value, list) else value
        if "cursor" not in page:
            whole.pop("cursor", None)
    if others and "pagination" in whole:
        whole["pagination"] = {**whole["pagination"], "page_size": len(whole["items"])}
    return whole

"""XML from outside to an element tree, by defusedxml; what could harm the reader is refused."""

from typing import TYPE_CHECKING

from biofact.core.errors import UpstreamError
from biofact.transport.service import Transient

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element


class HostileDocument(UpstreamError):
    """The document declares entities or a DTD of its own, which no real answer does.

    Something other than the service wrote it, so asking again would only read it again: this is not retried.
    """

    def __init__(self) -> None:
        super().__init__(
            "The answer is XML that declares entities or a DTD of its own; it was not read.",
            hint="Check the base URL settings and the proxy: the services never answer like this.",
        )


def tree(body: bytes) -> "Element":
    """The root element. An external DTD may be named, as all real answers do; it is never fetched.

    Raises:
        Transient: the document is not well-formed, as when it is cut short.
        HostileDocument: it declares entities, or has an internal DTD subset.
    """
    # These load on first use: most answers are JSON.
    from xml.etree.ElementTree import ParseError, TreeBuilder  # noqa: PLC0415

    from defusedxml import DefusedXmlException  # noqa: PLC0415
    from defusedxml.ElementTree import DefusedXMLParser  # noqa: PLC0415

    parser = DefusedXMLParser(target=TreeBuilder())
    parser.parser.StartDoctypeDeclHandler = _refuse_subset  # defusedxml allows all DTDs or none
    try:
        parser.feed(body)
        root: Element = parser.close()
    except (DefusedXmlException, _InternalSubset) as error:
        raise HostileDocument from error
    except (ParseError, LookupError, ValueError) as error:  # the last two for an encoding that is none
        raise Transient(f"sent damaged XML ({error})") from error
    return root


class _InternalSubset(Exception):
    pass


def _refuse_subset(_name: str, _system_id: str | None, _public_id: str | None, has_subset: int) -> None:
    if has_subset:
        raise _InternalSubset

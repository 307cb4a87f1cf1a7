"""Anchored lookups in a record, step by step: elements are found where they belong and nowhere else. Pure.

ElementTree takes one step in C and a path in Python; a record has some sixty.
"""

from xml.etree.ElementTree import Element


def each(element: Element, path: str) -> list[Element]:
    """All elements at ``path``, a chain of tags such as ``Gene-ref_syn/Gene-ref_syn_E``."""
    found = [element]
    for tag in path.split("/"):
        found = [child for parent in found for child in parent.findall(tag)]
    return found


def first(element: Element, path: str) -> Element | None:
    """The element at ``path``, going down by the first child of each tag."""
    found: Element | None = element
    for tag in path.split("/"):
        if found is None:
            return None
        found = found.find(tag)
    return found


def text(element: Element, path: str) -> str:
    """The text of the element at ``path``, stripped; empty where there is none."""
    found = first(element, path)
    return "" if found is None else (found.text or "").strip()


def texts(element: Element, path: str) -> list[str]:
    """The texts of all elements at ``path``, stripped."""
    return [(found.text or "").strip() for found in each(element, path)]


def value(element: Element, path: str) -> str:
    """The attribute ``value`` of the element at ``path``: NCBI's name for a number."""
    found = first(element, path)
    return "" if found is None else found.get("value", "")

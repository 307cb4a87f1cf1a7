"""Bodies in the form of the E-utilities."""

from biofact.transport.service import Answer


def answer(body: bytes | str, status: int = 200) -> Answer:
    return Answer(status, {}, body.encode() if isinstance(body, str) else body, "https://eutils.ncbi.nlm.nih.gov/")


def xml(root: str, content: str) -> bytes:
    return (
        f'<?xml version="1.0" encoding="UTF-8" ?>\n<!DOCTYPE {root} PUBLIC "-//NLM//DTD {root}//EN" '
        f'"https://eutils.ncbi.nlm.nih.gov/eutils/dtd/some.dtd">\n<{root}>{content}</{root}>\n'
    ).encode()

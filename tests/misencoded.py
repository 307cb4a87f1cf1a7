"""XML in encodings that could hide a declaration from a parser that searches for one."""


def misencoded(body: bytes) -> list[bytes]:
    """A body in UTF-8, with ``"1.0" ?`` in its XML declaration, in another encoding or declared to be."""
    replacements = [body.replace(b'"1.0" ?', f'"1.0" encoding="{name}" ?'.encode()) for name in ("UTF-7", "cp037")]
    return [*replacements, *(body.decode().encode(name) for name in ("utf-16", "utf-16-le", "utf-32"))]

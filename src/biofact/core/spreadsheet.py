"""Cells that spreadsheets open without evaluating them. Pure."""

import unicodedata

_FORMULA = tuple("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")  # full width, too: some spreadsheets read them alike


def harmless(text: str) -> str:
    """A text that no spreadsheet takes for a formula: one that begins like it gets an apostrophe in front."""
    kept = "".join(letter for letter in text if letter in "\t\r\n" or unicodedata.category(letter) not in {"Cc", "Cs"})
    begins = kept.startswith(_FORMULA) or kept.lstrip().startswith(_FORMULA)
    return f"'{kept}" if begins else kept

"""What people read in place of a name, such as ``list PubMed links`` for ``list_pubmed_links``."""

import re


def title(method: str, source: str, text: str) -> str:
    """The words of a method's name without its source, each in the letter case in which ``text`` writes it."""
    return " ".join(_in_case(word, text) for word in method.removeprefix(f"{source}_").split("_"))


def _in_case(word: str, text: str) -> str:
    """``PubMed`` for ``pubmed``; a word that only begins with a capital may stand at the beginning of a sentence."""
    spellings = re.findall(rf"\b{word}\b", text, re.IGNORECASE)
    return next((spelling for spelling in spellings if re.search("[A-Z]", spelling[1:])), word)

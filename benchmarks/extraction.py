"""Values that the rules read from recorded abstracts, beside what a reader noted: precision and recall of each field.

    python -m benchmarks.extraction [--half tuning|held_out] [--show FIELD]

Rules are tuned on the tuning half; the figures that we report are those of the held-out half.
The abstracts are read from the recordings; the labels hold facts only.
"""

import argparse
import gzip
import os
import re
import statistics
import sys
import time
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from pathlib import Path
from typing import Any

from benchmarks.report import Result
from biofact.literature.extraction.fields import FIELDS, read_fields
from biofact.literature.extraction.findings import Finding
from biofact.sources.pubmed import parse
from biofact.sources.pubmed.records import CanonicalPubMedArticle

FOLDER = Path(os.environ.get("BIOFACT_RECORDINGS") or Path(__file__).parents[2] / "shared" / "upstream")
LABELS = Path(__file__).parents[1] / "tests" / "literature" / "labels"
OWN_BARS = ("study_type", "sample_size", "p_value")
_NOT_STATED = "observational study"
"""First among the labels of a study of people whose design is not stated: silence is right there, too."""
POOLED = (
    "population", "intervention", "comparator", "outcome", "effect_size", "follow_up", "registration",
    "data_availability", "code_availability", "limitations",
)  # fmt: skip
LABEL_OF = {"p_value": "p_values", "effect_size": "effects"}
UNIT_DAYS = {"hour": 1 / 24, "day": 1, "week": 7, "month": 30.4, "year": 365, "minute": 1 / 1440}
MEASURES = {"RATE RATIO": "RR", "CORRELATION": "R", "IRR": "RR", "PEARSON": "R", "WMD": "MD", "RISK DIFFERENCE": "RD"}


@dataclass(slots=True)
class Tally:
    """Counts of right values, of values read and of values that are there."""

    right: int = 0
    read_count: int = 0
    labelled: int = 0
    wrong: list[str] = field(default_factory=list)

    def add(self, other: "Tally") -> None:
        """Pool another field."""
        self.right += other.right
        self.read_count += other.read_count
        self.labelled += other.labelled


def main() -> int:
    """Print the table; the exit status is always 0: ``results`` holds the bars."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--half", choices=("tuning", "held_out"), default="held_out")
    parser.add_argument("--show", metavar="FIELD", help="list what differs from the labels")
    options = parser.parse_args()
    labels = labelled(options.half)
    articles = recorded_articles(labels)
    tallies, primary, median = measure(labels, articles)
    print_table(tallies, primary, median, len(articles))
    for line in tallies[options.show].wrong if options.show else ():
        print(line)
    return 0


def results() -> list[Result]:
    """Precision and recall on the held-out half, against the bars."""
    labels = labelled("held_out")
    tallies, _, _ = measure(labels, recorded_articles(labels))
    bars = dict.fromkeys(OWN_BARS, (0.9, 0.75)) | {"rest, pooled": (0.85, 0.5)}
    all_results: list[Result] = []
    for name, (precision, recall) in bars.items():
        tally = tallies.get(name) or pooled(tallies)
        sure, whole = tally.right / max(1, tally.read_count), tally.right / max(1, tally.labelled)
        all_results.append(Result(f"rules, {name}: precision", sure, precision, "", note=f"of {tally.read_count} read"))
        all_results.append(Result(f"rules, {name}: recall", whole, recall, "", note=f"of {tally.labelled} labelled"))
    return all_results


def pooled(tallies: Mapping[str, Tally]) -> Tally:
    """The fields without a bar of their own, as one."""
    rest = Tally()
    for name in POOLED:
        rest.add(tallies[name])
    return rest


def labelled(half: str) -> dict[str, dict[str, Any]]:
    """The labels of one half, by PMID."""
    return tomllib.loads((LABELS / f"{half}.toml").read_text())


def recorded_articles(pmids: Mapping[str, Any], folder: Path = FOLDER) -> dict[str, CanonicalPubMedArticle]:
    """The recorded articles with these PMIDs; the fullest recording of each."""
    articles: dict[str, CanonicalPubMedArticle] = {}
    for path in sorted((folder / "pubmed").glob("*.xml*")):
        payload = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        for article in articles_of(payload, pmids):
            before = articles.get(article.pmid)
            if before is None or len(before.abstract or "") < len(article.abstract or ""):
                articles[article.pmid] = article
    return articles


def abstracts(medline: Sequence[Path], pmids: Mapping[str, Any]) -> dict[str, CanonicalPubMedArticle]:
    """The articles with these PMIDs, as far as they are recorded or in these MEDLINE files."""
    articles = recorded_articles(pmids)
    for path in medline:
        payload = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        articles |= {article.pmid: article for article in articles_of(payload, pmids)}
    return articles


def articles_of(payload: bytes, pmids: Mapping[str, Any]) -> Iterator[CanonicalPubMedArticle]:
    """The articles of one answer that are asked for."""
    for record in re.findall(
        rb"<PubmedArticle\b.*?</PubmedArticle>|<PubmedBookArticle\b.*?</PubmedBookArticle>", payload, re.DOTALL
    ):
        pmid = re.search(rb"<PMID[^>]*>\s*(\d+)", record)
        if pmid and pmid.group(1).decode() in pmids:
            yield parse.article(record)


def measure(
    labels: Mapping[str, Mapping[str, Any]], articles: Mapping[str, CanonicalPubMedArticle]
) -> tuple[dict[str, Tally], Tally, float]:
    """Tallies by field, the share of p-values that are the primary one, and the median milliseconds of an article."""
    tallies = {name: Tally() for name in (*OWN_BARS, *POOLED)}
    primary, times = Tally(), []
    for pmid, label in labels.items():
        if pmid not in articles:
            continue
        start = time.perf_counter()
        findings = read_fields(articles[pmid], FIELDS)
        times.append((time.perf_counter() - start) * 1000)
        for name, tally in tallies.items():
            count(tally, pmid, name, label, findings.get(name))
        if (p_value := findings.get("p_value")) and "p_value_primary" in label:
            primary.read_count += 1
            primary.right += is_right("p_value", [label["p_value_primary"]], p_value)
    return tallies, primary, statistics.median(times)


def count(tally: Tally, pmid: str, name: str, label: Mapping[str, Any], finding: Finding | None) -> None:
    """Add one article to the tally of one field."""
    accepted = label.get(LABEL_OF.get(name, name))
    if name == "sample_size" and label.get("sample_size_optional"):
        return
    if name == "study_type" and finding is None and accepted and accepted[0] == _NOT_STATED:
        return
    right = finding is not None and bool(accepted) and is_right(name, accepted or [], finding)
    tally.labelled += bool(accepted)
    tally.read_count += finding is not None
    tally.right += right
    if not right and (finding is not None or accepted):
        tally.wrong.append(f"{pmid} read {finding.value if finding else None!r}, labelled {accepted}")


def is_right(name: str, accepted: list[Any], finding: Finding) -> bool:
    """Whether a reader would accept the value."""
    value = finding.value
    if name in {"study_type", "sample_size"}:
        return value in accepted
    if name == "p_value" and isinstance(value, dict):
        return any(same_p(value, label) for label in accepted)
    if name == "effect_size" and isinstance(value, dict):
        return any(same_effect(value, label) for label in accepted)
    if name == "follow_up" and isinstance(value, dict):
        return any(same_duration(value, label) for label in accepted)
    if name == "registration" and isinstance(value, list):
        return bool(set(value) & set(accepted))
    return any(all(key.lower() in words(value) for key in keys) for keys in accepted)


def words(value: Any) -> str:
    """A value as one line of lower case."""
    if isinstance(value, dict):
        return " ".join(words(part) for part in value.values())
    return " ".join(words(part) for part in value) if isinstance(value, list) else str(value).lower()


def same_p(value: Mapping[str, Any], label: str) -> bool:
    """Whether operator and number are the same."""
    match = re.fullmatch(r"([<>=]+)(.*)", label)
    return bool(match) and value["operator"] == match[1] and abs(value["value"] - float(match[2])) < 1e-12  # type: ignore[index]


def same_effect(value: Mapping[str, Any], label: str) -> bool:
    """Whether the measure is of one family, and the numbers equal; the interval where both state it."""
    match = re.fullmatch(r"(.*?) (-?\d*\.?\d+)%?(?: (-?\d*\.?\d+)-(-?\d*\.?\d+))?", label)
    if match is None or family(match[1]) != family(str(value["measure"])) or float(match[2]) != float(value["value"]):
        return False
    if match[3] is None or "low" not in value:
        return True
    return (float(match[3]), float(match[4])) == (float(value["low"]), float(value["high"]))


def family(measure: str) -> str:
    """One name for measures of one kind."""
    upper = measure.upper()
    return MEASURES.get(upper, upper)


def same_duration(value: Mapping[str, Any], label: str) -> bool:
    """Whether number and unit are the same; of a range, either end."""
    match = re.fullmatch(r"(?:([\d.]+)-)?([\d.]+) (\w+?)s?", label)
    if match is None:
        return False
    days = float(value["value"]) * UNIT_DAYS[str(value["unit"])]
    stated_days = [float(number) * UNIT_DAYS[match[3]] for number in (match[1], match[2]) if number]
    return any(abs(days - other) < 0.01 * other for other in stated_days)


def print_table(tallies: Mapping[str, Tally], primary: Tally, median: float, articles: int) -> None:
    """Print the table."""
    print(f"{articles} articles, median {median:.2f} ms")
    print(f"{'field':<18} {'labelled':>8} {'read':>5} {'right':>5}  precision           recall")
    for name, tally in tallies.items():
        row(name, tally)
    row("the rest, pooled", pooled(tallies))
    print(f"p-values that are the primary one: {primary.right} of {primary.read_count}")
    sys.stdout.flush()


def row(name: str, tally: Tally) -> None:
    """Print one line."""
    shares = f"{share(tally.right, tally.read_count)}  {share(tally.right, tally.labelled)}"
    print(f"{name:<18} {tally.labelled:>8} {tally.read_count:>5} {tally.right:>5}  {shares}")


def share(right: int, total: int) -> str:
    """A share with its Wilson 95 % interval."""
    if not total:
        return f"{'-':<18}"
    z = 1.96
    rate = right / total
    middle = (rate + z * z / (2 * total)) / (1 + z * z / total)
    half = z * sqrt(rate * (1 - rate) / total + z * z / (4 * total * total)) / (1 + z * z / total)
    return f"{rate:.2f} ({middle - half:.2f}-{middle + half:.2f})  "


if __name__ == "__main__":
    sys.exit(main())

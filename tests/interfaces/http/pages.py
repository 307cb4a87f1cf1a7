"""A page of metrics, parsed as by Prometheus; and one request to an app without sockets."""

from collections.abc import Mapping

import httpx2
from prometheus_client.parser import text_string_to_metric_families


def samples(text: str) -> dict[str, dict[tuple[tuple[str, str], ...], float]]:
    """Each sample's value, by its name and its labels in order."""
    families: dict[str, dict[tuple[tuple[str, str], ...], float]] = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            labels = tuple(sorted(sample.labels.items()))
            assert labels not in families.setdefault(sample.name, {}), (sample.name, labels)
            families[sample.name][labels] = sample.value
    return families


def sum_by(values: Mapping[tuple[tuple[str, str], ...], float], *names: str) -> dict[object, float]:
    """The values by some of their labels, summed over the others."""
    sums: dict[object, float] = {}
    for labels, value in values.items():
        key = tuple(dict(labels)[name] for name in names)
        sums[key[0] if len(key) == 1 else key] = sums.get(key[0] if len(key) == 1 else key, 0.0) + value
    return sums


async def fetch(app, path: str, **headers: str) -> httpx2.Response:
    """The answer of an ASGI app to a GET."""
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url="http://127.0.0.1") as client:
        return await client.get(path, headers=headers)

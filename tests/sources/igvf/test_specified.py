"""Requirements of specification 003 for associations, sources, schemas and the Catalog's address."""

import functools
import json

import pytest

from biofact.core.settings import Settings
from biofact.sources.igvf.service import IGVF
from tests import sandboxed, virtual_time
from tests.marks import requirement
from tests.served import served

pytestmark = pytest.mark.quick

TP53, VARIANT = "ENSG00000141510", "NC_000017.11:7668433:T:G"


on_sandbox = functools.partial(sandboxed.on_sandbox, "igvf")


@requirement("003 T3-either")
def test_an_association_is_found_from_either_end():
    async def scenario(igvf, _):
        pages = [await igvf.find_associations(TP53, "regulatory", limit=100) for TP53 in (TP53, VARIANT)]
        return [
            {
                (row.subject, row.object, row.context, row.p_value)
                for row in page.items
                if (row.subject, row.object) == (VARIANT, TP53)
            }
            for page in pages
        ]

    of_gene, of_variant = on_sandbox(scenario)

    assert of_gene == of_variant
    assert len(of_gene) == 2


@requirement("003 T5-out")
def test_every_source_is_described():
    async def scenario(igvf, _):
        return await igvf.list_sources()

    items = on_sandbox(scenario).items

    assert len(items) > 10
    assert [item.name for item in items if len(item.description) < 20] == []


@requirement("003 D3", "003 D3-default")
def test_a_variable_leads_to_another_catalog():
    async def scenario(igvf, sandbox):
        return await igvf.get_entity(TP53), sandbox

    gene, sandbox = on_sandbox(scenario)
    address = sandbox.environment()["IGVF_CATALOG_API_URL"]

    assert gene.provenance.url.startswith(address)
    assert [request.service for request in sandbox.requests] == ["igvf"]
    assert Settings({})[IGVF.base_url] == "https://api.catalogkg.igvf.org/api"


@requirement("003 RES-gene", "003 RES-variant")
@pytest.mark.parametrize("kind", ["gene", "variant"])
def test_a_schema_describes_every_field(kind):
    async def read():
        async with served() as gateway:
            (content,) = (await gateway.client.read_resource_mcp(f"igvf://schemas/{kind}")).contents
            return json.loads(content.text)["properties"]

    fields = virtual_time.run(read())

    # A description of a list's items describes the list.
    descriptions = {
        name: field.get("description") or field.get("items", {}).get("description") for name, field in fields.items()
    }
    assert len(descriptions) > 15
    assert [name for name, words in descriptions.items() if not words] == []

"""The picture of a structure: listed if it can be drawn, and refused in plain words if RDKit is not installed."""

import functools

import pytest
from mcp import MCPError

from biofact.core.errors import EntityNotFound, UnresolvedEntity, UpstreamError
from biofact.interfaces.mcp.server import gateway, source_server
from biofact.sources.chembl import compounds
from tests.served import on_gateway
from tests.sources.chembl.made_client import run
from tests.sources.chembl.made_compounds import FACTS

pytestmark = pytest.mark.quick

URI = "chembl://compound/{chembl_id}/structure.svg"
SERVERS = {"gateway": gateway, "alone": functools.partial(source_server, "chembl")}


@pytest.fixture
def without_rdkit(monkeypatch):
    """Simulates an installation without the extra."""
    monkeypatch.setattr(compounds, "is_installed", lambda: False)


def ask_server(server, question):
    return on_gateway(lambda gateway: question(gateway.client), server=server)


@pytest.mark.parametrize("name", SERVERS)
def test_the_picture_is_listed_on_every_server(name):
    templates = ask_server(SERVERS[name], lambda client: client.list_resource_templates())
    [template] = [template for template in templates if template.uri_template == URI]

    assert template.mime_type == "image/svg+xml"
    assert template.description.startswith("Draw the structure of one compound as SVG.")
    assert "CHEMBL:25" in template.description


def test_without_rdkit_drawing_names_the_extra(without_rdkit):
    with pytest.raises(UpstreamError) as raises:
        run(lambda chembl: chembl.draw("CHEMBL:25"))

    assert raises.value.message == "Drawing needs RDKit, which is not installed."
    assert raises.value.hint == "Install it: pip install 'rdkit>=2026.3'."


def test_without_rdkit_reading_the_picture_names_the_extra(without_rdkit):
    with pytest.raises(MCPError, match=r"pip install .rdkit"):
        ask_server(
            SERVERS["alone"], lambda client: client.read_resource_mcp("chembl://compound/CHEMBL:25/structure.svg")
        )


def test_without_rdkit_records_are_returned_unchecked(without_rdkit):
    record = run(lambda chembl: chembl.get_compound("CHEMBL:25")).answer

    assert record.smiles == "CC(=O)Oc1ccccc1C(=O)O"
    assert "MISMATCH" not in [notice.code for notice in record.notices]


@pytest.mark.parametrize("chembl_id", ["CHEMBL:3", "CHEMBL:10"])
def test_a_compound_without_a_structure_has_no_picture(chembl_id):
    with pytest.raises(EntityNotFound, match=f"no structure of {chembl_id}") as missing:
        run(lambda chembl: chembl.draw(chembl_id), facts=FACTS)

    assert missing.value.invalid_input == chembl_id


@pytest.mark.parametrize("chembl_id", ["CHEMBL25", "aspirin", "CHEMBL:203", ""])
def test_an_id_of_no_compound_has_no_picture(chembl_id):
    with pytest.raises(UnresolvedEntity):
        run(lambda chembl: chembl.draw(chembl_id))

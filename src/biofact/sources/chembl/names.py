"""Many names at once: IDs, InChIKeys and whole names in few requests; the molecules' own names prove which is whose."""

import asyncio
import functools
import re
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace

from biofact.core.call import Call
from biofact.core.errors import BiofactError, EntityNotFound, UnresolvedEntity
from biofact.core.kinds import EntityMatch
from biofact.core.xrefs import uniprot_curie
from biofact.protocol.names import NamedEntity, NameResults, each_name, listed_in_parts
from biofact.sources.chembl import resolver, search
from biofact.sources.chembl.identifiers import UNICHEM_SOURCES, cas_check_digit, curie, elsewhere_id, native, parse_id
from biofact.sources.chembl.parse import Hits, MoleculeHit
from biofact.sources.chembl.questions import ChEMBLQuestions
from biofact.sources.chembl.search import LEADS, Plan
from biofact.sources.chembl.service import NameKind

MOST_NAMES = 100
"""The most names of one request, each in a few spellings; a list that is cut is requested again in halves."""

_FORMULA = re.compile(r"\b(?:hcl|hbr)\b", re.IGNORECASE)
_FORMULAE = {"hcl": "HCl", "hbr": "HBr"}
_CODE = re.compile(r"\S*\d\S*(?=\s)|(?<=\s)\S*\d\S*")
"""A research code next to a word."""

_NAME_KINDS: tuple[NameKind, ...] = ("preferred", "synonym")

_GIVE_NAME = "Give the name of the compound, its InChIKey or its ChEMBL ID."

Ask = Callable[[Sequence[str]], Awaitable[Hits[MoleculeHit]]]
"""A function from names to the molecules that may have them."""


class NamedCompounds:
    """Finds the compounds of many names."""

    def __init__(self, questions: ChEMBLQuestions, names: Sequence[str]) -> None:
        self._questions = questions
        self._ids = {name: native(chembl_id) for name in names if (chembl_id := parse_id(name))}
        other_structures = {name: search.structure_in(name) for name in names if name not in self._ids}
        self._keys = {
            name: structure.text
            for name, structure in other_structures.items()
            if structure and structure.notation == "inchi_key"
        }
        plans = {
            name: plan.whole
            for name, structure in other_structures.items()
            if structure is None and (plan := search.plan(name))
        }
        self._plans: Mapping[str, Plan] = plans
        self._spellings = {name: spellings(plan) for name, plan in plans.items()}
        self._results = NameResults()

    async def find(self) -> NameResults:
        """The compounds of the names."""
        await asyncio.gather(self._add_ids(), self._add_structures(), self._add_names())
        return self._results

    async def _add_ids(self) -> None:
        outcomes = await self._questions.molecules.get_many([*self._ids.values()])
        absent = self._results.add_outcomes(self._ids, outcomes, lambda molecule: _compound(molecule, "id", 1.0))
        id_statuses = await self._questions.id_statuses.get_many([*absent.values()])
        for name, native_id in absent.items():
            id_status = id_statuses[native_id]
            if isinstance(id_status, BiofactError):
                self._results.fail([name], id_status)
            elif resolver.is_unsent(id_status):
                self._results.fail([name], resolver.no_compound(curie(native_id), id_status))
            else:
                self._results.reasons[name] = search.notices.another_kind(curie(native_id), id_status).message

    async def _add_structures(self) -> None:
        molecules = await self._ask_in_parts([*self._keys], self._with_keys)
        for name in self._results.pending_names(self._keys):
            same_molecules = [molecule for molecule in molecules if molecule.inchi_key == self._keys[name]]
            self._results.add(name, of_structure(same_molecules, self._keys[name]))

    async def _with_keys(self, names: Sequence[str]) -> Hits[MoleculeHit]:
        return await self._questions.with_keys([*dict.fromkeys(self._keys[name] for name in names)])

    async def _add_names(self) -> None:
        """Add the molecules with a synonym equal to one of a name's spellings, from the answer to any name."""
        # Apart: should the service read repeated values otherwise, names without commas are found all the same.
        with_comma = [name for name in self._plans if any("," in spelling for spelling in self._spellings[name])]
        plain = [name for name in self._plans if name not in {*with_comma}]
        part_requests = [
            self._ask_in_parts(part, self._ask_by_name(name_kind))
            for part in (plain, with_comma)
            for name_kind in _NAME_KINDS
        ]
        by_spelling: dict[str, dict[str, MoleculeHit]] = defaultdict(dict)
        for molecules in await asyncio.gather(*part_requests):
            for molecule in molecules:
                for spelling in molecule.spellings:
                    by_spelling[spelling][molecule.id] = molecule
        for name in self._results.pending_names(self._plans):
            name_molecules = {
                molecule.id: molecule
                for spelling in self._spellings[name]
                for molecule in by_spelling[spelling].values()
            }
            self._results.add(name, whole_name_matches(name_molecules.values(), self._plans[name]))

    def _ask_by_name(self, name_kind: NameKind) -> Ask:
        async def ask(names: Sequence[str]) -> Hits[MoleculeHit]:
            all_spellings = dict.fromkeys(spelling for name in names for spelling in self._spellings[name])
            return await self._questions.molecules_by_spelling([*all_spellings], name_kind)

        return ask

    async def _ask_in_parts(self, names: Sequence[str], ask: Ask) -> list[MoleculeHit]:
        """The molecules of all names; those of a failed request are not known."""

        async def list_part(part: Sequence[str]) -> tuple[Sequence[MoleculeHit], bool]:
            hits = await ask(part)
            return hits.entries, hits.total <= len(hits.ids)

        return await listed_in_parts(self._results, names, MOST_NAMES, list_part)


def spellings(plan: Plan) -> list[str]:
    """The ways in which ChEMBL may write a name: its comparison with many minds letter case. Preferred names are in
    capitals, synonyms as their authors have them: the first word with a capital, all words, research codes in capitals.
    """
    return [
        *dict.fromkeys(in_case for interpretation in plan.interpretations for in_case in _in_cases(interpretation.text))
    ]


def _in_cases(name: str) -> Iterator[str]:
    yield from (name, name.upper())
    for cased_name in (name.capitalize(), name.title()):
        with_formula = _FORMULA.sub(lambda match: _FORMULAE[match[0].lower()], cased_name)
        yield from (with_formula, _CODE.sub(lambda match: match[0].upper(), with_formula))


async def compounds_elsewhere(
    questions: ChEMBLQuestions, names: Sequence[str], new_call: Callable[[], AbstractContextManager[Call]]
) -> NameResults:
    """The compounds with an ID of another database, a request each to UniChem; CAS numbers are asked as synonyms.

    A name is never searched by the words of its ID.
    """
    return await each_name(names, functools.partial(_compounds_with_id, questions), new_call)


async def _compounds_with_id(questions: ChEMBLQuestions, name: str) -> list[NamedEntity]:
    prefix, compound_id = elsewhere_id(name) or ("", "")
    if prefix == "CAS":
        return await _with_cas_number(questions, name, compound_id)
    if prefix not in UNICHEM_SOURCES:
        raise UnresolvedEntity(
            f"{compound_id} is an ID of the CompTox dashboard, by which no database here finds a compound.",
            hint=_GIVE_NAME,
            invalid_input=name,
        )
    native_ids = await questions.ids_of_structures_with(UNICHEM_SOURCES[prefix], compound_id)
    outcomes = await questions.molecules.get_many(native_ids)
    if failure := next((outcome for outcome in outcomes.values() if isinstance(outcome, BiofactError)), None):
        raise failure
    molecules = [molecule for molecule in outcomes.values() if isinstance(molecule, MoleculeHit)]
    if not molecules:
        message = f"UniChem knows no structure of ChEMBL with the ID {compound_id} of {prefix}."
        raise EntityNotFound(message, hint=_GIVE_NAME, invalid_input=name)
    return [_compound(molecule, "id", 1.0, is_shared=len(molecules) > 1) for molecule in molecules]


async def _with_cas_number(questions: ChEMBLQuestions, name: str, number: str) -> list[NamedEntity]:
    if (check_digit := cas_check_digit(number)) != int(number[-1]):
        raise UnresolvedEntity(
            f"{number} is no CAS number: its last digit would have to be {check_digit}.",
            hint="Check the number, or give the name of the compound or its InChIKey.",
            invalid_input=name,
        )
    hits = await questions.molecules_by_spelling([number], "synonym")
    molecules = [molecule for molecule in hits.entries if number in molecule.spellings]
    if not molecules:
        message = f"ChEMBL has no compound with the CAS number {number} among its synonyms; it lists few of them."
        raise EntityNotFound(message, hint=_GIVE_NAME, invalid_input=name)
    return [_compound(molecule, "synonym", 1.0, is_shared=len(molecules) > 1) for molecule in molecules]


async def searched_compounds(questions: ChEMBLQuestions, names: Sequence[str]) -> NameResults:
    """The compounds of structures, and of whole names in other spellings; some requests a name."""
    ids = [name for name in names if parse_id(name)]
    other_names = [name for name in names if name not in {*ids}]
    id_search, find = NamedCompounds(questions, ids).find(), functools.partial(_search, questions)
    by_id, findings = await asyncio.gather(id_search, each_name(other_names, find, questions.transport.afresh))
    findings.entities |= by_id.entities
    findings.failures |= by_id.failures
    findings.reasons |= by_id.reasons
    return findings


async def _search(questions: ChEMBLQuestions, name: str) -> list[NamedEntity]:
    if structure := search.structure_in(name):
        hits = await questions.structured(structure.notation, structure.text)
        return of_structure(hits.entries, structure.text)
    if (plan := search.plan(name)) is None:
        return []
    return whole_name_matches(await search.CompoundSearch(plan.whole, questions).whole_name_molecules(), plan.whole)


def whole_name_matches(molecules: Iterable[MoleculeHit], plan: Plan) -> list[NamedEntity]:
    """The molecules that have the name as a whole, in the order of the search; forms stand behind the parent that the
    name means, and do not share its match.
    """
    same_molecules = (
        replace(molecule, place=0) for molecule in molecules
    )  # the order must not depend on other names in the request
    answers = {
        answer.molecule.id: answer
        for answer in search.ranked(same_molecules, plan.interpretations)
        if answer.match.score >= LEADS
    }
    families = search.into_families([*answers.values()])
    shared = {answer.molecule.id for answer in search.sharing_best([family.head for family in families])}
    in_order = (answer for family in families for answer in (family.head, *(answers[form.id] for form in family.forms)))
    entities = (
        _compound(answer.molecule, answer.match.kind, answer.match.score, is_shared=answer.molecule.id in shared)
        for answer in in_order
    )
    return sorted(entities, key=lambda entity: -entity.score)


def of_structure(molecules: Iterable[MoleculeHit], text: str) -> list[NamedEntity]:
    """The molecules of one structure, as the search has them."""
    same_molecules = search.of_structure(molecules, text)
    leading = [
        molecule
        for molecule in same_molecules
        if (molecule.smiles == text) == (same_molecules[0].smiles == text) and molecule.parent is None
    ]
    return [
        _compound(molecule, "structure", 1.0, is_shared=len(leading) > 1 and molecule in leading)
        for molecule in same_molecules
    ]


def _compound(molecule: MoleculeHit, match: EntityMatch, score: float, *, is_shared: bool = False) -> NamedEntity:
    return NamedEntity(
        id=curie(molecule.id),
        label=molecule.preferred_name or curie(molecule.id),
        kind="compound",
        match=match,
        score=score,
        xrefs={"chembl": molecule.id},
        form_of=curie(molecule.parent) if molecule.parent else None,
        shares_match=is_shared,
    )


async def protein_of_uniprot(questions: ChEMBLQuestions, name: str) -> list[NamedEntity]:
    """The protein with an accession, if it is a target by itself: complexes and families are different targets.

    Raises:
        RateLimited, UpstreamError: the request failed.
    """
    curie = uniprot_curie(name) or ""
    accession = curie.partition(":")[2]
    targets = await questions.targets_with(accession)
    protein_target = next(
        (target for target in targets if target.is_protein and target.accessions == (accession,)), None
    )
    if protein_target is None:
        return []
    protein = NamedEntity(
        id=curie,
        label=protein_target.name or accession,
        kind="protein",
        match="id",
        score=1.0,
        organism=protein_target.organism,
        xrefs={"uniprot": curie},
    )
    return [protein]

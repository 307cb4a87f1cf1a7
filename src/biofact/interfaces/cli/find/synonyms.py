"""What people of the field call the things that commands speak of, beside the words of the commands themselves."""

_SAME = {
    "homologue": "homolog, homologs, homologues, homology, counterpart, counterparts, equivalent, conserved",
    "homologue orthologue": "ortholog, orthologs, orthologues, orthologous, orthology, mouse version, human version",
    "homologue paralogue": "paralog, paralogs, paralogues, paralogous, duplicated genes, gene family members",
    "compound drug": "therapy, therapies, agent against, drug, drugs, medicine, medicines, medication, "
    "medications, pharmaceutical, pharmaceuticals",
    "compound": "molecule, molecules, chemical, chemicals, substance, substances, small molecule, small molecules",
    "compound target": "inhibitor, inhibitors, agonist, agonists, antagonist, antagonists, blocker, blockers, "
    "ligand, ligands, modulator, modulators",
    "target compound": "hit, hits, bind, binds, binding, targeting, targeted, inhibit, inhibits, inhibiting, "
    "act on, acts on",
    "variant": "snp, snps, snv, snvs, mutation, mutations, polymorphism, polymorphisms, allele, alleles",
    "article": "bibliography, paper, papers, publication, publications, manuscript, manuscripts, study, studies",
    "article pubmed": "medline, journal article, journal articles",
    "identifier": "id, ids, accession, accessions",
    "symbol": "gene name, gene names, gene symbol, gene symbols",
    "region": "coordinate, coordinates, interval, intervals, locus, loci, chromosomal region, "
    "window, positions, between",
    "map region assembly": "liftover, lift over, lift-over, remap, convert coordinates, convert positions",
    "assembly": "hg19, hg38, mm10, mm39, grch37, grch38, grcm38, grcm39, genome build",
    "associate": "linked, related, correlated, gwas, phewas, to do with, association, associations",
    "associate pharmacological": "pharmacogenomics, pharmacogenetics, pharmacogenomic, pharmacogenetic, drug response",
    "associate ld": "linkage disequilibrium",
    "associate regulatory": "eqtl, eqtls, pqtl, pqtls, expressed, transcription factor, transcription factors",
    "associate physical": "interact, interacts, complexes with, protein complex, protein complexes, interaction, "
    "interactions, interactome",
    "associate nearest genes": "nearby, near, close to, nearest",
    "associate functional": "take part in, coexpressed, coexpression, co-expressed",
    "disease": "disorder, disorders, illness, syndrome, syndromes, trait, traits",
    "protein sequence": "amino acid, amino acids, amino acid sequence, peptide, peptides",
    "sequence": "fasta, bases, nucleotides, nucleotide, residues",
    "bioactivity measured": "inhibition constant, dissociation constant, tested, experimental data, ic50, ki, kd, "
    "ec50, potency, potencies, affinity, affinities, assay results, binding affinity",
    "structure similarity": "similar, resemble, resembles, resembling, fingerprint, tanimoto, analogue, analog, "
    "congener, scaffold",
    "structure substructure": "containing a, that contain a, ring",
    "draw structure": "figure, picture, pictures, image, images, depict, depiction, diagram, plot, "
    "visualise, visualize, render, 2d",
    "resolve": "normalise, normalize, standardise, standardize, harmonise, harmonize, annotate, disambiguate, clean up",
    "resolve convert": "convert, converting, conversion, translate, map ids, map identifiers, id mapping",
    "replaced": "old, outdated, obsolete, retired, previous, deprecated, renamed",
    "batch": "bulk, many, several, multiple, list of, lists of, set of",
    "describe": "entry, entries, details, detail, properties, property, information, info, facts, "
    "record, records, look up, lookup, tell me about, description",
    "location": "where is, where are, located, chromosome and",
    "check same identity": "mixed up, cross-check, inconsistency, consistency, agree, match, matches, agrees, "
    "disagree, disagrees, disagreement, mismatch, inconsistent, the same",
    "check": "correct, wrong, valid, validate, verify, verification, confirm",
    "serve agent client": "claude, cursor, chatgpt, llm, ai agent, ai assistant, connect, agents",
    "setting": "configured, configuration, configure, config, api key, environment variable",
    "doctor reach settings": "diagnose, troubleshoot, setup, installation, is down, broken, problems with",
    "clear": "delete, forget, erase, purge, empty",
    "kept cache": "cached, caching, stored, storage, disk",
    "sandbox network": "offline, without network, without internet, no network, no internet",
    "sandbox stand-in": "replay, fake, mock, simulate, simulated, testing, test my program, real databases",
    "reach": "reachable, online, available",
    "completion shell": "tab completion, autocomplete, autocompletion, tab key",
    "train model": "classifier, machine learning, active learning, learn from",
    "label": "decision, decisions, screening decisions, include and exclude",
    "trade name": "brand, brands, brand name, brand names",
    "phase": "approved, approval, approval status",
    "regulatory element": "enhancer, enhancers, promoter, promoters, cis-regulatory element, cis-regulatory elements",
    "literature review": "systematic review, systematic reviews, meta-analysis, meta analysis, evidence synthesis",
    "phenotype term": "hpo, human phenotype ontology",
    "pubmed search article": "published, clinical trial, randomized, randomised, papers on, papers about, articles "
    "about, articles on, articles with, studies of, studies on, publications on, "
    "publications with, literature on, literature about, literature search, reviews in",
    "pubmed link article": "references for, citations of, cited for, papers linked to",
    "cross-references": "xref, crossref, cross reference, cross link",
    "resolve ambiguous": "messy, unify, mixed kind, stand for, meant by, is meant, stands for",
    "resolve names columns": "hundreds of, thousands of, accession numbers for, gene list, symbol list, name list, "
    "table of ids, in a file, text file, in a spreadsheet, excel, csv file",
    "ensembl gene": "ensg",
    "ensembl transcript": "enst",
    "ensembl protein": "ensp",
    "inchikey": "inchi key",
    "study type": "study design, type of study, design of the study",
    "score": "rate, rating, prioritise, prioritize, grade",
    "filter": "keep only, leave out, exclude, drop",
    "rank": "order the, sort, top ten, best first, most relevant",
    "near": "misspelled, misspelt, typo",
    "draw structure svg": "vector graphic, drawing",
    "demonstrate": "sample session, walk through, how it works, in action, tutorial, getting started, "
    "quick start, first step, tour, introduction",
    "serve tools": "make available, tools available, available to",
    "GO terms": "gene ontology",
    "query": "search syntax, search term, search strategy, search query, search string, boolean query",
}
SYNONYMS = {phrase: name for name, phrases in _SAME.items() for phrase in phrases.split(", ")}
"""What stands for each word or phrase."""

FORMS = {
    r"(?<![\w:.-])\d{2,3}(?= [A-Za-z])": "batch",
    r"\brs\d+\b": "variant",
    r"\bNC_\d+\.\d+:\S+": "variant",
    r"\bHGNC:\d+\b": "hgnc gene",
    r"\bENS[A-Z]*G\d+(?:\.\d+)?\b": "ensembl gene",
    r"\bENS[A-Z]*T\d+(?:\.\d+)?\b": "ensembl transcript",
    r"\bENS[A-Z]*P\d+(?:\.\d+)?\b": "ensembl protein",
    r"\bNCBIGene:\d+\b": "entrez gene",
    r"\bCHEMBL:?\d+\b": "chembl compound",
    r"\bPMID:?\s?\d+\b": "pmid article",
    r"\b(?:chr)?(?:\d{1,2}|[XYM]|MT)[:-]\d[\d,]*(?:-\d[\d,]*)?\b": "region",
    r"\b(?:MONDO|EFO|HP|GO|Orphanet|UBERON|CL|CHEBI|DOID)[:_]\d+\b": "term",
    r"\bUniProtKB:\w+\b": "uniprot protein",
}
"""The forms of IDs, and what they are of."""

"""A user's program that joins names with their genes: ``test_frames`` has mypy and pyright read it, and runs it."""

import polars as pl

import biofact.sync

with biofact.sync.open() as clients:
    names = pl.concat(
        answer.to_frame("polars") for answer in clients.identity.resolve_many(["BRCA1", "p53"], databases=["hgnc"])
    )
    genes = pl.concat(
        answer.to_frame("polars") for answer in clients.entrez.get_genes_many(names["id"].to_list(), slim=False)
    )

frame: pl.DataFrame = names.join(genes, left_on="id", right_on="input", how="left")
for name, symbol, chromosome, hgnc in frame.select("name", "symbol", "chromosome", "hgnc").iter_rows():
    print(name, symbol, chromosome, hgnc)  # noqa: T201  # a program's output

"""The literature pipeline over millions of articles: shards on one machine, on Dask workers, or as an array of jobs."""

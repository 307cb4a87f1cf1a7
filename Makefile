# The front door. Each target sets up what it needs in .venv; nothing else has to be installed.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
export PIP_CONSTRAINT := $(CURDIR)/constraints.txt
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: demo setup test test-processes test-all test-near test-python coverage test-busy mutants test-extras check check-platforms ci-quick structure suite-cost sdist bundle image bench sessions fuzz inspect conformance docs picture new-source record live clean

demo: $(VENV)/.installed             ## the main job: a real MCP client against the sandbox
	$(BIN)/biofact demo

PYTEST := $(BIN)/python -m pytest -q -n auto --dist worksteal
# Tests start processes by the dozen, which share bytecode.
test test-processes test-all test-near test-python coverage test-busy mutants suite-cost: export PYTHONDONTWRITEBYTECODE :=

setup: $(VENV)/.test                 ## the environment, without running a test

test: $(VENV)/.test                  ## the quick tier: what a change can break, each thing once; offline, no services
	$(PYTEST) --tier quick

test-processes: $(VENV)/.test        ## the tier of child interpreters, installers, kills and servers on sockets
	$(PYTEST) --tier processes

test-all: $(VENV)/.test              ## quick, processes, and sweeps over whole recorded corpora
	$(PYTEST) --tier quick --tier processes --tier sweep

test-near: $(VENV)/.test             ## the tests near what the branch has changed since it left main, or BASE=other
	$(BIN)/python tools/near.py $(BASE)

test-python: $(VENV)/.test           ## the part of the quick tier that the interpreter could break: typing, asyncio, sqlite, ssl, zlib
	$(PYTEST) --tier quick tests/core tests/tables tests/transport tests/gateway tests/protocol tests/sync tests/sandbox tests/interfaces/http tests/test_virtual_time.py tests/test_in_process.py

structure: $(VENV)/.check            ## files and lines of src by folder, and the modules that only one other imports
	$(BIN)/python tools/size_caps.py --report

suite-cost: $(VENV)/.test            ## where the suite's time is: items and seconds of processor by folder and tier
	$(BIN)/python tools/suite_cost.py $(WITHIN)

coverage: $(VENV)/.coverage-tools    ## all tiers, each thing once, and the lines of src they run; wants Python 3.12 or later
	$(PYTEST) --tier quick --cov --cov-report= --cov-fail-under=93
	$(PYTEST) --tier processes --tier sweep --cov --cov-append --cov-report=term

test-busy: $(VENV)/.test             ## faults, transport and interfaces beside four busy loops, five times; some 15 minutes
	$(BIN)/python tools/busy.py

mutants: $(VENV)/.test               ## plant mistakes in a copy of the package: the conformance suite has to see each
	$(BIN)/python tools/mutants.py

# The quick ones first, and all of them: a newcomer sees every complaint at once.
check: $(VENV)/.check $(VENV)/.test  ## format, lint, names, size caps, import contracts, generated pages, types, sdist
	@failed=; run() { echo "$$*"; "$$@" || failed="$$failed\n  $$*"; }; \
	run $(BIN)/ruff format --check .; \
	run $(BIN)/ruff check .; \
	run $(BIN)/ruff check --preview --select PLW1514 .; \
	run $(BIN)/python tools/names.py; \
	run $(BIN)/python tools/size_caps.py; \
	run $(BIN)/lint-imports --no-logo --no-cache; \
	run $(BIN)/python tools/tool_catalogue.py --check; \
	run $(BIN)/python tools/tools_page.py --check; \
	run $(BIN)/python tools/sync_modules.py --check; \
	run $(BIN)/python tools/generated_parts.py --check; \
	run $(BIN)/python tools/skills.py --check; \
	run $(BIN)/python tools/public_api.py --check; \
	run $(BIN)/python tools/requirements.py --check; \
	run $(BIN)/mypy; \
	run $(BIN)/python tools/new_source.py --check; \
	run $(BIN)/python tools/programs.py; \
	run $(BIN)/python tools/sdist.py; \
	if [ -n "$$failed" ]; then printf "these complain:$$failed\n" >&2; exit 1; fi

check-platforms: $(VENV)/.check $(VENV)/.test  ## types as they are on Windows and macOS
	$(BIN)/mypy --platform win32 --cache-dir .mypy_cache/win32 src
	$(BIN)/mypy --platform darwin --cache-dir .mypy_cache/darwin src

ci-quick: check test mutants         ## what to run before each commit

test-extras: $(VENV)/.extras $(VENV)/.clients $(VENV)/.conformance $(VENV)/.libraries $(VENV)/.installers $(VENV)/.tables $(VENV)/.references $(VENV)/.notebook $(VENV)/.slurm $(VENV)/.snakemake  ## what needs Redis, RDKit, a browser, others' clients, installers or readers of tables and references: skips in one line without
	$(BIN)/python -m pytest -q tests/extras

bundle: $(VENV)/.installed          ## build dist/biofact.mcpb, which MCP hosts install with one click
	$(BIN)/python tools/bundle.py

image: $(VENV)/.test                 ## build the image with buildah and run it, read-only and without rights; as root, on Debian
	bash tools/image_base.sh $(VENV)/image
	$(BIN)/python -m pytest -q tests/extras/test_image.py

bench: $(VENV)/.test                 ## ratios measured side by side in one run, at starter sizes and real ones; some 100 minutes
	$(BIN)/python -m benchmarks

sessions: $(VENV)/.test               ## record anew what commands look like at a terminal; look at the difference
	BIOFACT_RECORD_SESSIONS=1 $(BIN)/python -m pytest -q tests/interfaces/test_sessions.py

fuzz: COUNT ?= 100000
fuzz: SEED ?= 14
fuzz: $(VENV)/.test                  ## calls as no schema allows them, on the sandbox; make fuzz COUNT=5000 for a short run
	$(BIN)/python -m benchmarks.fuzz --count $(COUNT) --seed $(SEED)

inspect: $(VENV)/.installed          ## the MCP Inspector against our server; needs npm
	bash tools/inspect.sh $(BIN)

conformance: $(VENV)/.installed $(VENV)/.conformance  ## the official conformance suite of MCP against our server; needs npm
	$(BIN)/python tools/conformance.py $(CONFORMANCE)

docs: $(VENV)/.installed             ## write anew what is generated: tools.json, pages of docs, skills, parts of README, guide and biofact
	$(BIN)/python tools/tool_catalogue.py
	$(BIN)/python tools/tools_page.py
	$(BIN)/python tools/sync_modules.py
	$(BIN)/python tools/generated_parts.py
	$(BIN)/python tools/skills.py
	$(BIN)/python tools/public_api.py
	$(BIN)/python tools/requirements.py

picture: $(VENV)/.installed          ## take the README's picture of a report; needs a Chromium
	$(BIN)/python tools/report_picture.py

sdist: $(VENV)/.test                 ## build dist/*.tar.gz, and see that every file of the repository is in it
	$(BIN)/python tools/sdist.py .

new-source: $(VENV)/.installed       ## make new-source NAME=hgnc TITLE=HGNC: a small JSON source with its stand-in
	$(BIN)/python tools/new_source.py $(NAME) $(if $(TITLE),"$(TITLE)")

record: $(VENV)/.installed           ## make record NAME=entrez: save real answers (uses the network)
	$(BIN)/python tools/record.py $(NAME)

live: $(VENV)/.installed             ## ask the real services again and show what differs from the recordings
	$(BIN)/python tools/record.py --diff

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml constraints.txt | $(BIN)/python
	$(BIN)/python -m pip install -q -e .
	@touch $@

$(VENV)/.test: $(VENV)/.installed
	$(BIN)/python -m pip install -q -e '.[test]'
	@touch $@

$(VENV)/.check: $(VENV)/.installed
	$(BIN)/python -m pip install -q -e '.[check]'
	@touch $@

$(VENV)/.coverage-tools: $(VENV)/.test
	$(BIN)/python -m pip install -q -e '.[test,coverage]'
	@touch $@

$(VENV)/.extras: $(VENV)/.test
	$(BIN)/python -m pip install -q -e '.[test,redis,chem,ml,fit,serve,corpus]' pandas polars
	@touch $@

CLIENTS := $(VENV)/clients
$(VENV)/.clients: tests/extras/clients/package.json tests/extras/clients/requirements.txt | $(BIN)/python
	mkdir -p $(CLIENTS)
	cp tests/extras/clients/package.json $(CLIENTS)
	$(BIN)/python -m venv $(CLIENTS)/python
	PIP_CONSTRAINT= $(CLIENTS)/python/bin/python -m pip install -q -r tests/extras/clients/requirements.txt
	@if command -v npm >/dev/null; then \
	  npm install --silent --fetch-timeout=60000 --fetch-retries=5 --no-audit --no-fund --no-package-lock --prefix $(CLIENTS) && touch $@; \
	else echo "no npm: the tests of clients in Node will skip"; fi

CONFORMANCE := $(VENV)/conformance
$(VENV)/.conformance: tests/mcp_suite/package.json | $(BIN)/python
	mkdir -p $(CONFORMANCE)
	cp $< $(CONFORMANCE)
	@if command -v npm >/dev/null; then \
	  npm install --silent --fetch-timeout=60000 --fetch-retries=5 --no-audit --no-fund --no-package-lock --prefix $(CONFORMANCE) && touch $@; \
	else echo "no npm: the conformance suite of MCP will skip"; fi

LIBRARIES := $(VENV)/libraries
$(VENV)/.libraries: tests/extras/libraries/requirements.txt | $(BIN)/python
	$(BIN)/python -m venv $(LIBRARIES)
	PIP_CONSTRAINT= $(LIBRARIES)/bin/python -m pip install -q -r $<
	@touch $@

INSTALLERS := $(VENV)/installers
$(VENV)/.installers: tests/extras/installers/requirements.txt | $(BIN)/python
	$(BIN)/python -m venv $(INSTALLERS)
	PIP_CONSTRAINT= $(INSTALLERS)/bin/python -m pip install -q -r $<
	@touch $@

NOTEBOOK := $(VENV)/notebook
$(VENV)/.notebook: tests/extras/notebook/requirements.txt pyproject.toml | $(BIN)/python
	$(BIN)/python -m venv $(NOTEBOOK)
	PIP_CONSTRAINT= $(NOTEBOOK)/bin/python -m pip install -q -r $<
	$(NOTEBOOK)/bin/python -m pip install -q -e .
	@touch $@

TABLES := $(VENV)/tables
$(VENV)/.tables: tests/extras/tables/requirements.txt | $(BIN)/python
	$(BIN)/python -m venv $(TABLES)
	PIP_CONSTRAINT= $(TABLES)/bin/python -m pip install -q -r $<
	@touch $@

REFERENCES := $(VENV)/references
$(VENV)/.references: tests/extras/references/requirements.txt | $(BIN)/python
	$(BIN)/python -m venv $(REFERENCES)
	PIP_CONSTRAINT= $(REFERENCES)/bin/python -m pip install -q -r $<
	@touch $@

# Of Debian's packages, which are unpacked and not installed.
SLURM := $(VENV)/slurm
$(VENV)/.slurm: tests/extras/slurm/unpack.sh | $(BIN)/python
	@if command -v apt-get >/dev/null; then bash $< $(SLURM) && touch $@; \
	else echo "no apt-get: the test on SLURM will skip"; fi

SNAKEMAKE := $(VENV)/snakemake
$(VENV)/.snakemake: tests/extras/snakemake/requirements.txt | $(BIN)/python
	$(BIN)/python -m venv $(SNAKEMAKE)
	PIP_CONSTRAINT= $(SNAKEMAKE)/bin/python -m pip install -q -r $<
	@touch $@

clean:                               ## forget the environment and caches
	rm -rf $(VENV) .coverage .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache build

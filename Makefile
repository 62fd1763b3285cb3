# One way to do each chore. `make play` and `make test` set up all they need in .venv.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CLIENT := $(shell find client -type f ! -path '*/node_modules/*' ! -path '*/dist/*' ! -path '*/generated/*' ! -path '*/fixtures/*' ! -path '*/screenshots/*')
SOURCES := $(shell find src -type f ! -name '*.pyc') pyproject.toml hatch_build.py
CI ?=

.PHONY: play test lint test-client test-compiled test-plain test-sanitized screenshots bench strength chaos load golden clean

play: $(VENV)/app
	$(BIN)/tsukimi serve --open

test: lint test-client test-compiled test-plain test-sanitized

lint: $(VENV)/dev $(VENV)/app
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# The client's own: its types of the server's messages are current, svelte-check, Vitest.
test-client: $(VENV)/dev $(VENV)/app
	$(BIN)/python tools/client.py check test

# The suite against the installed (compiled) package, against the plain sources, and against a bounds-checked build.
test-compiled: $(VENV)/dev $(VENV)/app
	TSUKIMI_BUILD=compiled $(BIN)/pytest -n 2 -q

test-plain: $(VENV)/dev
	TSUKIMI_BUILD=plain PYTHONPATH=src $(BIN)/pytest -n 2 -q

test-sanitized: build/sanitized/.done $(VENV)/dev
	TSUKIMI_BUILD=sanitized PYTHONPATH=build/sanitized $(BIN)/pytest -n 2 -q

# Pictures of every page and board in client/screenshots, with a sheet of all of them (index.html).
screenshots: $(VENV)/dev $(VENV)/app
	$(BIN)/python tools/screenshots.py

bench: $(VENV)/app $(VENV)/bench
	$(BIN)/tsukimi bench --out bench/results/speed.md

# How strong the bots are: goes on where the last run stopped (MINUTES=60 MS=20).
strength: $(VENV)/app
	nice -n 19 $(BIN)/python bench/strength.py --minutes $(or $(MINUTES),60) --ms $(or $(MS),20)

# Kill servers and databases while hundreds of tables are in play; nothing acknowledged may be missing afterwards.
chaos: $(VENV)/dev $(VENV)/app
	$(BIN)/python bench/chaos.py --out bench/results/chaos.md

# Hundreds of tables on one core, beside a bare broadcast of the same bytes; 100,000 stored tables; two workers.
load: $(VENV)/dev $(VENV)/app
	$(BIN)/python bench/load.py --out bench/results/load.md

# Write the recorded games and counts of tests/golden/ anew (look at the difference before you keep it).
golden: $(VENV)/dev $(VENV)/app
	$(BIN)/python tests/golden/make.py

$(VENV)/base:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Tsukimi needs Python 3.11 or newer (PYTHON=...)"; exit 2; }
	@$(PYTHON) -m venv $(VENV) || { echo "python3 -m venv does not work here: install python3-venv"; exit 2; }
	$(BIN)/python tools/extra.py build dependencies | xargs $(BIN)/pip install -q --disable-pip-version-check
	@touch $@

$(VENV)/app: $(VENV)/base $(SOURCES) $(CLIENT)
	$(BIN)/pip install -q --disable-pip-version-check --no-deps --no-build-isolation --force-reinstall .
	@test -f $(VENV)/lib/python3*/site-packages/tsukimi/server/web/index.html || echo "The browser client could not be built: try $(BIN)/python hatch_build.py client"
	@touch $@

$(VENV)/dev: $(VENV)/base pyproject.toml
	$(BIN)/python tools/extra.py dev | xargs $(BIN)/pip install -q --disable-pip-version-check
	@touch $@

$(VENV)/bench: $(VENV)/base pyproject.toml
	$(BIN)/python tools/extra.py bench | xargs $(BIN)/pip install -q --disable-pip-version-check
	@touch $@

build/sanitized/.done: $(VENV)/base $(SOURCES)
	$(BIN)/python hatch_build.py build/sanitized --sanitize
	@touch $@

clean:
	rm -rf build dist $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis

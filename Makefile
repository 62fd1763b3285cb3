# `make play` and `make test` set up everything they need in .venv.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STEP = @$(PYTHON) tools/step.py
PIP := $(BIN)/pip install -q --disable-pip-version-check
CLIENT := $(shell find client -type f ! -path '*/node_modules/*' ! -path '*/dist/*' ! -path '*/generated/*' ! -path '*/fixtures/*' ! -path '*/screenshots/*')
SOURCES := $(shell find src -type f ! -name '*.pyc') pyproject.toml hatch_build.py
TORCH ?= torch==2.13.0
LEDUC := $(shell find examples/leduc -type f ! -name '*.pyc' 2>/dev/null)

.PHONY: play test lint docs test-docs test-client test-compiled test-plain test-sanitized test-ray test-learn levels screenshots bench strength frozen calibrate adaptive openings seats hints review chaos fuzz load golden wheel clean

play: $(VENV)/app
	@$(BIN)/tsukimi serve --open

test: lint test-docs test-client test-compiled test-plain test-sanitized

lint: $(VENV)/dev $(VENV)/app
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# The documentation site, in build/site: checks every link, runs the notebooks, reports on every game (two minutes).
docs: $(VENV)/dev $(VENV)/leduc
	$(BIN)/python tools/docs.py

# The same, with smaller reports.
test-docs: $(VENV)/dev $(VENV)/leduc
	$(BIN)/python tools/docs.py --games 8

# The client: generated message types are up to date, svelte-check, Vitest.
test-client: $(VENV)/dev $(VENV)/app
	$(BIN)/python tools/client.py check test

# The suite against the installed (compiled) package, against the plain sources, and against a bounds-checked build.
# All three find the games, including the example, through the installed metadata. The first has three workers for two
# cores, because its tests often wait for servers and browsers.
test-compiled: $(VENV)/dev $(VENV)/leduc
	TSUKIMI_BUILD=compiled $(BIN)/pytest -n 3 --dist worksteal -q

test-plain: $(VENV)/dev $(VENV)/leduc
	TSUKIMI_BUILD=plain PYTHONPATH=src $(BIN)/pytest -n 2 --dist worksteal -q

test-sanitized: build/sanitized/.done $(VENV)/dev $(VENV)/leduc
	TSUKIMI_BUILD=sanitized PYTHONPATH=build/sanitized $(BIN)/pytest -n 2 --dist worksteal -q

# Simulations on a two-node Ray cluster: one to four minutes, most of it spent in Ray.
test-ray: $(VENV)/dev $(VENV)/ray $(VENV)/leduc
	TSUKIMI_BUILD=compiled $(BIN)/pytest -q tests/lab/ray_cluster.py

# The trainer, with PyTorch installed in a separate folder.
test-learn: $(VENV)/dev $(VENV)/leduc build/learn/.done
	TSUKIMI_BUILD=compiled PYTHONPATH=build/learn $(BIN)/pytest -q tests/lab/learning.py

build/learn/.done: $(VENV)/base pyproject.toml
	@$(PYTHON) tools/extra.py learn | sed 's/^torch.*/$(TORCH)/' >$(VENV)/learn.txt
	$(STEP) "Installing PyTorch" $(PIP) --target build/learn --upgrade -r $(VENV)/learn.txt onnxruntime
	@touch $@

# Screenshots of every page and board, in client/screenshots, with a contact sheet (index.html).
screenshots: $(VENV)/dev $(VENV)/app
	$(BIN)/python tools/screenshots.py

bench: $(VENV)/app $(VENV)/bench
	$(BIN)/tsukimi bench --out bench/results/speed.md

# How strong the bots are. Resumes where the last run stopped (MINUTES=60 MS=20). SECOND=1: one second per move, few games.
strength: $(VENV)/app
	nice -n 19 $(BIN)/python bench/strength.py --minutes $(or $(MINUTES),60) --ms $(or $(MS),20) $(if $(SECOND),--second)

# The current masters against those of 0.1.0, which are compiled first. Resumes where the last run stopped.
frozen: $(VENV)/app
	nice -n 19 $(BIN)/python bench/frozen.py --minutes $(or $(MINUTES),20) --ms $(or $(MS),20)

# Whether the bots' win probabilities are calibrated: plays more games between masters (MINUTES=20) and reports on the
# held-out ones. FIT=1 fits the corrections first.
calibrate: $(VENV)/app
	nice -n 19 $(BIN)/python bench/calibrate.py --minutes $(or $(MINUTES),20) $(if $(FIT),--fit)

# Whether the adaptive opponent lets players of any strength win half their games (GAMES=100 for each).
adaptive: $(VENV)/app
	nice -n 19 $(BIN)/python bench/adaptive.py --games $(or $(GAMES),100) --out bench/results/adaptive.md

# What masters choose first, as pages shown with the rules (GAMES=400 PLAYOUTS=100).
openings: $(VENV)/app
	for game in charuma china-moon daruma dojo; do \
	    nice -n 19 $(BIN)/tsukimi openings $$game --games $(or $(GAMES),400) --playouts $(or $(PLAYOUTS),100) \
	        --out src/tsukimi/games/$$(echo $$game | tr - _)/guide/openings || exit 1; \
	done

# Whether equal bots win equally often in every seat (MINUTES=60). Resumes where the last run stopped.
seats: $(VENV)/app
	nice -n 19 $(BIN)/python bench/seats.py --minutes $(or $(MINUTES),60)

# Absurd moves by novice and regular, over GAMES=500 games at each level.
levels: $(VENV)/app
	nice -n 19 $(BIN)/python bench/levels.py --games $(or $(GAMES),500)

# Hints whose text contradicts their move: COUNT=1000 per game, in every language.
hints: $(VENV)/app
	nice -n 19 $(BIN)/python bench/hints.py --count $(or $(COUNT),1000)

review: $(VENV)/app
	nice -n 19 $(BIN)/python bench/review.py --games $(or $(GAMES),40) --ms $(or $(MS),200) --out bench/results/review.md

# Break everything a server depends on while games are running: every call to the store and the bus, servers, PostgreSQL,
# Redis, the disk, the clock. Nothing acknowledged may be lost. About twelve minutes (PARTS=kills,disk).
chaos: $(VENV)/dev $(VENV)/leduc
	$(BIN)/python bench/chaos.py $(if $(PARTS),--parts $(PARTS),--out bench/results/chaos.md)

# Random and mutated messages over WebSockets and HTTP, while calls to the store fail: ten minutes (SECONDS=60).
fuzz: $(VENV)/dev $(VENV)/app
	$(BIN)/python bench/fuzz.py --seconds $(or $(SECONDS),600)

# Hundreds of tables on one core, compared with a bare broadcast of the same bytes; 100,000 stored tables; two workers.
load: $(VENV)/dev $(VENV)/app
	$(BIN)/python bench/load.py --out bench/results/load.md

# Regenerate the recorded games and counts in tests/golden/ (review the diff before committing it).
golden: $(VENV)/dev $(VENV)/app
	$(BIN)/python tests/golden/make.py

# The wheel, in dist/; on Linux checked and tagged by auditwheel (manylinux).
wheel: $(VENV)/built $(VENV)/wheel
	@rm -rf build/wheel dist/*.whl && mkdir -p dist
	$(STEP) "Building the wheel" $(BIN)/pip wheel -q --no-deps --no-build-isolation --wheel-dir build/wheel .
	@set -- build/wheel/*.whl; case $$1 in \
	    *linux*) PATH="$(CURDIR)/$(BIN):$$PATH" $(PYTHON) tools/step.py "Tagging it" auditwheel repair --wheel-dir dist $$1 ;; \
	    *) cp $$1 dist/ ;; \
	esac
	@ls -sh1 dist/*.whl

$(VENV)/base: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Tsukimi needs Python 3.11 or newer (PYTHON=...)"; exit 2; }
	@test -x $(BIN)/pip || echo "Setting Tsukimi up in $(VENV): about three minutes, once."
	@test -x $(BIN)/pip || $(PYTHON) -m venv $(VENV) || { echo "python3 -m venv does not work here: install python3-venv"; exit 2; }
	@$(PYTHON) tools/extra.py build dependencies serve >$@.txt
	$(STEP) "Installing packages (about half a minute)" $(PIP) -r $@.txt
	@touch $@

# The slow steps, each with its own progress line; the wheel reuses their results.
$(VENV)/built: $(VENV)/base $(SOURCES) $(CLIENT)
	$(STEP) "Compiling the rules (one to two minutes)" $(BIN)/python hatch_build.py rules
	$(STEP) "Building the browser client (about half a minute)" $(BIN)/python hatch_build.py client
	@touch $@

$(VENV)/app: $(VENV)/built
	$(STEP) "Installing Tsukimi" $(PIP) --no-deps --no-build-isolation --force-reinstall .
	@touch $@

# The example of a third-party game, installed as users would.
$(VENV)/leduc: $(VENV)/app $(LEDUC)
	$(if $(LEDUC),$(STEP) "Installing the example game" $(PIP) --no-deps --no-build-isolation --force-reinstall ./examples/leduc)
	@touch $@

$(VENV)/dev $(VENV)/bench $(VENV)/ray $(VENV)/wheel: $(VENV)/base pyproject.toml
	@$(PYTHON) tools/extra.py $(notdir $@) >$@.txt
	$(STEP) "Installing packages ($(notdir $@))" $(PIP) -r $@.txt
	@touch $@

build/sanitized/.done: $(VENV)/base $(SOURCES)
	$(STEP) "Compiling with bounds checks (two to three minutes)" $(BIN)/python hatch_build.py build/sanitized --sanitize --only /core/ /games/ /bots/
	@touch $@

clean:
	rm -rf build dist $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis

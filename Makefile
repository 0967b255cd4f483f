# Meldkeeper. `make run` plays, `make test` checks; both need only Python 3.11+ (with venv) and make.

PYTHON ?= python3
PORT ?= 5000
VENV := .venv
BIN := $(VENV)/bin
# -qq: a warning of pip (of root, of its cache) is nothing that who plays can mend; its errors are shown.
PIP := $(BIN)/python -m pip install --disable-pip-version-check --root-user-action=ignore -qq --require-hashes

.DEFAULT_GOAL := help

.PHONY: help run serve test install check format screenshots coverage browsers lighthouse bench bench-history deployment chaos fuzz audit words lock hook clean

help: ## Say what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: $(VENV)/run.stamp ## Start the app; PORT=5001 chooses another port
	@$(BIN)/python -m app.commands.local_server --port $(PORT)

serve: $(VENV)/run.stamp ## Serve for production, by the settings of the environment
	@$(BIN)/python -m app.commands.production

test: install ## Run every test, style and type check
	@$(BIN)/python -m tests

install: $(VENV)/run.stamp $(VENV)/dev.stamp ## Make the environment for development in .venv

check: install ## The quick checks alone: style, types, layers, scripts, tests without a browser
	@$(BIN)/python -m tests --quick

format: install ## Put the code into the house format
	@$(BIN)/ruff format . && $(BIN)/ruff check --fix .

screenshots: install ## Take a picture of every screen, into .screenshots/
	@$(BIN)/python -m tests.browser.screenshots

coverage: install ## Measure how much of the app the tests of what it does for people reach
	@$(BIN)/coverage erase
	@$(BIN)/coverage run -m pytest -q -n 2 -m "not postgresql" tests/actions tests/exchange tests/store tests/web
	@$(BIN)/coverage combine --quiet && $(BIN)/coverage report

browsers: install ## Play in WebKit and in Firefox, as before each release
	@$(BIN)/python -m tests.engines

lighthouse: install ## Let Lighthouse judge the main screens as a slow phone, with main-thread times; needs Node 20
	@$(BIN)/python -m tests.browser.lighthouse

bench-history: install ## Measure pages, export and import with ten thousand games; takes minutes
	@$(BIN)/python -m tests.bench.history

bench: install $(VENV)/bench.stamp $(VENV)/peer.stamp ## Measure the speed; WHAT=peers (solver, phones, growth, databases, waits) measures one
	@$(BIN)/python -m tests.bench $(WHAT)

deployment: install ## Try the files of deploy/ with real proxies and two hosts, under faults
	@$(BIN)/python -m tests.deployment

LOCK := $(BIN)/uv pip compile pyproject.toml --universal --python-version 3.11 --upgrade --quiet \
	--generate-hashes --no-header --no-annotate --no-emit-index-url --no-emit-find-links

chaos: install ## Kill, fill and restart servers hundreds of times; takes an hour
	@MELDKEEPER_KILLS=200 $(BIN)/python -m pytest tests/faults tests/upgrade -q

fuzz: install ## Send 10,000 hostile requests, 20,000 with random keys, draw 20 times as many examples
	@export MELDKEEPER_SEED=$$(date +%s) HYPOTHESIS_PROFILE=long; echo "MELDKEEPER_SEED=$$MELDKEEPER_SEED"; \
		MELDKEEPER_HOSTILE=10000 MELDKEEPER_KEYS=500 MELDKEEPER_LAWS=5000 MELDKEEPER_DRAWS=20 \
		$(BIN)/python -m pytest -q -n 2 tests/web/test_hostile_requests.py tests/web/test_any_keys.py \
		tests/web/test_any_rules.py tests/rules tests/scorebook

audit: install $(VENV)/audit.stamp ## Ask whether a pinned package has a known weakness
	@$(BIN)/python -m tests.audit

lock: install ## Pin the newest allowed versions, with hashes and without host names
	$(LOCK) -o .requirements/run.txt
	$(LOCK:pyproject.toml=--group dev) -c .requirements/run.txt -o .requirements/dev.txt
	$(LOCK:pyproject.toml=--group audit) -c .requirements/dev.txt -o .requirements/audit.txt
	$(LOCK:pyproject.toml=--group bench) -c .requirements/dev.txt -o .requirements/bench.txt
	$(LOCK:pyproject.toml=--group peer) -o .requirements/peer.txt

words: install ## Bring the catalogues in app/translations/ up to date with what the app says
	@$(BIN)/python -m tests.words.catalogues

hook: ## Run `make check` before each commit
	@git config core.hooksPath .githooks

clean: ## Remove the environment and caches; the scores stay
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache .javascript/node_modules

$(VENV)/made.stamp:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Meldkeeper needs Python 3.11 or newer; '$(PYTHON)' is older. Try: make PYTHON=python3.12 …"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || \
		{ echo "Python's venv module is missing; on Debian and Ubuntu: apt install python3-venv"; exit 1; }
	@touch $@

$(VENV)/run.stamp: .requirements/run.txt | $(VENV)/made.stamp
	@echo "Installing what Meldkeeper needs …"
	@$(PIP) -r $< && touch $@

$(VENV)/dev.stamp: .requirements/dev.txt | $(VENV)/made.stamp
	@echo "Installing what its tests need …"
	@$(PIP) -r $< && touch $@

$(VENV)/audit.stamp: .requirements/audit.txt | $(VENV)/made.stamp
	@$(PIP) -r $< && touch $@

$(VENV)/bench.stamp: .requirements/bench.txt | $(VENV)/made.stamp
	@echo "Installing the yardstick …"
	@$(PIP) -r $< && touch $@

# ihatemoney, beside which pages are measured, wants older libraries: an environment of its own.
$(VENV)/peer.stamp: .requirements/peer.txt | $(VENV)/made.stamp
	@echo "Installing the app to measure beside …"
	@$(PYTHON) -m venv $(VENV)/peer
	@$(subst $(BIN),$(VENV)/peer/bin,$(PIP)) -r $< && touch $@

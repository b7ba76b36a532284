# Podium's commands. `make help` lists them.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PACKAGE := $(VENV)/.package
INSTALLED := $(VENV)/.installed
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

.DEFAULT_GOAL := help
.PHONY: help setup demo benchmark test check bench calibrate folds slurm docs papers clean

help: ## list these commands
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /\1|/' | awk -F'|' '{printf "  make %-10s %s\n", $$1, $$2}'

$(PACKAGE): pyproject.toml constraints.txt
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) -e .
	@touch $@

$(INSTALLED): $(PACKAGE)
	$(PIP) -e ".[test,docs,web]"
	@touch $@

setup: $(INSTALLED) ## create the environment (once; again only when its requirements change)

demo: $(PACKAGE) ## make the full report from a table in the package, and say where it is
	$(BIN)/podium compare benavoli2016 --html podium-report/report.html --latex podium-report/latex --md podium-report/report.md --json podium-report/report.json
	@echo "Open podium-report/report.html in a browser."

benchmark: $(PACKAGE) ## run the embedded benchmark suite end to end, then its report (minutes)
	@mkdir -p podium-report
	$(BIN)/podium run wainer14 --store podium-report/wainer14.db
	$(BIN)/podium compare podium-report/wainer14.db --metric error --rope auto --html podium-report/wainer14.html

test: $(INSTALLED) ## pass the whole gate: format, lint, types, tests, doctests, README, docs of every command
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -n auto --dist loadfile -m "not slow"

check: test ## the same gate as `make test`

bench: $(INSTALLED) ## measure the speed against the strongest peers, as ratios in one run
	$(PIP) -e ".[peers]"
	$(BIN)/python benchmarks/run.py

calibrate: $(INSTALLED) ## the long calibrations: error rates by simulation, then many new examples for every property
	$(BIN)/python -m pytest -n auto -m slow tests
	PODIUM_EXAMPLES=explore $(BIN)/python -m pytest -n auto -m "hypothesis and not slow" tests

folds: $(INSTALLED) ## measure how often tests on the folds of one dataset reject (a quarter of an hour); writes docs/data/one_dataset.csv
	$(BIN)/python benchmarks/one_dataset.py > docs/data/one_dataset.csv

slurm: $(INSTALLED) ## test `--dask slurm` on a SLURM of one node, started here (root, Debian)
	tests/bench/slurm.sh start
	SLURM_CONF=/tmp/podium-slurm/slurm.conf $(BIN)/python -m pytest tests/bench/test_slurm.py; status=$$?; tests/bench/slurm.sh stop; exit $$status

docs: $(INSTALLED) ## build the documentation into docs/_build (offline, warnings are errors)
	$(BIN)/python -m sphinx -W --keep-going -q -b html docs docs/_build

papers: $(INSTALLED) ## reproduce the five papers, their tables beside the printed numbers (minutes); writes their pages in docs
	for paper in benavoli2016 demsar2006 forman2005 ulas2008 wainer2016; do $(BIN)/python examples/$$paper.py || exit 1; done

clean: ## remove the environment and everything that was built
	rm -rf $(VENV) docs/_build dist .mypy_cache .ruff_cache .hypothesis

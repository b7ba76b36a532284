# Podium's commands. `make help` lists them.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PACKAGE := $(VENV)/.package
INSTALLED := $(VENV)/.installed
comma := ,
# Tests start many processes: compiled modules are kept, even where the environment would rather not have them.
export PYTHONDONTWRITEBYTECODE :=
# Python compiles the modules that are used; compiling all that is installed takes pip as long as the rest of its work.
PIP := $(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check -c constraints.txt

.DEFAULT_GOAL := help
.PHONY: help setup demo benchmark test types suite check attack bench calibrate dist lowest folds slurm docs papers counts mutants coverage intervals clean

help: ## list these commands
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /\1|/' | awk -F'|' '{printf "  make %-10s %s\n", $$1, $$2}'

$(PACKAGE): pyproject.toml constraints.txt
	@echo "Installing Podium in $(VENV), once; this takes a minute or two."
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(PIP) -e .
	@touch $@

$(INSTALLED): $(PACKAGE)
	$(PIP) -e ".[test,docs,web]"
	@touch $@

setup: $(INSTALLED) ## create the environment (once; again only when its requirements change)

dist: ## build the wheel and the sdist, check them, and try the wheel in a new environment (nothing is uploaded)
	rm -rf dist build/dist
	$(PYTHON) -m venv build/dist/tools && build/dist/tools/bin/pip install --quiet build twine
	build/dist/tools/bin/python -m build --outdir dist .
	build/dist/tools/bin/twine check --strict dist/*
	$(PYTHON) -m venv build/dist/new && build/dist/new/bin/pip install --quiet -c constraints.txt dist/*.whl
	cd build/dist && new/bin/podium compare benavoli2016 --html report.html --quiet && new/bin/podium compare --from report.html --quiet
	sed -n '/^```python/,/^```$$/{/^```/d;p;}' README.md > build/dist/readme.py && build/dist/new/bin/python build/dist/readme.py
	cd build/dist && new/bin/podium verify

demo: $(PACKAGE) ## make the full report from a table in the package, and say where it is
	@mkdir -p podium-report
	@echo "Seven classifiers on 54 datasets: podium compare benavoli2016_named --html report.html"; echo
	@cd podium-report && ../$(BIN)/podium compare benavoli2016_named --html report.html --latex latex --md report.md --json report.json
	@echo; echo "Open this page in a browser: file://$(CURDIR)/podium-report/report.html"

benchmark: $(INSTALLED) ## run the embedded benchmark suite end to end, then its report (minutes)
	@mkdir -p podium-report
	$(BIN)/podium run wainer14 --store podium-report/wainer14.db
	$(BIN)/podium compare podium-report/wainer14.db --metric error --rope auto --search-metric cv_error --html podium-report/wainer14.html

test: $(INSTALLED) ## pass the whole gate: format, lint, types, tests, doctests, README, docs of every command
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	@$(MAKE) --no-print-directory --jobs=2 types suite

types: $(INSTALLED)
	$(BIN)/mypy

# One worker more than there are cores: many tests wait for a page, a process or a limit of time. One thread in each for the
# libraries of others, whose threads wait for each other by spinning: with more workers than cores they take minutes for nothing.
suite: $(INSTALLED)
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -n $$(($$(getconf _NPROCESSORS_ONLN) + 1)) --dist loadfile -m "not slow"

check: test ## the same gate as `make test`

bench: $(INSTALLED) ## measure the speed against the strongest peers, as ratios in one run
	$(PIP) -e ".[peers]"
	$(BIN)/python benchmarks/run.py

# The same tests as in the gate, with many more attacks; all on this machine, and for half an hour at most.
attack: $(INSTALLED) ## attack the runner, the files and the page: signals, flipped bits, contradicting parts, special and mutated files, bombs, connections, tampered reports
	PODIUM_ATTACKS=200 timeout 1800 $(BIN)/python -m pytest -n auto tests/bench/test_faults.py tests/bench/test_fooled.py tests/bench/test_merge.py tests/core/test_files.py tests/cli/test_from.py tests/reading/test_wall.py tests/web/test_security.py tests/web/test_uploads.py tests/web/test_workers.py

calibrate: $(INSTALLED) ## the long calibrations: error rates by simulation, then many new examples for every property
	$(BIN)/python -m pytest -n auto -m slow tests
	PODIUM_EXAMPLES=explore $(BIN)/python -m pytest -n auto -m "hypothesis and not slow" tests
	PYTHONPATH=tests $(BIN)/python -m bayes.calibration

# A sample of the suite that touches every package the project names; other versions warn of other things.
SAMPLE := tests/core tests/cases tests/cli/test_show.py tests/stats/exact tests/stats/pairwise tests/plot
EXTRAS := bench,excel,parquet,web

lowest: ## test the lowest allowed versions on Python 3.11, and the newest on 3.13 and 3.14 where they are installed
	python3.11 -m venv --clear .venv-lowest
	.venv-lowest/bin/python tests/lowest.py $(subst $(comma), ,$(EXTRAS)) > .venv-lowest/constraints.txt
	.venv-lowest/bin/python -m pip install --quiet -c .venv-lowest/constraints.txt -e ".[$(EXTRAS)]" "pytest>=8.3" "hypothesis>=6.110"
	.venv-lowest/bin/python -m pytest -q -W default -m "not slow" $(SAMPLE)
	for version in 3.13 3.14; do \
	  python$$version -c "" 2> /dev/null || { echo "python$$version is not installed: left out."; continue; }; \
	  python$$version -m venv --clear .venv-newest && \
	  .venv-newest/bin/python -m pip install --quiet -e ".[$(EXTRAS)]" pytest hypothesis && \
	  .venv-newest/bin/python -m pytest -q -W default -m "not slow" $(SAMPLE) || exit 1; \
	done

folds: $(INSTALLED) ## measure how often tests on the folds of one dataset reject (a quarter of an hour); writes docs/data/one_dataset.csv
	$(BIN)/python benchmarks/one_dataset.py > docs/data/one_dataset.csv

intervals: $(INSTALLED) ## measure how often intervals on the same cases cover, and all pairs together alarm falsely (an hour); writes docs/data/cases_calibration.csv
	$(BIN)/python benchmarks/cases_calibration.py > docs/data/cases_calibration.csv

# Each room by its own tests, as `make mutants` does. What is compiled cannot be watched: tests that are quick without compiling are run
# by Python as well; there whole numbers warn where compiled ones wrap around.
COMPUTING := stats bayes cases runs chance ordering planning studies comparison
MEASURED := $(BIN)/python -m pytest -q --cov-branch --cov-append
coverage: $(INSTALLED) ## measure which branches of the rooms that compute are reached by their own tests (half an hour)
	$(PIP) pytest-cov
	rm -f .coverage
	export OMP_NUM_THREADS=1; for room in $(COMPUTING); do \
	  $(MEASURED) -m "not slow" --cov=podium.$$room --cov-report= tests/$$room; \
	  NUMBA_DISABLE_JIT=1 $(MEASURED) -m kernel -W "ignore:overflow encountered" --cov=podium.$$room \
	    --cov-report=term-missing:skip-covered tests/$$room; \
	done

slurm: $(INSTALLED) ## test `--dask slurm` on a SLURM of one node, started here (root, Debian)
	tests/bench/slurm.sh start
	SLURM_CONF=/tmp/podium-slurm/slurm.conf $(BIN)/python -m pytest tests/bench/test_slurm.py; status=$$?; tests/bench/slurm.sh stop; exit $$status

docs: $(INSTALLED) ## build the documentation into docs/_build (offline, warnings are errors)
	$(BIN)/python -m sphinx -W --keep-going -q -b html docs docs/_build

papers: $(INSTALLED) ## reproduce the five papers, their tables beside the printed numbers (minutes); writes their pages in docs
	for paper in benavoli2016 demsar2006 demsar2006_sl forman2005 ulas2008 wainer2016; do $(BIN)/python examples/$$paper.py || exit 1; done

counts: $(PACKAGE) ## print how large the house is: code lines, switches on the unit, what one command calls, shared lines
	$(BIN)/python benchmarks/counts.py

mutants: $(INSTALLED) ## plant 300 small faults, one by one, and count those that the tests of their own room notice (hours)
	$(BIN)/python benchmarks/mutants.py

clean: ## remove the environment and everything that was built
	rm -rf $(VENV) .venv-lowest .venv-newest docs/_build dist .mypy_cache .ruff_cache .hypothesis

# Works with GNU make 3.81 and later, on Linux and macOS. Windows: see the README's lines of pip.
# Narration goes to stderr, so that `make run </dev/null` prints the answer alone on stdout.

PYTHON ?= python3
# A package index to take torch from first, such as https://download.pytorch.org/whl/cpu (a smaller build).
TORCH_INDEX ?=

# Seconds for which `make fuzz` breaks things.
FUZZ_SECONDS ?= 60
# Trials of `make mutants` at a time, and its other options, such as `--target versions` or `--sample 20`.
WORKERS ?= 2
MUTANTS ?=

VENV := .venv
BIN := $(VENV)/bin
APP := $(BIN)/regulations-assistant
PIP := $(BIN)/python -m pip --disable-pip-version-check

QUESTION := I was bumped from a full domestic flight and rebooked to arrive 90 minutes late. What did the airline owe me?
DAY := 2022-06-10

.DEFAULT_GOAL := help
.PHONY: help run test check bench fuzz mutants screenshots clean

help:
	@echo "make run    set up, build the index and start the program (without a terminal: answer one question)"
	@echo "make test   set up and run the tests"
	@echo "make check  lint, types, layers, spelling, and the tests with branch coverage"
	@echo "make bench  run the benchmarks"
	@echo "make fuzz   break copies and labels at random for FUZZ_SECONDS=60"
	@echo "make mutants  spoil the code for dates and checks, fault by fault, and see whether the tests notice (25 minutes)"
	@echo "make screenshots  make the pictures and the table of keys of docs/app.md"
	@echo "make clean  remove what these made, the environment too"

run: $(VENV)/.with-models
	@if [ -t 0 ] && [ -t 1 ]; then exec $(APP); else exec $(APP) ask "$(QUESTION)" --as-of $(DAY); fi

test: $(VENV)/.with-dev
	$(BIN)/pytest

check: $(VENV)/.with-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/codespell
	$(BIN)/pytest --cov=engine --cov=tui --cov-branch --cov-report=
	$(BIN)/coverage report
	$(BIN)/coverage report --include='engine/*' --fail-under=100

bench: $(VENV)/.with-dev
	$(BIN)/pytest tests/bench -s

fuzz: $(VENV)/.with-dev
	$(BIN)/python tests/fuzz/fuzz.py $(FUZZ_SECONDS)

mutants: $(VENV)/.with-dev
	$(BIN)/python tests/mutation/run.py --workers $(WORKERS) $(MUTANTS)

screenshots: $(VENV)/.with-dev
	$(BIN)/python tests/tui/make_docs.py

clean:
	rm -rf $(VENV) build dist htmlcov .coverage .coverage.* *.egg-info
	rm -rf .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	find engine tui tests -name __pycache__ -type d -prune -exec rm -rf {} +

# The environment. A stamp inside it says what was installed; a changed pin or range installs again.

$(BIN)/python:
	@command -v "$(PYTHON)" >/dev/null || { \
	  echo "No '$(PYTHON)' was found. Install Python 3.11 or newer, or name one: make run PYTHON=python3.12" >&2; exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "'$(PYTHON)' is not Python 3.11 or newer: `"$(PYTHON)" --version 2>&1`. Name one that is: make run PYTHON=python3.12" >&2; exit 1; }
	@echo "Creating $(VENV) with `"$(PYTHON)" --version 2>&1`" >&2
	@"$(PYTHON)" -m venv --clear $(VENV) || { rm -rf $(VENV); exit 1; }

$(VENV)/.with-models: pyproject.toml constraints.txt | $(BIN)/python
	@echo "Installing the program and its models (once; some minutes on a slow line)" >&2
	@if [ -n "$(TORCH_INDEX)" ]; then $(PIP) install --no-deps -c constraints.txt torch --index-url "$(TORCH_INDEX)" >&2; fi
	@$(PIP) install -c constraints.txt -e '.[models]' >&2
	@touch $@

$(VENV)/.with-dev: $(VENV)/.with-models
	@echo "Installing what the tests and checks need" >&2
	@$(PIP) install -c constraints.txt -e '.[dev,models]' >&2
	@touch $@

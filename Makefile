PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
RUN_STAMP := $(VENV)/.installed-to-run
PYTEST := $(BIN)/python -m pytest
WORKERS := $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)# a third of the time of tests is waiting for others
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check

.PHONY: setup browser demo test kernels docs bench lint lock clean

setup: $(STAMP)

$(STAMP): pyproject.toml requirements.lock
	$(PYTHON) -m venv $(VENV)
	$(PIP) install -r requirements.lock
	$(PIP) install --no-deps --no-build-isolation --editable .
	touch $(RUN_STAMP) $(STAMP)

# What running needs, with the same versions; Python compiles what is imported when it is.
$(RUN_STAMP): pyproject.toml requirements-run.lock
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --no-compile -r requirements-run.lock
	$(PIP) install --no-compile --no-deps --no-build-isolation --editable .
	touch $(RUN_STAMP)

demo: $(RUN_STAMP)
	$(BIN)/python -m examples.demo

# The web interface is tested in a real browser.
browser:
	@command -v chromium > /dev/null || ! command -v apt-get > /dev/null || \
	  (apt-get update --quiet && apt-get install --quiet --yes --no-install-recommends chromium)

# Crawls, kills and browsers are real here, so a machine that stands still for a moment can fail a test. Such a test
# has a second try, alone, after the others; it is an unsteady one all the same, and the first run has printed it.
test: setup browser
	$(MAKE) --jobs=2 lint kernels
	$(PYTEST) --numprocesses $(WORKERS) --dist worksteal || $(PYTEST) --last-failed --last-failed-no-failures none

# Else every process of the tests would compile the same ones; mypy leaves the other cores to it.
kernels: setup
	$(BIN)/sundog warm-up

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

docs: setup
	$(BIN)/python -m sphinx -q -W --keep-going -b html docs site

bench: setup
	$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV) demo bench-data site

# Renews the lock files from what pyproject.toml allows; run it in a clean clone.
lock:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"  # the first that knows dependency groups
	$(PIP) install --upgrade hatchling editables .
	(echo "# What running needs, and to install it editable: for make demo. Renew it with: make lock"; \
	 $(BIN)/python -m pip freeze --exclude sundog) > requirements-run.lock
	$(PIP) install hatchling editables --constraint requirements-run.lock \
	  '.[archives,charts,cluster,duckdb,hoeffding,parquet,shacl,stemming,uvloop,web,xquery]' --group dev --group bench
	(echo "# Every package of a development environment, as tested. Renew it with: make lock"; \
	 $(BIN)/python -m pip freeze --exclude sundog) > requirements.lock

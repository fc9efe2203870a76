PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: setup browser demo test bench lint lock clean

setup: $(STAMP)

$(STAMP): pyproject.toml requirements.lock
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	touch $(STAMP)

demo: setup
	$(BIN)/python -m examples.demo

# The web interface is tested in a real browser.
browser:
	@command -v chromium > /dev/null || ! command -v apt-get > /dev/null || \
	  (apt-get update --quiet && apt-get install --quiet --yes --no-install-recommends chromium)

test: setup browser lint
	$(BIN)/python -m pytest --numprocesses auto --dist worksteal

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: setup
	$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV) demo bench-data

# Renews the lock file from what pyproject.toml allows; run it in a clean clone.
lock:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"  # the first that knows dependency groups
	$(BIN)/python -m pip install --quiet --upgrade hatchling editables '.[cluster,duckdb,hoeffding,shacl,stemming,uvloop,web,xquery]' \
	  --group dev --group bench
	(echo "# Every package of a development environment, as tested. Renew it with: make lock"; \
	 $(BIN)/python -m pip freeze --exclude sundog) > requirements.lock

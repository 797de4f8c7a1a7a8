# Everything runs in .venv, which the first target that needs it creates from .ci/requirements.lock.
# Only Python 3.11 or newer has to be there: `make PYTHON=python3.12 demo` chooses another one.

SHELL := /bin/sh
MAKEFLAGS += --no-builtin-rules
.SUFFIXES:
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

PYTHON ?= python3
VENV ?= .venv
UV_VERSION := 0.13.9

BIN := $(VENV)/bin
PY := $(BIN)/python
PIP_INSTALL := -m pip install --quiet --disable-pip-version-check
SETUP := $(VENV)/.stamp
WHEEL_VENV := build/wheel-venv
LOCK := build/lock-venv/bin/uv pip compile --quiet --universal --python-version 3.11 \
	--generate-hashes --no-emit-index-url --custom-compile-command "make lock"

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: setup
setup: $(SETUP) ## create .venv (every other target does it when needed)

$(SETUP): .ci/requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "neuron-dra needs Python 3.11 or newer, and '$(PYTHON)' is not:" \
			"name one with make PYTHON=python3.12" >&2; exit 1; }
	@echo "creating $(VENV)"
	@rm -rf $(VENV)
	@$(PYTHON) -m venv $(VENV)
	@$(PY) $(PIP_INSTALL) --require-hashes -r .ci/requirements.lock
	@$(PY) $(PIP_INSTALL) --no-deps --no-build-isolation --no-index -e .
	@touch $@

.PHONY: demo
demo: $(SETUP) ## compile specs/ into build/out and say what to look at
	@rm -rf build/out
	$(BIN)/neuron-dra compile specs/ -o build/out
	@template=$$(find build/out -path '*/resourceclaimtemplates/*.yaml' | LC_ALL=C sort | head -n 1); \
	test -n "$$template" || { echo "no ResourceClaimTemplate in build/out" >&2; exit 1; }; \
	echo; echo "One of the objects, $$template:"; echo; cat "$$template"; \
	echo; echo "Next:"; \
	echo "  find build/out -type f                 all that was compiled"; \
	echo "  cp -r build/out build/before           keep it, then change a number in specs/ and"; \
	echo "  $(BIN)/neuron-dra compile specs/ -o build/out"; \
	echo "  $(BIN)/neuron-dra diff build/before build/out"

.PHONY: lint
lint: $(SETUP) ## format, lint, types and the direction of imports
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

.PHONY: format
format: $(SETUP) ## rewrite the code as `make lint` wants it
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

.PHONY: test
test: lint ## lint, then all tests with coverage
	PATH="$(abspath $(BIN)):$$PATH" $(PY) -m pytest -n 2 -rs --cov --cov-report=term --cov-fail-under=90

.PHONY: golden
golden: $(SETUP) ## write golden/ with the real command; review the diff
	$(PY) tests/make_golden.py

.PHONY: docs
docs: $(SETUP) ## write docs/reference/ from the models and codes
	$(PY) docs/generate.py

.PHONY: errors
errors: $(SETUP) ## write the expected texts of tests/errors/ again; review the diff
	$(PY) tests/make_errors.py

.PHONY: bench
bench: $(SETUP) ## measure the compiler
	$(PY) bench/run.py

include tests/oracle/oracle.mk

.PHONY: conformance
conformance: $(SETUP) oracle ## compare with the real Kubernetes code
	$(PY) -m pytest -n 2 -rs tests/conformance

# The wheel is built from the source distribution, and the end-to-end tests run against it from another
# folder, not against the checkout.
.PHONY: wheel
wheel: $(SETUP) ## build the distributions once, try the wheel in a clean environment
	@rm -rf build/dist $(WHEEL_VENV) build/elsewhere
	$(PY) -m build --no-isolation --outdir build/dist .
	@$(PY) -m venv $(WHEEL_VENV)
	@$(WHEEL_VENV)/bin/python $(PIP_INSTALL) --require-hashes -r .ci/wheel.lock
	@$(WHEEL_VENV)/bin/python $(PIP_INSTALL) --no-deps --no-index build/dist/*.whl
	$(WHEEL_VENV)/bin/python -m pip check
	@mkdir -p build/elsewhere
	cd build/elsewhere && PATH="$(abspath $(WHEEL_VENV))/bin:$$PATH" python -m pytest -p no:cacheprovider \
		-c "$(CURDIR)/pyproject.toml" --rootdir "$(CURDIR)" "$(CURDIR)/tests/e2e"

# uv is not part of the environment: it is needed here only.
.PHONY: lock
lock: ## write the lock files anew: make lock UPGRADE=--upgrade
	@$(PYTHON) -m venv build/lock-venv
	@build/lock-venv/bin/python $(PIP_INSTALL) uv==$(UV_VERSION)
	$(LOCK) $(UPGRADE) --extra dev --output-file .ci/requirements.lock pyproject.toml
	$(LOCK) --constraint .ci/requirements.lock --output-file .ci/wheel.lock pyproject.toml .ci/wheel.in
	$(LOCK) --output-file .ci/go.lock .ci/go.in

.PHONY: clean
clean: ## remove what the other targets made, .venv too
	rm -rf build $(VENV) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis .coverage*
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

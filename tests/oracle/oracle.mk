# The code of Kubernetes itself, one program per minor, for tests/conformance: tests/oracle/README.md.
# It takes Go 1.26 (on PATH, else from .ci/go.lock) and the Go modules of Kubernetes.
# `make oracle MINORS=1.36` builds one; `make oracle ORACLE_FLAGS=--optional` passes where Go cannot be had.

MINORS ?=
ORACLE_FLAGS ?=

.PHONY: oracle
oracle: ## build the real Kubernetes code that tests compare with
	@nice $(PYTHON) tests/oracle/build.py $(ORACLE_FLAGS) $(MINORS)

# make judge CASES=20000 MINORS="1.36 1.37" SEED=7
CASES ?= 5000
SEED ?= 0

.PHONY: judge
judge: $(SETUP) oracle ## ask the real Kubernetes code generated cases and compare
	@cd tests && nice $(abspath $(PY)) -m conformance.judge --cases $(CASES) --seed $(SEED) $(MINORS)

# The code of Kubernetes itself, one program per minor, for tests/conformance: tests/oracle/README.md.
# It takes Go 1.26 (on PATH, else from .ci/go.lock) and the Go modules of Kubernetes.
# `make oracle MINORS=1.36` builds one; `make oracle ORACLE_FLAGS=--optional` passes where Go cannot be had.

MINORS ?=
ORACLE_FLAGS ?=

.PHONY: oracle
oracle: ## build the real Kubernetes code that tests compare with
	@nice $(PYTHON) tests/oracle/build.py $(ORACLE_FLAGS) $(MINORS)

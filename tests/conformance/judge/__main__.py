"""Ask the code of Kubernetes as many generated cases as wanted: `make judge CASES=20000`.

In: how many cases, which minors, a seed. Out: a table, every disagreement as a small case, and 1 if
there is one or if the cases are no good spread.
"""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor

from conformance.judge.expectations import find_missing
from conformance.judge.table import draw_table
from conformance.judge.trial import CASES, OPERATIONS, SEED, run_trial
from oracle.build import MINORS
from oracle.client import available


def main(arguments=None):
    options = _read(arguments)
    if reasons := list(filter(None, map(available, options.minors))):
        sys.exit("\n".join(reasons))
    tallies = _run(options)
    sys.stdout.write(f"seed {options.seed}\n\n{draw_table(tallies)}\n")
    missing = [
        f"{each.operation} {each.minor}: {text}" for each in tallies for text in find_missing(each)
    ]
    findings = [str(finding) for each in tallies for finding in each.findings]
    sys.stdout.write("".join(f"\n---\n{finding}" for finding in findings))
    sys.stdout.write("".join(f"\n{text}" for text in missing))
    return 1 if missing or any(each.disagreements for each in tallies) else 0


def _read(arguments):
    parser = argparse.ArgumentParser(prog="make judge")
    parser.add_argument("minors", nargs="*", default=[], metavar="MINOR")
    parser.add_argument("--cases", type=int, default=CASES)
    parser.add_argument("--seed", default=SEED)
    options = parser.parse_args(arguments)
    options.minors = options.minors or list(MINORS)
    return options


def _run(options):
    """Run trials two at a time: one uses a core or less, the oracle included."""
    with ProcessPoolExecutor(2) as pool:
        running = [
            pool.submit(run_trial, minor, operation, options.cases, options.seed)
            for operation in OPERATIONS
            for minor in options.minors
        ]
        return [each.result() for each in running]


if __name__ == "__main__":
    sys.exit(main())

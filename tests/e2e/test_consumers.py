"""`plan --consumers` through the command in a process of its own."""

from __future__ import annotations

import json


def test_consumers_of_the_examples(run_cli, copy_specs):
    """Text and JSON give the same verdicts on every example, whatever the hash seed."""
    copy_specs("shapes")

    first = run_cli("plan", "--consumers", PYTHONHASHSEED="1")
    second = run_cli("plan", "--consumers", PYTHONHASHSEED="2")
    data = json.loads(run_cli("plan", "--consumers", "--format", "json").stdout)

    assert first.stdout == second.stdout
    assert max(map(len, first.stdout.splitlines())) <= 100
    partitions = [each for cluster in data["clusters"] for each in cluster["partitions"]]
    assert all(each["name"] in first.stdout for each in partitions)
    words = {verdict["usable"] for each in partitions for verdict in each["consumers"]}
    assert words == {"yes", "no", "unknown"}


def test_unknown_cluster(run_cli, copy_specs):
    """A name that the specs do not have is an error of usage."""
    copy_specs("small")

    done = run_cli("plan", "--consumers", "--cluster", "nowhere", code=2)

    assert done.stdout == ""
    assert "there is no `nowhere`" in done.stderr

"""The formats of Kubernetes names."""

import pytest

from neuron_dra.syntax import formats


@pytest.mark.parametrize(
    ("check", "good", "bad"),
    [
        (formats.dns_label, ["a", "a-b", "0a", "a" * 63], ["", "A", "-a", "a-", "a.b", "a" * 64]),
        (formats.dns_label_1035, ["a", "a-b"], ["0a", "A", "a.b"]),
        (formats.dns_subdomain, ["a.b", "2.27-x"], ["", "a..b", ".a", "A", "a" * 254]),
        (formats.label_key, ["a", "x.y/a_B", "A"], ["", "/a", "a/", "a/b/c", "X/a", "a" * 64]),
        (formats.label_value, ["", "a", "A_b.c"], ["-a", "a b", "a" * 64]),
        (
            formats.extended_resource,
            ["example.com/x"],
            [
                "x",
                "requests.example.com/x",
                "kubernetes.io/x",
                "node.kubernetes.io/x",
                "a/" + "x" * 64,
            ],
        ),
        (formats.cidr, ["10.8.0.0/22", "fd00::/8"], ["10.8.0.1/22", "x", "FD00::/8"]),
    ],
)
def test_good_texts_pass_and_bad_ones_say_why(check, good, bad):
    assert [check(text) for text in good] == [""] * len(good)
    assert all(check(text) for text in bad)

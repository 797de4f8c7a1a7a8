"""URLs."""

from __future__ import annotations

import pytest

TRUE = [
    'url("https://u:p@h.x:80/a/b%20c?q=1&q=2&z=#f").getHost()=="h.x:80"',
    'url("https://u:p@h.x:80/a").getHostname()=="h.x"',
    'url("https://[::1]:80/a").getHostname()=="::1"',
    'url("https://[::1]:80/a").getPort()=="80"',
    'url("https://[::1]/a").getPort()==""',
    'url("https://h/a b").getEscapedPath()=="/a%20b"',
    'url("https://h/a%20b").getEscapedPath()=="/a%20b"',
    'url("https://h/a?q=1&q=2&z=").getQuery()=={"q":["1","2"],"z":[""]}',
    'url("/a").getScheme()==""',
    'isURL("http:")',
    'url("HTTP://h/").getScheme()=="http"',
    'url("http://a/b") == url("http://a/b")',
    'url("http://a/b;c=d").getEscapedPath() == "/b;c=d"',
    'url("http://u:p%40@h/").getHost() == "h"',
    'isURL("/a?b=c")',
    'url("http://a:80").getHostname() == "a"',
]
FALSE = [
    'isURL("a")',
    'isURL("http://a b/")',
    'isURL("http://a:x/")',
    'isURL("")',
    'isURL("https://h/%zz")',
    'url("http://a/b") == url("http://a/c")',
    'isURL("http://[::1/")',
    'isURL("http://a/\\n")',
    'isURL("1http://a")',
]
FAILS = [
    'dyn(url("http://a/b")) == "x"',
    'url("x").getHost() == ""',
]


@pytest.mark.parametrize("expression", TRUE)
def test_true(expression, outcome):
    """These hold for the device, as in the real API server."""
    assert outcome(expression) is True


@pytest.mark.parametrize("expression", FALSE)
def test_false(expression, outcome):
    """These do not hold for the device, as in the real API server."""
    assert outcome(expression) is False


@pytest.mark.parametrize("expression", FAILS)
def test_fails(expression, outcome):
    """These are errors for the device, as in the real API server."""
    assert isinstance(outcome(expression), str)

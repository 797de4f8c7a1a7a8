"""URLs."""

from __future__ import annotations

from unit.cel.outcomes import describe, judged

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


@judged(TRUE, FALSE, FAILS)
def test_outcomes(expression, expected, outcome):
    """The device gets the outcome that it gets in the real API server."""
    assert describe(outcome(expression)) == expected

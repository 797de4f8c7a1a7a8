"""YAML text to documents: nothing raises, every problem has a place, one error hides no other."""

from hypothesis import given
from hypothesis import strategies as st

from neuron_dra.source import Source
from neuron_dra.syntax.parse import parse


def slugs(text):
    documents, problems = parse(Source("x.yaml", text.encode()))
    return len(documents), [(each.code.slug, str(each.span)) for each in problems]


def test_documents_of_a_stream_are_parsed():
    assert slugs("a: 1\n---\nb: 2\n") == (2, [])


def test_a_broken_document_does_not_hide_the_others():
    assert slugs("a: *x\n---\nb: 1\n---\nc: [") == (
        1,
        [("undefined-alias", "x.yaml:1:4"), ("invalid-yaml", "x.yaml:5:5")],
    )


def test_a_tab_is_explained():
    assert slugs("a: b\n\tc: d") == (0, [("tab-indentation", "x.yaml:2:1")])


def test_a_control_character_is_named():
    _, problems = parse(Source("x.yaml", b"a: \x07"))

    assert problems[0].message == "U+0007 is not allowed in YAML"


def test_bytes_that_are_not_utf8_are_named():
    _, problems = parse(Source("x.yaml", b"a: 1\nb: \xff"))

    assert (str(problems[0].span), problems[0].message) == (
        "x.yaml:2:4",
        "byte 0xff at offset 8 is not UTF-8",
    )


def test_a_byte_order_mark_is_skipped():
    documents, problems = parse(Source("x.yaml", b"\xef\xbb\xbfa: 1\n"))

    assert (len(documents), problems) == (1, [])
    assert documents[0].root.value[0][0].value == "a"


def test_an_anchor_that_contains_itself_is_refused():
    assert slugs("a: &x [*x]") == (0, [("recursive-alias", "x.yaml:1:4")])


def test_an_alias_bomb_is_refused_before_it_is_read():
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 30)]

    assert slugs("\n".join(lines))[1] == [("alias-bomb", "x.yaml:1:1")]


def test_honest_aliases_are_kept():
    text = "base: &base {a: 1}\n" + "".join(f"k{n}: *base\n" for n in range(500))

    assert slugs(text) == (1, [])


def test_deep_nesting_is_refused():
    count, problems = slugs("[" * 5000)

    assert (count, problems[0][0]) == (0, "nesting-too-deep")


def test_the_help_names_the_way_out():
    _, problems = parse(Source("x.yaml", b"a: b: c"))

    assert problems[0].help.startswith("quote a text that contains `: `")


def test_where_a_flow_began_is_related():
    _, problems = parse(Source("x.yaml", b"a: [1,\nb: c"))

    assert [str(each.span) for each in problems[0].related] == ["x.yaml:1:4"]


def test_plain_scalars_stay_text():
    documents, _ = parse(Source("x.yaml", b"[1.30, no, 0777, 1:30, 2027-01-01]"))

    assert [node.value for node in documents[0].root.value] == [
        "1.30",
        "no",
        "0777",
        "1:30",
        "2027-01-01",
    ]


@given(
    st.binary(max_size=200)
    | st.text(max_size=200).map(lambda text: text.encode("utf-8", "replace"))
)
def test_any_bytes_give_documents_or_diagnostics_inside_the_file(data):
    source = Source("x.yaml", data)

    _, problems = parse(source)

    lines = data.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for problem in problems:
        assert 0 <= problem.span.line < max(len(lines), data.count(b"\n") + 1)
        assert problem.span.column >= 0

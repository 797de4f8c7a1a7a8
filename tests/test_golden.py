"""golden/ is what the real command makes of every instance type, and every example spec on it."""

import difflib

import pytest

import make_golden


@pytest.mark.parametrize("instance_type", make_golden.instance_types())
def test_the_column_of_an_instance_type_is_current(instance_type, monkeypatch):
    monkeypatch.chdir(make_golden.ROOT)
    folder = make_golden.GOLDEN / instance_type

    made = make_golden.make_folder(instance_type)

    found = {path.name: path.read_text() for path in folder.iterdir()}
    assert sorted(found) == sorted(made), "missing or orphan cells\nrun: make golden"
    for name, text in made.items():
        difference = "".join(
            difflib.unified_diff(
                found[name].splitlines(keepends=True),
                text.splitlines(keepends=True),
                f"golden/{instance_type}/{name}",
                "made now",
            )
        )
        assert not difference, f"{difference}\nrun: make golden, then review the diff"


def test_there_is_a_column_for_each_instance_type_and_no_other():
    folders = sorted(path.name for path in make_golden.GOLDEN.iterdir() if path.is_dir())

    assert folders == make_golden.instance_types()


def test_each_shape_fits_somewhere():
    fitting = {path.name.removesuffix(".yaml") for path in make_golden.shape_files()}

    assert fitting == set(make_golden.shapes())
